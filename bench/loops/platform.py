"""The platform of a live account, as lean as can be: it answers a send with an id, then calls back
one signed status, `delivered`, for each.

    python -m bench.loops.platform PORT CALLBACK_PORT

It lists the numbers and the template that the account needs. With CALLBACK_PORT 0 it calls nobody.
The simulator is not used: it checks every field, and would be the bottleneck.
"""

import hashlib
import hmac
import json
import sys
import time
from typing import Any

import msgspec

from bench.loops.wire import Callbacks, figures, response, serve

SECRET = "bench-app-secret"
NUMBERS = 20
WABA = "2077"
TEMPLATE = {
    "id": "1", "name": "hello", "language": "en", "status": "APPROVED", "category": "UTILITY",
    "parameter_format": "POSITIONAL", "quality_score": {"score": "GREEN"},
    "components": [{"type": "BODY", "text": "Hello {{1}}, your order {{2}} is on its way"}],
}  # fmt: skip
HEALTHY = {"can_send_message": "AVAILABLE", "entities": []}
SUCCESS = response(b'{"success":true}')
CALLBACK = (
    '{"object":"whatsapp_business_account","entry":[{"id":"%s","changes":[{"field":"messages",'
    '"value":{"messaging_product":"whatsapp","metadata":{"display_phone_number":"%s",'
    '"phone_number_id":"%s"},"statuses":[{"id":"%s","status":"delivered","timestamp":"%d",'
    '"recipient_id":"%s","biz_opaque_callback_data":%s,"pricing":{"billable":true,'
    '"pricing_model":"PMP","category":"utility"}}]}}]}]}'
)
CALL = (
    b"POST /platform/whatsapp/webhook HTTP/1.1\r\nHost: 127.0.0.1\r\n"
    b"Content-Type: application/json\r\nX-Hub-Signature-256: sha256=%s\r\n"
    b"Content-Length: %d\r\n\r\n%s"
)
ANSWER = (
    '{"messaging_product":"whatsapp","contacts":[{"input":"%s","wa_id":"%s"}],'
    '"messages":[{"id":"%s","message_status":"accepted"}]}'
)


class Asked(msgspec.Struct):
    to: str = ""
    status: str = ""
    biz_opaque_callback_data: str | None = None


class Platform:
    def __init__(self, port: int, callbacks: Callbacks | None) -> None:
        self._prefix = f"wamid.{port}.{time.time_ns()}."
        self._callbacks = callbacks
        self._decode = msgspec.json.Decoder(Asked).decode
        self._sends = 0
        self._first = self._last = 0.0

    def answer(self, verb: bytes, path: bytes, body: bytes) -> bytes:
        if verb == b"POST" and path.endswith(b"/messages"):
            return self._accept(path, self._decode(body))
        if path == b"/figures":
            return figures(self._figures())
        if verb == b"GET":
            return response(json.dumps(_listing(path.decode())).encode())
        return SUCCESS

    def _accept(self, path: bytes, asked: Asked) -> bytes:
        if asked.status == "read":
            return SUCCESS
        self._last = time.monotonic()
        self._first = self._first or self._last
        self._sends += 1
        made = f"{self._prefix}{self._sends:09d}"
        if self._callbacks:
            phone = path.rsplit(b"/", 2)[-2].decode()
            self._callbacks.queue.put_nowait(_callback(phone, made, asked))
        return response((ANSWER % (asked.to, asked.to, made)).encode())

    def _figures(self) -> dict[str, Any]:
        calls = self._callbacks
        return {
            "sends": self._sends, "firstAt": self._first, "lastAt": self._last,
            "callbacks": calls.accepted if calls else 0, "refused": calls.refused if calls else 0,
        }  # fmt: skip


def _callback(phone: str, made: str, asked: Asked) -> bytes:
    ours = json.dumps(asked.biz_opaque_callback_data)
    shown = f"97255588{phone[-4:]}"
    body = (CALLBACK % (WABA, shown, phone, made, int(time.time()), asked.to, ours)).encode()
    signature = hmac.digest(SECRET.encode(), body, hashlib.sha256).hex().encode()
    return CALL % (signature, len(body), body)


def _listing(path: str) -> dict[str, Any]:
    if "message_templates" in path:
        return {"data": [TEMPLATE]}
    if "phone_numbers" in path:
        return {"data": [_number(n) for n in range(NUMBERS)]}
    last = path.split("?")[0].rsplit("/", 1)[-1]
    if last.startswith("1055"):
        return _number(int(last[-4:]))
    return {"id": last, "name": "Bench", "data": [], "health_status": HEALTHY}


def _number(n: int) -> dict[str, Any]:
    return {
        "id": f"1055{n:04d}", "display_phone_number": f"97255588{n:04d}", "verified_name": "Bench",
        "quality_rating": "GREEN", "status": "CONNECTED", "platform_type": "CLOUD_API",
        "messaging_limit_tier": "TIER_UNLIMITED", "throughput": {"level": "HIGH"},
        "whatsapp_business_manager_messaging_limit": "TIER_UNLIMITED", "account_mode": "LIVE",
        "name_status": "APPROVED", "code_verification_status": "VERIFIED",
        "is_official_business_account": False, "health_status": HEALTHY,
    }  # fmt: skip


if __name__ == "__main__":
    port, back = int(sys.argv[1]), int(sys.argv[2])
    callbacks = Callbacks(back) if back else None
    serve(port, Platform(port, callbacks).answer, callbacks)
