"""An example of each kind of event, as `tidings trigger` sends it and the docs show it. Pure.

Nobody is behind them: every one that has a `meta` says so in it, and no id of theirs is found.
"""

from typing import Any

_TO = "972501234567"
_NUMBER = "972555000001"
_WAMID = "wamid.HBgMOTcyNTAxMjM0NTY3FQIAERgSEXAMPLE"
EXAMPLE_TIME = "2026-01-31T09:30:00.000Z"
_META = {"example": True}
_BATCH = "bat_00000000000070008000000000000000"

_MESSAGE: dict[str, Any] = {
    "clientMessageId": "example-0001", "messageId": _WAMID, "to": _TO, "meta": _META,
}  # fmt: skip
_INVITATION = _MESSAGE | {"eventId": "example-party"}
_OUTBOUND = {
    "clientMessageId": "example-0001", "messageId": _WAMID, "kind": "notification",
    "at": EXAMPLE_TIME,
}  # fmt: skip


def _reply(text: str, answer: str | None, **more: Any) -> dict[str, Any]:
    return {
        **_INVITATION,
        "from": _TO,
        "replyId": "wamid.HBgMOTcyNTAxMjM0NTY3FQIAEhgUEXAMPLE",
        "type": "text",
        "text": text,
        "answer": answer,
        "guests": None,
        "matchConfidence": 0.98 if answer else 0.1,
        "slotMatch": "only_open",
        "receivedAt": EXAMPLE_TIME,
        **more,
    }


def _progress(percent: int) -> dict[str, Any]:
    left = 100 - percent
    counts = {"sent": percent, "delivered": percent - 2, "read": percent // 2}
    ends = {"failed": 0, "expired": 0, "cancelled": 0, "pending": left, "percent": percent}
    return {"batchId": _BATCH, "batchName": "Example", "total": 100, **counts, **ends}


EXAMPLES: dict[str, dict[str, Any]] = {
    "message.status": _MESSAGE | {"status": "delivered", "at": EXAMPLE_TIME},
    "message.deferred": _MESSAGE
    | {
        "messageId": None,
        "reason": "SEND_WINDOW",
        "retryAt": "2026-02-01T06:00:00.000Z",
        "at": EXAMPLE_TIME,
    },
    "message.received": {
        "messageId": "wamid.HBgMOTcyNTAxMjM0NTY3FQIAEhgUEXAMPLE",
        "from": _TO,
        "to": _NUMBER,
        "type": "text",
        "text": "When do you open?",
        "payload": None,
        "mediaUrl": None,
        "repliedTo": "last_outbound",
        "clientMessageId": "example-0001",
        "meta": _META,
        "lastOutbound": _OUTBOUND,
        "lastOutboundByKind": {"notification": _OUTBOUND},
        "windowExpiresAt": "2026-02-01T09:30:00.000Z",
        "receivedAt": EXAMPLE_TIME,
        "raw": {
            "from": _TO,
            "id": "wamid.HBgMOTcyNTAxMjM0NTY3FQIAEhgUEXAMPLE",
            "timestamp": "1769851800",
            "type": "text",
            "text": {"body": "When do you open?"},
        },
    },
    "guest.confirmed": _reply("Yes! We'll be 4", "yes", guests=4),
    "guest.declined": _reply("Sorry, can't make it", "no"),
    "guest.replied_invalid": _reply("Who is this?", None),
    "guest.unresolved": _reply("Who is this?", None),
    "guest.replied_late": _reply("Is it too late to come?", None),
    "guest.message": _reply("Thank you!", None, slotMatch="none"),
    "guest.opted_out": {"from": _TO, "source": "reply"},
    "guest.opted_in": {"from": _TO, "source": "reply"},
    "batch.progress": _progress(45),
    "batch.completed": _progress(100),
    "sender.health": {
        "number": _NUMBER,
        "previous": {"status": "CONNECTED", "qualityRating": "GREEN"},
        "current": {"status": "CONNECTED", "qualityRating": "YELLOW"},
    },
    "feedback.submitted": _MESSAGE
    | {
        "sendId": "example-send",
        "formId": "visit",
        "version": 1,
        "answers": [
            {"questionId": "q1", "question": "How was your visit?", "type": "rating", "value": 5},
            {"questionId": "q2", "question": "Anything else?", "type": "comment", "value": None},
        ],
        "at": EXAMPLE_TIME,
    },
}
