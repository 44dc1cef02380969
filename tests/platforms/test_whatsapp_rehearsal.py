"""docs/going-live.md, followed to the letter against the simulator: from the account in the guide
to a message that was read."""

import re
from pathlib import Path
from typing import Any

import pytest

from tests.support.service import TestAccount, TestService
from tests.support.waiting import eventually
from tidings.features.templates.sync import sync_account
from tidings_simulator.simulator import APP_SECRET, VERIFY_TOKEN, VERSION

DOCS = Path(__file__).parents[2] / "docs"
GUIDE = (DOCS / "going-live.md").read_text()
TOML = re.findall(r"```toml\n(.*?)```", GUIDE, re.DOTALL)
BODIES = [body for body in re.findall(r"-d '(\{.*?\})'", GUIDE) if "clientMessageId" in body]


@pytest.fixture(scope="module")
def account(live_service: TestService) -> TestAccount:
    made = TestAccount(live_service, live_service.apply(TOML[0])[0])
    eventually(lambda: made.get("/templates").json()["data"])
    return made


def post(account: TestAccount, body: str) -> dict[str, Any]:
    headers = {"content-type": "application/json"}
    answer = account.post("/messages/text", content=body, headers=headers)
    assert answer.status_code in (200, 202), answer.text
    data: dict[str, Any] = answer.json()["data"]
    return data


def test_the_guide_prints_the_settings_that_the_simulator_does() -> None:
    for value in (APP_SECRET, VERIFY_TOKEN, VERSION):
        assert f"={value}\n" in GUIDE


def test_the_rehearsal_ends_with_a_message_that_was_read(account: TestAccount) -> None:
    ready = account.get("/readiness").json()["data"]
    assert ready["numbers"] == [{"number": "972555000001", "ready": True, "reason": None}]
    assert post(account, BODIES[0])["status"] == "sent"
    eventually(lambda: account.status("rehearsal-1")["status"] == "read")


def test_the_first_live_message_of_the_guide_goes(account: TestAccount) -> None:
    body = BODIES[1].replace("YOUR OWN NUMBER", "972501234568")
    assert post(account, body)["status"] == "sent"


@pytest.mark.parametrize(
    ("last_four", "status"), [("9014", "failed"), ("9020", "deferred"), ("9024", "sending")]
)
def test_what_the_guide_says_can_go_wrong_does(
    account: TestAccount, last_four: str, status: str
) -> None:
    body = BODIES[0].replace("rehearsal-1", f"rehearsal-{last_four}")
    assert post(account, body.replace("972501234567", f"97250123{last_four}"))["status"] == status


def test_the_blocked_number_of_the_guide_is_shown_as_it_says(account: TestAccount) -> None:
    body = BODIES[0].replace("rehearsal-1", "rehearsal-9030")
    data = post(account, body.replace("972501234567", "972501239030"))
    assert data["reason"] == "NUMBER_UNHEALTHY"
    health = account.get("/sender/health").json()["data"]
    assert health["numbers"][0]["status"] == "BLOCKED"
    reason = account.get("/readiness").json()["data"]["numbers"][0]["reason"]
    assert "ACCESS_TOKEN_INVALID" in reason


def test_a_sync_that_finds_the_number_well_ends_the_block_when_its_trial_is_due(
    live_service: TestService, account: TestAccount
) -> None:
    def read_anew() -> str:
        ctx = live_service.ctx
        live_service.call(lambda: sync_account(ctx.db, ctx.graph, ctx.sealer, account.id))
        status: str = account.get("/sender/health").json()["data"]["numbers"][0]["status"]
        return status

    assert read_anew() == "BLOCKED"
    due = "UPDATE numbers SET half_open_at = now() WHERE account_id = $1 RETURNING number"
    for _ in range(20):  # the message that waits may try too, and be refused again
        live_service.sql(due, account.id)
        if read_anew() == "CONNECTED":
            break
    turns = [event["data"]["current"]["status"] for event in account.events("sender.health")]
    assert turns[:2] == ["BLOCKED", "CONNECTED"]


def test_the_account_of_the_guide_can_be_applied(live_service: TestService) -> None:
    toml = TOML[1].replace("env:ACME_TOKEN", "EAAG").replace("https://hooks", "http://hooks")
    assert live_service.apply(toml)[0]["apiKey"].startswith("td_live_")


def test_every_failure_that_the_guide_names_exists_and_every_page_it_leads_to() -> None:
    known = (DOCS / "failures.md").read_text()
    named = set(re.findall(r"`([A-Z]+(?:_[A-Z]+)+)`", GUIDE))
    words = {word for word in named if not word.startswith("TIDINGS_")}
    beside = {"NUMBER_LIMIT", "ACCOUNT_LIMIT", "NUMBER_UNHEALTHY"}
    assert {word for word in words - beside if f"`{word}`" not in known} == set()
    for target in re.findall(r"\]\((?!https?:)([^)#]+)", GUIDE):
        assert (DOCS / target).exists(), target
