"""Settings that were changed by hand since the file last set them, in the portal or by a command.

`apply` does not undo such an edit without being told to (contract2.md, C). An edit is named as the
change that made it (`Change.what`): `dailyLimit`, `number 972555000001 perSecond`. Pure.
"""

from collections.abc import Iterable
from dataclasses import replace
from enum import Enum
from typing import NamedTuple

from tidings.features.accounts.model import HandEdit

from .changes import Change, to_camel
from .plan import TABLES, Removal
from .specs import DeclaredAccount

SECTION_OF = {  # the table of the file, by the first word of an edit
    "number": "numbers",
    "order": "numbers",
    "template": "templates",
    "form": "forms",
    "invoice": "invoices",
    "subscription": "subscription",
}


class EditPolicy(Enum):
    """What to do where the file would undo an edit."""

    REFUSE = "refuse"
    OVERWRITE = "overwrite"
    KEEP = "keep"


class Conflict(NamedTuple):
    change: Change
    edit: HandEdit

    def __str__(self) -> str:
        return f"{self.change} ({self.edit})"


def find_conflicts(changes: Iterable[Change], edits: Iterable[HandEdit]) -> list[Conflict]:
    """The changes that would undo an edit, each with the newest one."""
    newest_first = sorted(edits, key=lambda edit: edit.at, reverse=True)
    found = []
    for change in changes:
        edit = next((one for one in newest_first if _concerns(change.what, one.setting)), None)
        if edit is not None:
            found.append(Conflict(change, edit))
    return found


def _concerns(what: str, setting: str) -> bool:
    """A change of an entry concerns the edits of its fields, and the other way round."""
    return what == setting or what.startswith(f"{setting} ") or setting.startswith(f"{what} ")


def find_settled(
    declared: DeclaredAccount, removal: Removal, edits: Iterable[HandEdit]
) -> list[HandEdit]:
    """The edits of settings that the file declares: once it is applied, they are the file's."""
    return [edit for edit in edits if _declares(declared, removal, edit.setting)]


def _declares(declared: DeclaredAccount, removal: Removal, setting: str) -> bool:
    names = {to_camel(name) for name in declared.fields_set}
    table = _table_of(setting)
    if table != "numbers":
        is_pruned = removal is Removal.PRUNE and table not in TABLES
        return is_pruned or table in names
    if table not in names:
        return False
    number, _, field = setting.removeprefix("number ").partition(" ")
    by_number = dict(
        zip((one.number for one in declared.numbers), declared.number_fields_set, strict=True)
    )
    if removal is Removal.PRUNE or not field or number not in by_number:
        return True
    return field in {to_camel(name) for name in by_number[number]}


def _table_of(setting: str) -> str:
    """The name in the file of what an edit belongs to."""
    word = setting.partition(" ")[0]
    return SECTION_OF.get(word, word.partition(".")[0])


def without_edited(declared: DeclaredAccount, edits: Iterable[HandEdit]) -> DeclaredAccount:
    """The declaration without what was edited by hand: it stays as it is."""
    edited = {_table_of(edit.setting) for edit in edits}
    kept = frozenset(name for name in declared.fields_set if to_camel(name) not in edited)
    return replace(declared, fields_set=kept)
