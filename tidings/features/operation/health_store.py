"""The tables `health_minutes` and `health_processes`."""

from collections.abc import Mapping
from datetime import datetime
from uuid import UUID

from tidings.engine.db.tx import Row, Tx


async def add(tx: Tx, minute: datetime, sums: Mapping[str, int], peaks: Mapping[str, int]) -> None:
    """Sums are added up over processes and ticks, of peaks the highest is kept."""
    for values, merged in ((sums, "m.value + excluded.value"), (peaks, _HIGHER)):
        if values:
            await tx.run(
                f"""
                INSERT INTO health_minutes AS m (minute, name, value)
                SELECT $1, name, value FROM unnest($2::text[], $3::bigint[]) AS v (name, value)
                 ORDER BY name
                ON CONFLICT (minute, name) DO UPDATE SET value = {merged}
                """,
                minute,
                list(values),
                list(values.values()),
            )


_HIGHER = "greatest(m.value, excluded.value)"


async def load(tx: Tx, since: datetime) -> list[Row]:
    return list(
        await tx.rows(
            "SELECT minute, name, value FROM health_minutes WHERE minute >= $1 ORDER BY minute",
            since,
        )
    )


async def put_process(
    tx: Tx, process_id: UUID, host: str, pid: int, roles: str, started_at: datetime
) -> None:
    await tx.run(
        """
        INSERT INTO health_processes (id, host, pid, roles, started_at, seen_at)
        VALUES ($1, $2, $3, $4, $5, $6)
        ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at
        """,
        process_id,
        host,
        pid,
        roles,
        started_at,
        tx.now,
    )


async def load_processes(tx: Tx, since: datetime) -> list[Row]:
    return list(
        await tx.rows(
            """
            SELECT host, pid, roles, started_at, seen_at FROM health_processes
             WHERE seen_at >= $1 ORDER BY host, started_at, pid
            """,
            since,
        )
    )


async def delete_process(tx: Tx, process_id: UUID) -> None:
    await tx.run("DELETE FROM health_processes WHERE id = $1", process_id)


async def purge(tx: Tx, minutes_before: datetime, processes_before: datetime) -> None:
    await tx.run("DELETE FROM health_minutes WHERE minute < $1", minutes_before)
    await tx.run("DELETE FROM health_processes WHERE seen_at < $1", processes_before)
