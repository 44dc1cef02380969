"""The simulated guest: replies that the holder of a sandbox key sends."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from tidings import ids, limits
from tidings.context import Context
from tidings.engine.db.tx import Tx
from tidings.errors import ApiError, Code
from tidings.features.accounts.lookup import load_accounts
from tidings.features.accounts.model import Account
from tidings.features.messages.read import lookup
from tidings.features.messages.read.lookup import Shown
from tidings.features.messages.send.dispatch import POOL as SENDING
from tidings.features.replies.timers import POOL as TIMERS
from tidings.features.senders.lookup import load_numbers
from tidings.features.senders.number_selection import require_own
from tidings.platforms.content import Form
from tidings.platforms.port import InboundMessage
from tidings.platforms.sandbox.guest_messages import Envelope, platform_id, reply_buttons
from tidings.platforms.sandbox.replies import GuestReply, write_reply

from . import clock

HISTORY_MAX = 50  # messages searched for the one whose button or form is answered


@dataclass(frozen=True, slots=True)
class Answer:
    from_: str
    to: str | None  # None: our number that messaged the guest last
    reply: GuestReply
    quoted: str | None  # clientMessageId
    pressed_in: str | None  # clientMessageId of the message whose button it is


async def answer(ctx: Context, account: Account, answered: Answer) -> str:
    """Inject the reply as a callback of the platform; its message id.

    Automatic messages to the guest that follow from it are sent before this returns.
    """
    if answered.reply.answers is not None:
        await clock.settle(
            ctx, account.id, [SENDING]
        )  # a form that was just accepted has been sent
    inbound = await ctx.db.transact(lambda tx: _inbound(tx, account.id, answered))
    await ctx.lanes.ingest.put((account.id, inbound))
    await clock.settle(ctx, account.id, [TIMERS, SENDING])
    return inbound.platform_id


async def _inbound(tx: Tx, account_id: UUID, answered: Answer) -> InboundMessage:
    account = (await load_accounts(tx, [account_id]))[account_id]
    sent = await lookup.find_sent_to(
        tx, account_id, answered.from_, limit=HISTORY_MAX, bytes_max=limits.PHONE_BYTES_MAX
    )
    history = list(sent)
    about = await _about(tx, account_id, answered, history)
    envelope = Envelope(
        platform_id=platform_id(f"in.{ids.new_id().hex}"),
        from_=answered.from_,
        to=answered.to or await _default_number(tx, account_id, history),
        at=_answered_at(account.now(tx.now), history),
        quoted=about[0].platform_id if about else None,
    )
    if answered.to is not None:
        require_own((await load_numbers(tx, [account_id])).get(account_id, []), answered.to, "to")
    return write_reply(answered.reply, envelope, about[1] if about else None)


def _answered_at(now: datetime, history: list[Shown]) -> datetime:
    """Not before the newest message on the phone, whose send slot may be slightly in the future."""
    newest = history[0][0].sent_at if history else None
    return now if newest is None else max(now, newest)


async def _about(tx: Tx, account_id: UUID, answered: Answer, history: list[Shown]) -> Shown | None:
    """Our message that the reply answers."""
    named = answered.pressed_in or answered.quoted
    if named is not None:
        found = await lookup.find_sent(tx, account_id, named)
        if found is None or found[0].recipient != answered.from_:
            field = "button.clientMessageId" if answered.pressed_in else "quoted"
            problem = f"{field} names no message that was sent to this guest"
            raise ApiError(Code.VALIDATION_ERROR, problem, field=field)
        return found
    if answered.reply.button is not None:
        return next((shown for shown in history if reply_buttons(shown[1])), None)
    if answered.reply.answers is not None:
        return next((shown for shown in history if isinstance(shown[1], Form)), None)
    return None


async def _default_number(tx: Tx, account_id: UUID, history: list[Shown]) -> str:
    if history and history[0][0].number:
        return history[0][0].number
    numbers = (await load_numbers(tx, [account_id])).get(account_id, [])
    if not numbers:
        problem = "to is needed: the account has no number that the guest could have written to"
        raise ApiError(Code.VALIDATION_ERROR, problem, field="to")
    return numbers[0].number
