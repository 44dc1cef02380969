"""Forms declared in the file of `tidings apply` (contract.md, "Running it").

A changed form creates a new version; the file's flags set the state of the latest one. A form
removed from the file is retired: it can no longer be sent, and its answers are kept.

What the portal changed since stays as long as the file says what it said before.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec
from msgspec.structs import replace

from tidings.engine.db.tx import Tx
from tidings.features.accounts.lookup import load_accounts
from tidings.features.accounts.model import Account
from tidings.platforms.content import Question
from tidings.platforms.form_labels import DEFAULT_LANGUAGE

from ..model import Form, Version, VersionKey
from . import build, states, store
from .states import State

REQUIRED = frozenset({"rating", "single"})  # by default


class Said(msgspec.Struct, frozen=True):
    """What a file says about a form, as it is kept to see whether it changes."""

    form: Form
    state: str


_decode = msgspec.json.Decoder(Said).decode


@dataclass(frozen=True, slots=True)
class DeclaredForm:
    """One parsed `[[accounts.forms]]` table."""

    form_id: str
    form: Form
    state: State

    @property
    def said(self) -> Said:
        return Said(self.form, self.state.value)

    def is_as_before(self, before: bytes | None) -> bool:
        """Whether the file says what it said when it was last applied."""
        return before is not None and _decode(before) == self.said


@dataclass(slots=True)
class Changes:
    new: list[Version] = field(default_factory=list)
    state_changes: list[tuple[VersionKey, State]] = field(default_factory=list)


def read(table: Mapping[str, Any]) -> DeclaredForm:
    form = Form(
        title=table["title"],
        questions=tuple(_question(one) for one in table["questions"]),
        language=table.get("language") or DEFAULT_LANGUAGE,
        text=table.get("text") or "",
        button=table.get("button") or "",
    )
    state = states.declared(approved=table["approved"], published=table["published"])
    return DeclaredForm(table["id"], form, state)


def _question(table: Mapping[str, Any]) -> Question:
    required = table.get("required")
    return Question(
        id=table["id"],
        type=table["type"],
        text=table["text"],
        options=tuple(table.get("options") or ()),
        required=table["type"] in REQUIRED if required is None else required,
    )


async def configure(tx: Tx, account_id: UUID, sections: Mapping[str, Any]) -> None:
    """Apply the account's form tables. `sections`: the account's part of the file."""
    declared = [read(table) for table in sections.get("forms") or ()]
    known = await store.find_declared(tx, account_id)
    removed = known - {one.form_id for one in declared}
    if not declared and not removed:
        return
    account = (await load_accounts(tx, [account_id]))[account_id]
    now = account.now(tx.now)
    if removed:
        await store.retire(tx, account_id, sorted(removed), now)
    if declared:
        await _apply(tx, account, declared, now)


async def _apply(tx: Tx, account: Account, declared: Sequence[DeclaredForm], now: datetime) -> None:
    known = await store.load_declared(tx, account.id)
    declared = [one for one in declared if not one.is_as_before(known.get(one.form_id))]
    if not declared:
        return
    said = {one.form_id: msgspec.json.encode(one.said).decode() for one in declared}
    await store.declare(tx, account.id, said, now)
    keys = [(account.id, one.form_id) for one in declared]
    existing = await store.load_forms(tx, keys)
    changes = Changes()
    for one in declared:
        compare(account.id, one, existing.get((account.id, one.form_id), []), now, changes)
    await save(tx, account, [form_id for _, form_id in keys], changes, now)


async def save(
    tx: Tx, account: Account, form_ids: Sequence[str], changes: Changes, now: datetime
) -> None:
    """Write the changes of these forms. A live account's approved versions are created at the
    platform."""
    if changes.new:
        await store.insert(tx, changes.new)
    if changes.state_changes:
        await store.set_states(tx, changes.state_changes, now)
    if not account.is_sandbox:
        await build.put(tx, account.id, form_ids)


def compare(
    account_id: UUID,
    declared: DeclaredForm,
    versions: Sequence[Version],
    now: datetime,
    changes: Changes,
) -> None:
    """Add to `changes` what must change in the versions of one form, the oldest first."""
    latest = versions[-1] if versions else None
    if latest is None or latest.form != declared.form:
        number = 1 if latest is None else latest.version + 1
        newest = Version(account_id, declared.form_id, number, declared.state, declared.form, now)
        changes.new.append(newest)
    else:
        newest = replace(latest, state=advance(latest.state, declared.state))
        versions = versions[:-1]
        if newest.state is not latest.state:
            changes.state_changes.append((newest.key, newest.state))
    supersede(newest, versions, changes)


def supersede(newest: Version, older: Sequence[Version], changes: Changes) -> None:
    """Add to `changes` the older versions that this one replaces."""
    for one in older:
        if states.replaces(newest.state, one.state):
            changes.state_changes.append((one.key, State.SUPERSEDED))


def advance(state: State, target: State) -> State:
    """The state reached by following the transitions to `target`."""
    for trigger in states.path(state, target):
        after = states.after(state, trigger)
        assert after is not None, f"{trigger} is not a transition of {state}"
        state = after
    return state
