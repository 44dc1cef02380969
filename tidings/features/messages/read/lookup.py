"""Queries about messages: for GET /messages/{cid} (4.7) and for other slices."""

from collections.abc import Iterable, Sequence
from uuid import UUID

from tidings.engine.db.tx import Tx
from tidings.errors import ApiError
from tidings.features.events import invitations
from tidings.features.events.model import Invitation
from tidings.platforms.content import Content

from ..accept import idempotency_store
from ..accept.rules import MessageCode
from ..model import Message, MessageKind
from ..state import side_effects, store
from . import lookup_store

Shown = tuple[Message, Content]


async def load_status(tx: Tx, account_id: UUID, client_message_id: str) -> Message:
    """The newest message with this id."""
    message = await idempotency_store.find_newest(tx, account_id, client_message_id)
    if message is None:
        problem = "the account has no message with this clientMessageId"
        raise ApiError(MessageCode.MESSAGE_NOT_FOUND, problem)
    return message


async def find_invitation(tx: Tx, message: Message) -> Invitation | None:
    """The state of an invitation; None if the message is not one."""
    if message.kind != MessageKind.INVITATION or message.expires_at is None:
        return None
    found = await invitations.find(tx, message.account_id, message.id)
    return found or side_effects.invitation(message, message.expires_at)


async def find_sent_to(
    tx: Tx, account_id: UUID, phone: str, *, limit: int, bytes_max: int
) -> Sequence[Shown]:
    """Messages sent to a person, newest first, limited in number and in bytes of content."""
    return await lookup_store.find_sent_to(tx, account_id, phone, limit=limit, bytes_max=bytes_max)


async def find_recipients(tx: Tx, account_id: UUID, limit: int) -> list[str]:
    """Whom the account wrote to last, the latest first, among its newest messages."""
    recent = await lookup_store.find_newest_recipients(tx, account_id)
    return list(dict.fromkeys(recent))[:limit]


async def find_sent(tx: Tx, account_id: UUID, client_message_id: str) -> Shown | None:
    """A message that was sent, by its clientMessageId."""
    found = await find_shown(tx, account_id, client_message_id)
    return None if found is None or found[0].sent_at is None else found


async def find_shown(tx: Tx, account_id: UUID, client_message_id: str) -> Shown | None:
    """A message and its content, sent or not, by its clientMessageId."""
    message = await idempotency_store.find_newest(tx, account_id, client_message_id)
    if message is None:
        return None
    key = (account_id, message.id)
    content, _ = (await store.load_contents(tx, [key]))[key]
    return message, content


Person = tuple[UUID, str]  # account, phone


async def find_messages(tx: Tx, keys: Iterable[store.Key]) -> dict[store.Key, Message]:
    unique = sorted(set(keys))
    return await lookup_store.find_by_id(tx, unique) if unique else {}


async def find_quoted(tx: Tx, keys: Iterable[tuple[UUID, str]]) -> dict[tuple[UUID, str], Message]:
    """By the platform's ids, which a reply quotes."""
    unique = sorted(set(keys))
    return await lookup_store.find_quoted(tx, unique) if unique else {}


async def find_named(tx: Tx, keys: Iterable[tuple[UUID, str]]) -> dict[tuple[UUID, str], Message]:
    """By clientMessageId, which is the default payload of a button."""
    unique = sorted(set(keys))
    return await idempotency_store.find_all(tx, unique) if unique else {}


async def find_last_sent(tx: Tx, people: Iterable[Person]) -> dict[Person, list[Message]]:
    """The last message of each kind that was sent, newest first; without our own prompts."""
    unique = sorted(set(people))
    found: dict[Person, list[Message]] = {}
    for message in await lookup_store.find_last_sent(tx, unique) if unique else []:
        found.setdefault((message.account_id, message.recipient), []).append(message)
    for messages in found.values():
        messages.sort(key=lambda message: (message.sent_at, message.id), reverse=True)
    return found
