"""Change one account by hand, in the portal or by a command: the rules and effects of `apply`.

The changed settings are remembered, so that the next `apply` does not undo them unnoticed.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tidings.engine.db.tx import Tx
from tidings.errors import ApiError, Code
from tidings.features.accounts import changes as account_changes
from tidings.features.accounts.configure import require_partners
from tidings.features.accounts.hand_edits import put_edits
from tidings.features.accounts.model import Configured
from tidings.features.audit.record import Actor
from tidings.secrets import Sealer

from .carry_out import carry_out, load_current, record_changes
from .changes import ACCOUNT, Change, compare
from .plan import Removal, State, merge
from .read import read_account


@dataclass(frozen=True, slots=True)
class Edit:
    """Values by their names in the file, and settings that get their defaults."""

    values: Mapping[str, Any]
    cleared: frozenset[str] = field(default_factory=frozenset)


@dataclass(frozen=True, slots=True)
class Edited:
    account: Configured
    changes: list[Change]


async def create_account(
    tx: Tx, sealer: Sealer, actor: Actor, values: Mapping[str, Any], *, allow_private: bool
) -> Edited:
    """A new account. Its key and its signing secret are in the result, once."""
    await account_changes.begin_all(tx)
    name = values.get("name", "")
    if await load_current(tx, sealer, [name]):
        problem = f'there is an account "{name}" already; choose another name'
        raise ApiError(Code.VALIDATION_ERROR, problem, field="name")
    return await _carry_out(tx, sealer, actor, None, Edit(values), allow_private=allow_private)


async def edit_account(
    tx: Tx, sealer: Sealer, actor: Actor, name: str, edit: Edit, *, allow_private: bool
) -> Edited:
    """Change what the edit names, and nothing else. Raises ValuesRefused, or ApiError."""
    await account_changes.begin_all(tx)
    current = (await load_current(tx, sealer, [name])).get(name)
    if current is None:
        raise ApiError(Code.NOT_FOUND, f'there is no account "{name}"')
    identity = {"name": name, "environment": current.account.environment}
    edit = Edit({**edit.values, **identity}, edit.cleared)
    return await _carry_out(tx, sealer, actor, current, edit, allow_private=allow_private)


async def _carry_out(
    tx: Tx,
    sealer: Sealer,
    actor: Actor,
    current: State | None,
    edit: Edit,
    *,
    allow_private: bool,
) -> Edited:
    declared = read_account(edit.values, cleared=edit.cleared, allow_private=allow_private)
    plan = merge(declared, current, Removal.REFUSE)
    changes = compare(current, plan)
    account = await carry_out(tx, sealer, plan)
    await require_partners(tx)
    await record_changes(tx, actor, account, changes, is_new=current is None)
    settings = [change.what for change in changes if change.what != ACCOUNT]
    await put_edits(tx, account.id, settings, actor.name)
    return Edited(account, changes)
