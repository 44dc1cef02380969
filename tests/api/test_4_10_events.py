"""POST /events and GET /events/{eventId} (4.10), black box."""

from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from tests.support.database import fresh_database
from tests.support.invitations import (
    TEXTS,
    event_body,
    get_event,
    invite,
    later,
    register,
    require_refused,
)
from tests.support.names import named
from tests.support.service import GUEST, NUMBER, TestAccount, TestService
from tests.support.waiting import patiently

SECOND = "972555000002"
NUMBERS = "".join(f'[[accounts.numbers]]\nnumber = "{n}"\n' for n in (NUMBER, SECOND))
SHAPE = {
    "eventId", "eventDate", "callbackUrl", "texts", "defaults", "locked", "sentInvitations",
    "replies", "createdAt", "updatedAt",
}  # fmt: skip


def when(text: str) -> datetime:
    return datetime.fromisoformat(text)


# Registering


def test_a_time_that_only_the_account_has_passed_is_refused_with_its_time(
    account: TestAccount,
) -> None:
    account.advance(days=1)
    account_time = account.get("/sandbox/v1/clock").json()["data"]["now"]
    body = event_body(defaults={"expiresAt": later(hours=6)})
    error = require_refused(
        account.post("/events", body), "VALIDATION_ERROR", field="defaults.expiresAt"
    )
    assert f"the account's time is {account_time[:10]}" in error["message"]
    ending = {"kind": "invitation", "expiresAt": later(hours=6)}
    answer = account.send(clientMessageId="too-late", to=GUEST, templateName="invite", **ending)
    error = require_refused(answer, "VALIDATION_ERROR", field="expiresAt")
    assert f"the account's time is {account_time[:10]}" in error["message"]


@pytest.mark.quick
def test_a_new_event_is_201_with_all_its_settings(account: TestAccount) -> None:
    defaults = {
        "expiresAt": later(days=20), "undeliveredTimeoutMinutes": 60, "nudgeAfterMinutes": 30,
        "sentFrom": NUMBER,
    }  # fmt: skip
    body = event_body(defaults=defaults)
    answer = account.post("/events", body)
    assert answer.status_code == 201, answer.text
    assert answer.json()["environment"] == "sandbox"
    data = answer.json()["data"]
    assert set(data) == SHAPE | {"duplicate"}
    assert (data["eventId"], data["callbackUrl"]) == ("wedding", body["callbackUrl"])
    assert when(data["eventDate"]) == when(body["eventDate"])
    assert data["texts"] == TEXTS
    assert when(data["defaults"].pop("expiresAt")) == when(defaults.pop("expiresAt"))
    assert data["defaults"] == defaults
    assert (data["locked"], data["sentInvitations"], data["duplicate"]) == (False, 0, False)
    assert set(data["replies"].values()) == {0}


def test_what_is_not_given_is_null(account: TestAccount) -> None:
    data = register(account)
    assert data["defaults"] == {
        "expiresAt": None, "undeliveredTimeoutMinutes": None, "nudgeAfterMinutes": None,
        "sentFrom": None,
    }  # fmt: skip


def test_get_answers_what_post_answered(account: TestAccount) -> None:
    made = register(account, defaults={"expiresAt": later(days=1), "sentFrom": NUMBER})
    found = get_event(account)
    assert set(found) == SHAPE
    assert found | {"duplicate": False} == made


def test_an_unchanged_body_is_a_duplicate(account: TestAccount) -> None:
    body = event_body(defaults={"nudgeAfterMinutes": 5})
    first = account.post("/events", body).json()["data"]
    again = account.post("/events", body)
    assert again.status_code == 200
    assert again.json()["data"] == first | {"duplicate": True}


def test_the_same_in_other_words_is_a_duplicate(account: TestAccount) -> None:
    body = event_body(eventDate="2030-06-01T18:00:00Z", defaults={"sentFrom": None})
    account.post("/events", body)
    other = body | {"eventDate": "2030-06-01T21:00:00+03:00", "confirmLockedChange": False}
    del other["defaults"]
    assert account.post("/events", other).json()["data"]["duplicate"] is True


@pytest.mark.parametrize(
    "change",
    [
        {"eventDate": "2031-01-01T00:00:00Z"},
        {"callbackUrl": "https://other.example.com/"},
        {"texts": TEXTS | {"nudge": "Well?"}},
        {"defaults": {"undeliveredTimeoutMinutes": 5}},
        {"defaults": {"sentFrom": NUMBER}},
    ],
    ids=named,
)
def test_a_changed_body_updates(account: TestAccount, change: dict[str, Any]) -> None:
    body = event_body()
    account.post("/events", body)
    answer = account.post("/events", body | change)
    assert answer.status_code == 200, answer.text
    data = answer.json()["data"]
    assert data["duplicate"] is False
    found = get_event(account)
    assert found == {name: value for name, value in data.items() if name != "duplicate"}
    (name, value) = next(iter(change.items()))
    if name == "eventDate":
        assert when(found["eventDate"]) == when(value)
    elif name == "defaults":
        assert found["defaults"].items() >= value.items()
    else:
        assert found[name] == value


def test_what_a_changed_body_leaves_out_is_gone(account: TestAccount) -> None:
    body = event_body(defaults={"nudgeAfterMinutes": 5, "sentFrom": NUMBER})
    account.post("/events", body)
    account.post("/events", body | {"defaults": {"sentFrom": None}})
    assert set(get_event(account)["defaults"].values()) == {None}


def test_64_at_once_are_one_201_and_63_200(account: TestAccount) -> None:
    body = event_body()

    def post(_: int) -> tuple[int, bool]:
        answer = patiently(lambda: account.post("/events", body))
        return answer.status_code, answer.json()["data"]["duplicate"]

    with ThreadPoolExecutor(16) as pool:
        answers = list(pool.map(post, range(64)))
    assert sorted(answers) == [(200, True)] * 63 + [(201, False)]


# What is refused


def without(*path: str) -> dict[str, Any]:
    body = event_body()
    place = body
    for name in path[:-1]:
        place[name] = dict(place[name])
        place = place[name]
    del place[path[-1]]
    return body


@pytest.mark.parametrize(
    ("body", "field"),
    [
        (without("eventId"), "eventId"),
        (without("eventDate"), "eventDate"),
        (without("callbackUrl"), "callbackUrl"),
        (without("texts"), "texts"),
        (without("texts", "invalidReply"), "texts.invalidReply"),
        (without("texts", "nudge"), "texts.nudge"),
        (without("texts", "expired"), "texts.expired"),
        (event_body("abc"), "eventId"),
        (event_body("x" * 65), "eventId"),
        (event_body("    "), "eventId"),
        (event_body("line\nbreak"), "eventId"),
        (event_body(5), "eventId"),
        (event_body(eventDate="2030-01-01"), "eventDate"),
        (event_body(eventDate="2030-01-01T00:00:00"), "eventDate"),
        (event_body(eventDate="soon"), "eventDate"),
        (event_body(eventDate=None), "eventDate"),
        (event_body(eventDate=1893456000), "eventDate"),
        (event_body(texts=TEXTS | {"nudge": ""}), "texts.nudge"),
        (event_body(texts=TEXTS | {"nudge": "  \n"}), "texts.nudge"),
        (event_body(texts=TEXTS | {"nudge": "x" * 4097}), "texts.nudge"),
        (event_body(texts=TEXTS | {"nudge": None}), "texts.nudge"),
        (event_body(texts=TEXTS | {"hello": "x"}), "texts.hello"),
        (event_body(texts=[]), "texts"),
        (event_body(defaults=None), "defaults"),
        (event_body(defaults=[]), "defaults"),
        (event_body(defaults={"expires": later(days=1)}), "defaults.expires"),
        (event_body(defaults={"expiresAt": "soon"}), "defaults.expiresAt"),
        (event_body(defaults={"expiresAt": None}), "defaults.expiresAt"),
        (event_body(defaults={"expiresAt": later(hours=-1)}), "defaults.expiresAt"),
        (event_body(confirmLockedChange="true"), "confirmLockedChange"),
        (event_body(confirmLockedChange=None), "confirmLockedChange"),
        (event_body(name="x"), "name"),
    ],
    ids=named,
)
def test_a_bad_field_is_named(account: TestAccount, body: dict[str, Any], field: str) -> None:
    require_refused(account.post("/events", body), "VALIDATION_ERROR", field=field)
    require_refused(account.get("/events/wedding"), "EVENT_NOT_FOUND", 404)


@pytest.mark.parametrize("name", ["undeliveredTimeoutMinutes", "nudgeAfterMinutes"])
@pytest.mark.parametrize("value", [-1, 0, 1_000_000_000, "5", 1.5, True, None], ids=named)
def test_minutes_are_a_number_in_bounds(account: TestAccount, name: str, value: Any) -> None:
    answer = account.post("/events", event_body(defaults={name: value}))
    require_refused(answer, "VALIDATION_ERROR", field=f"defaults.{name}")


@pytest.mark.parametrize("value", ["972555999999", "", "abc", "+972555000001"], ids=named)
def test_a_number_that_is_not_the_accounts_is_no_sender(account: TestAccount, value: str) -> None:
    answer = account.post("/events", event_body(defaults={"sentFrom": value}))
    require_refused(answer, "INVALID_SENDER", field="defaults.sentFrom")
    require_refused(account.get("/events/wedding"), "EVENT_NOT_FOUND", 404)


@pytest.mark.parametrize(
    "url",
    [
        "http://example.com/", "https://127.0.0.1/", "https://localhost/", "ftp://example.com/",
        "https://10.0.0.1/", "example.com", "", "https://user:pw@example.com/",
        "https://example.com:8080/", "https://[::1]/", "https://" + "x" * 2048 + ".com/",
    ],
    ids=named,
)  # fmt: skip
def test_a_callback_url_is_https_and_public(strict: TestService, url: str) -> None:
    answer = strict.account().post("/events", event_body(callbackUrl=url))
    require_refused(answer, "VALIDATION_ERROR", field="callbackUrl")


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A service as in production: addresses we post to are https and public."""
    settings = {"TIDINGS_ALLOW_PRIVATE_WEBHOOKS": "false"}
    folder: Path = tmp_path_factory.mktemp("strict")
    with TestService(fresh_database(), folder, settings=settings) as running:
        yield running


def test_in_development_a_callback_url_may_be_http_and_private(account: TestAccount) -> None:
    data = register(account, callbackUrl="http://127.0.0.1:9999/hook")
    assert data["callbackUrl"] == "http://127.0.0.1:9999/hook"


@pytest.mark.parametrize("size", [4, 64])
@pytest.mark.parametrize("char", ["x", "ש", "💍"])
def test_the_shortest_and_the_longest_id(account: TestAccount, size: int, char: str) -> None:
    assert register(account, char * size)["eventId"] == char * size
    assert get_event(account, quote(char * size))["eventId"] == char * size


# Reading


@pytest.mark.parametrize("event_id", ["nothing", "x", "%20", "a" * 500, "%00abc"])
def test_an_unknown_event_is_404(account: TestAccount, event_id: str) -> None:
    answer = account.get(f"/events/{event_id}")
    assert answer.status_code in (400, 404), answer.text
    if answer.status_code == 404:
        require_refused(answer, "EVENT_NOT_FOUND", 404)


def test_an_event_is_its_accounts_alone(service: TestService) -> None:
    one, two = service.account(), service.account()
    register(one)
    require_refused(two.get("/events/wedding"), "EVENT_NOT_FOUND", 404)
    refused = two.send(
        clientMessageId="invite-0001", to=GUEST, templateName="plain", eventId="wedding"
    )
    require_refused(refused, "EVENT_NOT_FOUND", 404, "eventId")
    assert two.post("/events", event_body()).status_code == 201


# The lock


def test_an_event_is_locked_when_an_invitation_went_out(account: TestAccount) -> None:
    body = event_body()
    account.post("/events", body)
    assert account.post("/events", body | {"eventDate": later(days=40)}).status_code == 200
    account.send(clientMessageId="hello-0001", to=GUEST, templateName="plain", eventId="wedding")
    assert get_event(account)["locked"] is False, "a notification is no invitation"
    invite(account)
    assert (get_event(account)["locked"], get_event(account)["sentInvitations"]) == (True, 1)


def test_a_locked_date_is_changed_only_where_that_is_confirmed(account: TestAccount) -> None:
    body = event_body()
    account.post("/events", body)
    invite(account)
    moved = body | {"eventDate": later(days=40)}
    require_refused(account.post("/events", moved), "EVENT_LOCKED", 409, "eventDate")
    refused = account.post("/events", moved | {"confirmLockedChange": False})
    require_refused(refused, "EVENT_LOCKED", 409)
    assert when(get_event(account)["eventDate"]) == when(body["eventDate"])
    answer = account.post("/events", moved | {"confirmLockedChange": True})
    assert (answer.status_code, answer.json()["data"]["duplicate"]) == (200, False)
    assert when(get_event(account)["eventDate"]) == when(moved["eventDate"])


def test_everything_but_the_date_may_change_after_the_lock(service: TestService) -> None:
    account = service.account(NUMBERS)
    body = event_body()
    account.post("/events", body)
    invite(account)
    for change in (
        {"defaults": {"sentFrom": SECOND}},
        {"defaults": {"sentFrom": None}},
        {"texts": TEXTS | {"expired": "Too late."}},
        {"callbackUrl": "https://other.example.com/"},
    ):
        body |= change
        assert account.post("/events", body).status_code == 200, change


def test_a_waiting_invitation_does_not_lock(account: TestAccount) -> None:
    body = event_body()
    account.post("/events", body)
    invite(account, scheduledFor=later(hours=1))
    assert get_event(account)["sentInvitations"] == 0
    assert account.post("/events", body | {"eventDate": later(days=40)}).status_code == 200
    account.advance(hours=2)
    assert get_event(account)["sentInvitations"] == 1
