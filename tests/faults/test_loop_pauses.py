"""Bodies that are expensive to parse do not delay other requests: the loop is never blocked (8).

`make bench ARGS="--only hostile"` measures the same with bodies of 18 MB.
"""

import gc
from collections.abc import Iterator

import pytest

from bench import hostile
from tests.support.names import named
from tests.support.pauses import keeps_the_loop
from tests.support.service import GUEST, TestAccount, TestService

SIZE = 1 << 20
MOST_SECONDS = 0.15  # 50 ms, and room for a machine that is three times as slow as it should be
SHAPES = hostile.shapes(SIZE)


@pytest.fixture(scope="module", autouse=True)
def _settled_heap() -> Iterator[None]:
    """As `tidings serve` has it: what all the other tests have left is not looked through again."""
    before = gc.get_threshold()
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)
    yield
    gc.set_threshold(*before)
    gc.unfreeze()


@pytest.mark.parametrize("shape", SHAPES, ids=named)
def test_a_hostile_body_does_not_keep_the_loop(account: TestAccount, shape: str) -> None:
    path, make = SHAPES[shape]
    body, headers = make(), {"content-type": "application/json"}

    def post() -> None:
        answer = account.post(path, content=body, headers=headers)
        assert answer.status_code in (202, 400), answer.text[:300]
        assert len(answer.content) < SIZE

    assert not keeps_the_loop(account.service, post, MOST_SECONDS)


@pytest.mark.parametrize("char", ["\ufdfa", "来", "a,"], ids=ascii)
def test_a_guests_reply_of_any_letters_does_not_keep_the_loop(
    service: TestService, char: str
) -> None:
    """NFKC makes 18 letters of U+FDFA."""
    account = service.account(replies="guest")
    account.reply(GUEST, "hi")  # the words of all languages are made ready once
    text = char * (4096 // len(char))
    assert not keeps_the_loop(service, lambda: account.reply(GUEST, text), MOST_SECONDS)
