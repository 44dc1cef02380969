"""The answers about templates and readiness (contract.md), as OpenAPI shows them."""

from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType


class TemplateButtonShape(msgspec.Struct, rename="camel"):
    type: Annotated[str, Meta(description="QUICK_REPLY, URL, PHONE_NUMBER, FLOW or COPY_CODE.")]
    text: str
    url: str | UnsetType = UNSET
    phone: str | UnsetType = UNSET


class TemplateShape(msgspec.Struct, rename="camel"):
    """One language version of a template."""

    name: str
    language: str
    status: Annotated[str, Meta(description="The platform's word; only APPROVED can be sent.")]
    category: Annotated[str, Meta(description="UTILITY, MARKETING or AUTHENTICATION.")]
    variables: Annotated[int, Meta(description="How many `templateParams` it takes.")]
    header: Annotated[str | None, Meta(description="TEXT, IMAGE, DOCUMENT or another.")]
    body: str
    buttons: list[TemplateButtonShape]
    usable: bool
    reason: Annotated[str | None, Meta(description="Why it is not usable.")]
    header_text: Annotated[str, Meta(description="Of a TEXT header.")] | UnsetType = UNSET
    footer: Annotated[str, Meta(description="Where there is one.")] | UnsetType = UNSET


class InvitationTemplate(msgspec.Struct):
    """The account's `defaultTemplate`, in an approved language if there is one."""

    name: str
    language: str
    status: Annotated[str, Meta(description="The platform's word; only APPROVED can be sent.")]
    ready: bool


class NumberReadiness(msgspec.Struct):
    number: str
    ready: bool
    reason: Annotated[str | None, Meta(description="Why it is not ready.")]


class Readiness(msgspec.Struct, rename="camel"):
    """`ready`: an invitation that names no template could leave now, but for the send window."""

    ready: bool
    reasons: Annotated[
        list[str], Meta(description="Everything that stands against it; empty where ready.")
    ]
    invitation_template: Annotated[
        InvitationTemplate | None,
        Meta(description="Null: there is no `defaultTemplate`, or no such template."),
    ]
    numbers: list[NumberReadiness]


class Page(msgspec.Struct, rename="camel"):
    next_cursor: Annotated[str | None, Meta(description="Null on the last page.")]
