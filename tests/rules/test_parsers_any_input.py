"""Every parser of input that others write, given anything: `proof/fuzz/parser_targets.py` says what
each must keep. `make fuzz ARGS=--parsers` does the same for as long as wanted, led by coverage."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proof.fuzz import spoil
from proof.fuzz.parser_targets import TARGETS

TRIES = 40
BYTES_MAX = 20_000


@pytest.mark.parametrize("name", TARGETS)
def test_good_input_is_taken_as_it_should_be(name: str) -> None:
    for seed in TARGETS[name].seeds:
        TARGETS[name].check(seed)


@pytest.mark.parametrize("name", TARGETS)
def test_no_input_breaks_it(name: str) -> None:
    target = TARGETS[name]
    seeds = st.sampled_from(target.seeds)

    @settings(max_examples=TRIES, derandomize=True)
    @given(seeds, st.integers(0, 2**32), st.integers(1, 4))
    def spoilt(good: bytes, luck: int, times: int) -> None:
        rng, data = Random(luck), good
        for _ in range(times):
            data = spoil.spoil_bytes(rng, data)
        target.check(data[:BYTES_MAX])

    @settings(max_examples=TRIES // 2, derandomize=True)
    @given(st.binary(max_size=60) | st.text(max_size=40).map(lambda text: text.encode()))
    def anything(data: bytes) -> None:
        target.check(data)

    spoilt()
    anything()
