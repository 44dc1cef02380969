"""Templates, and whether the account is ready for invitations, on the wire (contract.md). Pure."""

from collections.abc import Sequence

from msgspec import UNSET

from tidings.features.senders.model import Number

from . import shapes
from .model import Template, TemplateButton
from .passcodes import CATEGORY as PASSCODES


def template(version: Template) -> shapes.TemplateShape:
    return shapes.TemplateShape(
        name=version.name,
        language=version.language,
        status=version.status,
        category=version.category,
        variables=version.variables,
        header=version.header,
        body=version.body,
        buttons=[_button(button) for button in version.buttons],
        usable=version.usable,
        reason=_reason(version),
        header_text=version.header_text or UNSET,
        footer=version.footer or UNSET,
    )


def _reason(version: Template) -> str | None:
    if version.usable:
        return None
    if version.status == "APPROVED":
        return version.problem
    reason = f"it is {version.status}; only APPROVED can be sent"
    return f"{reason} ({version.problem})" if version.problem else reason


def _button(button: TemplateButton) -> shapes.TemplateButtonShape:
    return shapes.TemplateButtonShape(
        button.type, button.text, url=button.url or UNSET, phone=button.phone or UNSET
    )


def readiness(
    default_template: str | None, templates: Sequence[Template], numbers: Sequence[Number]
) -> shapes.Readiness:
    """GET /readiness"""
    invitation = _invitation(default_template, templates)
    return shapes.Readiness(
        ready=invitation.ready and any(number.ready for number in numbers),
        invitation_template=invitation,
        numbers=[_number(number) for number in numbers],
    )


def _invitation(name: str | None, templates: Sequence[Template]) -> shapes.InvitationTemplate:
    found = find_invitation(name, templates)
    if found is None:
        return shapes.InvitationTemplate(name, None, None, ready=False)
    return shapes.InvitationTemplate(found.name, found.language, found.status, ready=found.usable)


def find_invitation(name: str | None, templates: Sequence[Template]) -> Template | None:
    """The template invitations go out with: the account's default, an approved version of it.

    Without a default each invitation names its own; then it is one that a guest can answer by
    button, else any but a passcode's: an approved one before others, and these by name.
    """
    if name is not None:
        versions = [version for version in templates if version.name == name]
    else:
        versions = [version for version in templates if version.category != PASSCODES]
        versions = [version for version in versions if _has_reply(version)] or versions
    return min(versions, key=lambda v: (not v.usable, v.name, v.language), default=None)


def _has_reply(version: Template) -> bool:
    return any(button.type == "QUICK_REPLY" for button in version.buttons)


def _number(number: Number) -> shapes.NumberReadiness:
    reason = None if number.ready else f"the platform reports it as {number.status}"
    if number.fault is not None:
        reason = f"the platform takes nothing from it: {number.fault}"
    return shapes.NumberReadiness(number.number, number.ready, reason)
