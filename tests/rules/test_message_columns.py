"""Callbacks and accepted sends write only some columns: none that they change may be missing."""

import re
from copy import deepcopy
from datetime import UTC, datetime, timedelta
from itertools import permutations
from uuid import UUID

import pytest

from tidings.features.messages.model import Message, Status, Step
from tidings.features.messages.state import store, transitions, unlocked_store
from tidings.features.messages.state.recall import SIMPLE, may_recall
from tidings.platforms.failures import explain
from tidings.platforms.port import StatusKind

NOON = datetime(2026, 11, 15, 12, tzinfo=UTC)


def message(status: Status) -> Message:
    values = dict.fromkeys(Message.__struct_fields__)
    values |= {
        "account_id": UUID(int=1), "id": UUID(int=2), "status": status, "notified_reasons": [],
        "attempts": [], "timeline": [Step(status.value, "2026-11-15T11:00:00.000Z")],
        "created_at": NOON, "times_out_at": NOON, "reason": "NUMBER_LIMIT", "retry_at": NOON,
        "unknown_since": NOON, "generation": 1, "resends": 0, "number": "972555000001",
    }  # fmt: skip
    return Message(**values)


@pytest.mark.parametrize("kind", StatusKind, ids=lambda kind: kind.value)
@pytest.mark.parametrize("status", Status, ids=lambda status: status.value)
def test_every_column_that_a_callback_changes_is_written(status: Status, kind: StatusKind) -> None:
    found = message(status)
    before = deepcopy(found)
    failure = explain(131026) if kind is StatusKind.FAILED else None
    transitions.reported(found, kind, "wamid.1", NOON + timedelta(days=1), failure)
    assert changed(before, found) <= set(store.REPORTED)


def test_every_column_that_an_accepted_send_changes_is_written() -> None:
    """`save_sent` writes only rows that are `sending` with no unknown outcome, as claimed."""
    found = message(Status.QUEUED)
    found.unknown_since = None
    transitions.claim(found, "972555000001", NOON)
    before = deepcopy(found)
    assert transitions.accepted(found, "wamid.1", NOON + timedelta(days=60))
    (written,) = re.findall(r"\bSET\b(.*)\bFROM sent v\b", unlocked_store.UPDATE_SENT, re.DOTALL)
    assert changed(before, found) == set(re.findall(r"(\w+) = ", written))


@pytest.mark.parametrize("kinds", [*permutations(sorted(SIMPLE))], ids=" ".join)
@pytest.mark.parametrize("status", [Status.SENT, Status.DELIVERED])
def test_every_column_that_changes_without_loading_is_written(
    status: Status, kinds: tuple[StatusKind, ...]
) -> None:
    """`save_reported` writes messages that a process has in memory; each change is a new step."""
    found = message(status)
    found.sent_at, found.platform_id, found.unknown_since = NOON, "wamid.1", None
    found.reason = found.retry_at = None
    assert may_recall(found)
    (written,) = re.findall(
        r"\bSET\b(.*)\bFROM reported v\b", unlocked_store.UPDATE_REPORTED, re.DOTALL
    )
    for kind in kinds:
        before = deepcopy(found)
        transitions.reported(found, kind, "wamid.1", NOON + timedelta(days=1), None)
        assert changed(before, found) <= set(re.findall(r"(\w+) = ", written))
        assert changed(before, found) == set() or len(found.timeline) > len(before.timeline)


def test_what_a_failure_or_an_unknown_outcome_touched_is_loaded() -> None:
    found = message(Status.SENT)
    found.sent_at, found.platform_id = NOON, "wamid.1"
    assert not may_recall(found)
    found.unknown_since = None
    assert may_recall(found)
    found.error = transitions.fault(explain(131026))
    assert not may_recall(found)
    assert StatusKind.FAILED not in SIMPLE


def changed(before: Message, after: Message) -> set[str]:
    fields = Message.__struct_fields__
    return {name for name in fields if getattr(after, name) != getattr(before, name)}
