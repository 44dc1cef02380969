"""Keys, accounts, rates and the envelope over the whole service (sections 2.1, 5, 7, 8)."""

from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest

from tests.support.clock import STANDING
from tests.support.service import GUEST, NUMBER, TestAccount, TestService, account_toml

KEYED = [
    ("POST", "/api/v1/messages/text"),
    ("GET", "/api/v1/messages/order-0001"),
    ("GET", "/sandbox/v1/clock"),
    ("POST", "/sandbox/v1/clock"),
    ("POST", "/sandbox/v1/replies"),
    ("GET", f"/sandbox/v1/phones/{GUEST}"),
]
SOUND = {"clientMessageId": "order-0001", "to": GUEST, "templateName": "plain"}


def require_error(answer: httpx.Response, status: int, code: str) -> dict[str, Any]:
    assert answer.status_code == status, answer.text
    assert answer.json()["success"] is False
    error: dict[str, Any] = answer.json()["error"]
    assert error["code"] == code, answer.text
    assert error["message"] and error["requestId"] == answer.headers["X-Request-Id"]
    assert error["docUrl"].startswith("http")
    assert answer.headers["Cache-Control"] == "no-store"
    return error


# Health


@pytest.mark.quick
def test_health_needs_no_key_and_has_three_fields(service: TestService) -> None:
    answer = service.http.get("/api/v1/health")
    assert answer.status_code == 200
    assert set(answer.json()) == {"success", "service", "now"}
    assert answer.json()["success"] is True
    assert isinstance(answer.json()["service"], str)
    now = datetime.strptime(answer.json()["now"], "%Y-%m-%dT%H:%M:%S.%fZ").replace(tzinfo=UTC)
    assert abs(STANDING.now() - now) < timedelta(seconds=5)
    assert answer.headers["X-Request-Id"]


def test_health_does_not_look_at_a_key(service: TestService) -> None:
    answer = service.http.get("/api/v1/health", headers={"x-api-key": "nonsense"})
    assert answer.status_code == 200


def test_every_answer_has_a_request_id_of_its_own(service: TestService) -> None:
    ids = {service.http.get("/api/v1/health").headers["X-Request-Id"] for _ in range(5)}
    assert len(ids) == 5


# Keys


@pytest.mark.parametrize(("method", "path"), KEYED)
def test_without_a_key_nothing_is_disclosed(service: TestService, method: str, path: str) -> None:
    answer = service.http.request(method, path, json={} if method == "POST" else None)
    require_error(answer, 401, "UNAUTHORIZED")
    assert "environment" not in answer.json()


def test_an_empty_key_is_a_missing_one(service: TestService) -> None:
    answer = service.http.get("/api/v1/messages/order-0001", headers={"x-api-key": ""})
    require_error(answer, 401, "UNAUTHORIZED")


def test_a_key_elsewhere_is_a_missing_one(account: TestAccount) -> None:
    path = f"/api/v1/messages/order-0001?x-api-key={account.key}"
    bearer = {"Authorization": f"Bearer {account.key}"}
    require_error(account.service.http.get(path, headers=bearer), 401, "UNAUTHORIZED")


def test_a_key_that_is_not_exactly_the_accounts_is_invalid(account: TestAccount) -> None:
    key: str = account.key
    wrong: list[Any] = [key[:-1], key + "a", key.upper(), key.swapcase(), key[:-1] + "!"]
    wrong += [key.replace("sandbox", "live"), "td_sandbox_", "k" * 10_000, account.secret]
    wrong += [key.encode() + b"\xff", "ключ".encode(), f"{key}, {key}"]
    for text in wrong:
        answer = account.service.http.get("/sandbox/v1/clock", headers={"x-api-key": text})
        require_error(answer, 401, "INVALID_API_KEY")
        assert "environment" not in answer.json()
        assert key not in answer.text


def test_the_refusal_of_an_unknown_key_names_a_command_that_exists(account: TestAccount) -> None:
    headers = {"x-api-key": account.key + "a"}
    answer = account.service.http.get("/sandbox/v1/clock", headers=headers)
    error = require_error(answer, 401, "INVALID_API_KEY")
    assert "tidings keys rotate" in error["message"]
    assert "portal" not in error["message"]


def test_two_keys_are_no_key(service: TestService) -> None:
    one, two = service.account(), service.account()
    headers = [("x-api-key", one.key), ("x-api-key", two.key)]
    require_error(service.http.get("/sandbox/v1/clock", headers=headers), 401, "INVALID_API_KEY")


def test_the_name_of_the_header_has_no_case(account: TestAccount) -> None:
    for name in ("X-API-KEY", "X-Api-Key"):
        answer = account.service.http.get("/sandbox/v1/clock", headers={name: account.key})
        assert answer.status_code == 200


def test_keys_and_secrets_have_their_shape(service: TestService) -> None:
    account = service.account()
    assert account.key.startswith("td_sandbox_") and account.secret.startswith("whsec_")
    assert len(account.key) > 40 and len(account.secret) > 40


def test_the_key_is_judged_before_the_body(service: TestService) -> None:
    raw = {"content": b"{not json", "headers": {"Content-Type": "text/plain"}}
    require_error(service.http.post("/api/v1/messages/text", **raw), 401, "UNAUTHORIZED")


def test_a_changed_key_is_a_rotation_and_both_work_for_a_while(service: TestService) -> None:
    first, second = (f"td_sandbox_{letter * 43}" for letter in "AB")
    account = service.account(name="rotating", apiKey=first)
    assert account.get("/sandbox/v1/clock").status_code == 200
    service.apply(account_toml(name="rotating", apiKey=second))
    for key in (first, second):
        answer = service.http.get("/sandbox/v1/clock", headers={"x-api-key": key})
        assert answer.status_code == 200, answer.text


# Disabled accounts


def test_a_disabled_account_is_refused_before_its_body_is_read(service: TestService) -> None:
    account = service.account(active=False)
    kind = {"Content-Type": "application/json"}
    for answer in (
        account.send(**SOUND),
        account.post("/messages/text", content=b"{", headers=kind),
        account.get("/messages/order-0001"),
        account.get("/sandbox/v1/clock"),
    ):
        require_error(answer, 403, "APP_INACTIVE")
        assert answer.json()["environment"] == "sandbox"


def test_disabling_takes_hold_while_the_service_runs(service: TestService) -> None:
    account = service.account(name="on-and-off")
    assert account.send(**SOUND).status_code == 200
    service.apply(account_toml(name="on-and-off", active=False))
    require_error(account.get("/messages/order-0001"), 403, "APP_INACTIVE")
    service.apply(account_toml(name="on-and-off"))
    assert account.get("/messages/order-0001").status_code == 200


# Live keys and the sandbox


@pytest.fixture(scope="module")
def live(service: TestService) -> TestAccount:
    more = f"""
        [[accounts.numbers]]
        number = "{NUMBER}"
        phoneNumberId = "1055"
        wabaId = "2077"
        accessToken = "token"
        # no accounts.templates: the platform has them
    """
    return service.account(more, environment="live")


@pytest.mark.parametrize(("method", "path"), [row for row in KEYED if "sandbox" in row[1]])
def test_with_a_live_key_the_sandbox_does_not_exist(
    live: TestAccount, method: str, path: str
) -> None:
    for content in (b"{}", b"{"):
        answer = live.service.http.request(
            method,
            path,
            headers=live.headers | {"Content-Type": "application/json"},
            content=content if method == "POST" else None,
        )
        error = require_error(answer, 404, "NOT_FOUND")
        assert "sandbox" not in error["message"].lower()


def test_the_environment_of_a_live_account_is_live(live: TestAccount) -> None:
    answer = live.get("/messages/order-0001")
    require_error(answer, 404, "MESSAGE_NOT_FOUND")
    assert answer.json()["environment"] == "live"


# Addresses and methods


def test_an_unknown_address_is_not_found(account: TestAccount) -> None:
    for path in ("/api/v1/nothing", "/api/v2/health", "/api/v1/messages/a/b", "/sandbox/v1/x"):
        require_error(account.get(path), 404, "NOT_FOUND")


def test_a_known_account_learns_its_environment_from_every_refusal(account: TestAccount) -> None:
    for answer in (
        account.get("/api/v1/nothing"),
        account.service.http.put("/api/v1/messages/text", headers=account.headers),
        account.get("/messages/order-0001"),
        account.send(),
    ):
        assert answer.json()["environment"] == "sandbox", answer.text


def test_a_wrong_method_is_answered_with_the_allowed_ones(account: TestAccount) -> None:
    answer = account.service.http.put("/api/v1/messages/text", headers=account.headers, json={})
    require_error(answer, 405, "NOT_FOUND")
    assert "POST" in answer.headers["Allow"]
    answer = account.delete("/health")
    require_error(answer, 405, "NOT_FOUND")
    assert "GET" in answer.headers["Allow"]


# Rates


def test_the_request_past_the_limit_succeeds_after_retry_after(service: TestService) -> None:
    account = service.account(requestsPerMinute=60)
    answers = [account.get("/messages/order-0001") for _ in range(60)]
    assert {answer.status_code for answer in answers} == {404}
    remaining = [int(answer.headers["RateLimit-Remaining"]) for answer in answers]
    assert remaining == sorted(remaining, reverse=True)
    assert {answer.headers["RateLimit-Limit"] for answer in answers} == {"60"}
    refused = account.get("/messages/order-0001")
    require_error(refused, 429, "RATE_LIMIT_EXCEEDED")
    assert refused.json()["environment"] == "sandbox"
    assert refused.headers["RateLimit-Remaining"] == "0"
    wait = int(refused.headers["Retry-After"])
    assert wait == 1
    STANDING.advance(seconds=wait)
    assert account.get("/messages/order-0001").status_code == 404


def test_a_rate_refusal_comes_before_the_body_and_stores_nothing(service: TestService) -> None:
    account = service.account(requestsPerMinute=1)
    assert account.get("/messages/order-0001").status_code == 404
    require_error(account.send(**SOUND), 429, "RATE_LIMIT_EXCEEDED")
    require_error(account.send(), 429, "RATE_LIMIT_EXCEEDED")
    query = "SELECT count(*) AS n FROM messages WHERE account_id = $1"
    assert service.sql(query, account.id)[0]["n"] == 0


def test_one_accounts_rate_is_not_anothers(service: TestService) -> None:
    busy, quiet = service.account(requestsPerMinute=1), service.account(requestsPerMinute=1)
    busy.get("/messages/order-0001")
    require_error(busy.get("/messages/order-0001"), 429, "RATE_LIMIT_EXCEEDED")
    assert quiet.get("/messages/order-0001").status_code == 404


def test_the_accounts_clock_does_not_free_its_rate(service: TestService) -> None:
    account = service.account(requestsPerMinute=2)
    account.advance(days=1)
    account.get("/messages/order-0001")
    require_error(account.get("/messages/order-0001"), 429, "RATE_LIMIT_EXCEEDED")
