"""The id that a send carries to the platform, and what is read from the one that comes back."""

from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tidings.features.messages.send.send_ids import own_id, process_of

MESSAGE = UUID("0190f3a1-0000-7000-8000-000000000001")


@pytest.mark.parametrize(
    ("send_id", "message", "process"),
    [
        (f"{MESSAGE.hex}.1", MESSAGE, ""),
        (f"{MESSAGE.hex}.12.0badcafe-1", MESSAGE, "0badcafe-1"),
        (f"{MESSAGE.hex}.1.a.b", MESSAGE, ""),
        ("order-1", None, ""),
        ("z" * 32 + ".1.x", None, "x"),
        ("", None, ""),
        (None, None, ""),
    ],
)
def test_what_is_read(send_id: str | None, message: UUID | None, process: str) -> None:
    assert own_id(send_id) == message
    assert process_of(send_id) == process


@given(st.text())
def test_anything_may_come_back(text: str) -> None:
    own_id(text)
    process_of(text)
