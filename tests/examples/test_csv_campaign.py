"""The CSV campaign: a dry run that sends nothing, then results for each row, and no duplicates."""

import csv
import shutil
from pathlib import Path

import pytest

from tests.examples.programs import EXAMPLES, needs, run
from tests.support.service import TestAccount, TestService

FOLDER = EXAMPLES / "csv-campaign"
SCRIPT = str(FOLDER / "campaign.py")


@pytest.fixture
def account(running_service: TestService) -> TestAccount:
    needs("python")
    return running_service.account()


def campaign(account: TestAccount, folder: Path, *more: str) -> str:
    environment = {"TIDINGS_URL": account.service.url, "TIDINGS_API_KEY": account.key}
    words = ["python", SCRIPT, "guests.csv", "spring-2027", *more]
    return run(*words, folder=folder, env=environment)


def sent(account: TestAccount) -> int:
    return len(account.get("/messages").json()["data"])


def test_a_campaign_is_tried_sent_and_never_sent_twice(
    account: TestAccount, tmp_path: Path
) -> None:
    shutil.copy(FOLDER / "guests.csv", tmp_path)
    planned = campaign(account, tmp_path)
    assert (
        "3 would be sent, 3 to new people; done by" in planned
        and "row 5: messages[3].to" in planned
    )
    assert sent(account) == 0
    campaign(account, tmp_path, "--send")
    assert sent(account) == 3
    first = results(tmp_path)
    assert [row["name"] for row in first] == ["Dana", "Noam", "Gal", "Adi"]
    assert {row["status"] for row in first[:2]} <= {"sent", "delivered", "read"}
    assert [row["status"] for row in first[2:]] == ["failed", "INVALID_PHONE"]
    campaign(account, tmp_path, "--send")
    assert sent(account) == 3
    assert [row["status"] for row in results(tmp_path)[2:]] == ["failed", "INVALID_PHONE"]


def test_a_long_file_goes_in_several_batches(account: TestAccount, tmp_path: Path) -> None:
    lines = [f"9725{number:08},Guest {number}" for number in range(1001)]
    (tmp_path / "guests.csv").write_text("\n".join(["to,name", *lines]))
    planned = campaign(account, tmp_path)
    assert "batch 1: 1000 would be sent" in planned and "batch 2: 1 would be sent" in planned


def test_a_row_with_other_columns_is_named_before_anything_is_sent(
    account: TestAccount, tmp_path: Path
) -> None:
    for row in ("972501234567", "972501234567,Dana,Levi"):
        (tmp_path / "guests.csv").write_text(f"to,name\n972501234568,Noam\n{row}\n")
        with pytest.raises(AssertionError, match="row 3 has other columns than the first line"):
            campaign(account, tmp_path, "--send")
    assert sent(account) == 0


def results(folder: Path) -> list[dict[str, str]]:
    with (folder / "guests.results.csv").open(newline="") as file:
        return list(csv.DictReader(file))
