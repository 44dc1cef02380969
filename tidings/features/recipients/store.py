"""Recipients: the tables `contacts` and `conversations`."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from uuid import UUID

from tidings.engine.db.bulk_rows import BulkRows
from tidings.engine.db.order import Order
from tidings.engine.db.reads import Read, Rows
from tidings.engine.db.tx import Tx

Key = tuple[UUID, str]  # account, phone
Meeting = tuple[UUID, str, str]  # account, phone, our number

_ROWS = BulkRows({"account_id": "uuid"}, constant=("account_id", "number"))


@dataclass(slots=True)
class Contact:
    number: str | None = None  # our number in the chat with this person
    opted_out_at: datetime | None = None
    last_inbound: dict[str, datetime] = field(default_factory=dict)  # by our number


STRANGER = Contact()


@dataclass(slots=True, frozen=True)
class OptedOut:
    """A person who asked to stop, since when and how."""

    phone: str
    since: datetime
    source: str


_LOAD = """
    SELECT c.account_id, c.phone, c.number, c.opted_out_at, v.number, v.last_inbound_at
      FROM unnest($1::uuid[], $2::text[]) AS k (account_id, phone)
      JOIN contacts c USING (account_id, phone)
      LEFT JOIN conversations v USING (account_id, phone)
"""
# For a batch: one index scan instead of a lookup per recipient.
_LOAD_OF_ONE_ACCOUNT = """
    SELECT c.account_id, c.phone, c.number, c.opted_out_at, v.number, v.last_inbound_at
      FROM contacts c LEFT JOIN conversations v USING (account_id, phone)
     WHERE c.account_id = $1 AND c.phone = ANY($2::text[])
"""


async def load(tx: Tx, keys: Sequence[Key]) -> dict[Key, Contact]:
    """The contacts with these keys; unknown people are absent."""
    return await tx.result(read_contacts(keys))


def read_contacts(keys: Sequence[Key]) -> Read[dict[Key, Contact]]:
    """The query of `load`."""
    accounts, phones = [key[0] for key in keys], [key[1] for key in keys]
    if len(set(accounts)) == 1:
        return Read(_contacts, _LOAD_OF_ONE_ACCOUNT, accounts[0], phones)
    return Read(_contacts, _LOAD, accounts, phones)


def _contacts(rows: Rows) -> dict[Key, Contact]:
    found: dict[Key, Contact] = {}
    for account_id, phone, number, opted_out_at, inbound_number, last_inbound_at in rows:
        contact = found.setdefault((account_id, phone), Contact(number, opted_out_at))
        if inbound_number is not None:
            contact.last_inbound[inbound_number] = last_inbound_at
    return found


async def meet(tx: Tx, people: Iterable[Meeting], *, all_new: bool = False) -> None:
    """Store the number of ours that each person has a chat with, unless one is stored already.
    `all_new`: that is a conflict, because it was decided that they have none."""
    await _write(tx, people, _UNLESS_KNOWN, exact=all_new)


async def add(tx: Tx, people: Iterable[Meeting]) -> None:
    """Like `meet`, for people that `load` did not find. If one was inserted concurrently, this is a
    conflict and the transaction is retried: ON CONFLICT would double the cost of the insert."""
    await _write(tx, people, "")


_UNLESS_KNOWN = """
    ON CONFLICT (account_id, phone) DO UPDATE SET number = excluded.number
     WHERE contacts.number IS NULL
"""


async def _write(tx: Tx, people: Iterable[Meeting], unless: str, *, exact: bool = False) -> None:
    unique = sorted({(account, phone): number for account, phone, number in people}.items())
    if unique:
        source, arguments = _ROWS.source(
            {
                "account_id": [key[0] for key, _ in unique],
                "phone": [key[1] for key, _ in unique],
                "number": [number for _, number in unique],
            }
        )
        expected = len(unique) if exact else None
        await tx.write(_insert(source, unless), *arguments, expected=expected, unique="contacts")


@lru_cache(maxsize=8)
def _insert(source: str, unless: str) -> str:
    return f"""
        INSERT INTO contacts (account_id, phone, number)
        SELECT v.account_id, v.phone, v.number FROM {source} {unless}
    """


async def mark_delivered(tx: Tx, people: Iterable[tuple[UUID, str, datetime]]) -> None:
    """A message was delivered to them, which POST /numbers/check reports."""
    unique = sorted({(account, phone): at for account, phone, at in people}.items())
    if unique:
        await tx.write(
            """
            INSERT INTO contacts (account_id, phone, delivered_at)
            SELECT * FROM unnest($1::uuid[], $2::text[], $3::timestamptz[])
            ON CONFLICT (account_id, phone) DO UPDATE SET delivered_at = excluded.delivered_at
             WHERE contacts.delivered_at IS NULL
            """,
            [key[0] for key, _ in unique],
            [key[1] for key, _ in unique],
            [at for _, at in unique],
        )


async def record_inbound(tx: Tx, inbound: Iterable[tuple[UUID, str, str, datetime]]) -> None:
    """They wrote to one of our numbers, which opens the window: (account, phone, number, at)."""
    latest: dict[tuple[UUID, str, str], datetime] = {}
    for account, phone, number, at in inbound:
        key = (account, phone, number)
        latest[key] = max(at, latest.get(key, at))
    await meet(tx, ((account, phone, number) for account, phone, number in latest))
    ordered = sorted(latest.items())
    await tx.write(
        """
        INSERT INTO conversations (account_id, phone, number, last_inbound_at)
        SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::timestamptz[])
        ON CONFLICT (account_id, phone, number) DO UPDATE
           SET last_inbound_at = greatest(conversations.last_inbound_at, excluded.last_inbound_at)
        """,
        [key[0] for key, _ in ordered],
        [key[1] for key, _ in ordered],
        [key[2] for key, _ in ordered],
        [at for _, at in ordered],
    )


async def opt_out(tx: Tx, people: Iterable[tuple[UUID, str, datetime, str]]) -> set[Key]:
    """Opt these people out from the earliest `at` on: (account, phone, at, source).

    An existing opt-out keeps its time. Returns those who had not opted out before.
    """
    earliest: dict[Key, tuple[datetime, str]] = {}
    for account, phone, at, source in people:
        key = (account, phone)
        earliest[key] = min((at, source), earliest.get(key, (at, source)))
    if not earliest:
        return set()
    ordered = sorted(earliest.items())
    rows = await tx.rows(
        """
        INSERT INTO contacts (account_id, phone, opted_out_at, opt_source)
        SELECT * FROM unnest($1::uuid[], $2::text[], $3::timestamptz[], $4::text[])
        ON CONFLICT (account_id, phone) DO UPDATE
           SET opted_out_at = excluded.opted_out_at, opt_source = excluded.opt_source
         WHERE contacts.opted_out_at IS NULL
        RETURNING account_id, phone
        """,
        [key[0] for key, _ in ordered],
        [key[1] for key, _ in ordered],
        [at for _, (at, _) in ordered],
        [source for _, (_, source) in ordered],
    )
    return {(row["account_id"], row["phone"]) for row in rows}


async def opt_in(tx: Tx, people: Iterable[Key]) -> set[Key]:
    """Remove the opt-outs of these people. Returns those who had opted out."""
    ordered = sorted(set(people))
    if not ordered:
        return set()
    rows = await tx.rows(
        """
        WITH out AS (
            SELECT c.account_id, c.phone
              FROM contacts c JOIN unnest($1::uuid[], $2::text[]) AS k (account_id, phone)
             USING (account_id, phone)
             WHERE c.opted_out_at IS NOT NULL
             ORDER BY c.account_id, c.phone FOR UPDATE OF c
        )
        UPDATE contacts c SET opted_out_at = NULL, opt_source = NULL
          FROM out WHERE (c.account_id, c.phone) = (out.account_id, out.phone)
        RETURNING c.account_id, c.phone
        """,
        [key[0] for key in ordered],
        [key[1] for key in ordered],
    )
    return {(row["account_id"], row["phone"]) for row in rows}


async def find_delivered(tx: Tx, account_id: UUID, phones: Sequence[str]) -> set[str]:
    """The numbers to which a message of the account was delivered."""
    rows = await tx.rows(
        """
        SELECT phone FROM contacts
         WHERE account_id = $1 AND phone = ANY($2::text[]) AND delivered_at IS NOT NULL
        """,
        account_id,
        list(phones),
    )
    return {row["phone"] for row in rows}


async def find_opted_out(tx: Tx, account_id: UUID, phones: Sequence[str]) -> dict[str, datetime]:
    """The numbers that have opted out of the account's messages, and since when."""
    rows = await tx.rows(
        """
        SELECT phone, opted_out_at FROM contacts
         WHERE account_id = $1 AND phone = ANY($2::text[]) AND opted_out_at IS NOT NULL
        """,
        account_id,
        list(phones),
    )
    return {row["phone"]: row["opted_out_at"] for row in rows}


async def find_opt_out(tx: Tx, account_id: UUID, phone: str) -> OptedOut | None:
    """None: this person has not opted out."""
    row = await tx.row(
        """
        SELECT phone, opted_out_at, coalesce(opt_source, 'reply') FROM contacts
         WHERE account_id = $1 AND phone = $2 AND opted_out_at IS NOT NULL
        """,
        account_id,
        phone,
    )
    return None if row is None else OptedOut(*row)


async def load_opted_out(
    tx: Tx,
    account_id: UUID,
    before: tuple[datetime, str] | None,
    size: int,
    order: Order = Order.NEWEST_FIRST,
) -> list[OptedOut]:
    """A page of those who have opted out; `before`: the last one of the previous page."""
    since, phone = before or (None, "")
    rows = await tx.rows(
        f"""
        SELECT phone, opted_out_at, coalesce(opt_source, 'reply') FROM contacts
         WHERE account_id = $1 AND opted_out_at IS NOT NULL
           AND (opted_out_at, phone) {order.after} (coalesce($2, {order.start}), $3)
         ORDER BY opted_out_at {order.value}, phone {order.value} LIMIT $4
        """,
        account_id,
        since,
        phone,
        size,
    )
    return [OptedOut(*row) for row in rows]
