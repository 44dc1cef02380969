"""Frames between processes arrive as they were sent, however the stream cuts them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tidings.engine.peers.frames import BYTES_MAX, Frames, TooLong, frame

numbers = st.integers(0, 2**32 - 1)


@given(st.lists(st.tuples(numbers, st.binary(max_size=40))), st.lists(st.integers(1, 30)))
def test_they_come_in_order_and_whole(sent: list[tuple[int, bytes]], cuts: list[int]) -> None:
    stream = b"".join(frame(number, body) for number, body in sent)
    frames, received = Frames(), []
    for cut in cuts:
        piece, stream = stream[:cut], stream[cut:]
        received += frames.feed(piece)
    assert received + frames.feed(stream) == sent


def test_one_that_claims_too_much_is_refused_before_it_is_collected() -> None:
    head = frame(1, b"")[4:]
    with pytest.raises(TooLong):
        Frames().feed((BYTES_MAX + 1).to_bytes(4, "big") + head)
