"""Everything that is kept of a person as one JSON document, streamed in pages."""

from collections.abc import AsyncIterator
from functools import partial
from uuid import UUID

import msgspec

from tidings import limits, times
from tidings.context import Context
from tidings.engine.db.tx import Tx
from tidings.features.accounts.model import Account
from tidings.features.audit.record import Actor, Entry, record
from tidings.ids import new_id
from tidings.secrets import Sealer

from . import export_store, rules


async def export_person(ctx: Context, account: Account, phone: str) -> AsyncIterator[str]:
    """Each page is a short transaction of its own, so that an export of any size holds nothing up.
    What changes meanwhile may or may not be in it."""
    head = {
        "number": phone,
        "account": account.name,
        "exportedAt": times.to_wire(ctx.clock.now()),
    }
    yield msgspec.json.encode(head).decode()[:-1]
    for kind in export_store.KINDS:
        yield f',\n"{kind}":['
        async for text in _rows(ctx, account, phone, kind):
            yield text
        yield "]"
    yield ',\n"events":['
    async for text in _events(ctx, account, phone):
        yield text
    yield "]}\n"


async def record_export(tx: Tx, sealer: Sealer, account_id: UUID, phone: str, actor: Actor) -> None:
    """That a copy was taken, and by whom; the person is named by a pseudonym."""
    key = sealer.signing_key(rules.PURPOSE)
    mask = rules.pseudonym(key, account_id, phone, f"export {new_id().hex}")
    entry = Entry(actor=actor, action="person.exported", subject=mask, account_id=account_id)
    await record(tx, entry)


async def _rows(ctx: Context, account: Account, phone: str, kind: str) -> AsyncIterator[str]:
    after, before = "", "\n"
    while True:
        page = await ctx.db.transact(
            partial(
                export_store.load_page,
                kind=kind,
                account_id=account.id,
                phone=phone,
                after=after,
                limit=limits.ERASURE_PAGE_ROWS,
            )
        )
        for _, text in page:
            yield before + text
            before = ",\n"
        if len(page) < limits.ERASURE_PAGE_ROWS:
            return
        after = page[-1][0]


async def _events(ctx: Context, account: Account, phone: str) -> AsyncIterator[str]:
    after: export_store.Place | None = export_store.FIRST
    before = "\n"
    while after is not None:
        found, after = await ctx.db.transact(
            partial(
                export_store.load_events,
                account_id=account.id,
                pattern=rules.pattern_of(phone),
                phone=phone,
                after=after,
                scanned=limits.ERASURE_SCANNED_ROWS,
            )
        )
        for text in found:
            yield before + text
            before = ",\n"
