"""A status callback writes only the columns it can change: nothing it changes may be missing."""

from copy import deepcopy
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest

from tidings.features.messages.model import Message, Status, Step
from tidings.features.messages.state import store, transitions
from tidings.platforms.failures import explain
from tidings.platforms.port import StatusKind

NOON = datetime(2026, 11, 15, 12, tzinfo=UTC)


def message(status: Status) -> Message:
    values = dict.fromkeys(Message.__struct_fields__)
    values |= {
        "account_id": UUID(int=1), "id": UUID(int=2), "status": status, "told_reasons": [],
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
    fields = Message.__struct_fields__
    changed = {name for name in fields if getattr(found, name) != getattr(before, name)}
    assert changed <= set(store.REPORTED)
