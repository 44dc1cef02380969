"""Lists on the command line: tables, JSON and CSV, and as many pages as asked."""

import csv
import io
import json

import pytest

from tests.support.billing import sent, subscribed
from tests.support.commands import run
from tests.support.service import TestAccount, TestService
from tidings.cli.listing import Asked, Listing, cell_text, csv_cell, print_list, value_of
from tidings.cli.output import Refused

CHARGES = Listing(
    "charges",
    "/charges",
    {"id": "clientMessageId", "to": "to", "state": "state"},
    none="No charges.",
)


@pytest.fixture
def charged(service: TestService) -> TestAccount:
    account = subscribed(service)
    for number in range(5):
        sent(account, number, clientMessageId=f"=charge-{number}")
    return account


def printed(
    account: TestAccount,
    capsys: pytest.CaptureFixture[str],
    *,
    limit: int = 50,
    everything: bool = False,
    as_json: bool = False,
    as_csv: bool = False,
    **filters: object,
) -> tuple[str, str]:
    asked = Asked(limit, everything, as_json, as_csv, account.key, account.service.url)
    print_list(CHARGES, filters, asked)
    done = capsys.readouterr()
    return done.out, done.err


def test_a_piped_table_is_plain_and_says_that_there_are_more(
    charged: TestAccount, capsys: pytest.CaptureFixture[str]
) -> None:
    out, err = printed(charged, capsys, limit=2)
    assert [line.split()[0] for line in out.splitlines()] == [
        "id", "---------", "=charge-4", "=charge-3",
    ]  # fmt: skip
    assert "\x1b" not in out and "--all" in err
    out, err = printed(charged, capsys)
    assert len(out.splitlines()) == 7 and err == ""


def test_json_is_one_object_with_every_field(
    charged: TestAccount, capsys: pytest.CaptureFixture[str]
) -> None:
    out, err = printed(charged, capsys, limit=3, as_json=True)
    assert [one["clientMessageId"] for one in json.loads(out)["charges"]] == [
        "=charge-4", "=charge-3", "=charge-2",
    ]  # fmt: skip
    assert err == ""
    out, _ = printed(charged, capsys, as_json=True, to="2020-01-01")
    assert json.loads(out) == {"charges": []}


def test_csv_is_the_fields_with_harmless_cells(
    charged: TestAccount, capsys: pytest.CaptureFixture[str]
) -> None:
    out, _ = printed(charged, capsys, everything=True, limit=1, as_csv=True)
    rows = list(csv.reader(io.StringIO(out)))
    assert rows[0] == ["clientMessageId", "to", "state"]
    assert [row[0] for row in rows[1:]] == [f"'=charge-{number}" for number in (4, 3, 2, 1, 0)]


def test_nothing_and_a_refusal_are_said(
    account: TestAccount, capsys: pytest.CaptureFixture[str]
) -> None:
    assert printed(account, capsys)[0] == "No charges.\n"
    with pytest.raises(Refused, match="VALIDATION_ERROR"):
        printed(account, capsys, colour="red")
    with pytest.raises(Refused, match="--json or --csv"):
        printed(account, capsys, as_json=True, as_csv=True)


def test_a_group_without_a_command_lists() -> None:
    assert "--limit" in run("messages", "list", "--help").good()
    run("messages").refused("--key")
    run("messages", "--limit", "3").refused("--key")
    assert "show" in run("messages", "--help").good()


def test_cells() -> None:
    item = {"error": {"code": "X"}, "counts": {"sent": 1}, "n": -3, "ok": True, "none": None}
    shown = [cell_text(value_of(item, name)) for name in ("error.code", "counts", "none", "n.m")]
    assert shown == ["X", '{"sent":1}', "", ""]
    assert [csv_cell(item[name]) for name in ("n", "ok")] == ["-3", "true"]
