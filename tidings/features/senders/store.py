"""The table `numbers`: declaration, rate slots and health (`platform_store.py`: what the platform
reports about them)."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import fields
from functools import partial
from uuid import UUID

from tidings.engine.db.reads import Read, Rows
from tidings.engine.db.tx import Row, Tx

from .contention import ContendedNumbers, NumberKey
from .model import Number, ReportedHealth
from .number_health import NumberHealth
from .rate_limiter import RateLimiter

COLUMNS = ", ".join(field.name for field in fields(Number) if field.name != "half_open")
_NOT_SAVED = ("fault", "refusal", "half_open")  # not declared in the file
SAVED = [field.name for field in fields(Number) if field.name not in _NOT_SAVED]


async def load_numbers(tx: Tx, account_ids: Sequence[UUID]) -> dict[UUID, list[Number]]:
    """The numbers of each account, in order of preference. Every given id has an entry."""
    rows = await tx.rows(
        f"""
        SELECT account_id, {COLUMNS} FROM numbers
         WHERE account_id = ANY($1::uuid[]) ORDER BY account_id, position
        """,
        list(account_ids),
    )
    found: dict[UUID, list[Number]] = {account_id: [] for account_id in account_ids}
    for row in rows:
        values = dict(row)
        found[values.pop("account_id")].append(Number(**values))
    return found


async def load_faulty(tx: Tx, size: int) -> Sequence[Row]:
    return await tx.rows(
        """
        SELECT n.account_id, a.name, n.number, n.status, n.fault, n.fault_at, n.refusal
          FROM numbers n JOIN accounts a ON a.id = n.account_id
         WHERE n.fault IS NOT NULL OR n.refusal IS NOT NULL
         ORDER BY a.name, n.position LIMIT $1
        """,
        size,
    )


async def find_holders(tx: Tx, phone_number_ids: Sequence[str]) -> dict[str, UUID]:
    """Which account each of the platform's phone number ids belongs to."""
    rows = await tx.rows(
        "SELECT phone_number_id, account_id FROM numbers WHERE phone_number_id = ANY($1::text[])",
        list(phone_number_ids),
    )
    return {row["phone_number_id"]: row["account_id"] for row in rows}


async def delete_others(tx: Tx, account_id: UUID, kept: Sequence[str]) -> int:
    return await tx.run(
        "DELETE FROM numbers WHERE account_id = $1 AND number <> ALL($2::text[])",
        account_id,
        list(kept),
    )


async def save(tx: Tx, account_id: UUID, numbers: Sequence[Number]) -> None:
    """Write numbers as declared. The health of an existing one stays as the platform reported.

    Their generation grows: who read the account's numbers before must read them again."""
    await tx.run(
        """
        INSERT INTO numbers (account_id, number, position, display_name, phone_number_id, waba_id,
               portfolio_id, access_token, per_second, daily_limit, status, quality,
               platform_per_second, platform_daily_limit, platform_portfolio_id, verified_name)
        SELECT $1, * FROM unnest($2::text[], $3::int[], $4::text[], $5::text[], $6::text[],
               $7::text[], $8::bytea[], $9::int[], $10::int[], $11::text[], $12::text[],
               $13::int[], $14::int[], $15::text[], $16::text[])
        ON CONFLICT (account_id, number) DO UPDATE SET
            (position, display_name, phone_number_id, waba_id, portfolio_id, access_token,
             per_second, daily_limit, platform_per_second, platform_daily_limit,
             platform_portfolio_id, verified_name, generation) =
            (excluded.position, excluded.display_name, excluded.phone_number_id, excluded.waba_id,
             excluded.portfolio_id, excluded.access_token, excluded.per_second,
             excluded.daily_limit, excluded.platform_per_second, excluded.platform_daily_limit,
             excluded.platform_portfolio_id, excluded.verified_name, numbers.generation + 1)
        """,
        account_id,
        *([getattr(number, name) for number in numbers] for name in SAVED),
    )


async def change_health(
    tx: Tx, account_id: UUID, number: str, *, status: str | None, quality: str | None
) -> ReportedHealth | None:
    """Set what is given; the previous values, or None if nothing changed."""
    row = await tx.row(
        """
        UPDATE numbers n SET status = coalesce($3, n.status), quality = coalesce($4, n.quality),
               refusal = CASE WHEN $3 IS NULL THEN n.refusal END
          FROM (SELECT account_id, number, status, quality, fault FROM numbers
                 WHERE account_id = $1 AND number = $2 FOR UPDATE) AS old
         WHERE n.account_id = old.account_id AND n.number = old.number
           AND (old.status <> coalesce($3, old.status) OR old.quality <> coalesce($4, old.quality))
        RETURNING old.status, old.quality, old.fault IS NOT NULL AS blocked
        """,
        account_id,
        number,
        status,
        quality,
    )
    return None if row is None else ReportedHealth(row["status"], row["quality"], row["blocked"])


# Slots of the rate limiter

# In the order of RateLimiter's fields.
_LIMITER = """
    account_id, number, least(per_second, platform_per_second), next_free_at, otp_next_free_at,
    planned_until, half_open_at, rate_halvings, rate_halved_at, access_token, generation
"""
_LOCKED_LIMITERS = f"""
    SELECT {_LIMITER} FROM numbers
      JOIN unnest($1::uuid[], $2::text[]) AS k (account_id, number) USING (account_id, number)
     ORDER BY account_id, number FOR UPDATE OF numbers
"""
_LIMITERS_OF_ACCOUNTS = f"SELECT {_LIMITER} FROM numbers WHERE account_id = ANY($1::uuid[])"


async def lock_limiters(
    tx: Tx, keys: Iterable[NumberKey], with_passcodes: Collection[UUID] = ()
) -> dict[NumberKey, RateLimiter]:
    """The rate limiters of these numbers, locked until commit, always in the same order: nobody
    else takes slots of them or reserves in counters that they guard. `with_passcodes`: accounts
    that can send passcodes.
    """
    unique_keys = sorted(set(keys))
    rows = await tx.rows(
        _LOCKED_LIMITERS,
        [account_id for account_id, _ in unique_keys],
        [number for _, number in unique_keys],
    )
    return _limiters(with_passcodes, rows)


def read_limiters(
    account_ids: Sequence[UUID], with_passcodes: Collection[UUID] = ()
) -> Read[dict[NumberKey, RateLimiter]]:
    """Those of all numbers of these accounts, without a lock."""
    return Read(partial(_limiters, with_passcodes), _LIMITERS_OF_ACCOUNTS, list(account_ids))


def _limiters(with_passcodes: Collection[UUID], rows: Rows) -> dict[NumberKey, RateLimiter]:
    return {
        (account_id, number): RateLimiter(rate, account_id in with_passcodes, *values)
        for account_id, number, rate, *values in rows
    }


async def save_limiters(tx: Tx, limiters: Mapping[NumberKey, RateLimiter]) -> None:
    """Write those that have changed. If somebody else has written one since it was read, that is a
    conflict, and the next transactions lock it first."""
    changed = sorted((key for key, limiter in limiters.items() if limiter.changed))
    if not changed:
        return
    written = [limiters[key] for key in changed]
    await tx.write(
        """
        UPDATE numbers n SET (next_free_at, otp_next_free_at, planned_until, half_open_at,
                              generation) =
               (p.next_free_at, p.otp_next_free_at, p.planned_until, p.half_open_at,
                n.generation + 1)
          FROM unnest($1::uuid[], $2::text[], $3::timestamptz[], $4::timestamptz[],
                      $5::timestamptz[], $6::timestamptz[], $7::bigint[])
               AS p (account_id, number, next_free_at, otp_next_free_at, planned_until,
                     half_open_at, generation)
         WHERE n.account_id = p.account_id AND n.number = p.number
           AND n.generation = p.generation
        """,
        [key[0] for key in changed],
        [key[1] for key in changed],
        [limiter.next_free_at for limiter in written],
        [limiter.otp_next_free_at for limiter in written],
        [limiter.planned_until for limiter in written],
        [limiter.half_open_at for limiter in written],
        [limiter.generation for limiter in written],
        expected=len(changed),
        error=partial(tx.of_process(ContendedNumbers).conflict, changed),
    )


# Circuit breaker and throttling


async def lock_health(tx: Tx, keys: Iterable[NumberKey]) -> dict[NumberKey, NumberHealth]:
    """Locked until commit, in the same order as `lock_limiters`."""
    unique_keys = sorted(set(keys))
    rows = await tx.rows(
        """
        SELECT account_id, number, status, quality, access_token, fault, faults, fault_at,
               half_open_at, rate_halvings, rate_halved_at
          FROM numbers
          JOIN unnest($1::uuid[], $2::text[]) AS k (account_id, number) USING (account_id, number)
         ORDER BY account_id, number FOR UPDATE OF numbers
        """,
        [account_id for account_id, _ in unique_keys],
        [number for _, number in unique_keys],
    )
    found = {}
    for row in rows:
        values = dict(row)
        key = (values.pop("account_id"), values.pop("number"))
        found[key] = NumberHealth(**values)
    return found


async def save_health(tx: Tx, healths: Mapping[NumberKey, NumberHealth]) -> None:
    await tx.run(
        """
        UPDATE numbers n SET (fault, faults, fault_at, half_open_at, rate_halvings,
                              rate_halved_at, generation) =
               (s.fault, s.faults, s.fault_at, s.half_open_at, s.rate_halvings, s.rate_halved_at,
                n.generation + 1)
          FROM unnest($1::uuid[], $2::text[], $3::text[], $4::int[], $5::timestamptz[],
                      $6::timestamptz[], $7::smallint[], $8::timestamptz[])
               AS s (account_id, number, fault, faults, fault_at, half_open_at, rate_halvings,
                     rate_halved_at)
         WHERE n.account_id = s.account_id AND n.number = s.number
        """,
        [account_id for account_id, _ in healths],
        [number for _, number in healths],
        [health.fault for health in healths.values()],
        [health.faults for health in healths.values()],
        [health.fault_at for health in healths.values()],
        [health.half_open_at for health in healths.values()],
        [health.rate_halvings for health in healths.values()],
        [health.rate_halved_at for health in healths.values()],
    )


async def allow_probes(tx: Tx, account_id: UUID, numbers: Sequence[str]) -> None:
    """The credentials of these numbers changed: the next message may probe at once."""
    await tx.run(
        """
        UPDATE numbers SET half_open_at = NULL, generation = generation + 1
         WHERE account_id = $1 AND number = ANY($2::text[]) AND fault IS NOT NULL
        """,
        account_id,
        list(numbers),
    )
