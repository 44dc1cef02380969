"""Field selection and pagination of the Graph API. Pure."""

import base64
import re
from collections.abc import Callable, Sequence
from typing import Any, TypeVar
from urllib.parse import urlencode

from tidings_simulator.graph.errors import GraphError, param_must

Shown = dict[str, Any]
T = TypeVar("T")

PAGE = 25
PAGE_MAX = 1000
_FIELD = re.compile(r"[A-Za-z_]+")


def pick(shown: Shown, asked: str | None, usual: str) -> Shown:
    """The requested fields, or the default ones, and always the id. Raises for unknown fields."""
    names = field_names(asked or usual)
    for name in names if asked else ():
        if name not in shown and name not in _OPTIONAL_FIELDS:
            text = f"(#100) Tried accessing nonexisting field ({name})"
            raise GraphError(100, message=text)
    found = {name: shown[name] for name in names if name in shown}
    return {**found, "id": shown["id"]}


_OPTIONAL_FIELDS = {  # fields that exist, but not on every object here
    "previous_category", "correct_category", "sub_category", "library_template_name",
    "message_send_ttl_seconds", "json_version", "data_api_version", "data_channel_uri",
    "new_name_status", "certificate", "conversational_automation",
    "cta_url_link_tracking_opted_out",
    "degrees_of_freedom_spec", "new_display_name", "new_certificate", "username", "metric",
    "country_code", "is_enabled_for_insights", "marketing_messages_lite_api_status",
    "marketing_messages_onboarding_status", "on_behalf_of_business_info", "subscribed_apps",
    "disable_marketing_messages_on_cloud_api",
}  # fmt: skip


def field_names(asked: str) -> list[str]:
    """`id,preview.invalidate(false),owner{name}` as [id, preview, owner]."""
    flat, depth = [], 0
    for character in asked:
        depth += character in "({["
        flat.append("\x00" if depth else character)
        depth -= character in ")}]"
    names = [_FIELD.match(part.strip()) for part in "".join(flat).split(",")]
    return [name[0] for name in names if name]


def page(
    items: Sequence[T], query: dict[str, str], address: str, show: Callable[[T], Shown]
) -> Shown:
    """One page of `limit` items, with its cursors."""
    limit = _limit(query.get("limit"))
    start = _position(query["after"]) + 1 if query.get("after") else 0
    if query.get("before"):
        start = max(_position(query["before"]) - limit, 0)
    found = items[start : start + limit]
    answer: Shown = {"data": [show(item) for item in found]}
    if not found:
        return answer
    after = _cursor(start + len(found) - 1)
    paging: Shown = {"cursors": {"before": _cursor(start), "after": after}}
    kept = {k: v for k, v in query.items() if k not in ("after", "before", "access_token")}
    if start + len(found) < len(items):
        paging["next"] = f"{address}?{urlencode({**kept, 'after': after})}"
    if start > 0:
        paging["previous"] = f"{address}?{urlencode({**kept, 'before': _cursor(start)})}"
    return {**answer, "paging": paging}


def _limit(text: str | None) -> int:
    if text is None:
        return PAGE
    if not text.isdecimal() or not 1 <= int(text) <= PAGE_MAX:
        raise param_must("limit", f"be a number between 1 and {PAGE_MAX}")
    return int(text)


def _cursor(position: int) -> str:
    return base64.urlsafe_b64encode(f"at:{position}".encode()).rstrip(b"=").decode() + "ZD"


def _position(cursor: str) -> int:
    try:
        padded = cursor.removesuffix("ZD") + "=="
        word, _, position = base64.urlsafe_b64decode(padded).decode().partition(":")
        if word == "at" and int(position) >= 0:
            return int(position)
    except ValueError:
        pass
    raise GraphError(100, message="(#100) Invalid cursors values")
