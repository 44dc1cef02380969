"""Forget what a person filled in: the platform's own words of it, which are kept as they came."""

from typing import Any
from uuid import UUID

import msgspec

from tidings.engine.db.tx import Tx

from . import forget_store

NOTHING = "{}"


async def forget_forms(tx: Tx, account_id: UUID, phone: str) -> int:
    """Of every form among the messages of a person, the answers; how many messages."""
    found = await forget_store.find_interactive(tx, account_id, phone)
    emptied = {id_: _emptied(raw) for id_, raw in found.items()}
    changed = {id_: raw for id_, raw in emptied.items() if raw is not None}
    if changed:
        await forget_store.save(tx, account_id, changed)
    return len(changed)


def _emptied(raw: str) -> str | None:
    """The message without the answers. None: it is no form, or empty already."""
    message: Any = msgspec.json.decode(raw)
    match message:
        case {"interactive": {"nfm_reply": {"response_json": given} as reply}} if given != NOTHING:
            reply["response_json"] = NOTHING
            return msgspec.json.encode(message).decode()
    return None
