"""What people settled, kept as labelled replies where the account agreed to it (`keepReadings`).

Nothing reads them here but an export that somebody asks for: a guest's words teach the reader only
through people who look at them.
"""

from collections.abc import AsyncIterator, Sequence
from uuid import UUID

from tidings import times
from tidings.engine.db.pages import read_pages
from tidings.engine.db.pool import Database
from tidings.engine.db.tx import Tx
from tidings.features.accounts.model import Account
from tidings.features.audit.record import Actor, Entry, record
from tidings.features.events.model import Invitation

from . import kept_reading_store as store
from .model import KeptReading
from .reading.guess_language import guess_language
from .reading.reader import read

ACTION = "readings.exported"
HEADER = "text\tanswer\tguests\n"  # of tests/corpus
PAGE_ROWS = 500


async def keep(tx: Tx, account: Account, settled: Invitation, last: Invitation) -> None:
    """In the transaction that settles. `last`: the invitation with the guest's last words; nothing
    is kept where there are none. The same words settled anew keep the later answer."""
    text = (last.reply_text or "").strip()
    if not account.keep_readings or not text or last.replied_at is None:
        return
    assert settled.answer is not None and settled.answered_at is not None
    reading = read(text)
    kept = KeptReading(
        phone=last.phone,
        event_id=last.event_id or "",
        replied_at=last.replied_at,
        text=text,
        language=guess_language(text),
        read_as=reading.answer,
        confidence=reading.confidence,
        answer=settled.answer,
        guests=settled.guests,
        settled_at=account.now(tx.now),
    )
    await store.save(tx, account.id, kept)


async def count(tx: Tx, account_id: UUID) -> int:
    return await store.count(tx, account_id)


async def record_export(tx: Tx, account: Account, actor: Actor) -> None:
    """That a copy was taken, and by whom."""
    entry = Entry(actor=actor, action=ACTION, subject=account.name, account_id=account.id)
    await record(tx, entry)


async def export(db: Database, account_id: UUID) -> AsyncIterator[Sequence[KeptReading]]:
    """In pages, the oldest reply first."""

    async def load(
        tx: Tx, after: store.Place | None
    ) -> tuple[list[KeptReading], store.Place | None]:
        found = await store.load_page(tx, account_id, after, PAGE_ROWS)
        is_full = len(found) == PAGE_ROWS
        return found, store.place_of(found[-1]) if is_full else None

    async for page in read_pages(db, load):
        yield page


async def export_lines(db: Database, account_id: UUID) -> AsyncIterator[str]:
    """As tests/corpus has them, without who wrote them."""
    yield HEADER
    async for page in export(db, account_id):
        yield "".join(map(line, page))


def line(kept: KeptReading) -> str:
    """One labelled reply; a tab or a line break within it becomes a space."""
    guests = "-" if kept.guests is None else str(kept.guests)
    return f"{' '.join(kept.text.split())}\t{kept.answer}\t{guests}\n"


def present(kept: KeptReading) -> dict[str, object]:
    """For programs: the label, and what the reader said."""
    return {
        "text": kept.text,
        "answer": kept.answer,
        "guests": kept.guests,
        "language": kept.language,
        "readAs": kept.read_as,
        "confidence": round(kept.confidence, 3),
        "settledAt": times.to_wire(kept.settled_at),
    }
