"""Messages of a restored database that were not finished when the backup was made."""

from tidings.engine.db.tx import Tx


async def set_unknown(tx: Tx) -> int:
    """What was being sent has an unknown outcome, from now on: whatever callback came since the
    backup was lost with the database. Returns how many."""
    return await tx.run(
        """
        UPDATE messages m
           SET unknown_since = t.at,
               attempts = CASE WHEN m.unknown_since IS NOT NULL THEN m.attempts
                   ELSE m.attempts || jsonb_build_array(jsonb_build_object(
                       'attempt', jsonb_array_length(m.attempts) + 1,
                       'at', to_char(t.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
                       'sentFrom', coalesce(m.number, ''), 'outcome', 'unknown')) END
          FROM accounts a
         CROSS JOIN LATERAL (SELECT $1::timestamptz + a.clock_ms * interval '1 millisecond' AS at) t
         WHERE a.id = m.account_id AND m.status IN ('sending')
        """,
        tx.now,
    )


async def raise_generations(tx: Tx, step: int) -> int:
    """The generation is part of the id that a send carries to the platform."""
    return await tx.run(
        """
        UPDATE messages SET generation = generation + $1
         WHERE status IN ('scheduled', 'queued', 'deferred', 'sending')
        """,
        step,
    )
