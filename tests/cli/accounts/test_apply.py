"""`tidings apply`: what it prints, refuses and previews, beside a running service (contract2 C)."""

import itertools
import json
from pathlib import Path

import httpx
import pytest

from tests.support.commands import Done, commands, run
from tests.support.service import TestService

_names = (f"applied-{n}" for n in itertools.count(1))

SECRET = "whsec_THE-SECRET"
NUMBERS = """[[accounts.numbers]]
number = "972555000001"
[[accounts.numbers]]
number = "972555000002"
"""


ONE_TO_CHANGE = "0 to add, 1 to change, 0 to remove.\n"


class Applying:
    """A file of one account, applied by the command."""

    def __init__(self, service: TestService, folder: Path, environment: str = "sandbox") -> None:
        self.service = service
        self.file = folder / "accounts.toml"
        self.name = next(_names)
        self.head = f'[[accounts]]\nname = "{self.name}"\nenvironment = "{environment}"\n'
        self._tidings = commands(service)

    def __call__(self, more: str, *words: str) -> Done:
        self.file.write_text(self.head + more)
        return self._tidings("apply", str(self.file), *words)

    def numbers(self) -> list[str]:
        rows = self.service.sql(
            "SELECT number FROM numbers n JOIN accounts a ON a.id = n.account_id"
            " WHERE a.name = $1 ORDER BY position",
            self.name,
        )
        return [row["number"] for row in rows]


@pytest.fixture
def applying(service: TestService, tmp_path: Path) -> Applying:
    return Applying(service, tmp_path)


def test_the_answer_is_json_on_stdout_and_the_changes_are_on_stderr(applying: Applying) -> None:
    made = applying(NUMBERS)
    assert made.code == 0
    [account] = json.loads(made.out)["accounts"]
    assert account["apiKey"].startswith("td_sandbox_")
    assert made.err.splitlines() == [
        f"+ {applying.name}: account (sandbox)",
        f"+ {applying.name}: number 972555000001",
        f"+ {applying.name}: number 972555000002",
        "3 added, 0 changed, 0 removed.",
    ]
    again = applying(NUMBERS)
    assert (again.code, again.err) == (0, "No changes.\n")
    assert "apiKey" not in again.out


def test_a_removal_is_refused_without_prune(applying: Applying) -> None:
    applying(NUMBERS)
    refused = applying("paused = true\nnumbers = []\n")
    assert (refused.code, refused.out) == (1, "")
    assert refused.err.splitlines()[1:] == [
        f"  - {applying.name}: number 972555000001",
        f"  - {applying.name}: number 972555000002",
        "Add them to the file, or remove them with --prune. --diff shows every change.",
    ]
    assert len(applying.numbers()) == 2
    pruned = applying("paused = true\nnumbers = []\n", "--prune")
    assert (pruned.code, applying.numbers()) == (0, [])
    assert "0 added, 1 changed, 2 removed." in pruned.err


def test_diff_prints_and_changes_nothing(applying: Applying) -> None:
    first = applying(NUMBERS, "--diff")
    assert first.code == 2
    assert first.out.splitlines() == [
        f"+ {applying.name}: account (sandbox)",
        f"+ {applying.name}: number 972555000001",
        f"+ {applying.name}: number 972555000002",
    ]
    assert first.err == "3 to add, 0 to change, 0 to remove.\n"
    assert applying.numbers() == []
    applying(NUMBERS)
    assert applying(NUMBERS, "--diff") == Done(0, "", "No changes.\n")
    fewer = NUMBERS[: NUMBERS.rindex("[[")] + 'displayName = "Acme"\n'
    for words in (["--diff"], ["--diff", "--prune"]):
        shown = applying(fewer, *words)
        assert shown.code == 2
        assert f"- {applying.name}: number 972555000002" in shown.out
        assert f"~ {applying.name}: number 972555000001 displayName none -> Acme" in shown.out
        assert ("need --prune" in shown.err) == (words == ["--diff"])
    assert applying.numbers() == ["972555000001", "972555000002"]
    faulty = applying("paused = 3\n", "--diff")
    assert (faulty.code, "paused must be true or false" in faulty.err) == (1, True)


def test_diff_tells_what_apply_would_refuse(applying: Applying) -> None:
    refused = applying('belongsTo = "nobody"\n', "--diff")
    assert (refused.code, refused.out) == (1, "")
    assert '"nobody" is none' in refused.err


def test_what_a_command_changed_since_is_overwritten_only_when_told_to(
    applying: Applying, service: TestService
) -> None:
    file = 'webhookUrl = "https://hooks.example.com/a"\n'
    applying(file)
    other = "https://hooks.example.com/b"
    commands(service)("webhooks", "set", applying.name, other).good()
    refused = applying(file)
    assert (refused.code, refused.out) == (1, "")
    change = f"{applying.name}: webhookUrl {other} -> https://hooks.example.com/a"
    assert f"\n  {change} (changed by " in refused.err and "--overwrite" in refused.err
    shown = applying(file, "--diff")
    assert shown.code == 2
    assert shown.out == f"~ {change}\n" and "without --overwrite, nothing" in shown.err
    overwriting = applying(file, "--diff", "--overwrite")
    assert (overwriting.out, overwriting.err) == (f"~ {change}\n", ONE_TO_CHANGE)
    assert applying(file, "--overwrite").code == 0
    assert applying(file).err == "No changes.\n"


def test_diff_makes_no_database(tmp_path: Path) -> None:
    file = tmp_path / "accounts.toml"
    file.write_text('[[accounts]]\nname = "first"\nenvironment = "sandbox"\n' + NUMBERS)
    env = {"TIDINGS_DATA": str(tmp_path / "data"), "TIDINGS_DATABASE_URL": ""}
    shown = run("apply", str(file), "--diff", env=env)
    assert (shown.code, len(shown.out.splitlines())) == (2, 3)
    assert "3 to add, 0 to change, 0 to remove." in shown.err
    assert [one.name for one in tmp_path.iterdir()] == ["accounts.toml"]


def test_a_given_secret_of_a_live_account_is_answered_once(
    service: TestService, tmp_path: Path
) -> None:
    live = Applying(service, tmp_path, "live")
    key = f"td_live_{live.name}-0123456789-0123456789-0123456789"
    given = f'apiKey = "{key}"\nsigningSecret = "{SECRET}"\n'
    [made] = json.loads(live(given).out)["accounts"]
    assert (made["apiKey"], made["signingSecret"]) == (key, SECRET)
    again = live(given + "paused = true\n")
    assert [sorted(one) for one in json.loads(again.out)["accounts"]] == [
        ["environment", "id", "name"]
    ]
    assert again.err == f"~ {live.name}: paused false -> true\n0 added, 1 changed, 0 removed.\n"
    other = live(given.replace(SECRET, SECRET + "-2"))
    [rotated] = json.loads(other.out)["accounts"]
    assert rotated["signingSecret"] == SECRET + "-2"
    assert "apiKey" not in rotated
    assert f"~ {live.name}: signingSecret changed" in other.err and SECRET not in other.err


def test_a_running_service_follows(applying: Applying) -> None:
    key = json.loads(applying(NUMBERS).out)["accounts"][0]["apiKey"]
    applying("dailyLimit = 7\nrequestsPerMinute = 100000\n")

    def limits() -> dict[str, object]:
        answer = applying.service.http.get("/api/v1/limits", headers={"x-api-key": key})
        found: dict[str, object] = answer.json()["data"]
        return found

    assert limits()["account"] == {
        "dailyLimit": 7, "used": 0, "remaining": 7, "requestsPerMinute": 100000,
    }  # fmt: skip
    shown: httpx.Response = applying.service.http.get(
        "/api/v1/sender/health", headers={"x-api-key": key}
    )
    assert len(shown.json()["data"]["numbers"]) == 2, "left out, and left alone"
