"""Change one table of an account by hand, entry by entry: numbers, or templates of a sandbox."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tidings.engine.db.tx import Tx
from tidings.features.accounts import changes as account_changes
from tidings.features.audit.record import Actor
from tidings.secrets import Sealer

from .carry_out import load_current
from .edit import Edit, Edited, edit_account
from .form_values import to_entry, to_template_entry
from .plan import State

Entries = list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Editor:
    """Who changes which account, and by which rules."""

    sealer: Sealer
    actor: Actor
    account: str
    allow_private: bool


async def edit_table(
    tx: Tx, editor: Editor, table: str, change: Callable[[Entries], Entries]
) -> Edited:
    """The table is edited whole, with the secrets it has. Raises ValuesRefused, or ApiError."""
    await account_changes.begin_all(tx)
    current = (await load_current(tx, editor.sealer, [editor.account])).get(editor.account)
    edit = Edit({table: change([] if current is None else _entries(current, table))})
    return await edit_account(
        tx, editor.sealer, editor.actor, editor.account, edit, allow_private=editor.allow_private
    )


def _entries(state: State, table: str) -> Entries:
    if table == "numbers":
        return [to_entry(one) for one in state.numbers]
    return [to_template_entry(one) for one in state.templates or []]
