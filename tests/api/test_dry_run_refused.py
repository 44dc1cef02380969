"""X-Dry-Run where there is no preflight: refused, and nothing done (contract2.md A, E)."""

from typing import Any

import pytest

from tests.support.batches import IMAGE, item, row_counts, submit
from tests.support.forms import form_toml
from tests.support.invitations import event_body
from tests.support.partners import TERMS
from tests.support.passcodes import ONE
from tests.support.service import GUEST, NUMBER, TestAccount, TestService
from tests.support.text import ahead

DRY = {"X-Dry-Run": "true"}
PREFLIGHTS = {"/api/v1/messages/text", "/api/v1/messages/rich", "/api/v1/messages/bulk"}
CHECKS = {"/api/v1/numbers/check", "/api/v1/optouts/check", "/api/v1/webhooks/verify"}

# A sound body of everything that changes something and has no preflight.
CHANGES: dict[tuple[str, str], Any] = {
    ("post", "/api/v1/messages/otp"): {"to": GUEST, "code": "482913"},
    ("post", "/api/v1/messages/upload"): {"mediaBase64": IMAGE},
    ("post", "/api/v1/feedback/send"): {"to": GUEST, "formId": "visit"},
    ("post", "/api/v1/links"): {"url": "https://example.com/menu"},
    ("post", "/api/v1/batches/{batchId}/cancel"): None,
    ("post", "/api/v1/events"): event_body(),
    ("post", "/api/v1/events/{eventId}/guests/{to}/answer"): {"answer": "yes"},
    ("delete", "/api/v1/optouts/{phoneNumber}"): None,
    ("post", "/api/v1/webhooks/failed/{webhookId}/retry"): None,
    ("post", "/api/v1/webhooks/failed/retry"): {"since": "2026-01-01T00:00:00Z"},
    ("post", "/api/v1/partner/topups"): {"messages": 10},
    ("post", "/api/v1/partner/transfers"): {"amount": 10, "reference": "bank-1"},
    ("post", "/sandbox/v1/clock"): {"advanceSeconds": 3600},
    ("post", "/sandbox/v1/webhooks"): {"type": "message.status"},
    ("post", "/sandbox/v1/replies"): {"from": GUEST, "text": "hello"},
    ("post", "/sandbox/v1/senders/{number}"): {"quality": "RED"},
    ("post", "/sandbox/v1/invoices/{number}/pay"): None,
}


@pytest.fixture
def partner(service: TestService) -> TestAccount:
    return service.account(form_toml() + ONE, partner=TERMS)


def changing(service: TestService) -> dict[tuple[str, str], dict[str, Any]]:
    """The operations of the reference that a caller with a key can change something by."""
    paths = service.http.get("/api/v1/openapi.json").json()["paths"]
    return {
        (method, path): operation
        for path, methods in paths.items()
        for method, operation in methods.items()
        if method != "get" and operation.get("security") != [] and path not in CHECKS
    }


def ask(account: TestAccount, method: str, path: str, body: Any, headers: dict[str, str]) -> Any:
    json = {} if body is None else {"json": body}
    return account.service.http.request(method, path, headers=account.headers | headers, **json)


def offset(account: TestAccount) -> int:
    seconds: int = account.get("/sandbox/v1/clock").json()["data"]["offsetSeconds"]
    return seconds


def test_every_endpoint_that_changes_something_is_known(service: TestService) -> None:
    assert {key for key in changing(service) if key[1] not in PREFLIGHTS} == set(CHANGES)


def test_it_is_refused_and_nothing_is_done(partner: TestAccount) -> None:
    batch = submit(partner, [item(1, scheduledFor=ahead(days=1))])["batchId"]
    partner.post("/sandbox/v1/replies", {"from": GUEST, "stop": True})
    names = {"{batchId}": batch, "{phoneNumber}": GUEST, "{number}": NUMBER, "{webhookId}": "whk_1",
             "{eventId}": "wedding", "{to}": GUEST}  # fmt: skip
    before = row_counts(partner), offset(partner)
    for (method, path), body in CHANGES.items():
        for name, value in names.items():
            path = path.replace(name, value)
        answer = ask(partner, method, path, body, DRY)
        assert answer.status_code == 400, (path, answer.text)
        error = answer.json()["error"]
        assert (error["code"], error["field"]) == ("VALIDATION_ERROR", "X-Dry-Run"), path
        assert "X-Dry-Run" in error["message"]
        answer = ask(partner, method, path, body, {"X-Dry-Run": "perhaps"})
        assert (answer.status_code, answer.json()["error"]["field"]) == (400, "X-Dry-Run"), path
    assert (row_counts(partner), offset(partner)) == before
    checked = partner.post("/optouts/check", {"numbers": [GUEST]}).json()["data"]["numbers"]
    assert checked[0]["optedOut"] is True
    assert partner.status("item-00001")["status"] == "scheduled"
    (number,) = partner.get("/sender/health").json()["data"]["numbers"]
    assert number["qualityRating"] == "GREEN"


def test_false_goes_ahead(partner: TestAccount) -> None:
    body = {"url": "https://example.com/menu"}
    answer = partner.post("/links", body, headers={"X-Dry-Run": "false"})
    assert answer.status_code == 200, answer.text


@pytest.mark.parametrize("value", ["true", "perhaps"])
def test_reads_and_checks_ignore_it(partner: TestAccount, value: str) -> None:
    header = {"X-Dry-Run": value}
    for method, path, body in (
        ("get", "/balance", None),
        ("get", "/templates", None),
        ("get", "/webhooks/failed", None),
        ("post", "/numbers/check", {"numbers": [GUEST]}),
        ("post", "/optouts/check", {"numbers": [GUEST]}),
    ):
        answer = ask(partner, method, f"/api/v1{path}", body, header)
        assert answer.status_code == 200, (path, answer.text)
    assert ask(partner, "get", "/sandbox/v1/clock", None, header).status_code == 200


def test_the_reference_says_so(service: TestService) -> None:
    for (method, path), operation in changing(service).items():
        header = [each for each in operation["parameters"] if each["name"] == "X-Dry-Run"]
        assert len(header) == 1, (method, path)
        refused = "refused" in header[0]["description"]
        assert refused is (path not in PREFLIGHTS), (method, path)
    paths = service.http.get("/api/v1/openapi.json").json()["paths"]
    check = paths["/api/v1/numbers/check"]["post"]
    assert "X-Dry-Run" not in [each["name"] for each in check["parameters"]]
