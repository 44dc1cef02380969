"""The tables `forms`, `form_versions` and `form_flows`. The only file that knows their columns."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from uuid import UUID

import msgspec

from tidings.engine.db.order import Order
from tidings.engine.db.tx import Row, Tx

from ..model import Flow, Form, FormKey, FormOrder, Stage, Version, VersionKey
from .states import State

_decode = msgspec.json.Decoder(Form).decode
_encode = msgspec.json.Encoder().encode

_VERSION = """
    SELECT v.account_id, v.form_id, v.version, v.state, v.content::text AS content, v.created_at,
           v.remark
      FROM form_versions v JOIN forms f USING (account_id, form_id)
"""


def _read(row: Row) -> Version:
    return Version(
        row["account_id"],
        row["form_id"],
        row["version"],
        State(row["state"]),
        _decode(row["content"]),
        row["created_at"],
        row["remark"],
    )


async def load_forms(tx: Tx, keys: Sequence[FormKey]) -> dict[FormKey, list[Version]]:
    """All versions of these forms, the oldest first; retired forms are omitted."""
    rows = await tx.rows(
        f"""
        {_VERSION}
         WHERE (v.account_id, v.form_id) IN (SELECT * FROM unnest($1::uuid[], $2::text[]))
           AND f.retired_at IS NULL
         ORDER BY v.account_id, v.form_id, v.version
        """,
        [key[0] for key in keys],
        [key[1] for key in keys],
    )
    found: dict[FormKey, list[Version]] = {}
    for row in rows:
        found.setdefault((row["account_id"], row["form_id"]), []).append(_read(row))
    return found


async def load_of_account(
    tx: Tx, account_id: UUID, form_ids: Sequence[str] | None = None
) -> list[Version]:
    """Every version of these forms, or of all, retired ones included."""
    rows = await tx.rows(
        f"""
        {_VERSION} WHERE v.account_id = $1 AND ($2::text[] IS NULL OR v.form_id = ANY($2::text[]))
         ORDER BY v.form_id, v.version
        """,
        account_id,
        None if form_ids is None else list(form_ids),
    )
    return [_read(row) for row in rows]


async def load_page(
    tx: Tx,
    account_id: UUID,
    before: FormOrder | None,
    size: int,
    state: State | None = None,
    order: Order = Order.NEWEST_FIRST,
) -> list[tuple[datetime, str]]:
    """Creation times and ids of forms that are not retired; `before`: the last one of the previous
    page; `state` is that of the latest version."""
    rows = await tx.rows(
        f"""
        SELECT created_at, form_id FROM forms f
         WHERE account_id = $1 AND retired_at IS NULL
           AND ($2::timestamptz IS NULL OR (created_at, form_id) {order.after} ($2, $3::text))
           AND ($5::text IS NULL OR $5 = (
                SELECT state FROM form_versions v
                 WHERE v.account_id = $1 AND v.form_id = f.form_id ORDER BY version DESC LIMIT 1))
         ORDER BY created_at {order.value}, form_id {order.value} LIMIT $4
        """,
        account_id,
        *(before or (None, None)),
        size,
        state,
    )
    return [(row["created_at"], row["form_id"]) for row in rows]


async def load_submitted(tx: Tx, most: int) -> list[tuple[Version, datetime]]:
    """The versions of all accounts that wait for approval, and since when; the oldest first."""
    rows = await tx.rows(
        """
        SELECT v.account_id, v.form_id, v.version, v.state, v.content::text AS content,
               v.created_at, v.remark, v.moved_at
          FROM form_versions v JOIN forms f USING (account_id, form_id)
         WHERE v.state = 'submitted' AND f.retired_at IS NULL
         ORDER BY v.moved_at, v.account_id, v.form_id LIMIT $1
        """,
        most,
    )
    return [(_read(row), row["moved_at"]) for row in rows]


async def load_versions(tx: Tx, keys: Sequence[VersionKey]) -> dict[VersionKey, Version]:
    rows = await tx.rows(
        f"""
        {_VERSION}
         WHERE (v.account_id, v.form_id, v.version)
               IN (SELECT * FROM unnest($1::uuid[], $2::text[], $3::int[]))
        """,
        *([key[part] for key in keys] for part in range(3)),
    )
    return {version.key: version for version in map(_read, rows)}


async def find_declared(tx: Tx, account_id: UUID) -> set[str]:
    """The forms that the account file currently declares."""
    rows = await tx.rows(
        """
        SELECT form_id FROM forms
         WHERE account_id = $1 AND declared AND retired_at IS NULL
        """,
        account_id,
    )
    return {row["form_id"] for row in rows}


async def find_retired(tx: Tx, account_id: UUID) -> set[str]:
    rows = await tx.rows(
        "SELECT form_id FROM forms WHERE account_id = $1 AND retired_at IS NOT NULL", account_id
    )
    return {row["form_id"] for row in rows}


async def load_declared(tx: Tx, account_id: UUID) -> dict[str, bytes]:
    """What the file said last about each form that it declares, as JSON."""
    rows = await tx.rows(
        """
        SELECT form_id, declared_as::text AS declared_as FROM forms
         WHERE account_id = $1 AND declared_as IS NOT NULL AND retired_at IS NULL
        """,
        account_id,
    )
    return {row["form_id"]: row["declared_as"].encode() for row in rows}


async def declare(tx: Tx, account_id: UUID, forms: Mapping[str, str], now: datetime) -> None:
    """Insert these forms, or restore retired ones; the values are what the file says, as JSON."""
    await tx.run(
        """
        INSERT INTO forms (account_id, form_id, declared, declared_as, created_at)
        SELECT $1, d.form_id, true, d.said, $4
          FROM unnest($2::text[], $3::jsonb[]) AS d (form_id, said)
        ON CONFLICT (account_id, form_id) DO UPDATE
           SET declared = true, declared_as = excluded.declared_as, retired_at = NULL
        """,
        account_id,
        list(forms),
        list(forms.values()),
        now,
    )


async def create(tx: Tx, account_id: UUID, form_id: str, now: datetime) -> bool:
    """A form that no file declares. False: the id is in use."""
    created = await tx.run(
        """
        INSERT INTO forms (account_id, form_id, declared, created_at) VALUES ($1, $2, false, $3)
        ON CONFLICT (account_id, form_id) DO NOTHING
        """,
        account_id,
        form_id,
        now,
    )
    return created == 1


async def lock(tx: Tx, account_id: UUID, form_id: str) -> bool:
    """Until commit. False: there is no such form, or it is retired."""
    row = await tx.row(
        """
        SELECT FROM forms WHERE account_id = $1 AND form_id = $2 AND retired_at IS NULL FOR UPDATE
        """,
        account_id,
        form_id,
    )
    return row is not None


async def find_ids(tx: Tx, account_id: UUID, slug: str) -> set[str]:
    """The ids in use that begin with this one."""
    rows = await tx.rows(
        "SELECT form_id FROM forms WHERE account_id = $1 AND starts_with(form_id, $2)",
        account_id,
        slug,
    )
    return {row["form_id"] for row in rows}


async def rewrite(tx: Tx, key: VersionKey, form: Form) -> bool:
    """Replace the content of a draft that was never sent. False: it is no such draft."""
    written = await tx.run(
        """
        UPDATE form_versions v SET content = $4::jsonb, remark = NULL
         WHERE account_id = $1 AND form_id = $2 AND version = $3 AND state = 'draft'
           AND NOT EXISTS (SELECT FROM form_counts c
                            WHERE (c.account_id, c.form_id, c.version) = ($1, $2, $3))
        """,
        *key,
        _encode(form).decode(),
    )
    return written == 1


async def set_remark(tx: Tx, key: VersionKey, remark: str) -> None:
    await tx.run(
        """
        UPDATE form_versions SET remark = $4
         WHERE account_id = $1 AND form_id = $2 AND version = $3
        """,
        *key,
        remark,
    )


async def retire(tx: Tx, account_id: UUID, form_ids: Sequence[str], now: datetime) -> None:
    await tx.run(
        "UPDATE forms SET retired_at = $3 WHERE account_id = $1 AND form_id = ANY($2::text[])",
        account_id,
        list(form_ids),
        now,
    )


async def insert(tx: Tx, versions: Sequence[Version]) -> None:
    await tx.run(
        """
        INSERT INTO form_versions (account_id, form_id, version, state, content, created_at,
                                   moved_at)
        SELECT *, created_at FROM unnest($1::uuid[], $2::text[], $3::int[], $4::text[], $5::jsonb[],
                                         $6::timestamptz[])
               AS v (account_id, form_id, version, state, content, created_at)
        """,
        [one.account_id for one in versions],
        [one.form_id for one in versions],
        [one.version for one in versions],
        [one.state.value for one in versions],
        [_encode(one.form).decode() for one in versions],
        [one.created_at for one in versions],
    )


async def set_states(tx: Tx, changes: Sequence[tuple[VersionKey, State]], now: datetime) -> None:
    await tx.run(
        """
        UPDATE form_versions v SET state = m.state, moved_at = $5
          FROM unnest($1::uuid[], $2::text[], $3::int[], $4::text[])
               AS m (account_id, form_id, version, state)
         WHERE v.account_id = m.account_id AND v.form_id = m.form_id AND v.version = m.version
        """,
        *([key[part] for key, _ in changes] for part in range(3)),
        [state.value for _, state in changes],
        now,
    )


async def load_flows(tx: Tx, keys: Sequence[VersionKey]) -> dict[VersionKey, list[Flow]]:
    rows = await tx.rows(
        """
        SELECT account_id, form_id, version, waba_id, flow_id, stage, problem FROM form_flows
         WHERE (account_id, form_id, version)
               IN (SELECT * FROM unnest($1::uuid[], $2::text[], $3::int[]))
         ORDER BY account_id, form_id, version, waba_id
        """,
        *([key[part] for key in keys] for part in range(3)),
    )
    found: dict[VersionKey, list[Flow]] = {}
    for row in rows:
        flow = Flow(*row)
        flow.stage = Stage(flow.stage)
        found.setdefault(flow.key, []).append(flow)
    return found


async def save_flow(tx: Tx, flow: Flow) -> None:
    await tx.run(
        """
        INSERT INTO form_flows (account_id, form_id, version, waba_id, flow_id, stage, problem,
                                tried_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
        ON CONFLICT (account_id, form_id, version, waba_id) DO UPDATE
           SET flow_id = excluded.flow_id, stage = excluded.stage, problem = excluded.problem,
               tried_at = excluded.tried_at
        """,
        flow.account_id,
        flow.form_id,
        flow.version,
        flow.waba_id,
        flow.flow_id,
        flow.stage.value,
        flow.problem,
        tx.now,
    )
