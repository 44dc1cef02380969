"""Validation of new templates (platform.md, section 3). Pure."""

import re
from collections.abc import Callable
from typing import Any

import msgspec

from tidings_simulator.graph.errors import GraphError, invalid, param_must, required
from tidings_simulator.graph.message_bodies import convert
from tidings_simulator.model import VARIABLE, variables

CATEGORIES = ("AUTHENTICATION", "MARKETING", "UTILITY")
HEADER_FORMATS = ("TEXT", "IMAGE", "VIDEO", "DOCUMENT", "LOCATION")
BUTTON_LIMITS = {
    "QUICK_REPLY": 10, "URL": 2, "PHONE_NUMBER": 1, "COPY_CODE": 1, "OTP": 1, "FLOW": 1,
    "CATALOG": 1, "MPM": 1, "SPM": 1, "VOICE_CALL": 1, "APP": 1,
}  # fmt: skip
BUTTONS_MAX = 10
TTL_SECONDS = {"AUTHENTICATION": (30, 900), "UTILITY": (30, 43200), "MARKETING": (43200, 2592000)}
_NAME = re.compile("[a-z0-9_]{1,512}")
_LANGUAGE = re.compile("[a-z]{2,3}(_[A-Z]{2,3})?")
_ADJACENT = re.compile(r"\}\}\s*\{\{")

TOO_LONG, HEADER_FORMAT, BODY_FORMAT = 2388040, 2388047, 2388072
FOOTER_FORMAT, TOO_MANY_VARIABLES, VARIABLE_AT_END = 2388073, 2388293, 2388299

Part = dict[str, Any]


class _Example(msgspec.Struct):
    header_text: list[str] | None = None
    header_handle: list[str] | None = None
    header_text_named_params: list[dict[str, Any]] | None = None
    body_text: list[list[str] | str] | None = None
    body_text_named_params: list[dict[str, Any]] | None = None


class _Button(msgspec.Struct):
    type: str
    text: str = ""
    url: str = ""
    phone_number: str | int | None = None
    otp_type: str | None = None
    flow_id: str | int | None = None
    flow_name: str | None = None
    flow_json: str | None = None


class _Component(msgspec.Struct):
    """Types of the fields that the checks below read."""

    type: str
    format: str = ""
    text: str | None = None
    example: _Example | None = None
    buttons: list[_Button] | None = None
    code_expiration_minutes: int | None = None


def check_template(name: str, language: str, category: str, components: Any, ttl: Any) -> None:
    if not _NAME.fullmatch(name):
        raise param_must("name", "be 1 to 512 lower-case letters, digits and underscores")
    if not _LANGUAGE.fullmatch(language):
        raise param_must("language", f'be a language code such as en_US - got "{language}"')
    if category not in CATEGORIES:
        raise param_must("category", f"be one of {{{', '.join(CATEGORIES)}}}")
    if ttl is not None:
        low, high = TTL_SECONDS[category]
        if (
            isinstance(ttl, bool)
            or not isinstance(ttl, int)
            or not (ttl == -1 or low <= ttl <= high)
        ):
            raise param_must("message_send_ttl_seconds", f"be {low} to {high}")
    check_components(category, components)


def check_components(category: str, components: Any) -> None:
    if not isinstance(components, list) or not components:
        raise required("components")
    convert(components, list[_Component], ".components")
    parts: dict[str, Part] = {}
    for component in components:
        type_ = component["type"].upper()
        check = _CHECKS.get(type_)
        if check is None:
            raise param_must("components['type']", f"be one of {{{', '.join(_CHECKS)}}}")
        if type_ in parts:
            raise invalid(f"components has {type_} twice")
        parts[type_] = component
        if category != "AUTHENTICATION":
            check(component)
    if "BODY" not in parts:
        raise required("components['BODY']")
    if category == "AUTHENTICATION":
        _check_authentication(parts)


def _check_authentication(parts: dict[str, Part]) -> None:
    if parts["BODY"].get("text"):
        raise _invalid_template(
            BODY_FORMAT, "The body of an authentication template is the platform's own"
        )
    buttons = parts.get("BUTTONS", {}).get("buttons") or []
    if len(buttons) != 1 or buttons[0]["type"].upper() != "OTP":
        raise invalid("An authentication template has exactly one button, of type OTP")
    if buttons[0].get("otp_type") not in ("COPY_CODE", "ONE_TAP", "ZERO_TAP"):
        raise invalid("otp_type must be COPY_CODE, ONE_TAP or ZERO_TAP")
    minutes = parts.get("FOOTER", {}).get("code_expiration_minutes")
    if minutes is not None and not 1 <= minutes <= 90:
        raise param_must("code_expiration_minutes", "be 1 to 90")


def _check_header(part: Part) -> None:
    format_ = str(part.get("format", "")).upper()
    if format_ not in HEADER_FORMATS:
        raise param_must("components['format']", f"be one of {{{', '.join(HEADER_FORMATS)}}}")
    example = part.get("example") or {}
    if format_ == "TEXT":
        text = _text(part, 60, HEADER_FORMAT)
        names = variables(text)
        if len(names) > 1:
            raise _invalid_template(TOO_MANY_VARIABLES, "A header takes one variable")
        if names and not (example.get("header_text") or example.get("header_text_named_params")):
            raise _invalid_template(HEADER_FORMAT, "A header with a variable needs an example")
    elif format_ != "LOCATION" and not example.get("header_handle"):
        raise _invalid_template(
            HEADER_FORMAT, "A media header needs an example: header_handle of an upload"
        )


def _check_body(part: Part) -> None:
    text = _text(part, 1024, BODY_FORMAT)
    names = variables(text)
    stripped = text.strip()
    if _ADJACENT.search(text) or stripped.startswith("{{") or stripped.endswith("}}"):
        raise _invalid_template(
            VARIABLE_AT_END, "Variables cannot be at the start or end, nor adjacent"
        )
    if all(map(str.isdecimal, names)) and sorted(map(int, names)) != list(range(1, len(names) + 1)):
        raise _invalid_template(
            BODY_FORMAT, "Variables must be numbered {{1}}, {{2}}, … without gaps"
        )
    example = part.get("example") or {}
    rows: Any = example.get("body_text") or example.get("body_text_named_params")
    if names and not rows:
        raise _invalid_template(BODY_FORMAT, "A body with variables needs an example: body_text")
    if names and "body_text" in example:
        first = rows[0] if isinstance(rows[0], list) else rows
        if len(first) != len(names):
            raise _invalid_template(BODY_FORMAT, "The example must have a value for each variable")


def _check_footer(part: Part) -> None:
    if VARIABLE.search(_text(part, 60, FOOTER_FORMAT)):
        raise _invalid_template(FOOTER_FORMAT, "A footer takes no variables")


def _check_buttons(part: Part) -> None:
    buttons = part.get("buttons")
    if not buttons or len(buttons) > BUTTONS_MAX:
        raise invalid(f"buttons must have 1 to {BUTTONS_MAX} entries")
    types = [button["type"].upper() for button in buttons]
    for type_ in types:
        if type_ not in BUTTON_LIMITS:
            raise param_must("buttons['type']", f"be one of {{{', '.join(BUTTON_LIMITS)}}}")
        if types.count(type_) > BUTTON_LIMITS[type_]:
            raise invalid(f"At most {BUTTON_LIMITS[type_]} buttons of type {type_}")
    replies = [place for place, type_ in enumerate(types) if type_ == "QUICK_REPLY"]
    if replies and replies[-1] - replies[0] + 1 != len(replies):
        raise invalid("Quick reply buttons must be grouped together")
    for button, type_ in zip(buttons, types, strict=True):
        _check_button(button, type_)


def _check_button(button: Part, type_: str) -> None:
    if type_ != "COPY_CODE" and not 1 <= len(button.get("text", "")) <= 25:
        raise invalid("The text of a button has 1 to 25 characters")
    url = button.get("url", "")
    if type_ == "URL":
        if not url.startswith(("https://", "http://")) or len(url) > 2000:
            raise invalid("A URL button needs a url of at most 2000 characters")
        if VARIABLE.search(url) and not (url.endswith("}}") and len(variables(url)) == 1):
            raise invalid("The url of a button takes one variable, at its end")
        if VARIABLE.search(url) and not button.get("example"):
            raise invalid("A url with a variable needs an example")
    if type_ == "PHONE_NUMBER" and not button.get("phone_number"):
        raise required("buttons['phone_number']")
    if type_ == "FLOW" and not any(button.get(k) for k in ("flow_id", "flow_name", "flow_json")):
        raise invalid("A FLOW button needs flow_id, flow_name or flow_json")


def _text(part: Part, most: int, code: int) -> str:
    text: str | None = part.get("text")
    if not text or not text.strip():
        raise _invalid_template(code, "The text is missing")
    if len(text) > most:
        raise _invalid_template(TOO_LONG, f"The text has more than {most} characters")
    return text


def _invalid_template(subcode: int, why: str) -> GraphError:
    """An invalid template: code 100 with a subcode for the reason."""
    extra = {"is_transient": False, "error_user_title": "Invalid template", "error_user_msg": why}
    return GraphError(100, message="Invalid parameter", subcode=subcode, extra=extra)


_CHECKS: dict[str, Callable[[Part], None]] = {
    "HEADER": _check_header,
    "BODY": _check_body,
    "FOOTER": _check_footer,
    "BUTTONS": _check_buttons,
    "CAROUSEL": lambda _part: None,
    "LIMITED_TIME_OFFER": lambda _part: None,
    "CALL_PERMISSION_REQUEST": lambda _part: None,
}
