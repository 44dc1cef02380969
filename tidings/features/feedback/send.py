"""Send forms (4.6): the work of the feedback lane, many in one transaction.

A form is a message like any other: `messages.accept` takes it into custody, in this transaction,
and a worker sends it. That it goes once to each number is a unique key of the database; requests of
the same time are sorted out here, before they meet it.
"""

from collections.abc import Iterable, Sequence
from uuid import UUID

import msgspec

from tidings.context import Context
from tidings.engine.db.tx import Conflict, Tx
from tidings.errors import ApiError
from tidings.features.accounts.lookup import load_accounts
from tidings.features.accounts.model import Account
from tidings.features.messages.accept.accept import accept
from tidings.features.messages.accept.rules import MessageCode
from tidings.features.messages.model import Message
from tidings.features.messages.read import lookup
from tidings.features.senders.lookup import load_numbers
from tidings.features.templates.lookup import load_templates

from . import decide as decisions
from . import send_store, store
from .decide import Facts, Go, person_of
from .model import PersonKey, Send, Version
from .names import split
from .parse import Asked


class Taken(msgspec.Struct, frozen=True):
    """What became of one request."""

    send: Send
    message: Message
    duplicate: bool = False


Results = dict[int, Taken | Exception]  # by the place of the request


async def send(ctx: Context, asked: list[Asked]) -> list[Taken | Exception]:
    """The work of the lane."""
    return await ctx.db.transact(lambda tx: _send(ctx, tx, asked))


async def _send(ctx: Context, tx: Tx, asked: Sequence[Asked]) -> list[Taken | Exception]:
    facts = await _load(tx, asked)
    results: Results = {}
    while len(results) < len(asked):
        await _round(ctx, tx, asked, facts, results)
    return [results[place] for place in range(len(asked))]


async def _load(tx: Tx, asked: Sequence[Asked]) -> Facts:
    accounts = await load_accounts(tx, {one.account_id for one in asked})
    # In this order: a send of another process that is seen to stand is also seen by its id, and who
    # repeats it gets that answer.
    standing = await send_store.find_open(tx, sorted({person_of(one) for one in asked}))
    originals = await lookup.find_named(
        tx, [(one.account_id, one.client_message_id) for one in asked]
    )
    repeated = [(message.account_id, message.id) for message in originals.values()]
    messages = await lookup.find_messages(
        tx, [(one.account_id, one.message_id) for one in standing.values()]
    )
    facts = Facts(
        accounts=accounts,
        originals=originals,
        sends=await send_store.find_of_messages(tx, repeated) if repeated else {},
        standing={
            person: (one, messages.get((one.account_id, one.message_id)))
            for person, one in standing.items()
        },
        forms=await store.load_forms(
            tx, sorted({(one.account_id, split(one.form_id)[0]) for one in asked})
        ),
    )
    live = [account for account in accounts.values() if not account.is_sandbox]
    if live:
        await _load_platform(tx, live, facts)
    return facts


async def _load_platform(tx: Tx, live: Sequence[Account], facts: Facts) -> None:
    """What the platform has of the forms of live accounts."""
    account_ids = sorted(account.id for account in live)
    versions: Iterable[Version] = (one for of_form in facts.forms.values() for one in of_form)
    keys = [one.key for one in versions if one.account_id in account_ids]
    facts.flows = await store.load_flows(tx, keys) if keys else {}
    facts.templates = {**await load_templates(tx, account_ids)}
    for account_id, numbers in (await load_numbers(tx, account_ids)).items():
        facts.places[account_id] = {one.waba_id for one in numbers if one.waba_id is not None}


async def _round(
    ctx: Context, tx: Tx, asked: Sequence[Asked], facts: Facts, results: Results
) -> None:
    """Of those still open, one for each form and person; the others then see what became of it."""
    going: dict[PersonKey, tuple[int, Go]] = {}
    for place, one in enumerate(asked):
        if place in results or person_of(one) in going:
            continue
        try:
            verdict = decisions.decide(one, facts, tx.now)
        except ApiError as refusal:
            results[place] = refusal.with_traceback(None)  # its frames hold `results`: a cycle
            continue
        if isinstance(verdict, Go):
            going[person_of(one)] = (place, verdict)
        else:
            results[place] = Taken(verdict.send, verdict.message, duplicate=True)
    if going:
        await _accept(ctx, tx, asked, facts, list(going.values()), results)


async def _accept(
    ctx: Context,
    tx: Tx,
    asked: Sequence[Asked],
    facts: Facts,
    going: Sequence[tuple[int, Go]],
    results: Results,
) -> None:
    wanted = [decisions.wanted(asked[place], go, facts) for place, go in going]
    became = (await accept(ctx, tx, wanted)).results
    new: list[Send] = []
    freed: list[Send] = []
    for (place, go), result in zip(going, became, strict=True):
        one = asked[place]
        if isinstance(result, ApiError) and result.code is MessageCode.DUPLICATE_CLIENT_MESSAGE_ID:
            raise Conflict  # another kind took the id a moment ago: read again
        if isinstance(result, Exception):
            _refuse_all(one, result, asked, results)
        elif result.duplicate:
            _require_ours(result.message.id, facts)  # its id was taken just now: the next round
        else:
            taken = Taken(decisions.sent(one, go, result.message, facts), result.message)
            results[place] = taken
            new.append(taken.send)
            freed += [go.frees] if go.frees is not None else []
    await _save(tx, new, freed)


def _refuse_all(
    refused: Asked, reason: Exception, asked: Sequence[Asked], results: Results
) -> None:
    """Concurrent requests for the same get the same answer."""
    for place, one in enumerate(asked):
        if place not in results and person_of(one) == person_of(refused):
            results[place] = reason


def _require_ours(message_id: UUID, facts: Facts) -> None:
    if message_id not in facts.sends:
        raise Conflict  # another process took the id a moment ago: read again


async def _save(tx: Tx, new: Sequence[Send], freed: Sequence[Send]) -> None:
    if freed:
        await send_store.free(tx, sorted(one.key for one in freed))
    if new and await send_store.insert(tx, new) != len(new):
        raise Conflict  # another process sent one of these forms a moment ago: read again
