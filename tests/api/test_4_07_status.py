"""GET /messages/{cid}, black box: its shape at every station of a message, and who may see it."""

import re
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import quote

import pytest

from tests.support.billing import reapply
from tests.support.clock import STANDING
from tests.support.service import GUEST, NUMBER, TestAccount, TestService

CID = "order-0001"
STATED = {
    "clientMessageId",
    "messageId",
    "to",
    "kind",
    "status",
    "sentFrom",
    "batchId",
    "eventId",
    "createdAt",
    "timeline",
    "invitation",
    "attempts",
    "error",
    "meta",
}
MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")


def send(account: TestAccount, cid: str = CID, to: str = GUEST, **more: Any) -> dict[str, Any]:
    answer = account.send(clientMessageId=cid, to=to, **({"templateName": "plain"} | more))
    assert answer.status_code in (200, 202), answer.text
    data: dict[str, Any] = answer.json()["data"]
    return data


def ahead(**delta: float) -> str:
    return (STANDING.now() + timedelta(**delta)).isoformat().replace("+00:00", "Z")


@pytest.mark.quick
def test_a_sent_message_shows_every_stated_field(account: TestAccount) -> None:
    sent = send(account, meta={"table": 7})
    answer = account.get(f"/messages/{CID}")
    assert answer.status_code == 200
    assert set(answer.json()) == {"success", "environment", "data"}
    data = answer.json()["data"]
    assert set(data) >= STATED
    assert data["clientMessageId"] == CID
    assert data["messageId"] == sent["messageId"]
    assert (data["to"], data["kind"], data["status"]) == (GUEST, "notification", "sent")
    assert (data["sentFrom"], data["meta"]) == (NUMBER, {"table": 7})
    assert (data["batchId"], data["eventId"], data["invitation"], data["error"]) == (None,) * 4


def test_the_timeline_tells_each_station_with_its_time(account: TestAccount) -> None:
    sent = send(account)
    account.advance(seconds=3)
    timeline = account.status(CID)["timeline"]
    assert [step["status"] for step in timeline][-3:] == ["sent", "delivered", "read"]
    times = [step["at"] for step in timeline]
    assert all(MOMENT.fullmatch(at) for at in times)
    assert times == sorted(times)
    at = {step["status"]: datetime.fromisoformat(step["at"]) for step in timeline}
    assert at["delivered"] - at["sent"] == timedelta(seconds=1)
    assert at["read"] - at["sent"] == timedelta(seconds=2)
    assert datetime.fromisoformat(sent["sentAt"]) == at["sent"]
    assert MOMENT.fullmatch(account.status(CID)["createdAt"])


def test_reason_and_code_stand_only_where_there_is_one(account: TestAccount) -> None:
    send(account)
    data = account.status(CID)
    assert all(set(step) == {"status", "at"} for step in data["timeline"]), data["timeline"]
    assert set(data["attempts"][0]) == {"attempt", "at", "sentFrom", "outcome"}, data["attempts"]


def test_a_station_of_waiting_says_its_reason(account: TestAccount) -> None:
    send(account, to="972500009022")
    data = account.status(CID)
    (waiting,) = [step for step in data["timeline"] if step["status"] == "deferred"]
    assert waiting["reason"] == "PLATFORM_UNAVAILABLE"
    assert data["status"] == "deferred"
    assert data["messageId"] is None
    assert data["error"] is None


def test_attempts_are_numbered_and_say_what_came_of_them(account: TestAccount) -> None:
    send(account, to="972500009020")
    account.advance(hours=1)
    account.advance(seconds=5)
    data = account.status(CID)
    assert [attempt["attempt"] for attempt in data["attempts"]] == [1, 2]
    assert data["attempts"][0]["outcome"] != data["attempts"][1]["outcome"]
    assert str(data["attempts"][0]["code"]) and "code" not in data["attempts"][1]
    assert all(attempt["sentFrom"] == NUMBER for attempt in data["attempts"])
    assert all(MOMENT.fullmatch(attempt["at"]) for attempt in data["attempts"])
    assert data["status"] == "read"


def test_a_failed_message_explains_itself(account: TestAccount) -> None:
    send(account, to="972500009013")
    data = account.status(CID)
    assert data["status"] == "failed"
    assert set(data["error"]) == {"code", "explanation", "action", "platformCode"}
    assert data["error"]["platformCode"] == 132015
    assert data["messageId"] is None
    assert [step["status"] for step in data["timeline"]][-1] == "failed"


def test_an_invitation_shows_its_state(account: TestAccount) -> None:
    expires = ahead(days=3)
    params = {"templateName": "invite", "templateParams": ["Dana", "Sunday"]}
    send(account, kind="invitation", expiresAt=expires, **params)
    data = account.status(CID)
    assert data["kind"] == "invitation"
    invitation = data["invitation"]
    assert set(invitation) == {"eventId", "state", "answer", "answeredAt", "expiresAt"}
    assert (invitation["eventId"], invitation["answer"], invitation["answeredAt"]) == (None,) * 3
    assert MOMENT.fullmatch(invitation["expiresAt"])
    shown = datetime.fromisoformat(invitation["expiresAt"])
    assert abs(shown - datetime.fromisoformat(expires)) < timedelta(milliseconds=1)
    assert invitation["state"] == "open"


INVITED = {"kind": "invitation", "templateName": "invite", "templateParams": ["Dana", "Sunday"]}


def state(account: TestAccount, cid: str = CID) -> str:
    found: str = account.status(cid)["invitation"]["state"]
    return found


def test_an_invitation_that_failed_is_not_open(account: TestAccount) -> None:
    send(account, to="972500009013", expiresAt=ahead(days=3), **INVITED)
    assert state(account) == "failed"
    account.reply(GUEST, "stop")
    send(account, "order-0002", expiresAt=ahead(days=3), **INVITED)
    assert state(account, "order-0002") == "failed", "opted out: it never goes"


def test_an_invitation_that_was_not_sent_in_time_is_expired(account: TestAccount) -> None:
    times = {"scheduledFor": ahead(hours=1), "deadline": ahead(hours=2), "expiresAt": ahead(days=3)}
    reapply(account, paused=True)
    send(account, **INVITED, **times)
    assert state(account) == "open"
    account.advance(hours=3)
    assert account.status(CID)["status"] == state(account) == "expired"


def test_an_invitation_that_was_never_delivered_is_expired(account: TestAccount) -> None:
    send(account, to="972500009001", expiresAt=ahead(days=90), **INVITED)
    account.advance(days=31)
    assert account.status(CID)["status"] == state(account) == "expired"
    account.post("/sandbox/v1/replies", {"from": "972500009001", "text": "yes", "quoted": CID})
    assert state(account) == "confirmed", "whoever answers it has it"


def test_an_invitation_of_a_cancelled_batch_is_cancelled(account: TestAccount) -> None:
    times = {"scheduledFor": ahead(hours=1), "expiresAt": ahead(days=3)}
    item = {"clientMessageId": CID, "to": GUEST, **INVITED, **times}
    batch = account.post("/messages/bulk", {"messages": [item]}).json()["data"]["batchId"]
    account.post(f"/batches/{batch}/cancel")
    assert state(account) == "cancelled"


def test_a_message_without_meta_has_null(account: TestAccount) -> None:
    send(account)
    assert account.status(CID)["meta"] is None


def test_a_scheduled_message_is_shown_before_it_goes(account: TestAccount) -> None:
    send(account, scheduledFor=ahead(hours=2), meta={"a": 1})
    data = account.status(CID)
    assert set(data) >= STATED
    assert (data["status"], data["messageId"], data["attempts"]) == ("scheduled", None, [])
    assert data["meta"] == {"a": 1}


@pytest.mark.parametrize(
    "cid",
    [
        "order/0001",
        "order?a=1&b",
        "order#0001",
        "order 0001",
        "order%2F01",
        "order+0001",
        "..//../..",
        "../../../",
        "הזמנה-0001",
        "😀" * 128,
        "ORDER-0001;x=y",
        '"order"\\01',
    ],
)
def test_any_client_message_id_can_be_asked_for(account: TestAccount, cid: str) -> None:
    sent = send(account, cid)
    answer = account.get(f"/messages/{quote(cid, safe='')}")
    assert answer.status_code == 200, answer.text
    assert answer.json()["data"]["clientMessageId"] == cid
    assert answer.json()["data"]["messageId"] == sent["messageId"]


@pytest.mark.parametrize(
    "cid",
    [
        "order-0002",
        "ORDER-0001",
        "order-000",
        "order-00011",
        "x",
        "x" * 129,
        "x" * 1900,
        "order%2F0001",
        "order-0001%00",
        "%00",
        "%FF%FE",
        "%ED%A0%80",
        "order-0001%20",
        "..%2F..%2Fhealth",
        "%E2%80%AEorder",
        "text",
        "*",
        "%25",
    ],
)
def test_an_id_that_names_no_message_is_not_found(account: TestAccount, cid: str) -> None:
    send(account)
    answer = account.get(f"/messages/{cid}")
    assert answer.status_code == 404, answer.text
    assert answer.json()["error"]["code"] == "MESSAGE_NOT_FOUND"
    assert answer.json()["environment"] == "sandbox"


def test_another_accounts_message_does_not_exist(service: TestService) -> None:
    owner, other = service.account(), service.account()
    send(owner)
    foreign, missing = other.get(f"/messages/{CID}"), other.get("/messages/order-0002")
    assert foreign.status_code == missing.status_code == 404
    drop = {"requestId": ""}
    assert foreign.json()["error"] | drop == missing.json()["error"] | drop


def test_the_platforms_own_id_is_no_client_message_id(account: TestAccount) -> None:
    sent = send(account)
    assert account.get(f"/messages/{sent['messageId']}").status_code == 404


def test_asking_changes_nothing(account: TestAccount) -> None:
    send(account)
    once, twice = account.status(CID), account.status(CID)
    assert once == twice
    assert len(account.events()) == 1
