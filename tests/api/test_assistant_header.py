"""X-Assistant: what an assistant does through the API is in the audit log, by its name."""

import json
from typing import Any

from tests.support.answers import refused
from tests.support.passcodes import CODE, ONE
from tests.support.service import GUEST, TestAccount, TestService
from tests.support.text import MISSING, body
from tidings.limits import LOOKUP_ID_CHARS_MAX

NAMED = {"X-Assistant": "tidings-mcp/1.0 (claude-desktop)"}


def entries(account: TestAccount) -> list[dict[str, Any]]:
    found = account.service.sql(
        """
        SELECT actor_kind, actor, address, subject, details::text FROM audit_log
         WHERE account_id = $1 AND action = 'api.called' ORDER BY id
        """,
        account.id,
    )
    return [one | {"details": json.loads(one["details"])} for one in found]


def test_an_act_is_recorded_with_who_and_what(account: TestAccount) -> None:
    answer = account.post("/messages/text", body(), headers=NAMED)
    (entry,) = entries(account)
    assert (entry["actor_kind"], entry["actor"]) == ("assistant", NAMED["X-Assistant"])
    assert (entry["subject"], entry["address"]) == ("POST /messages/text", "127.0.0.1")
    assert entry["details"]["requestId"] == answer.headers["x-request-id"]
    assert entry["details"]["clientMessageId"] == "order-0001"
    assert account.key.startswith(entry["details"]["key"])
    assert account.key not in str(entry) and GUEST not in str(entry)


def test_a_refused_act_is_recorded_too(account: TestAccount) -> None:
    answer = account.post("/webhooks/failed/whk_1/retry", headers=NAMED)
    refused(answer, 404, "NOT_FOUND")
    (entry,) = entries(account)
    assert entry["subject"] == "POST /webhooks/failed/{webhookId}/retry"
    assert entry["details"]["webhookId"] == "whk_1"


def test_the_key_of_a_request_is_recorded_as_its_id(account: TestAccount) -> None:
    sent = body(clientMessageId=MISSING)
    account.post("/messages/text", sent, headers=NAMED | {"Idempotency-Key": "order-0001"})
    account.post("/links", {"url": "https://example.com"}, headers=NAMED | {"Idempotency-Key": "x"})
    named = [one["details"].get("clientMessageId") for one in entries(account)]
    assert named == ["order-0001", None], "links have no such header"


def test_an_id_of_the_path_is_recorded_up_to_the_length_of_any_id(account: TestAccount) -> None:
    refused(account.post(f"/batches/{'b' * 5000}/cancel", headers=NAMED), 404, "NOT_FOUND")
    (entry,) = entries(account)
    assert entry["details"]["batchId"] == "b" * LOOKUP_ID_CHARS_MAX


def test_reads_checks_dry_runs_and_everybody_else_are_not(account: TestAccount) -> None:
    account.post("/messages/text", body())
    account.service.http.get("/api/v1/balance", headers=account.headers | NAMED)
    account.post("/optouts/check", {"numbers": [GUEST]}, headers=NAMED)
    account.post("/messages/text", body(), headers=NAMED | {"X-Dry-Run": "true"})
    assert entries(account) == []


def test_nothing_of_a_passcode_is_recorded(service: TestService) -> None:
    account = service.account(ONE)
    sent = {"to": GUEST, "code": CODE, "clientMessageId": f"login-{CODE}"}
    assert account.post("/messages/otp", sent, headers=NAMED).status_code == 200
    (entry,) = entries(account)
    assert CODE not in str(entry)


def test_a_name_that_cannot_be_shown_is_left_out(account: TestAccount) -> None:
    account.post("/messages/text", body(), headers={"X-Assistant": ""})
    account.post("/messages/text", body(), headers={"X-Assistant": "n" * 500})
    account.post("/messages/text", body(), headers={"X-Assistant": b"\xff"})
    named = ["unnamed assistant", "n" * 100, "\ufffd"]
    assert [one["actor"] for one in entries(account)] == named


def test_a_name_may_be_in_any_script(account: TestAccount) -> None:
    account.post("/messages/text", body(), headers={"X-Assistant": "Zoë עוזר".encode()})
    assert [one["actor"] for one in entries(account)] == ["Zoë עוזר"]
