"""The stored messages of guests, for other slices: read, and the answers of forms erased."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

import msgspec

from tidings.engine.db.tx import Row, Tx

from . import store

NOTHING = "{}"


async def forget_forms(tx: Tx, account_id: UUID, phone: str) -> int:
    """Erase the answers from every form a person sent; how many messages changed."""
    found = await store.find_interactive(tx, account_id, phone)
    emptied = {id_: _emptied(raw) for id_, raw in found.items()}
    changed = {id_: raw for id_, raw in emptied.items() if raw is not None}
    if changed:
        await store.save_raw(tx, account_id, changed)
    return len(changed)


def _emptied(raw: str) -> str | None:
    """The message without the answers. None: not a form, or erased already."""
    message: Any = msgspec.json.decode(raw)
    match message:
        case {"interactive": {"nfm_reply": {"response_json": given} as reply}} if given != NOTHING:
            reply["response_json"] = NOTHING
            return msgspec.json.encode(message).decode()
    return None


async def find_inbound(
    tx: Tx, account_id: UUID, phone: str, *, limit: int, bytes_max: int
) -> Sequence[Row]:
    """The newest messages of a person, `at` and `raw`, limited in number and in bytes."""
    return await store.find_from(tx, account_id, phone, limit=limit, bytes_max=bytes_max)
