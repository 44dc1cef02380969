"""What is told of replies (6.2; contract.md, "Events out"). Pure."""

from collections.abc import Sequence
from datetime import datetime

import msgspec

from tidings import limits, times
from tidings.features.messages.model import Message
from tidings.features.messages.read.present import about, belonging, raw, wire

from .model import About, How, Match, Reply

REPLIED_TO = {How.BUTTON: "button_payload", How.QUOTED: "quoted_message"}


def guest_event(match: Match, media_url: str | None) -> dict[str, object]:
    """A guest.* event: whose invitation it is about, and what the guest said."""
    item = match.reply.item
    told = {**_message(match.message, match.reply), **_said(match, media_url)}
    if match.invitation is None:
        told["raw"] = msgspec.Raw(item.raw)  # reactions, edits, forms: all there is to know
    return told


def _message(message: Message | None, reply: Reply) -> dict[str, object]:
    if message is None:
        return {"clientMessageId": None, "messageId": None, "to": reply.item.from_, "meta": None}
    told = about(message)
    if message.platform_id is None:
        told["messageId"] = reply.item.quoted  # the reply overtook the platform's answer
    return told


def _said(match: Match, media_url: str | None) -> dict[str, object]:
    item, reading = match.reply.item, match.reading
    answer = reading.answer if match.invitation is not None else None
    said: dict[str, object] = {
        "from": item.from_ or item.user_id,
        "replyId": item.platform_id,
        "type": item.type,
        "text": item.text,
        "answer": answer,
        "guests": None if answer == "no" else reading.guests,
        "matchConfidence": 0.0 if answer is None else round(reading.confidence, 2),
        "slotMatch": match.slot.value,
        "receivedAt": times.to_wire(item.at),
    }
    if media_url is not None:
        said["mediaUrl"] = media_url
    return said


def unclear(match: Match, media_url: str | None) -> dict[str, object]:
    """What guest.unresolved will say of the reply, when the invitation is over."""
    return _said(match, media_url)


def unresolved_event(message: Message, told: dict[str, object]) -> dict[str, object]:
    return about(message) | told


def opt_event(reply: Reply) -> dict[str, object]:
    """guest.opted_out, guest.opted_in"""
    return {"from": reply.item.from_ or reply.item.user_id, "source": "reply"}


def received_event(
    reply: Reply,
    by_its_word: About | None,
    last: Sequence[Message],
    heard_at: datetime | None,
    media_url: str | None,
) -> dict[str, object]:
    """message.received. `last`: the last message of each kind to this person, the latest first."""
    item = reply.item
    message = by_its_word.message if by_its_word is not None else next(iter(last), None)
    if by_its_word is not None:
        replied_to = REPLIED_TO[by_its_word.how]
    else:
        replied_to = "none" if message is None else "last_outbound"
    return {
        "messageId": item.platform_id,
        "from": item.from_ or item.user_id,
        "to": item.sender,
        "type": item.type,
        "text": item.text,
        "payload": item.payload,
        "mediaUrl": media_url,
        "repliedTo": replied_to,
        "clientMessageId": None if message is None else message.client_message_id,
        "meta": None if message is None else raw(message.meta),
        **({} if message is None else belonging(message)),
        "lastOutbound": _outbound(last[0]) if last else None,
        "lastOutboundByKind": {each.kind: _outbound(each) for each in last},
        "windowExpiresAt": None
        if heard_at is None
        else wire(heard_at + limits.CONVERSATION_WINDOW),
        "receivedAt": times.to_wire(item.at),
        "raw": msgspec.Raw(item.raw),
    }


def _outbound(message: Message) -> dict[str, object]:
    return {
        "clientMessageId": message.client_message_id,
        "messageId": message.platform_id,
        "kind": message.kind,
        "at": wire(message.sent_at),
    }
