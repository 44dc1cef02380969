"""The objects of the simulated platform: accounts, numbers, templates, flows, files, people. Pure.

Field names are the platform's where it has one; `nodes.py` shows them on the wire.
"""

import re
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Any

from tidings.platforms.content import Content

VARIABLE = re.compile(r"\{\{\s*([A-Za-z0-9_]+)\s*\}\}")
APPROVED = "APPROVED"


def variables(text: str) -> list[str]:
    """The names of `{{name}}` in order of first use; numeric names in numeric order."""
    names = list(dict.fromkeys(VARIABLE.findall(text)))
    return sorted(names, key=int) if all(map(str.isdecimal, names)) else names


@dataclass
class Waba:
    """A WhatsApp business account: it owns numbers, templates and flows."""

    id: str
    name: str
    portfolio_id: str
    access_token: str
    limit: str = "TIER_100K"  # of the portfolio
    subscribed: bool = True
    callback_url: str = ""  # an override of the app's
    verify_token: str = ""


@dataclass
class Number:
    """A phone number that sends. `number` is digits."""

    id: str
    number: str
    waba: Waba
    verified_name: str = "Tidings"
    status: str = "CONNECTED"
    quality_rating: str = "GREEN"
    throughput: str = "STANDARD"
    name_status: str = "APPROVED"
    per_second: int | None = None  # rate limit (error 130429); None: unlimited
    allowed: frozenset[str] | None = None  # allow list of a test number (131030); None: everyone


@dataclass
class TemplateButton:
    """The fields of a button that are checked in a send."""

    type: str  # upper case
    text: str
    url: str = ""
    phone: str = ""
    flow_id: str = ""
    otp: bool = False

    @property
    def needs_text(self) -> bool:
        """A URL with a variable part, or the button of a passcode."""
        return self.otp or (self.type == "URL" and bool(VARIABLE.search(self.url)))


@dataclass
class MessageTemplate:
    """One language version of a template."""

    id: str
    waba: Waba
    name: str
    language: str
    category: str
    components: list[dict[str, Any]]
    status: str = APPROVED
    parameter_format: str = "POSITIONAL"
    previous_category: str = ""
    rejected_reason: str = "NONE"
    quality: str = "UNKNOWN"
    send_ttl: int | None = None
    edits: list[datetime] = field(default_factory=list)

    @cached_property
    def parts(self) -> "TemplateParts":
        """Cached; an edit clears it (`clear_parts`)."""
        return _read_parts(self)

    def clear_parts(self) -> None:
        self.__dict__.pop("parts", None)


@dataclass(frozen=True, slots=True)
class TemplateParts:
    """The components of a template."""

    header: str  # "", TEXT, IMAGE, VIDEO, DOCUMENT, LOCATION
    header_text: str
    header_variables: list[str]
    body: str
    body_variables: list[str]
    footer: str
    buttons: list[TemplateButton]


def _read_parts(template: MessageTemplate) -> TemplateParts:
    by_type = {str(part.get("type", "")).upper(): part for part in template.components}
    header, body = by_type.get("HEADER", {}), by_type.get("BODY", {})
    footer, buttons = by_type.get("FOOTER", {}), by_type.get("BUTTONS", {})
    body_text = body.get("text", "")
    if template.category == "AUTHENTICATION" and not body_text:
        body_text = "*{{1}}* is your verification code."
        if body.get("add_security_recommendation"):
            body_text += " For your security, do not share this code."
    header_text = header.get("text", "") if header.get("format") == "TEXT" else ""
    return TemplateParts(
        header=header.get("format", ""),
        header_text=header_text,
        header_variables=variables(header_text),
        body=body_text,
        body_variables=variables(body_text),
        footer=footer.get("text", ""),
        buttons=[_read_button(template, button) for button in buttons.get("buttons", [])],
    )


def _read_button(template: MessageTemplate, button: dict[str, Any]) -> TemplateButton:
    type_ = str(button.get("type", "")).upper()
    otp = template.category == "AUTHENTICATION"
    return TemplateButton(
        type="URL" if otp else type_,
        text=button.get("text", "") or ("Copy code" if otp else ""),
        url=button.get("url", ""),
        phone=button.get("phone_number", ""),
        flow_id=str(button.get("flow_id", "")),
        otp=otp,
    )


@dataclass
class Flow:
    """A form at the platform."""

    id: str
    waba: Waba
    name: str
    categories: list[str]
    updated_at: datetime
    status: str = "DRAFT"
    json: bytes = b""
    validation_errors: list[dict[str, Any]] = field(default_factory=list)
    endpoint_uri: str = ""


@dataclass
class MediaFile:
    """An uploaded file, or one that a guest sent."""

    id: str
    waba: Waba
    mimetype: str
    data: bytes
    sha256: str  # hex
    expires_at: datetime


@dataclass
class UploadSession:
    """A session of the resumable upload, used for example files of templates."""

    id: str
    name: str
    mimetype: str
    length: int
    data: bytes = b""


@dataclass
class Person:
    """A guest. `number` is the dialled number, `wa_id` the platform's id for it."""

    number: str
    wa_id: str
    user_id: str  # BSUID
    name: str = "Guest"
    hides_number: bool = False


@dataclass(slots=True)
class SentMessage:
    """A message that the platform accepted."""

    id: str
    number: Number
    to: str  # digits; "" if only a BSUID is known
    kind: str
    body: bytes  # the request body, verbatim
    at: datetime
    opaque: str | None
    content: Content | None  # None for types that a gateway does not send
    category: str = "service"
    constants: dict[str, Any] | None = None  # constants that a form adds to the answers
    user_id: str = ""


@dataclass(frozen=True, slots=True)
class ReceivedMessage:
    """A message from a guest."""

    id: str
    number: Number
    from_: str
    raw: bytes
    at: datetime
