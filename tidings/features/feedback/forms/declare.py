"""Forms that the file of `tidings apply` declares (contract.md, "Running it").

A changed form is a new version; the file's flags decide how far the latest has come. What the file
no longer names is retired: it cannot be sent, and what came back of it stays.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from msgspec.structs import replace

from tidings.engine.db.tx import Tx
from tidings.features.accounts.lookup import load_accounts
from tidings.features.accounts.model import Account
from tidings.platforms.content import Question
from tidings.platforms.form_labels import DEFAULT_LANGUAGE

from ..model import Form, Version, VersionKey
from . import build, states, store
from .states import State

REQUIRED = frozenset({"rating", "single"})  # where the file does not say


@dataclass(frozen=True, slots=True)
class Declared:
    """One `[[accounts.forms]]` table, read."""

    form_id: str
    form: Form
    state: State


@dataclass(slots=True)
class Changes:
    new: list[Version] = field(default_factory=list)
    moved: list[tuple[VersionKey, State]] = field(default_factory=list)


def read(table: Mapping[str, Any]) -> Declared:
    form = Form(
        title=table["title"],
        questions=tuple(_question(one) for one in table["questions"]),
        language=table.get("language") or DEFAULT_LANGUAGE,
        text=table.get("text") or "",
        button=table.get("button") or "",
    )
    state = states.declared(approved=table["approved"], published=table["published"])
    return Declared(table["id"], form, state)


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
    """Make the account's forms what its file says. `sections` are those kept with it."""
    wanted = [read(table) for table in sections.get("forms") or ()]
    known = await store.find_declared(tx, account_id)
    gone = known - {one.form_id for one in wanted}
    if not wanted and not gone:
        return
    account = (await load_accounts(tx, [account_id]))[account_id]
    now = account.now(tx.now)
    if gone:
        await store.retire(tx, account_id, sorted(gone), now)
    if wanted:
        await _settle(tx, account, wanted, now)


async def _settle(tx: Tx, account: Account, wanted: Sequence[Declared], now: datetime) -> None:
    await store.declare(tx, account.id, [one.form_id for one in wanted], now)
    keys = [(account.id, one.form_id) for one in wanted]
    existing = await store.load_forms(tx, keys)
    changes = Changes()
    for one in wanted:
        compare(account.id, one, existing.get((account.id, one.form_id), []), now, changes)
    if changes.new:
        await store.insert(tx, changes.new)
    if changes.moved:
        await store.move(tx, changes.moved, now)
    if not account.is_sandbox:
        await build.put(tx, account.id, [form_id for _, form_id in keys])


def compare(
    account_id: UUID,
    wanted: Declared,
    versions: Sequence[Version],
    now: datetime,
    changes: Changes,
) -> None:
    """What must happen to the versions of one form, the oldest first."""
    latest = versions[-1] if versions else None
    if latest is None or latest.form != wanted.form:
        number = 1 if latest is None else latest.version + 1
        newest = Version(account_id, wanted.form_id, number, wanted.state, wanted.form, now)
        changes.new.append(newest)
    else:
        newest = replace(latest, state=moved(latest.state, wanted.state))
        versions = versions[:-1]
        if newest.state is not latest.state:
            changes.moved.append((newest.key, newest.state))
    for older in versions:
        if states.replaces(newest.state, older.state):
            changes.moved.append((older.key, State.SUPERSEDED))


def moved(state: State, target: State) -> State:
    """Step by step along the table of moves."""
    for trigger in states.path(state, target):
        after = states.after(state, trigger)
        assert after is not None, f"{trigger} is no move of a version that is {state}"
        state = after
    return state
