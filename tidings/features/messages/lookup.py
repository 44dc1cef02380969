"""What may be asked of messages: GET /messages/{cid} (4.7), and what other slices need to know."""

from collections.abc import Sequence
from uuid import UUID

from tidings.engine.db.tx import Tx
from tidings.errors import ApiError, Code
from tidings.features.events import invitations
from tidings.features.events.model import Invitation
from tidings.platforms.content import Content

from . import fates, repeat_store, statement_store, store
from .model import Kind, Message
from .states import REFUNDED

Shown = tuple[Message, Content]


async def load_status(tx: Tx, account_id: UUID, client_message_id: str) -> Message:
    """The newest message with this id."""
    message = await repeat_store.find_newest(tx, account_id, client_message_id)
    if message is None:
        problem = "the account has no message with this clientMessageId"
        raise ApiError(Code.MESSAGE_NOT_FOUND, problem)
    return message


async def find_invitation(tx: Tx, message: Message) -> Invitation | None:
    """How an invitation stands; None: the message is none."""
    if message.kind != Kind.INVITATION or message.expires_at is None:
        return None
    found = await invitations.find(tx, message.account_id, message.id)
    return found or fates.invitation(message, message.expires_at)


async def find_refunded(tx: Tx, account_id: UUID, message_ids: Sequence[UUID]) -> set[UUID]:
    """Those of these messages that failed, expired or were cancelled: they reached nobody."""
    return await statement_store.find_having(tx, account_id, message_ids, REFUNDED)


async def find_sent_to(
    tx: Tx, account_id: UUID, phone: str, *, limit: int, bytes_max: int
) -> Sequence[Shown]:
    """What has gone out to a person, the newest first: so many, and no more bytes in all."""
    return await store.find_sent_to(tx, account_id, phone, limit=limit, bytes_max=bytes_max)


async def find_sent(tx: Tx, account_id: UUID, client_message_id: str) -> Shown | None:
    """A message that has gone out, by its caller's id."""
    message = await repeat_store.find_newest(tx, account_id, client_message_id)
    if message is None or message.sent_at is None:
        return None
    key = (account_id, message.id)
    return message, (await store.load_contents(tx, [key]))[key]
