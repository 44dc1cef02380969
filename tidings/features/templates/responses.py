"""The responses about templates and readiness (contract.md). Pure."""

from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

from .model import Template, TemplateButton


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


def template(version: Template) -> TemplateShape:
    return TemplateShape(
        name=version.name,
        language=version.language,
        status=version.status,
        category=version.category,
        variables=version.variables,
        header=version.header,
        body=version.body,
        buttons=[_button(button) for button in version.buttons],
        usable=version.usable,
        reason=reason(version),
        header_text=version.header_text or UNSET,
        footer=version.footer or UNSET,
    )


def reason(version: Template) -> str | None:
    """Why it cannot be sent; None: it can."""
    if version.usable:
        return None
    if version.status == "APPROVED":
        return version.problem
    words = f"it is {version.status}; only APPROVED can be sent"
    return f"{words} ({version.problem})" if version.problem else words


def _button(button: TemplateButton) -> TemplateButtonShape:
    return TemplateButtonShape(
        button.type, button.text, url=button.url or UNSET, phone=button.phone or UNSET
    )
