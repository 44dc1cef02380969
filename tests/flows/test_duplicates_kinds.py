"""A clientMessageId of another kind of message, or of one to another number (contract2.md A)."""

from collections.abc import Callable
from typing import Any

import httpx
import pytest
from structlog.testing import capture_logs

from tests.flows.test_duplicates import together
from tests.support.batches import cid, dry_run, item, named_in, submit, to
from tests.support.forms import form_toml
from tests.support.passcodes import ONE
from tests.support.rich import YES
from tests.support.service import GUEST, TestAccount, TestService
from tests.support.text import traces

CID = "same-0001"
OTHER = "972501234568"
MISMATCH = "X-Duplicate-Mismatch"
DRY = {"X-Dry-Run": "true"}

Ask = Callable[..., httpx.Response]


def rich(**changes: Any) -> dict[str, Any]:
    body = {"clientMessageId": CID, "to": GUEST, "message": "Are you coming?", "buttons": [YES]}
    return body | {"templateName": "plain"} | changes


def text(account: TestAccount, number: str = GUEST, **more: Any) -> httpx.Response:
    return account.send(clientMessageId=CID, to=number, templateName="plain", **more)


def invitation(account: TestAccount, number: str = GUEST) -> httpx.Response:
    return account.send(
        clientMessageId=CID, to=number, templateName="invite", templateParams=["Dana", "Friday"],
        kind="invitation", expiresAt="2099-01-01T00:00:00Z",
    )  # fmt: skip


def rich_text(account: TestAccount, number: str = GUEST) -> httpx.Response:
    return account.post("/messages/rich", rich(to=number))


def passcode(account: TestAccount, number: str = GUEST) -> httpx.Response:
    body = {"clientMessageId": CID, "to": number, "code": "482913"}
    return account.post("/messages/otp", body)


def form(account: TestAccount, number: str = GUEST) -> httpx.Response:
    body = {"clientMessageId": CID, "to": number, "formId": "visit"}
    return account.post("/feedback/send", body)


@pytest.fixture
def sender(service: TestService) -> TestAccount:
    return service.account(form_toml() + ONE)


def require_taken(answer: httpx.Response) -> dict[str, Any]:
    assert answer.status_code == 409, answer.text
    error: dict[str, Any] = answer.json()["error"]
    assert (error["code"], error["field"]) == ("DUPLICATE_CLIENT_MESSAGE_ID", "clientMessageId")
    assert MISMATCH not in answer.headers
    return error


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (text, passcode), (rich_text, passcode), (invitation, passcode), (form, passcode),
        (passcode, text), (passcode, rich_text), (passcode, invitation), (passcode, form),
        (form, text), (form, rich_text), (text, form),
    ],
)  # fmt: skip
def test_an_id_of_another_kind_is_refused_and_nothing_is_sent(
    sender: TestAccount, first: Ask, second: Ask
) -> None:
    assert first(sender).status_code in (200, 202)
    before = traces(sender)["messages"], sender.status(CID)["kind"]
    error = require_taken(second(sender))
    assert error["message"].startswith("clientMessageId")
    assert (traces(sender)["messages"], sender.status(CID)["kind"]) == before


@pytest.mark.parametrize(("first", "second"), [(text, passcode), (passcode, text)])
def test_after_48_hours_the_id_is_free_for_any_kind(
    sender: TestAccount, first: Ask, second: Ask
) -> None:
    first(sender)
    sender.advance(hours=48)
    assert second(sender).json()["data"]["duplicate"] is False


@pytest.mark.parametrize("second", [text, rich_text, invitation])
def test_texts_rich_ones_and_invitations_stand_for_each_other(
    sender: TestAccount, second: Ask
) -> None:
    text(sender)
    answer = second(sender)
    assert (answer.status_code, answer.json()["data"]["duplicate"]) == (200, True)
    assert MISMATCH not in answer.headers


@pytest.mark.parametrize("kind", [text, rich_text, passcode])
def test_a_duplicate_to_another_number_is_answered_and_marked(
    sender: TestAccount, kind: Ask
) -> None:
    first = kind(sender).json()["data"]
    answer = kind(sender, OTHER)
    assert answer.status_code == 200, answer.text
    assert answer.json()["data"] == first | {"duplicate": True}
    assert answer.headers[MISMATCH] == "to"
    assert sender.status(CID)["to"] == GUEST


def test_the_log_warns_of_a_mismatch_without_the_whole_numbers(sender: TestAccount) -> None:
    text(sender)
    with capture_logs() as lines:
        text(sender)
        text(sender, OTHER)
    (line,) = [line for line in lines if line["log_level"] == "warning"]
    assert line["event"] == "message.duplicate_differed"
    assert (line["requested"], line["original"]) == ("972*******68", "972*******67")
    assert GUEST not in str(lines) and OTHER not in str(lines)


@pytest.mark.parametrize(
    ("kind", "wrong"),
    [
        ("text", {"to": "x"}), ("text", {"fromPolicy": "no"}), ("text", {"expiresAt": "soon"}),
        ("text", {"scheduledFor": "2199-01-01T00:00:00Z"}),
        ("text", {"scheduledFor": "2020-01-02T00:00:00Z", "deadline": "2020-01-01T00:00:00Z"}),
        ("rich", {"to": "x"}), ("otp", {"to": "x"}), ("otp", {"ttlSeconds": 5}),
    ],
)  # fmt: skip
def test_a_malformed_duplicate_is_refused(sender: TestAccount, kind: str, wrong: Any) -> None:
    bodies = {
        "text": {"clientMessageId": CID, "to": GUEST, "templateName": "plain"},
        "rich": rich(),
        "otp": {"clientMessageId": CID, "to": GUEST, "code": "482913"},
    }
    assert sender.post(f"/messages/{kind}", bodies[kind]).status_code == 200
    assert sender.post(f"/messages/{kind}", bodies[kind] | wrong).status_code == 400


def test_a_preflight_says_the_same(sender: TestAccount) -> None:
    passcode(sender)
    before = traces(sender)
    body = {"clientMessageId": CID, "to": GUEST, "templateName": "plain"}
    require_taken(sender.post("/messages/text", body, headers=DRY))
    require_taken(sender.post("/messages/rich", rich(), headers=DRY))
    assert traces(sender) == before
    sender.send(**body | {"clientMessageId": "same-0002"})
    asked = sender.post(
        "/messages/text", body | {"clientMessageId": "same-0002", "to": OTHER}, headers=DRY
    )
    assert (asked.json()["data"]["wouldBe"], asked.headers[MISMATCH]) == ("duplicate", "to")


def test_an_item_of_another_kinds_id_is_rejected(sender: TestAccount) -> None:
    sender.post("/messages/otp", {"clientMessageId": cid(1), "to": GUEST, "code": "482913"})
    sender.post("/feedback/send", {"clientMessageId": cid(2), "to": GUEST, "formId": "visit"})
    messages = [item(1), item(2), item(3)]
    for data in (dry_run(sender, messages), submit(sender, messages)):
        assert named_in(data["accepted"]) == [cid(3)] and data["duplicates"] == []
        assert [(r["index"], r["clientMessageId"], r["code"]) for r in data["rejected"]] == [
            (0, cid(1), "DUPLICATE_CLIENT_MESSAGE_ID"),
            (1, cid(2), "DUPLICATE_CLIENT_MESSAGE_ID"),
        ]


def test_a_duplicate_item_to_another_number_is_marked(sender: TestAccount) -> None:
    sender.send(**item(1))
    messages = [item(1, to=to(9)), item(1), item(2), item(2, to=to(9)), item(2, to="00" + to(2))]
    expected = [
        {"clientMessageId": cid(1), "mismatch": "to"},
        {"clientMessageId": cid(1)},
        {"clientMessageId": cid(2), "mismatch": "to"},
        {"clientMessageId": cid(2)},
    ]
    with capture_logs() as lines:
        for data in (dry_run(sender, messages), submit(sender, messages)):
            assert data["duplicates"] == expected
    warned = [line for line in lines if line["log_level"] == "warning"]
    assert [(line["event"], line["items"]) for line in warned] == [("batch.duplicate_differed", 2)]


def test_of_two_kinds_at_the_same_instant_one_is_sent(sender: TestAccount) -> None:
    answers = together(16, lambda i: (passcode if i % 2 else text)(sender))
    even = {answer.status_code for answer in answers[0::2]}
    odd = {answer.status_code for answer in answers[1::2]}
    assert sorted([even, odd], key=min) == [{200}, {409}], [answer.text for answer in answers]
    assert traces(sender)["messages"] == 1


def test_the_reference_knows_the_header_and_the_refusal(service: TestService) -> None:
    document = service.http.get("/api/v1/openapi.json").json()
    assert MISMATCH in document["components"]["headers"]
    for path in ("text", "rich", "otp"):
        responses = document["paths"][f"/api/v1/messages/{path}"]["post"]["responses"]
        assert MISMATCH in responses["200"]["headers"] and MISMATCH in responses["202"]["headers"]
        assert "409" in responses
    assert MISMATCH not in document["components"]["responses"]["Error"]["headers"]
