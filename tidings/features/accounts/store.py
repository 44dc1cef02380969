"""The table `accounts`; versions, keys and signing secrets have stores of their own."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from typing import Any, NamedTuple
from uuid import UUID

import msgspec

from tidings import times
from tidings.engine.db.errors import Conflict
from tidings.engine.db.reads import Read, Rows
from tidings.engine.db.tx import Row, Tx

from .model import Account, AccountSpec, PartnerTerms, SendWindow

# jsonb is sent as text, so that no connection-wide codec is needed.
COLUMNS = """
    a.id, a.name, a.environment, a.replies, a.active, a.paused, a.webhook_url,
    a.requests_per_minute, a.daily_limit, a.default_template, a.otp_template, a.resend_unknown,
    a.resend_when_recovered, a.retention_days,
    a.reader_precision, a.second_opinion, a.keep_readings,
    a.allowlist, a.send_window::text AS send_window, a.billing_mode, a.belongs_to,
    a.partner::text AS partner, a.clock_ms, a.created_at,
    (SELECT sending_paused_at IS NOT NULL FROM accounts_version) AS all_paused
"""

# What `save` may change: PLAIN_COLUMNS are written as they are, the others are converted.
PLAIN_COLUMNS = (
    "replies", "active", "paused", "webhook_url", "requests_per_minute", "daily_limit",
    "default_template", "otp_template", "resend_unknown", "billing_mode",
    "resend_when_recovered", "retention_days",
    "reader_precision", "second_opinion", "keep_readings",
)  # fmt: skip
CHANGEABLE = (
    "organisation_id", "allowlist", "belongs_to", "send_window", "partner", "declared",
    *PLAIN_COLUMNS,
)  # fmt: skip
PLACES = ", ".join(f"${12 + index}" for index in range(len(PLAIN_COLUMNS)))


def _of(table: str) -> str:
    return ", ".join(f"{table}.{column}" for column in CHANGEABLE)


SAVE = f"""
    INSERT INTO accounts AS a (id, name, environment, clock_ms, created_at, {", ".join(CHANGEABLE)})
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9::text::jsonb, $10::text::jsonb, $11::text::jsonb,
            {PLACES})
    ON CONFLICT (id) DO UPDATE SET ({", ".join(CHANGEABLE)}) = ({_of("excluded")})
     WHERE ({_of("a")}) IS DISTINCT FROM ({_of("excluded")})
"""


@dataclass(frozen=True, slots=True)
class Keyed:
    """An account found by one of its keys, and when that key expires."""

    account: Account
    expires_at: datetime | None


async def find_by_key_hashes(tx: Tx, hashes: Sequence[bytes]) -> dict[bytes, Keyed]:
    rows = await tx.rows(
        f"""
        SELECT k.key_hash, k.expires_at, {COLUMNS}
          FROM api_keys k JOIN accounts a ON a.id = k.account_id
         WHERE k.key_hash = ANY($1::bytea[])
        """,
        list(hashes),
    )
    return {row["key_hash"]: Keyed(_account(row), row["expires_at"]) for row in rows}


async def load(tx: Tx, account_ids: Sequence[UUID]) -> dict[UUID, Account]:
    rows = await tx.rows(
        f"SELECT {COLUMNS} FROM accounts a WHERE a.id = ANY($1::uuid[])", list(account_ids)
    )
    return {row["id"]: _account(row) for row in rows}


async def load_all(tx: Tx) -> list[Account]:
    return [
        _account(row) for row in await tx.rows(f"SELECT {COLUMNS} FROM accounts a ORDER BY name")
    ]


async def find_stopped(tx: Tx, account_ids: Collection[UUID] | None) -> list[UUID]:
    """None: of all accounts."""
    rows = await tx.rows(
        """
        SELECT id FROM accounts
         WHERE ($1::uuid[] IS NULL OR id = ANY($1::uuid[]))
           AND (paused OR NOT active
                OR (SELECT sending_paused_at IS NOT NULL FROM accounts_version))
        """,
        None if account_ids is None else list(account_ids),
    )
    return [row["id"] for row in rows]


async def find_by_name(tx: Tx, name: str) -> Account | None:
    row = await tx.row(f"SELECT {COLUMNS} FROM accounts a WHERE a.name = $1", name)
    return None if row is None else _account(row)


async def find_by_names(tx: Tx, names: Sequence[str]) -> list[Account]:
    rows = await tx.rows(
        f"SELECT {COLUMNS} FROM accounts a WHERE a.name = ANY($1::text[])", list(names)
    )
    return [_account(row) for row in rows]


async def load_declared(tx: Tx, account_ids: Sequence[UUID]) -> dict[UUID, dict[str, Any]]:
    """Sections of the file that wait for their feature: subscription, forms, invoices."""
    rows = await tx.rows(
        "SELECT id, declared::text AS declared FROM accounts WHERE id = ANY($1::uuid[])",
        list(account_ids),
    )
    return {row["id"]: msgspec.json.decode(row["declared"]) for row in rows}


async def find_orphans(tx: Tx) -> list[tuple[str, str]]:
    """Accounts that belong to an account without partner terms, with the name of the latter.

    By the child's key, one look-up each: PostgreSQL would compare all with all, which took longer
    than everything else about making the four hundredth account.
    """
    rows = await tx.rows(
        """
        SELECT child.name AS child, parent.name AS parent
          FROM accounts child CROSS JOIN LATERAL (
                   SELECT name FROM accounts
                    WHERE id = child.belongs_to AND partner IS NULL OFFSET 0
               ) AS parent
         WHERE child.belongs_to IS NOT NULL ORDER BY child.name
        """
    )
    return [(row["child"], row["parent"]) for row in rows]


async def save(
    tx: Tx,
    account_id: UUID,
    spec: AccountSpec,
    *,
    organisation_id: UUID,
    belongs_to: UUID | None,
    clock: timedelta,
) -> bool:
    """Write the declaration. False: nothing changed. `clock` applies to a new row only."""
    values = [getattr(spec, column) for column in PLAIN_COLUMNS]
    touched = await tx.run(
        SAVE,
        account_id,
        spec.name,
        spec.environment,
        clock // timedelta(milliseconds=1),
        tx.now,
        organisation_id,
        None if spec.allowlist is None else sorted(spec.allowlist),
        belongs_to,
        _json(_window_json(spec.send_window)),
        _json(_partner_json(spec.partner)),
        _json(spec.declared),
        *values,
    )
    return touched == 1


async def drop_kept_readings(tx: Tx, account_id: UUID) -> None:
    """The account does not agree to it any more. Behind the change of its row, for which whoever
    was just keeping one had to be done."""
    await tx.run("DELETE FROM kept_readings WHERE account_id = $1", account_id)


async def delete_expired(tx: Tx) -> int:
    """Delete expired keys and secrets of all accounts."""
    keys = await tx.run("DELETE FROM api_keys WHERE expires_at <= $1", tx.now)
    return keys + await tx.run("DELETE FROM signing_secrets WHERE expires_at <= $1", tx.now)


# Rows and values


def _account(row: Row) -> Account:
    allowlist = row["allowlist"]
    return Account(
        id=row["id"],
        name=row["name"],
        environment=row["environment"],
        replies=row["replies"],
        active=row["active"],
        paused=row["paused"],
        webhook_url=row["webhook_url"],
        requests_per_minute=row["requests_per_minute"],
        daily_limit=row["daily_limit"],
        default_template=row["default_template"],
        otp_template=row["otp_template"],
        resend_unknown=row["resend_unknown"],
        allowlist=None if allowlist is None else frozenset(allowlist),
        send_window=_window(row["send_window"]),
        billing_mode=row["billing_mode"],
        belongs_to=row["belongs_to"],
        partner=_partner(row["partner"]),
        clock=timedelta(milliseconds=row["clock_ms"]),
        created_at=row["created_at"],
        resend_when_recovered=row["resend_when_recovered"],
        retention_days=row["retention_days"],
        reader_precision=row["reader_precision"],
        second_opinion=row["second_opinion"],
        keep_readings=row["keep_readings"],
        all_paused=row["all_paused"],
    )


def _json(value: object) -> str | None:
    return None if value is None else msgspec.json.encode(value).decode()


def _window_json(window: SendWindow | None) -> dict[str, str] | None:
    if window is None:
        return None
    return {
        "from": window.opens.strftime("%H:%M"),
        "to": window.closes.strftime("%H:%M"),
        "timezone": window.timezone,
    }


def _window(text: str | None) -> SendWindow | None:
    if text is None:
        return None
    read = msgspec.json.decode(text, type=dict[str, str])
    opens, closes = time.fromisoformat(read["from"]), time.fromisoformat(read["to"])
    return SendWindow(opens, closes, read["timezone"])


def _partner_json(terms: PartnerTerms | None) -> dict[str, str | None] | None:
    if terms is None:
        return None
    return {
        "ratePerMessage": terms.rate_per_message,
        "creditLimit": terms.credit_limit,
        "currency": terms.currency,
        "expiresAt": None if terms.expires_at is None else times.to_wire(terms.expires_at),
    }


def _partner(text: str | None) -> PartnerTerms | None:
    if text is None:
        return None
    read = msgspec.json.decode(text, type=dict[str, Any])
    ends = read["expiresAt"]
    return PartnerTerms(
        rate_per_message=read["ratePerMessage"],
        credit_limit=read["creditLimit"],
        currency=read["currency"],
        expires_at=None if ends is None else times.parse(ends),
    )


async def find_moved_with(tx: Tx, account_id: UUID) -> list[UUID]:
    """The account and the sandbox accounts that belong to it."""
    rows = await tx.rows(
        """
        SELECT id FROM accounts
         WHERE environment = 'sandbox' AND (id = $1 OR belongs_to = $1) ORDER BY id
        """,
        account_id,
    )
    return [row["id"] for row in rows]


async def find_belonging(tx: Tx, partner_id: UUID) -> list[UUID]:
    rows = await tx.rows("SELECT id FROM accounts WHERE belongs_to = $1 ORDER BY id", partner_id)
    return [row["id"] for row in rows]


async def move_clocks(tx: Tx, account_ids: Sequence[UUID], by: timedelta) -> dict[UUID, timedelta]:
    """Move the clocks; returns their new offsets."""
    for account_id in account_ids:
        tx.cache.present.pop(account_id, None)
    rows = await tx.rows(
        """
        UPDATE accounts SET clock_ms = clock_ms + $2 WHERE id = ANY($1::uuid[])
        RETURNING id, clock_ms
        """,
        list(account_ids),
        -(-by // timedelta(milliseconds=1)),
    )
    return {row["id"]: timedelta(milliseconds=row["clock_ms"]) for row in rows}


async def load_clocks(tx: Tx, account_ids: Sequence[UUID]) -> dict[UUID, timedelta]:
    rows = await tx.rows(
        "SELECT id, clock_ms FROM accounts WHERE id = ANY($1::uuid[])", list(account_ids)
    )
    return {row["id"]: timedelta(milliseconds=row["clock_ms"]) for row in rows}


_PRESENT = """
    SELECT a.id, a.clock_ms, coalesce(v.version, 0),
           (SELECT sending_paused_at IS NOT NULL FROM accounts_version)
      FROM accounts a LEFT JOIN account_versions v ON v.account_id = a.id
     WHERE a.id = ANY($1::uuid[])
"""
_PRESENT_FOR_SHARE = """
    WITH held AS (
        SELECT id, clock_ms FROM accounts
         WHERE id = ANY($1::uuid[]) AND environment = 'sandbox' ORDER BY id FOR SHARE
    )
    SELECT a.id, coalesce(held.clock_ms, a.clock_ms), coalesce(v.version, 0),
           (SELECT sending_paused_at IS NOT NULL FROM accounts_version)
      FROM accounts a LEFT JOIN account_versions v ON v.account_id = a.id LEFT JOIN held USING (id)
     WHERE a.id = ANY($1::uuid[])
"""


class Present(NamedTuple):
    """What is read of an account in every transaction; the rest may be cached."""

    account_id: UUID
    clock_ms: int
    version: int
    all_paused: bool


async def load_present(
    tx: Tx, account_ids: Sequence[UUID], *, for_share: bool = False
) -> list[Present]:
    """The clocks of these accounts, and the versions of what is configured (see `changes`).

    `for_share`: locks sandbox accounts, so that no clock moves before this transaction ends.
    """
    if not for_share:
        return await tx.result(read_present(account_ids))
    return _presents(await tx.rows(_PRESENT_FOR_SHARE, list(account_ids)))


def read_present(account_ids: Sequence[UUID]) -> Read[list[Present]]:
    return Read(_presents, _PRESENT, list(account_ids))


def _presents(rows: Rows) -> list[Present]:
    return [Present(*row) for row in rows]


_UNCHANGED = """
    SELECT FROM unnest($1::uuid[], $2::bigint[], $3::bigint[], $4::bool[])
                AS k (id, clock_ms, version, all_paused)
      JOIN accounts a ON a.id = k.id LEFT JOIN account_versions v ON v.account_id = a.id
     WHERE a.id = ANY($1::uuid[]) AND a.clock_ms = k.clock_ms
       AND coalesce(v.version, 0) = k.version
       AND (SELECT sending_paused_at IS NOT NULL FROM accounts_version) = k.all_paused
"""


def require_unchanged(
    tx: Tx, accounts: Sequence[Present], error: Callable[[str], Exception]
) -> None:
    """The transaction's writes fail with `error` if one of these is no longer so."""
    columns = [list(column) for column in zip(*accounts, strict=True)]
    tx.check(_UNCHANGED, *columns, expected=len(accounts), error=error)


def require_clocks(tx: Tx, clocks: Mapping[UUID, timedelta]) -> None:
    """The transaction's writes are a conflict if one of these sandbox clocks has moved, and none
    moves between them and the commit."""
    ordered = sorted(clocks.items())
    tx.check(
        """
        SELECT 1 FROM accounts a
          JOIN unnest($1::uuid[], $2::bigint[]) AS k (id, clock_ms) USING (id, clock_ms)
         ORDER BY a.id FOR SHARE OF a
        """,
        [account_id for account_id, _ in ordered],
        [clock // timedelta(milliseconds=1) for _, clock in ordered],
        expected=len(ordered),
        error=Conflict,
    )
