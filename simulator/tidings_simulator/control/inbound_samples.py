"""One message of every type that a guest can send (platform.md, section 6). Data only. Pure.

`POST /simulator/replies` with `sample` sends one; a receiver must cope with all of them.
"""

import base64
import hashlib
from typing import Any

from tidings.platforms.sandbox.guest_messages import SAMPLES, SampleFile

_STICKER = base64.b64decode("UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==")  # one pixel
FILES = {
    **SAMPLES,
    "sticker": SampleFile("image/webp", "sticker.webp", _STICKER),
    "audio": SampleFile("audio/ogg", "voice.ogg", b"OggS\x00\x02" + bytes(22)),
    "video": SampleFile("video/mp4", "video.mp4", b"\x00\x00\x00\x14ftypisom\x00\x00\x02\x00isom"),
}
_UNSUPPORTED = [
    {
        "code": 131051,
        "title": "Message type unknown",
        "message": "Message type unknown",
        "error_data": {"details": "Message type is currently not supported."},
    }
]
_CONTACT = {
    "name": {"formatted_name": "Dana Levi", "first_name": "Dana", "last_name": "Levi"},
    "phones": [{"phone": "+972 50-123-4567", "wa_id": "972501234567", "type": "CELL"}],
    "emails": [{"email": "dana@example.com", "type": "WORK"}],
}
_ORDER = {
    "catalog_id": "7001",
    "text": "For Friday, please",
    "product_items": [
        {"product_retailer_id": "sku-1", "quantity": 2, "item_price": 12.5, "currency": "USD"}
    ],
}
_REFERRAL = {
    "source_url": "https://fb.me/ad",
    "source_id": "9001",
    "source_type": "ad",
    "headline": "Our hall",
    "body": "Book it now",
    "media_type": "image",
    "image_url": "https://example.com/ad.jpg",
    "ctwa_clid": "clid-1",
}


def sample(name: str, token: str, quoted: str, guest: str) -> dict[str, Any] | None:
    """The message object, without id and sender; None for an unknown name."""
    return _all(token, quoted, guest).get(name)


def _all(token: str, quoted: str, guest: str) -> dict[str, dict[str, Any]]:
    return {
        **{name: {"type": name, name: _file(name, token)} for name in FILES},
        "text": _text("Hello 👋, are you open today?"),
        "button": {"type": "button", "button": {"payload": "Yes", "text": "Yes"}},
        "button_reply": _interactive("button_reply", {"id": "yes", "title": "Yes"}),
        "list_reply": _interactive(
            "list_reply", {"id": "row-1", "title": "Friday", "description": "At eight"}
        ),
        "nfm_reply": _interactive(
            "nfm_reply",
            {"name": "flow", "body": "Sent", "response_json": '{"rating":"5","flow_token":"t"}'},
        ),
        "nfm_reply_odd": _interactive(
            "nfm_reply", {"name": "flow", "body": "Sent", "response_json": '"not an object"'}
        ),
        "call_permission_reply": _interactive(
            "call_permission_reply", {"response": "accept", "is_permanent": False}
        ),
        "location": {
            "type": "location",
            "location": {"latitude": 32.08, "longitude": 34.78, "name": "Hall", "address": "1 St"},
        },
        "contacts": {"type": "contacts", "contacts": [_CONTACT]},
        "reaction": {"type": "reaction", "reaction": {"message_id": quoted, "emoji": "👍"}},
        "reaction_removed": {"type": "reaction", "reaction": {"message_id": quoted}},
        "order": {"type": "order", "order": _ORDER},
        "ad": {**_text("I saw your ad"), "referral": _REFERRAL},
        "forwarded": {**_text("Look at this"), "context": {"forwarded": True}},
        "number_changed": {
            "type": "system",
            "system": {
                "type": "user_changed_number",
                "body": f"User changed their number from {guest}",
                "wa_id": "972500000001",
            },
        },
        "identity_changed": {
            "type": "system",
            "system": {"type": "customer_identity_changed", "body": "Identity", "wa_id": guest},
            "identity": {"acknowledged": "false", "created_timestamp": "1", "hash": "aGFzaA=="},
        },
        "edit": {
            "type": "edit",
            "edit": {"original_message_id": quoted, "message": _text("Corrected")},
        },
        "revoke": {"type": "revoke", "revoke": {"original_message_id": quoted}},
        "unsupported": {"type": "unsupported", "errors": _UNSUPPORTED},
        "unknown": {"type": "unknown", "errors": _UNSUPPORTED},
        "empty_interactive": {"type": "interactive", "errors": _UNSUPPORTED},
    }


def _text(body: str) -> dict[str, Any]:
    return {"type": "text", "text": {"body": body}}


def _interactive(kind: str, body: dict[str, Any]) -> dict[str, Any]:
    return {"type": "interactive", "interactive": {"type": kind, kind: body}}


def _file(name: str, token: str) -> dict[str, Any]:
    file = FILES[name]
    number = int.from_bytes(hashlib.blake2b(token.encode(), digest_size=6).digest(), "big")
    body: dict[str, Any] = {
        "id": str(number),
        "mime_type": "audio/ogg; codecs=opus" if name == "audio" else file.mimetype,
        "sha256": base64.b64encode(hashlib.sha256(file.data).digest()).decode(),
    }
    extra: dict[str, dict[str, Any]] = {
        "audio": {"voice": True},
        "sticker": {"animated": False},
        "document": {"filename": file.filename},
    }
    return {**body, **extra.get(name, {})}


NAMES = sorted(_all("", "", ""))
