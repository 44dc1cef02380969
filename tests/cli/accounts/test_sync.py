"""`tidings sync`, as an operator runs it."""

from pathlib import Path

from tests.support.commands import Done, database_environment, run
from tests.support.database import fresh_database
from tests.support.pages import Pages

FILE = """
[[accounts]]
name = "acme"
environment = "live"
[[accounts.numbers]]
number = "972555000001"
phoneNumberId = "1055"
wabaId = "2077"
accessToken = "token"
[[accounts]]
name = "box"
environment = "sandbox"
"""
HELLO = {
    "id": "1", "name": "hello", "language": "en", "status": "APPROVED", "category": "UTILITY",
    "components": [{"type": "BODY", "text": "Hello"}],
}  # fmt: skip
NUMBER = {"id": "1055", "status": "CONNECTED", "quality_rating": "YELLOW",
          "whatsapp_business_manager_messaging_limit": "TIER_250"}  # fmt: skip


def test_numbers_and_templates_are_read_and_an_absent_platform_is_reported(
    tmp_path: Path,
) -> None:
    env = database_environment(fresh_database(), tmp_path)
    with Pages() as pages:
        env["TIDINGS_GRAPH_URL"] = pages.url

        def sync(*words: str) -> Done:
            return run("sync", *words, env=env)

        pages.list("2077/phone_numbers", [NUMBER])
        pages.list("2077/message_templates", [HELLO, HELLO | {"name": "b", "status": "PAUSED"}])
        run("apply", "-", env=env, text=FILE).good()
        [account] = sync("--json").json()["accounts"]
        assert (account["name"], account["changed"], account["problem"]) == ("acme", True, None)
        assert account["templates"] == {"total": 2, "usable": 1}
        assert account["numbers"] == [
            {"number": "972555000001", "status": "CONNECTED", "qualityRating": "YELLOW",
             "dailyLimit": 250, "perSecond": 80}
        ]  # fmt: skip
        again = sync("--account", "acme").good()
        assert "unchanged" in again and "1 of 2 usable" in again
        sync("--account", "box").refused("sandbox account")
        sync("--account", "nobody").refused("There is no account")
    failed = sync("--json")
    failed.refused("acme")
    [account] = Done(0, failed.out, "").json()["accounts"]
    assert account["problem"] and account["templates"]["total"] == 2
