"""Templates on the wire (contract.md). Pure."""

from msgspec import UNSET

from . import shapes
from .model import Template, TemplateButton


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


def _button(button: TemplateButton) -> shapes.TemplateButtonShape:
    return shapes.TemplateButtonShape(
        button.type, button.text, url=button.url or UNSET, phone=button.phone or UNSET
    )
