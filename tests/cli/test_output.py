"""What commands print: texts of tenants are harmless, and nothing that is copied is broken."""

import ast
import csv
import io
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from hypothesis import given
from hypothesis import strategies as st

from tests.support.billing import subscription
from tests.support.commands import Done, commands, run
from tests.support.forms import form_toml, sent
from tests.support.parsing import parse
from tests.support.partners import TERMS, bought, transfer
from tests.support.service import GUEST, TestService
from tidings.cli.main import app
from tidings.cli.output import visible, visible_lines

HOSTILE = "INV-77[/x] [bold]\x1b]0;owned\x07\x9b31m\u202edetrevni\r\nsecond\u2028line"
SHOWN = r"INV-77[/x] [bold]\x1b]0;owned\x07\x9b31m\u202edetrevni\r\nsecond\u2028line"
CLI = Path(__file__).parents[2] / "tidings" / "cli"

Tidings = Callable[..., Done]


@pytest.fixture
def tidings(service: TestService) -> Tidings:
    return commands(service)


def test_a_text_is_shown_and_never_obeyed() -> None:
    assert visible(HOSTILE) == SHOWN
    assert visible("שלום [x] 😀 \\x1b") == "שלום [x] 😀 \\x1b"
    assert visible_lines("a\nb\x1b") == "a\nb\\x1b"
    assert visible("\ud83d") == "\\ud83d"


@given(st.text())
def test_what_is_shown_has_no_control_characters(text: str) -> None:
    assert not any(ord(c) < 32 or 127 <= ord(c) < 160 for c in visible(text))
    visible(text).encode()


def test_a_partners_reference_breaks_no_table(service: TestService, tidings: Tidings) -> None:
    partner = service.account(name="hostile-partner", partner=TERMS)
    bought(partner, 100)
    for reference in ("INV-77[/x]", "[red]INV["):
        answer = transfer(partner, reference, 1)
        assert answer.status_code == 200, answer.text
    who = ("--account", "hostile-partner")
    for words in (("partners", "transfers"), ("partners", "ledger")):
        for terminal in (None, 60, 200):
            shown = tidings(*words, *who, terminal=terminal)
            assert shown.code == 0, shown.err
            assert "INV-77[/x]" in shown.out and "[red]INV[" in shown.out
    listed = tidings("partners", "transfers", *who, "--json").out
    references = [one["reference"] for one in json.loads(listed)["pendingTransfers"]]
    assert sorted(references) == ["INV-77[/x]", "[red]INV["]
    missing = tidings("partners", "confirm", HOSTILE, *who)
    assert missing.code == 1 and missing.err.startswith("error: ")
    assert "\x1b" not in missing.err and "\x9b" not in missing.err


def test_json_escapes_what_a_terminal_obeys(service: TestService, tidings: Tidings) -> None:
    service.account(form_toml("hostile", title=r"A\u007f\u009b[2J\u202ez"), name="hostile-form")
    shown = tidings("forms", "list", "--account", "hostile-form", "--json")
    assert "\x9b" not in shown.out and "\u202e" not in shown.out
    assert json.loads(shown.out)["forms"][0]["title"] == "A\x7f\x9b[2J\u202ez"
    for words in (("list",), ("show", "hostile")):
        text = tidings("forms", *words, "--account", "hostile-form").out
        assert r"A\x7f\x9b[2J\u202ez" in text


def test_a_fault_of_a_file_repeats_no_control_character(tmp_path: Path) -> None:
    file = tmp_path / "accounts.toml"
    file.write_text('[[accounts]]\nname = "a"\nenvironment = "\\u001b[2J[/x]"\n')
    refused = run("apply", str(file), env={"TIDINGS_DATA": str(tmp_path)})
    assert refused.code == 1
    assert r'not "\x1b[2J[/x]"' in refused.err and "\x1b" not in refused.err


LONG = "a-name-that-is-longer-than-what-a-table-of-eighty-columns-has-for-it-to-stand-in"


def test_ids_and_names_are_never_broken(service: TestService, tidings: Tidings) -> None:
    service.account(name=LONG)
    found = json.loads(tidings("accounts", "list", "--json").out)["accounts"]
    [account] = [one for one in found if one["name"] == LONG]
    row = [LONG, "sandbox", "active", "guest", account["id"]]
    piped = tidings("accounts", "list").out
    assert row in [line.split() for line in piped.splitlines()]
    wide = tidings("accounts", "list", terminal=300, NO_COLOR="1").out
    assert row in [line.split() for line in wide.splitlines()]
    narrow = [
        line.split()
        for line in tidings("accounts", "list", terminal=80, NO_COLOR="1").out.splitlines()
    ]
    place = narrow.index(["name", LONG])
    assert narrow[place : place + 5] == [
        ["name", LONG], ["environment", "sandbox"], ["state", "active"], ["replies", "guest"],
        ["id", account["id"]],
    ]  # fmt: skip


def test_a_table_is_aligned_also_where_letters_are_wide(tidings: Tidings, service) -> None:
    service.account(name="広い名前")
    lines = tidings("accounts", "list").out.splitlines()
    [wide] = [line for line in lines if line.startswith("広い名前")]
    assert wide.index("sandbox") + 4 == lines[0].index("environment")  # four letters of two columns


def test_states_have_colours_on_a_terminal_and_none_in_a_pipe(
    service: TestService, tidings: Tidings
) -> None:
    service.account(name="in-colour")
    assert "\x1b[32mactive\x1b[0m" in tidings("accounts", "list", terminal=300).out
    plain = tidings("accounts", "list").out
    assert "active" in plain and "\x1b" not in plain
    for off in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
        assert tidings("accounts", "list", terminal=300, **off).out == plain


def test_settings_are_whole_lines_in_a_pipe(tmp_path: Path) -> None:
    shown = run("settings", env={"TIDINGS_DATA": "[/x]\x1b[2J"}, terminal=60)
    assert r"[/x]\x1b[2J" in shown.out
    piped = run("settings", env={"TIDINGS_DATA": str(tmp_path)}).out
    assert any(len(line) > 80 for line in piped.splitlines())


# Spreadsheets


def test_a_charge_is_no_formula_to_a_spreadsheet(service: TestService, tidings: Tidings) -> None:
    account = service.account(subscription(), name="charged-formula")
    body = {"to": GUEST, "templateName": "plain"}
    for cid in ("=cmd|'/C calc'!A0", "@sum(1,2)", "-2+3-4+5", "plain-id-1"):
        answer = account.send(clientMessageId=cid, **body)
        assert answer.status_code == 200, answer.text
    text = tidings("billing", "export", "--account", "charged-formula").out
    ids = [row["clientMessageId"] for row in csv.DictReader(io.StringIO(text))]
    assert ids == ["plain-id-1", "'-2+3-4+5", "'@sum(1,2)", "'=cmd|'/C calc'!A0"]
    assert account.get("/charges?format=csv").text.split() == text.split()


# Forms


def test_forms_that_failed_are_not_counted_as_sent(service: TestService, tidings: Tidings) -> None:
    account = service.account(form_toml(), name="forms-failed")
    sent(account, GUEST, clientMessageId="visit-good")
    sent(account, "972501239013", clientMessageId="visit-refused")
    sent(account, "972501239010", clientMessageId="visit-lost")
    account.advance(seconds=5)
    assert account.status("visit-lost")["status"] == "failed"
    who = ("--account", "forms-failed")
    [one] = json.loads(tidings("forms", "list", *who, "--json").out)["forms"]
    assert (one["sent"], one["answered"]) == (1, 0)
    assert "0 of 1 answered" in tidings("forms", "show", "visit", *who).out


# Help


def leaves(command: Any, words: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    if hasattr(command, "commands"):
        for word, below in command.commands.items():
            yield from leaves(below, (*words, word))
    else:
        yield words, command


def test_help_shows_every_word_of_every_option() -> None:
    for words, command in leaves(typer.main.get_command(app)):
        text = run(*words, "--help", env={"COLUMNS": "400"}).out
        shown = "".join(text.split()).replace("│", "")
        for option in command.params:
            said = (getattr(option, "help", None) or "").replace("\\[", "[")
            assert "".join(said.split()) in shown, (words, said)


# One place


def test_every_command_prints_through_one_place() -> None:
    for path in CLI.rglob("*.py"):
        if path.name == "output.py":
            continue
        for node in ast.walk(parse(path.read_text())):
            if isinstance(node, ast.Call):
                called = ast.unparse(node.func)
                where = f"{path.name}:{node.lineno}"
                assert called not in ("print", "Console", "typer.echo"), where
                assert not called.startswith(("sys.stdout.", "sys.stderr.")) or called.endswith(
                    ".isatty"
                ), where


def test_letters_that_a_terminal_lacks_are_shown_as_escapes() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tidings.cli", "phone", "--help"],
        env={"PYTHONIOENCODING": "ascii", "COLUMNS": "200"},
        capture_output=True, check=False, timeout=120,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, b"")
    assert rb"+972\u2026" in done.stdout
