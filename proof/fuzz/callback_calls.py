"""Callbacks of the platform: correctly signed, and malformed in every other way."""

import hashlib
import hmac
from random import Random
from typing import Any
from urllib.parse import quote_from_bytes

from proof.fuzz import spoil
from proof.fuzz.call import Call, http
from proof.fuzz.catalogue import odd_text
from proof.fuzz.known import Known
from proof.fuzz.world import APP_SECRET, PHONE_NUMBER_ID, VERIFY_TOKEN, WABA_ID
from tests.support.callbacks import body, change, message, news, preference, status
from tidings.routes import EXTENSIONS

_PATH = b"/platform/whatsapp/webhook"
_ROUTES = {route.method: route for route in EXTENSIONS if route.path == _PATH.decode()}
_PHONE = [{"phone": "972501234567", "type": "CELL", "wa_id": "972501234567"}]


def _of_number(found: dict[str, Any]) -> dict[str, Any]:
    return body(found, waba=WABA_ID)


_MESSAGES = [
    message("text", {"body": "Yes, 3 of us"}, context={"id": "wamid.out1", "from": "972555000002"}),
    message("button", {"text": "Yes", "payload": "order-0001"}),
    message("interactive", {"type": "button_reply", "button_reply": {"id": "y", "title": "Yes"}}),
    message("interactive", {"type": "nfm_reply", "nfm_reply": {"name": "flow", "body": "Sent",
            "response_json": '{"flow_token":"x","q1":"5"}'}}),
    message("image", {"id": "1", "mime_type": "image/jpeg", "sha256": "AA==", "caption": "c"}),
    message("document", {"id": "1", "mime_type": "application/pdf", "filename": "a.pdf"}),
    message("location", {"latitude": 1.5, "longitude": 2, "name": "n"}),
    message("contacts", [{"name": {"formatted_name": "D"}, "phones": _PHONE}]),
    message("reaction", {"message_id": "wamid.1", "emoji": "x"}),
    message("order", {"catalog_id": "1", "product_items": []}),
    message("system", {"type": "user_changed_number", "wa_id": "972501234568", "body": "b"}),
    message("unsupported", {}, errors=[{"code": 131051, "title": "t"}]),
]  # fmt: skip
_ERROR = {"code": 131026, "title": "t", "message": "m", "error_data": {"details": "d"}, "href": "h"}
_PRICING = {"billable": True, "pricing_model": "CBP", "category": "utility"}
_STATUSES = [
    status("sent", "wamid.out1", conversation={"id": "c", "origin": {"type": "utility"}},
    pricing=_PRICING),
    status("delivered", "wamid.out1", biz_opaque_callback_data="tdm_" + "0" * 32),
    status("read", "wamid.out1"), status("failed", "wamid.out1", errors=[_ERROR]),
    status("deleted", "wamid.out1"), status("warning", "wamid.out1"),
]  # fmt: skip
_NEWS = [
    news("message_template_status_update", event="APPROVED", message_template_id=1,
         message_template_name="hello", message_template_language="en", reason="NONE"),
    news("message_template_quality_update", previous_quality_score="GREEN", new_quality_score="RED",
         message_template_id=1, message_template_name="hello", message_template_language="en"),
    news("template_category_update", message_template_id=1, message_template_name="hello",
         message_template_language="en", previous_category="A", new_category="B"),
    news("phone_number_quality_update", display_phone_number="972555000002", event="FLAGGED",
         current_limit="TIER_1K", old_limit="TIER_250"),
    news("phone_number_name_update", display_phone_number="972555000002", decision="APPROVED",
         requested_verified_name="N", rejection_reason="NONE"),
    news("account_update", phone_number="972555000002", event="DISABLED_UPDATE",
         ban_info={"waba_ban_state": ["DISABLE"], "waba_ban_date": "2026"}),
    news("account_review_update", decision="APPROVED"), news("account_alerts", alert_type="X"),
    news("security", event="PIN_CHANGED"), news("flows", event="FLOW_STATUS_CHANGE", flow_id="1"),
    news("business_capability_update", max_daily_conversations_per_business=1000,
    max_phone_numbers_per_business=5),
]  # fmt: skip
SOUND = [
    *(_of_number(change(messages=[one], contacts=[{"wa_id": "972501234567",
    "profile": {"name": "D"}}]))
      for one in _MESSAGES),
    *(_of_number(change(statuses=[one])) for one in _STATUSES),
    *(_of_number(one) for one in _NEWS),
    _of_number(change(statuses=_STATUSES, messages=_MESSAGES, errors=[_ERROR])),
    _of_number(preference("stop")),
]  # fmt: skip
assert PHONE_NUMBER_ID in str(SOUND[0])


def make(rng: Random, known: Known) -> Call:
    return _verify(rng) if rng.random() < 0.05 else _post(rng)


def _post(rng: Random) -> Call:
    sound = rng.choice(SOUND)
    roll = rng.random()
    if roll < 0.75:
        raw = spoil.dump(spoil.spoil_values(rng, sound, []))
    elif roll < 0.9:
        raw = spoil.spoil_text(rng, sound)
    else:
        raw = spoil.spoil_bytes(rng, spoil.dump(sound))
    signature = b"sha256=" + hmac.new(APP_SECRET.encode(), raw, hashlib.sha256).hexdigest().encode()
    if rng.random() < 0.05:
        signature = rng.choice(
            [b"", b"sha256=", b"sha256=" + b"0" * 64, signature.upper(), b"\xff", signature[:-1]]
        )
    headers = [(b"x-hub-signature-256", signature), (b"content-type", b"application/json")]
    sent = http(b"POST", _PATH, headers, raw, rng if rng.random() < 0.1 else None)
    return Call("callback", f"POST {_PATH.decode()}", sent, _ROUTES["POST"])


def _verify(rng: Random) -> Call:
    values = {"hub.mode": "subscribe", "hub.verify_token": VERIFY_TOKEN, "hub.challenge": "1"}
    for name in rng.sample(list(values), rng.randint(0, 2)):
        values[name] = odd_text(rng)
    query = "&".join(
        f"{name}={quote_from_bytes(value.encode('utf-8', 'surrogatepass')[:2000])}"
        for name, value in values.items()
    )
    sent = http(b"GET", _PATH + b"?" + query.encode(), [])
    return Call("callback", f"GET {_PATH.decode()}", sent, _ROUTES["GET"])
