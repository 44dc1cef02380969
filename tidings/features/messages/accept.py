"""Take messages into custody: the work of the accept lane (4.1).

Load every fact in a few set-based queries, decide one message after another in memory, write in a
few set-based statements, commit, answer everyone. A refused message leaves nothing behind.
"""

import asyncio
from collections.abc import Iterator, Sequence
from datetime import datetime

import msgspec

from tidings.context import Context
from tidings.engine.db.tx import Tx
from tidings.engine.pipelined_writer import PipelinedWriter
from tidings.errors import ApiError
from tidings.features.media.rules import unknown_media

from . import facts as facts_of
from .decide import Decision, OptedOut, Repeat, decide
from .dispatch import Claimed
from .facts import Facts
from .keep import Handed, close, keep
from .model import Message, Wanted

TURN = 50  # messages that are decided without a pause: about a millisecond
PART = 450  # messages that are written while the next are decided
FIRST_PART = 100  # fewer, so that PostgreSQL soon has something to do

Became = Decision | Repeat | Exception


class Accepted(msgspec.Struct, frozen=True):
    """What became of one wanted message. `claimed`: its maker hands it over at once."""

    message: Message
    duplicate: bool = False
    claimed: Claimed | None = None


async def accept(ctx: Context, wanted: list[Wanted]) -> list[Accepted | Exception]:
    """The work of the accept lane."""
    return await ctx.db.transact(lambda tx: accept_in(ctx, tx, wanted))


async def accept_in(
    ctx: Context, tx: Tx, wanted: Sequence[Wanted], *, storing: bool = True
) -> list[Accepted | Exception]:
    """The same inside somebody else's transaction; `storing` False only looks what would be."""
    return (await accept_with_facts(ctx, tx, wanted, storing=storing))[0]


async def accept_with_facts(
    ctx: Context, tx: Tx, wanted: Sequence[Wanted], *, storing: bool = True
) -> tuple[list[Accepted | Exception], Facts]:
    """And what it was decided upon, as it is afterwards: a batch asks when it will be done."""
    facts = await facts_of.load(ctx, tx, wanted)
    became: list[Became] = []
    async with PipelinedWriter[Handed]() as writing:
        for wanted_part in _parts(wanted):
            part = await _decide_all(wanted_part, facts, tx.now)
            became += part
            decisions = _decisions(part)
            if decisions and storing:
                await writing.put(keep(ctx, tx, facts, decisions))
    decisions = _decisions(became)
    if decisions and storing:
        await close(ctx, tx, facts, decisions)
    handed = {
        message_id: claimed for part in writing.results for message_id, claimed in part.items()
    }
    return [_accepted(result, handed) for result in became], facts


def _parts(wanted: Sequence[Wanted]) -> Iterator[Sequence[Wanted]]:
    if len(wanted) <= PART:
        yield wanted
        return
    yield wanted[:FIRST_PART]
    for start in range(FIRST_PART, len(wanted), PART):
        yield wanted[start : start + PART]


async def _decide_all(wanted: Sequence[Wanted], facts: Facts, now: datetime) -> list[Became]:
    """In short turns of the event loop, so that a large batch keeps nobody else waiting."""
    decided = [_decided(item, facts, now) for item in wanted[:TURN]]
    for start in range(TURN, len(wanted), TURN):
        await asyncio.sleep(0)
        decided += [_decided(item, facts, now) for item in wanted[start : start + TURN]]
    return decided


def _decided(wanted: Wanted, facts: Facts, now: datetime) -> Became:
    if wanted.file is not None and (wanted.account_id, wanted.file.media_id) not in facts.files:
        return unknown_media()  # it was removed since the request began
    try:
        return decide(wanted, facts, now)
    except (ApiError, OptedOut) as refusal:
        return refusal.with_traceback(None)  # its frames hold the list it goes into: a cycle


def _decisions(became: Sequence[Became]) -> list[Decision]:
    return [result for result in became if isinstance(result, Decision)]


def _accepted(result: Became, handed: Handed) -> Accepted | Exception:
    if isinstance(result, Decision):
        return Accepted(result.message, claimed=handed.get(result.message.id))
    if isinstance(result, Repeat):
        return Accepted(result.message, duplicate=True)
    return result
