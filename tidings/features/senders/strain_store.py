"""The columns of `numbers` that tell how a number fares. The only file that knows them, but for
those that pacing reads."""

from collections.abc import Iterable, Mapping, Sequence
from uuid import UUID

from tidings.engine.db.tx import Tx

from .strain import Strain

NumberKey = tuple[UUID, str]  # account, number


async def lock(tx: Tx, keys: Iterable[NumberKey]) -> dict[NumberKey, Strain]:
    """Locked until commit, in the order in which all numbers are locked."""
    asked = sorted(set(keys))
    rows = await tx.rows(
        """
        SELECT account_id, number, status, quality, access_token, fault, faults, fault_at, trial_at,
               slowed, slowed_at
          FROM numbers
          JOIN unnest($1::uuid[], $2::text[]) AS k (account_id, number) USING (account_id, number)
         ORDER BY account_id, number FOR UPDATE OF numbers
        """,
        [account_id for account_id, _ in asked],
        [number for _, number in asked],
    )
    found = {}
    for row in rows:
        values = dict(row)
        key = (values.pop("account_id"), values.pop("number"))
        found[key] = Strain(**values)
    return found


async def save(tx: Tx, strains: Mapping[NumberKey, Strain]) -> None:
    await tx.run(
        """
        UPDATE numbers n SET (fault, faults, fault_at, trial_at, slowed, slowed_at) =
               (s.fault, s.faults, s.fault_at, s.trial_at, s.slowed, s.slowed_at)
          FROM unnest($1::uuid[], $2::text[], $3::text[], $4::int[], $5::timestamptz[],
                      $6::timestamptz[], $7::smallint[], $8::timestamptz[])
               AS s (account_id, number, fault, faults, fault_at, trial_at, slowed, slowed_at)
         WHERE n.account_id = s.account_id AND n.number = s.number
        """,
        [account_id for account_id, _ in strains],
        [number for _, number in strains],
        [strain.fault for strain in strains.values()],
        [strain.faults for strain in strains.values()],
        [strain.fault_at for strain in strains.values()],
        [strain.trial_at for strain in strains.values()],
        [strain.slowed for strain in strains.values()],
        [strain.slowed_at for strain in strains.values()],
    )


async def let_try(tx: Tx, account_id: UUID, numbers: Sequence[str]) -> None:
    """What these numbers send with has changed: the next message may try at once."""
    await tx.run(
        """
        UPDATE numbers SET trial_at = NULL
         WHERE account_id = $1 AND number = ANY($2::text[]) AND fault IS NOT NULL
        """,
        account_id,
        list(numbers),
    )
