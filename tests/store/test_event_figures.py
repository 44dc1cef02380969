"""The figures of an event, counted by PostgreSQL, against a plain count of the same invitations.

The database is fresh and has no statistics: a plan that is bad then runs into the time limit."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from random import Random
from uuid import UUID

import msgspec
import pytest

from tidings.engine.db.pool import Database
from tidings.engine.db.tx import Tx
from tidings.features.events import count_store
from tidings.features.events.model import Answers, Counts, Figures

ACCOUNT = UUID(int=1)
NOW = datetime(2026, 7, 1, 12, tzinfo=UTC)
EVENTS = 80
GUESTS_MAX = 12  # of an event


class Row(msgspec.Struct, frozen=True):
    """An invitation, and whether its message was delivered."""

    event_id: str
    phone: str
    expires_at: datetime
    sent_at: datetime | None
    lost: bool
    answer: str | None
    guests: int | None
    answered_at: datetime | None
    unclear: str | None
    late: bool
    delivered: bool

    @property
    def open(self) -> bool:
        return self.sent_at is not None and not self.lost and self.expires_at > NOW


def make_rows(random: Random) -> Iterator[Row]:
    for event in range(EVENTS):
        minutes = random.choice([100, 119, 121, 5000])  # in which the guests answer
        for guest in range(random.randint(1, GUESTS_MAX)):
            for place in range(random.choice([1, 1, 1, 2, 3])):
                yield _make_row(random, f"event-{event}", f"97250000{guest:04}", minutes, place)


def _make_row(random: Random, event_id: str, phone: str, minutes: int, place: int) -> Row:
    answer = random.choice(["yes", "yes", "no", None, None])
    answered = NOW - timedelta(minutes=random.choice([0, minutes, random.randrange(minutes)]))
    return Row(
        event_id,
        phone,
        expires_at=NOW + timedelta(hours=random.choice([-1, 0, 1, 2])),
        sent_at=random.choice([None, NOW, NOW, NOW]),
        lost=random.random() < 0.2,
        answer=answer,
        guests=random.choice([None, 0, 1, 4]) if answer == "yes" else None,
        # No two of a guest at once, by the smallest difference that is stored.
        answered_at=answered + timedelta(microseconds=place) if answer else None,
        unclear=random.choice([None, None, "{}"]),
        late=random.random() < 0.2,
        delivered=random.random() < 0.5,
    )


async def insert(tx: Tx, rows: Sequence[Row]) -> None:
    ids = [UUID(int=place) for place in range(len(rows))]
    await tx.run(
        """INSERT INTO messages (account_id, id, client_message_id, kind, recipient, content,
                                 status, created_at, times_out_at, event_id, delivered_at)
           SELECT $1, u.id, u.id::text, 'invitation', u.phone, '{}', 'sent', t.at, t.at,
                  u.event_id, CASE WHEN u.delivered THEN t.at END
             FROM unnest($2::uuid[], $3::text[], $4::text[], $5::bool[])
                  AS u (id, phone, event_id, delivered), (SELECT $6::timestamptz AS at) t""",
        ACCOUNT, ids, [row.phone for row in rows], [row.event_id for row in rows],
        [row.delivered for row in rows], NOW,
    )  # fmt: skip
    kinds = {
        "event_id": "text", "phone": "text", "expires_at": "timestamptz", "sent_at": "timestamptz",
        "lost": "bool", "answer": "text", "guests": "int", "answered_at": "timestamptz",
        "unclear": "jsonb", "late": "bool",
    }  # fmt: skip
    arrays = ", ".join(f"${place}::{kind}[]" for place, kind in enumerate(kinds.values(), 3))
    await tx.run(
        f"""INSERT INTO invitations (account_id, message_id, {", ".join(kinds)})
            SELECT $1, * FROM unnest($2::uuid[], {arrays})""",
        ACCOUNT, ids, *([getattr(row, name) for row in rows] for name in kinds),
    )  # fmt: skip


# The plain count


def count_plainly(rows: Sequence[Row]) -> tuple[Figures, datetime | None]:
    """Of one event."""
    guests = defaultdict(list)
    for row in rows:
        guests[row.phone].append(row)
    counts = sum((_count_guest(one) for one in guests.values()), Counter[str]())
    ends = [row.expires_at for row in rows if row.open]
    last = [found for one in guests.values() if (found := _last_answer(one))]
    return Figures(Counts(**counts), _count_answers(last)), min(ends, default=None)


def _last_answer(guest: Sequence[Row]) -> Row | None:
    given = [row for row in guest if row.answered_at]
    return max(given, key=lambda row: row.answered_at or NOW, default=None)


def _count_guest(guest: Sequence[Row]) -> Counter[str]:
    last = _last_answer(guest)
    answer = last.answer if last else None
    silent = answer is None
    unclear = any(row.unclear for row in guest)
    is_open = any(row.open for row in guest)
    sent = sum(row.sent_at is not None for row in guest)
    heard_of = any(row.delivered or row.answer or row.unclear for row in guest)
    return Counter(
        sent=sent,
        invited=int(sent > 0 or not silent),
        delivered=int(heard_of),
        confirmed=int(answer == "yes"),
        declined=int(answer == "no"),
        unresolved=int(silent and unclear and not is_open),
        pending=int(silent and is_open),
        unclear=int(silent and any(row.open and row.unclear for row in guest)),
        late=int(any(row.late for row in guest)),
        headcount=0 if not last or answer == "no" else 1 if last.guests is None else last.guests,
    )


def _count_answers(last: Sequence[Row]) -> list[Answers]:
    minutes = [
        (int(row.answered_at.timestamp()) // 60, row.answer) for row in last if row.answered_at
    ]
    if not minutes:
        return []
    step = 1 if max(minutes)[0] - min(minutes)[0] < 120 else 15
    found = Counter((minute // step * step, answer) for minute, answer in minutes)
    return [
        Answers(minute, found[minute, "yes"], found[minute, "no"])
        for minute in sorted({minute for minute, _ in found})
    ]


@pytest.mark.parametrize("seed", [1, 2, 3])
async def test_the_count_is_the_plain_one(db: Database, seed: int) -> None:
    rows = list(make_rows(Random(seed)))
    await db.transact(lambda tx: insert(tx, rows))
    names = sorted({row.event_id for row in rows})
    counted = await db.transact(lambda tx: count_store.count(tx, ACCOUNT, names, NOW))
    assert sorted(counted) == names
    for name in names:
        expected = count_plainly([row for row in rows if row.event_id == name])
        assert counted[name] == expected, name
