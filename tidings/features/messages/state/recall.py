"""Messages that need not be loaded for a callback, because this process wrote them last.

Most callbacks come seconds after the message was sent, and often to the process that sent it. The
message is taken from memory and written by compare-and-set: what another process has changed in the
meantime is loaded after all (`changes.Overtaken`).
"""

from collections.abc import Iterable
from uuid import UUID

from tidings.context import Context
from tidings.platforms.port import StatusKind

from ..model import Message, Status

SENT, DELIVERED = Status.SENT, Status.DELIVERED
# Statuses that change nothing but `status`, `delivered_at`, `read_at` and the timeline of a message
# that may be recalled (tests/rules/test_message_columns.py).
SIMPLE = frozenset({StatusKind.SENT, StatusKind.DELIVERED, StatusKind.READ})


def remember(ctx: Context, messages: Iterable[Message]) -> None:
    """Keep those that may be recalled, as they are now written; forget the others."""
    by_key = {(message.account_id, message.id): message for message in messages}
    ctx.recent_messages.put({key: one for key, one in by_key.items() if may_recall(one)})
    ctx.recent_messages.forget(key for key, one in by_key.items() if not may_recall(one))


def recall(ctx: Context, key: tuple[UUID, UUID], reported: Iterable[StatusKind]) -> Message | None:
    """The message, if nothing more than these statuses is to be reported about it."""
    message = ctx.recent_messages.get(key)
    return message if message is not None and SIMPLE.issuperset(reported) else None


def may_recall(message: Message) -> bool:
    return (
        (message.status is SENT or message.status is DELIVERED)
        and message.sent_at is not None
        and message.platform_id is not None
        and message.unknown_since is None
        and message.error is None
    )
