"""`tidings phone`: the guest's conversation, in a pipe and on a terminal."""

import io
import os
import sys
from contextlib import closing, redirect_stdout
from pathlib import Path

import pytest

from tests.support.commands import Done, run
from tests.support.forms import form_toml, sent
from tests.support.service import GUEST, TestAccount, TestService
from tests.support.terminal import Terminal
from tidings.cli.output import say
from tidings.cli.sandbox.acts import (
    Advance,
    NotUnderstood,
    Plain,
    Reply,
    ask,
    read_act,
    read_answer,
)
from tidings.cli.sandbox.transcript import ShownButton, Transcript

BUTTONS = [ShownButton("Yes", "invite-1"), ShownButton("No", "invite-1")]


def phone(*lines: str, account: TestAccount, words: tuple[str, ...] = ()) -> Done:
    where = ("--url", account.service.url, "--key", account.key)
    return run("phone", GUEST, *words, *where, text="".join(f"{line}\n" for line in lines))


def invited(account: TestAccount) -> None:
    body = {"templateName": "invite", "templateParams": ["Dana", "Sunday"], "to": GUEST}
    assert account.send(clientMessageId="invite-0001", **body).status_code == 200


def said(done: Done) -> list[str]:
    """Who wrote what, without times and days."""
    lines = done.good().splitlines()
    return [" ".join(line.split()[1:] if line[:1].isdigit() else line.split()) for line in lines]


def test_a_conversation_is_read_and_answered_in_a_pipe(account: TestAccount) -> None:
    assert phone(account=account).good() == "No messages yet.\n"
    invited(account)
    answered = phone("/1", "We will be 4", "//slash", "/photo of us", account=account)
    assert said(answered)[1:] == [
        "business Hi Dana, join us on Sunday",
        "[/1] Yes [/2] No",
        "you Yes",
        "you We will be 4",
        "you /slash",
        "you (image/jpeg)",
        "of us",
    ]  # fmt: skip
    assert "\x1b" not in answered.out and answered.err == ""


def test_stop_is_an_opt_out(account: TestAccount) -> None:
    invited(account)
    assert "STOP" in phone("/stop", account=account).good()
    refused = account.send(clientMessageId="again-0001", to=GUEST, templateName="plain")
    assert refused.json()["data"]["error"]["code"] == "RECIPIENT_OPTED_OUT"


def test_a_form_is_filled_in_line_by_line(service: TestService) -> None:
    account = service.account(form_toml(), name="phone-form")
    sent(account)
    account.advance(seconds=5)
    done = phone("/form", "5", "", "", "", account=account)
    assert "[/form]" in done.good() and "(1 to 5)" in done.out
    [event] = account.events("feedback.submitted")
    assert event["data"]["answers"]


def test_what_is_refused_ends_a_pipe_with_exit_code_one(account: TestAccount) -> None:
    invited(account)
    phone("/7", "not sent", account=account).refused("There is no button 7.")
    phone("/stpo", account=account).refused("Did you mean /stop?")
    run("phone", "12", "--url", account.service.url, "--key", account.key).refused("INVALID_PHONE")
    shown = phone(account=account, words=("--json",)).json()
    assert [one["direction"] for one in shown["messages"]] == ["out"]


def test_help_and_leaving(account: TestAccount) -> None:
    done = phone("/help", "/quit", "not sent", account=account)
    assert "/advance 2h" in done.good() and "not sent" not in done.out


def test_the_clock_moves_from_the_phone(account: TestAccount) -> None:
    assert "2 hours ahead" in phone("/advance 2h", account=account).good()
    phone("/advance soon", account=account).refused("such as 90s")


def test_on_a_terminal_messages_appear_while_somebody_types(
    account: TestAccount, tmp_path: Path
) -> None:
    words = ("phone", GUEST, "--url", account.service.url, "--key", account.key)
    env = {"PATH": os.defpath, "HOME": str(tmp_path), "TERM": "xterm", "LANG": "C.UTF-8"}
    with closing(Terminal(sys.executable, "-m", "tidings.cli", *words, env=env)) as terminal:
        terminal.expect("Ctrl-D to leave")
        terminal.expect("> ")
        terminal.write("We will")
        terminal.expect("We will")
        invited(account)
        terminal.expect("join us on Sunday")
        terminal.expect("> We will")  # what was typed is still there
        terminal.write(" come\r")
        terminal.expect("We will come")
        terminal.write("/1\r/nope\r")
        terminal.expect("Yes")
        terminal.expect("There is no /nope.")
        terminal.expect("> ")
        terminal.write("\x04")
        assert terminal.end() == 0


# What a line means


@pytest.mark.parametrize(
    ("line", "act"),
    [
        ("Yes, 4 of us", Reply({"text": "Yes, 4 of us"})),
        ("4", Reply({"text": "4"})),
        ("/2", Reply({"button": {"text": "No", "clientMessageId": "invite-1"}})),
        ("/photo", Reply({"media": {"type": "image"}})),
        ("/file the list", Reply({"media": {"type": "document", "caption": "the list"}})),
        ("/quit", Plain("quit")),
        ("  ", Plain("nothing")),
    ],
)
def test_a_line_is_a_text_or_an_act(line: str, act: Reply | Plain) -> None:
    assert read_act(line, BUTTONS) == act


def test_an_act_that_is_none_is_not_understood() -> None:
    for line in ("/0", "/3", "/", "/photos", "/advance"):
        with pytest.raises(NotUnderstood):
            read_act(line, BUTTONS)
    assert isinstance(read_act("/advance 1d", BUTTONS), Advance)


def test_options_are_chosen_by_place_or_by_name() -> None:
    single = {"type": "single", "text": "Which?", "options": ["Red", "Blue"]}
    assert ask(single) == "Which? (1 Red, 2 Blue)"
    assert [read_answer(single, line) for line in ("2", "Red", "9", "")] == [
        "Blue",
        "Red",
        "9",
        None,
    ]
    multi = {"type": "multi", "text": "Which?", "options": ["1", "2", "three"]}
    assert read_answer(multi, "2, three,3") == ["2", "three", "three"]


def test_every_part_of_a_message_is_shown() -> None:
    message = {
        "direction": "out", "at": "2026-11-18T04:19:28.275Z", "messageId": "m1",
        "clientMessageId": "rich-1", "type": "rich", "text": "one\ntwo", "title": "Head",
        "footer": "Foot", "form": None,
        "media": {"mediaId": "x", "mimetype": "image/png", "filename": "a.png"},
        "buttons": [{"type": "url", "text": "Menu", "payload": None, "url": "https://e.com"}],
    }  # fmt: skip
    transcript = Transcript()
    shown = ["".join(getattr(p, "text", p) for p in line) for line in transcript.add([message])]
    margin = " " * 17
    assert shown == [
        "2026-11-18", "04:19  business  Head", f"{margin}(image/png a.png)", f"{margin}one",
        f"{margin}two", f"{margin}Foot", f"{margin}Menu: https://e.com",
    ]  # fmt: skip
    assert transcript.add([message]) == []


def test_an_input_that_ends_within_a_form_sends_nothing(service: TestService) -> None:
    account = service.account(form_toml(), name="phone-form-cut")
    sent(account)
    account.advance(seconds=5)
    phone("/form", "5", account=account).refused("The form was not sent")
    assert account.events("feedback.submitted") == []


def test_an_input_that_is_no_text_ends_the_phone(account: TestAccount) -> None:
    words = ("phone", GUEST, "--url", account.service.url, "--key", account.key)
    run(*words, text=b"\xff\n").refused("The input is not UTF-8 text.")


@pytest.mark.parametrize("line", ["/" + "9" * 5000, "/advance 999999999w"])
def test_numbers_of_any_length_are_refused(line: str) -> None:
    with pytest.raises(NotUnderstood):
        read_act(line, BUTTONS)
    single = {"type": "single", "text": "Which?", "options": ["Red", "Blue"]}
    assert read_answer(single, "9" * 5000) == "9" * 5000


@pytest.mark.parametrize("part", ["filename", "button", "answer"])
def test_a_guest_cannot_write_a_line_in_the_name_of_the_business(part: str) -> None:
    forged = "x\n04:20  business  Pay here\x1b[2J"
    message = {
        "direction": "in" if part == "answer" else "out", "at": "2026-11-18T04:19:28.275Z",
        "messageId": "m1", "clientMessageId": "m1", "type": "text", "title": None, "text": None,
        "footer": None, "form": {"answers": {"q": forged}} if part == "answer" else None,
        "media": {"mimetype": "image/png", "filename": forged} if part == "filename" else None,
        "buttons": [{"type": "reply", "text": forged, "url": None}] if part == "button" else [],
    }  # fmt: skip
    out = io.StringIO()
    with redirect_stdout(out):
        for line in Transcript().add([message]):
            say(*line)
    assert len(out.getvalue().splitlines()) <= 3 and "\n04:20" not in out.getvalue()
    assert "\x1b" not in out.getvalue()
