"""Templates as the platform lists them (platform.md, section 3), in the form we fill them in.

Named variables become `{{1}}`, `{{2}}` ... in order of first use; their names are kept, because the
platform requires them in a send. `problem` says why a template cannot be sent.
"""

import re
from typing import Any

import msgspec

from .client import Graph
from .listing import list_known_fields
from .values import short, text

OLDEST_FIELDS = "id,name,language,status,category,components"
FIELDS = f"{OLDEST_FIELDS},parameter_format,rejected_reason"
AUTHENTICATION = "AUTHENTICATION"  # the category of passcodes
HEADERS = frozenset({"TEXT", "IMAGE", "DOCUMENT"})
PLAIN_BUTTONS = frozenset({"QUICK_REPLY", "URL", "PHONE_NUMBER", "FLOW", "VOICE_CALL"})
COPY_CODE = "COPY_CODE"
CODE_BUTTONS = frozenset({"OTP", "URL", COPY_CODE})  # created as OTP, listed as URL
COMPONENTS = frozenset({"HEADER", "BODY", "FOOTER", "BUTTONS"})

_VARIABLE = re.compile(r"\{\{\s*([^{}]+?)\s*\}\}")


class ListedButton(msgspec.Struct, frozen=True):
    type: str
    text: str
    url: str = ""
    phone: str = ""
    flow_id: str = ""


class ListedTemplate(msgspec.Struct, frozen=True):
    name: str
    language: str
    category: str
    status: str
    header: str | None = None
    header_text: str = ""
    body: str = ""
    footer: str = ""
    buttons: tuple[ListedButton, ...] = ()
    names: tuple[str, ...] = ()  # of named variables: the header's, then the body's
    problem: str = ""  # why it cannot be sent, apart from its status


async def list_templates(graph: Graph, waba_id: str, token: str) -> list[ListedTemplate]:
    """Every language version of every template."""
    path = f"{waba_id}/message_templates"
    found = await list_known_fields(graph, path, token, FIELDS, OLDEST_FIELDS)
    return [template for template in map(read_template, found) if template is not None]


def read_template(found: dict[str, Any]) -> ListedTemplate | None:
    name, language = short(found.get("name")), short(found.get("language"))
    status = short(found.get("status"))
    if name is None or language is None or status is None:
        return None
    category = short(found.get("category")) or ""
    parts = _parts(found.get("components"))
    header = parts.get("HEADER", {})
    head, head_names = _numbered(text(header.get("text")) or "")
    body, body_names = _numbered(text(parts.get("BODY", {}).get("text")) or "")
    named = found.get("parameter_format") == "NAMED"
    return ListedTemplate(
        name=name,
        language=language,
        category=category,
        status=status,
        header=_kind(header),
        header_text=head,
        body=body,
        footer=text(parts.get("FOOTER", {}).get("text")) or "",
        buttons=tuple(_button(button, category) for button in _buttons(parts)),
        names=(*head_names, *body_names) if named else (),
        problem=_problem(found, category, parts),
    )


def _parts(components: object) -> dict[str, dict[str, Any]]:
    found = components if isinstance(components, list) else []
    return {str(one.get("type")).upper(): one for one in found if isinstance(one, dict)}


def _kind(header: dict[str, Any]) -> str | None:
    return (short(header.get("format")) or "TEXT").upper() if header else None


def _numbered(given: str) -> tuple[str, list[str]]:
    """The text with its variables numbered from 1, and their original names."""
    names = list(dict.fromkeys(_VARIABLE.findall(given)))
    return _VARIABLE.sub(lambda match: f"{{{{{names.index(match[1]) + 1}}}}}", given), names


def _buttons(parts: dict[str, dict[str, Any]]) -> list[dict[str, Any]]:
    found = parts.get("BUTTONS", {}).get("buttons")
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


def _button(button: dict[str, Any], category: str) -> ListedButton:
    kind = str(button.get("type")).upper()
    label = text(button.get("text")) or ""
    if category == AUTHENTICATION and kind in CODE_BUTTONS:
        return ListedButton(COPY_CODE, label)
    url, _ = _numbered(text(button.get("url")) or "")
    return ListedButton(
        kind,
        label,
        url=url,
        phone=text(button.get("phone_number")) or "",
        flow_id=short(button.get("flow_id")) or "",
    )


def _problem(found: dict[str, Any], category: str, parts: dict[str, dict[str, Any]]) -> str:
    reason = short(found.get("rejected_reason"))
    if found.get("status") == "REJECTED" and reason not in (None, "NONE"):
        return f"the platform rejected it: {reason}"
    header = _kind(parts.get("HEADER", {}))
    if header is not None and header not in HEADERS:
        return f"its header is a {header}, which cannot be filled here"
    unsupported = sorted(set(parts) - COMPONENTS)
    if unsupported:
        return f"it has a part that cannot be filled here: {unsupported[0]}"
    allowed = PLAIN_BUTTONS | CODE_BUTTONS if category == AUTHENTICATION else PLAIN_BUTTONS
    kinds = [str(button.get("type")).upper() for button in _buttons(parts)]
    unknown = next((kind for kind in kinds if kind not in allowed), None)
    return "" if unknown is None else f"it has a button that cannot be filled here: {unknown}"
