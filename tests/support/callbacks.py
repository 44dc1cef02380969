"""The platform's callbacks as tests write them: bodies, pieces, signatures."""

import hashlib
import hmac
import json
from typing import Any

APP_SECRET = "app-secret-of-tests"
VERIFY_TOKEN = "verify-token-of-tests"
PHONE_NUMBER_ID = "106540352242922"
WABA = "102290129340398"
PERSON = "972501234567"
SECONDS = 1_763_200_000  # 2025-11-15T09:46:40Z


def body(*changes: dict[str, Any], waba: str = WABA) -> dict[str, Any]:
    entry = {"id": waba, "changes": list(changes)}
    return {"object": "whatsapp_business_account", "entry": [entry]}


def change(
    *, statuses: list[Any] | None = None, messages: list[Any] | None = None,
    number: str = PHONE_NUMBER_ID, **more: Any,
) -> dict[str, Any]:  # fmt: skip
    value: dict[str, Any] = {
        "messaging_product": "whatsapp",
        "metadata": {"display_phone_number": "972555000001", "phone_number_id": number},
        **more,
    }
    if statuses is not None:
        value["statuses"] = statuses
    if messages is not None:
        value["messages"] = messages
    return {"field": "messages", "value": value}


def news(field: str, **value: Any) -> dict[str, Any]:
    return {"field": field, "value": value}


def status(kind: str, platform_id: str, *, at: int = SECONDS, **more: Any) -> dict[str, Any]:
    found = {"id": platform_id, "status": kind, "timestamp": str(at), "recipient_id": PERSON}
    return found | more


def message(
    type_: str, part: Any, *, id_: str = "wamid.in1", at: int = SECONDS, **more: Any
) -> dict[str, Any]:
    found = {"from": PERSON, "id": id_, "timestamp": str(at), "type": type_, type_: part}
    return found | more


def preference(value: str, person: str = PERSON, at: int = SECONDS) -> dict[str, Any]:
    wish = {"wa_id": person, "category": "marketing_messages", "value": value, "timestamp": at}
    metadata = {"phone_number_id": PHONE_NUMBER_ID}
    return {"field": "user_preferences",
            "value": {"metadata": metadata, "user_preferences": [wish]}}  # fmt: skip


def raw(found: Any) -> bytes:
    return json.dumps(found).encode()


def signature(data: bytes, secret: str = APP_SECRET) -> str:
    return "sha256=" + hmac.new(secret.encode(), data, hashlib.sha256).hexdigest()


def signed(data: bytes, secret: str = APP_SECRET) -> dict[str, str]:
    return {"x-hub-signature-256": signature(data, secret), "content-type": "application/json"}
