"""What the command line makes of addresses and answers that are not a service's."""

import pytest

from tests.support.commands import run
from tests.support.receiver import Receiver, reply

CALLS = (
    ("messages",),
    ("clock", "show"),
    ("send", "972501234567", "--message", "Hello"),
    ("listen",),
)


@pytest.mark.parametrize("url", ["localhost:8080", "http://", "ftp://example.com", "http://[::1"])
def test_an_address_that_is_none_is_a_wrong_call(url: str) -> None:
    done = run("messages", "--url", url, "--key", "td_sandbox_x")
    assert done.code == 2 and "http://" in done.err and "Traceback" not in done.err
    assert run("messages", "--key", "x", env={"TIDINGS_URL": url}).code == 2


@pytest.mark.parametrize("words", CALLS)
def test_a_redirect_is_not_followed_with_the_key(words: tuple[str, ...]) -> None:
    with Receiver() as listening:
        elsewhere = {"Location": listening.url_at("localhost", "/elsewhere")}
        listening.answer(reply(307, headers=elsewhere))
        done = run(*words, "--url", listening.url, "--key", "td_sandbox_x")
        done.refused("/elsewhere")
        assert len(listening.requests) == 1


@pytest.mark.parametrize("words", CALLS)
@pytest.mark.parametrize("body", [b"<html>", b"[]", b"{}", b"\xff", b'{"success":false,"error":1}'])
def test_an_answer_of_another_program_is_a_sentence(words: tuple[str, ...], body: bytes) -> None:
    with Receiver() as listening:
        listening.answer(reply(418, body=body))
        run(*words, "--url", listening.url, "--key", "td_sandbox_x").refused("418")


def test_a_key_with_a_line_break_is_told() -> None:
    run("messages", "--key", "td_sandbox_x\r\ny").refused("key")
