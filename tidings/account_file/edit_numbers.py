"""Add, change and remove one number of an account by hand; the others stay as they are."""

from collections.abc import Callable, Sequence
from typing import Any

from tidings import phone
from tidings.engine.db.tx import Tx
from tidings.errors import ApiError, Code
from tidings.features.accounts import changes as account_changes
from tidings.features.audit.record import Actor
from tidings.secrets import Sealer

from .carry_out import load_current
from .edit import Edit, Edited, edit_account
from .form_values import Read, to_entry, to_number

Entries = list[dict[str, Any]]


async def put_number(
    tx: Tx, sealer: Sealer, actor: Actor, name: str, read: Read, *, allow_private: bool
) -> Edited:
    """The number that the form names, new or changed; an empty access token stays."""

    def change(entries: Entries) -> Entries:
        number = phone.find(read("number")) or read("number").strip()
        kept = next((one for one in entries if one["number"] == number), {})
        changed = to_number(read, kept)
        if kept:
            return [changed if one is kept else one for one in entries]
        return [*entries, changed]

    return await _edit(tx, sealer, actor, name, change, allow_private=allow_private)


async def remove_number(
    tx: Tx, sealer: Sealer, actor: Actor, name: str, number: str, *, allow_private: bool
) -> Edited:
    def change(entries: Entries) -> Entries:
        others = [one for one in entries if one["number"] != number]
        if len(others) == len(entries):
            raise ApiError(Code.NOT_FOUND, "the account has no such number")
        return others

    return await _edit(tx, sealer, actor, name, change, allow_private=allow_private)


async def _edit(
    tx: Tx,
    sealer: Sealer,
    actor: Actor,
    name: str,
    change: Callable[[Entries], Entries],
    *,
    allow_private: bool,
) -> Edited:
    """The table of numbers is edited whole, with the tokens it has."""
    await account_changes.begin(tx)
    current = (await load_current(tx, sealer, [name])).get(name)
    numbers: Sequence[Any] = [] if current is None else current.numbers
    entries = change([to_entry(one) for one in numbers])
    return await edit_account(
        tx, sealer, actor, name, Edit({"numbers": entries}), allow_private=allow_private
    )
