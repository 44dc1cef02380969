"""Everything that is kept of a person as one JSON document, streamed in pages."""

from collections.abc import AsyncIterator, Sequence
from uuid import UUID

import msgspec

from tidings import limits, times
from tidings.context import Context
from tidings.engine.db.pages import read_pages
from tidings.engine.db.tx import Tx
from tidings.features.accounts.model import Account
from tidings.features.audit.record import Actor, Entry, record
from tidings.ids import new_id
from tidings.secrets import Sealer

from . import export_store, rules

Pages = AsyncIterator[Sequence[str]]


async def export_person(ctx: Context, account: Account, phone: str) -> AsyncIterator[str]:
    """Read in pages: what changes meanwhile may or may not be in it."""
    head = {
        "number": phone,
        "account": account.name,
        "exportedAt": times.to_wire(ctx.clock.now()),
    }
    yield msgspec.json.encode(head).decode()[:-1]
    for kind in export_store.KINDS:
        yield f',\n"{kind}":['
        async for text in _joined(_rows(ctx, account, phone, kind)):
            yield text
        yield "]"
    yield ',\n"events":['
    async for text in _joined(_events(ctx, account, phone)):
        yield text
    yield "]}\n"


async def record_export(tx: Tx, sealer: Sealer, account_id: UUID, phone: str, actor: Actor) -> None:
    """That a copy was taken, and by whom; the person is named by a pseudonym."""
    key = sealer.signing_key(rules.PURPOSE)
    mask = rules.pseudonym(key, account_id, phone, f"export {new_id().hex}")
    entry = Entry(actor=actor, action="person.exported", subject=mask, account_id=account_id)
    await record(tx, entry)


def _rows(ctx: Context, account: Account, phone: str, kind: str) -> Pages:
    async def load(tx: Tx, after: str | None) -> tuple[list[str], str | None]:
        found = await export_store.load_page(
            tx, kind, account.id, phone, after or "", limits.ERASURE_PAGE_ROWS
        )
        is_full = len(found) == limits.ERASURE_PAGE_ROWS
        return [text for _, text in found], found[-1][0] if is_full else None

    return read_pages(ctx.db, load)


def _events(ctx: Context, account: Account, phone: str) -> Pages:
    async def load(
        tx: Tx, after: export_store.Place | None
    ) -> tuple[list[str], export_store.Place | None]:
        return await export_store.load_events(
            tx,
            account.id,
            pattern=rules.pattern_of(phone),
            phone=phone,
            after=after or export_store.FIRST,
            scanned=limits.ERASURE_SCANNED_ROWS,
        )

    return read_pages(ctx.db, load)


async def _joined(pages: Pages) -> AsyncIterator[str]:
    """The elements of a JSON array."""
    separator = "\n"
    async for texts in pages:
        yield separator + ",\n".join(texts)
        separator = ",\n"
