"""How the platform shows its objects: the fields asked for, and lists in pages. Pure."""

import base64
import re
from collections.abc import Callable, Sequence
from typing import Any, TypeVar
from urllib.parse import urlencode

from .errors import GraphError, param_must
from .model import Flow, MessageTemplate, Number, Waba
from .world import World

Shown = dict[str, Any]
T = TypeVar("T")

PAGE = 25
PAGE_MAX = 1000
_FIELD = re.compile(r"[A-Za-z_]+")

NUMBER_FIELDS = "verified_name,code_verification_status,display_phone_number,quality_rating,id"
TEMPLATE_FIELDS = (
    "name,parameter_format,components,language,status,category,previous_category,sub_category,id"
)
FLOW_FIELDS = "id,name,status,categories,validation_errors"
WABA_FIELDS = "id,name,timezone_id,message_template_namespace"
_BLOCKED = {"BANNED", "RESTRICTED", "DISCONNECTED", "DELETED", "UNVERIFIED", "PENDING", "OFFLINE"}


def show_number(number: Number, world: World) -> Shown:
    return {
        "id": number.id,
        "display_phone_number": display(number.number),
        "verified_name": number.verified_name,
        "status": number.status,
        "quality_rating": number.quality_rating,
        "quality_score": {"score": number.quality_rating},
        "name_status": number.name_status,
        "code_verification_status": "VERIFIED",
        "account_mode": "LIVE",
        "platform_type": "CLOUD_API",
        "throughput": {"level": number.throughput},
        "whatsapp_business_manager_messaging_limit": number.waba.limit,
        "messaging_limit_tier": number.waba.limit,
        "is_official_business_account": False,
        "is_pin_enabled": False,
        "is_on_biz_app": False,
        "country_code": number.number[:3],
        "last_onboarded_time": "2026-01-01T00:00:00+0000",
        "webhook_configuration": {"application": number.waba.callback_url},
        "health_status": _health(number, world.app_id),
    }


def _health(number: Number, app_id: str) -> Shown:
    blocked = number.status in _BLOCKED
    own: Shown = {
        "entity_type": "PHONE_NUMBER",
        "id": number.id,
        "can_send_message": "BLOCKED" if blocked else "AVAILABLE",
    }
    if blocked:
        own["errors"] = [
            {
                "error_code": 141012,
                "error_description": f"The phone number is {number.status}.",
                "possible_solution": "Resolve the number's state in the business manager.",
            }
        ]
    elif number.quality_rating == "RED":
        own["can_send_message"] = "LIMITED"
        own["additional_info"] = ["The quality of the phone number is low."]
    others = [
        {"entity_type": kind, "id": id_, "can_send_message": "AVAILABLE"}
        for kind, id_ in (
            ("WABA", number.waba.id),
            ("BUSINESS", number.waba.portfolio_id),
            ("APP", app_id),
        )
    ]
    return {"can_send_message": own["can_send_message"], "entities": [own, *others]}


def display(digits: str) -> str:
    """As the platform writes numbers: "+972 55-500-0001"."""
    rest = digits[3:]
    return f"+{digits[:3]} {rest[:2]}-{rest[2:5]}-{rest[5:]}"


def show_waba(waba: Waba) -> Shown:
    return {
        "id": waba.id,
        "name": waba.name,
        "timezone_id": "1",
        "message_template_namespace": f"simulator_{waba.id}",
        "currency": "USD",
        "account_review_status": "APPROVED",
        "business_verification_status": "verified",
        "whatsapp_business_manager_messaging_limit": waba.limit,
        "owner_business_info": {"name": waba.name, "id": waba.portfolio_id},
    }


def show_template(template: MessageTemplate) -> Shown:
    shown: Shown = {
        "id": template.id,
        "name": template.name,
        "language": template.language,
        "status": template.status,
        "category": template.category,
        "components": template.components,
        "parameter_format": template.parameter_format,
        "rejected_reason": template.rejected_reason,
        "quality_score": {"score": template.quality, "date": 0},
        "correct_category": None,
        "sub_category": None,
        "library_template_name": None,
    }
    if template.previous_category:
        shown["previous_category"] = template.previous_category
    if template.send_ttl is not None:
        shown["message_send_ttl_seconds"] = template.send_ttl
    return {name: value for name, value in shown.items() if value is not None}


def show_flow(flow: Flow, world: World) -> Shown:
    entities = [("FLOW", flow.id), ("WABA", flow.waba.id), ("APP", world.app_id)]
    health = [
        {"entity_type": kind, "id": id_, "can_send_message": "AVAILABLE"} for kind, id_ in entities
    ]
    return {
        "id": flow.id,
        "name": flow.name,
        "status": flow.status,
        "categories": flow.categories,
        "validation_errors": flow.validation_errors,
        "endpoint_uri": flow.endpoint_uri,
        "preview": {
            "preview_url": f"https://business.facebook.com/wa/manage/flows/{flow.id}/preview/",
            "expires_at": "2036-01-01T00:00:00+0000",
        },
        "whatsapp_business_account": {"id": flow.waba.id, "name": flow.waba.name},
        "application": {"id": world.app_id, "name": "Simulator"},
        "health_status": {"can_send_message": "AVAILABLE", "entities": health},
    }


def pick(shown: Shown, asked: str | None, usual: str) -> Shown:
    """The fields asked for, or the usual ones; the id always. Unknown ones are refused."""
    names = field_names(asked or usual)
    for name in names if asked else ():
        if name not in shown and name not in _ABSENT_AT_TIMES:
            text = f"(#100) Tried accessing nonexisting field ({name})"
            raise GraphError(100, message=text)
    found = {name: shown[name] for name in names if name in shown}
    return {**found, "id": shown["id"]}


_ABSENT_AT_TIMES = {  # real fields that some objects do not have
    "previous_category", "correct_category", "sub_category", "library_template_name",
    "message_send_ttl_seconds", "json_version", "data_api_version", "data_channel_uri",
    "new_name_status", "certificate", "conversational_automation",
    "cta_url_link_tracking_opted_out",
    "degrees_of_freedom_spec", "new_display_name", "new_certificate", "username", "metric",
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
    """`limit` of them from the cursor on, with the cursors before and after."""
    limit = _limit(query.get("limit"))
    start = _place(query["after"]) + 1 if query.get("after") else 0
    if query.get("before"):
        start = max(_place(query["before"]) - limit, 0)
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


def _cursor(place: int) -> str:
    return base64.urlsafe_b64encode(f"at:{place}".encode()).rstrip(b"=").decode() + "ZD"


def _place(cursor: str) -> int:
    try:
        padded = cursor.removesuffix("ZD") + "=="
        word, _, place = base64.urlsafe_b64decode(padded).decode().partition(":")
        if word == "at" and int(place) >= 0:
            return int(place)
    except ValueError:
        pass
    raise GraphError(100, message="(#100) Invalid cursors values")
