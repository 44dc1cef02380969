"""What the replies slice, above this one, may ask of messages: which of them is a reply about?"""

from collections.abc import Iterable
from uuid import UUID

from tidings.engine.db.tx import Tx

from . import conversation_store, repeat_store, store
from .model import Message

Person = tuple[UUID, str]  # account, phone


async def find_messages(tx: Tx, keys: Iterable[store.Key]) -> dict[store.Key, Message]:
    wanted = sorted(set(keys))
    return await conversation_store.find(tx, wanted) if wanted else {}


async def find_quoted(tx: Tx, keys: Iterable[tuple[UUID, str]]) -> dict[tuple[UUID, str], Message]:
    """By the platform's ids, which a reply quotes."""
    wanted = sorted(set(keys))
    return await conversation_store.find_quoted(tx, wanted) if wanted else {}


async def find_named(tx: Tx, keys: Iterable[tuple[UUID, str]]) -> dict[tuple[UUID, str], Message]:
    """By their clientMessageIds, which a button brings back unless it was told otherwise."""
    wanted = sorted(set(keys))
    found = await repeat_store.find_originals(tx, wanted) if wanted else {}
    return {key: message for key, (_, message) in found.items()}


async def find_last_sent(tx: Tx, people: Iterable[Person]) -> dict[Person, list[Message]]:
    """Of each kind the last that went out, the latest first; texts of our own aside."""
    wanted = sorted(set(people))
    found: dict[Person, list[Message]] = {}
    for message in await conversation_store.find_last_sent(tx, wanted) if wanted else []:
        found.setdefault((message.account_id, message.recipient), []).append(message)
    for messages in found.values():
        messages.sort(key=lambda message: (message.sent_at, message.id), reverse=True)
    return found
