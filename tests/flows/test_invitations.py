"""An invitation from the event that asks for it to its last reply, by the clock (4.10, 6.2)."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from tests.support.invitations import (
    TEXTS,
    get_event,
    guest_events,
    invite,
    kinds,
    later,
    register,
    reply,
    require_refused,
    state,
    texts,
)
from tests.support.names import named
from tests.support.service import GUEST, NUMBER, TestAccount, TestService

UNCLEAR = "who is this?"
INVALID, NUDGE, EXPIRED = TEXTS["invalidReply"], TEXTS["nudge"], TEXTS["expired"]
SECOND = "972555000002"
NUMBERS = "".join(f'[[accounts.numbers]]\nnumber = "{n}"\n' for n in (NUMBER, SECOND))

# What the guest says before the end and after it: the events, the texts, the state at last.
CASES: list[tuple[list[str], list[str], list[str], list[str], str]] = [
    ([], [], [], [], "expired"),
    (["yes"], [], ["confirmed"], [], "confirmed"),
    (["no"], [], ["declined"], [], "declined"),
    ([UNCLEAR], [], ["replied_invalid", "unresolved"], [INVALID, NUDGE], "expired"),
    (["yes", "yes"], [], ["confirmed", "confirmed"], [], "confirmed"),
    (["yes", "no"], [], ["confirmed", "declined"], [], "declined"),
    (["no", "yes"], [], ["declined", "confirmed"], [], "confirmed"),
    (["no", "no"], [], ["declined", "declined"], [], "declined"),
    (["yes", UNCLEAR], [], ["confirmed", "message"], [], "confirmed"),
    (["no", UNCLEAR], [], ["declined", "message"], [], "declined"),
    ([UNCLEAR, "yes"], [], ["replied_invalid", "confirmed"], [INVALID], "confirmed"),
    (
        [UNCLEAR, UNCLEAR],
        [],
        ["replied_invalid", "replied_invalid", "unresolved"],
        [INVALID, NUDGE],
        "expired",
    ),
    ([], ["yes"], ["replied_late"], [EXPIRED], "expired"),
    ([], ["no"], ["replied_late"], [EXPIRED], "expired"),
    ([], [UNCLEAR], ["replied_late"], [EXPIRED], "expired"),
    ([], ["yes", "no"], ["replied_late", "replied_late"], [EXPIRED], "expired"),
    (["yes"], ["no"], ["confirmed", "replied_late"], [EXPIRED], "confirmed"),
    (["yes"], ["yes"], ["confirmed", "replied_late"], [], "confirmed"),
    (["no"], ["yes"], ["declined", "replied_late"], [EXPIRED], "declined"),
    (["yes"], [UNCLEAR], ["confirmed", "message"], [], "confirmed"),
    (
        [UNCLEAR],
        ["yes"],
        ["replied_invalid", "unresolved", "replied_late"],
        [INVALID, NUDGE, EXPIRED],
        "expired",
    ),
]


@pytest.mark.parametrize("case", CASES, ids=named)
def test_an_invitation_reaches_its_state(
    account: TestAccount, case: tuple[list[str], list[str], Any, Any, str]
) -> None:
    before, after, received, said, last = case
    register(account, defaults={"expiresAt": later(hours=6)})
    invite(account)
    assert state(account) == "open"
    for words in before:
        reply(account, text=words)
    account.advance(hours=7)
    for words in after:
        reply(account, text=words)
    account.advance(hours=1)
    assert kinds(account) == [f"guest.{kind}" for kind in received]
    assert texts(account) == said
    assert state(account) == last


def test_an_answer_is_published_with_all_that_is_known(account: TestAccount) -> None:
    register(account)
    sent = invite(account, meta={"table": 7})
    replied = reply(account, text="Yes, we will be 4")
    (received,) = guest_events(account)
    assert received.pop("matchConfidence") > 0.5
    assert datetime.fromisoformat(received.pop("receivedAt"))
    assert received == {
        "event": "guest.confirmed",
        "clientMessageId": "invite-0001",
        "messageId": sent["messageId"],
        "to": GUEST,
        "meta": {"table": 7},
        "eventId": "wedding",
        "from": GUEST,
        "replyId": replied,
        "type": "text",
        "text": "Yes, we will be 4",
        "answer": "yes",
        "guests": 4,
        "slotMatch": "only_open",
    }
    shown = account.status("invite-0001")["invitation"]
    assert set(shown) == {"eventId", "state", "answer", "answeredAt", "expiresAt"}
    assert (shown["eventId"], shown["state"], shown["answer"]) == ("wedding", "confirmed", "yes")
    assert shown["answeredAt"] is not None


def test_what_was_never_understood_is_reported_at_the_end(account: TestAccount) -> None:
    register(account, defaults={"expiresAt": later(hours=6)})
    sent = invite(account, meta={"table": 7})
    reply(account, text=UNCLEAR)
    reply(account, text="hm?")
    account.advance(hours=5)
    assert kinds(account) == ["guest.replied_invalid"] * 2
    account.advance(hours=2)
    received = guest_events(account)[-1]
    assert received["event"] == "guest.unresolved"
    assert (received["clientMessageId"], received["messageId"]) == (
        "invite-0001",
        sent["messageId"],
    )
    assert (received["meta"], received["eventId"], received["to"]) == (
        {"table": 7},
        "wedding",
        GUEST,
    )
    assert (received["text"], received["answer"], received["guests"]) == ("hm?", None, None)
    assert received["slotMatch"] == "only_open"


# Texts to the guest


def test_the_nudge_comes_after_two_hours_unless_the_event_says_otherwise(
    service: TestService,
) -> None:
    for minutes, defaults in ((120, {}), (7, {"nudgeAfterMinutes": 7})):
        account = service.account()
        register(account, defaults=defaults)
        invite(account)
        reply(account, text=UNCLEAR)
        account.advance(minutes=minutes - 1)
        assert texts(account) == [INVALID]
        account.advance(minutes=2)
        assert texts(account) == [INVALID, NUDGE]
        account.advance(days=2)
        assert texts(account) == [INVALID, NUDGE]


def test_whoever_answers_meanwhile_is_not_nudged(account: TestAccount) -> None:
    register(account)
    invite(account)
    reply(account, text=UNCLEAR)
    account.advance(minutes=119)
    reply(account, text="yes")
    account.advance(hours=5)
    assert texts(account) == [INVALID]


def test_there_is_no_nudge_once_the_window_is_closed(account: TestAccount) -> None:
    register(account, defaults={"nudgeAfterMinutes": 24 * 60})
    invite(account)
    reply(account, text=UNCLEAR)
    account.advance(hours=30)
    assert texts(account) == [INVALID]


def test_there_is_no_nudge_after_the_end(account: TestAccount) -> None:
    register(account, defaults={"expiresAt": later(hours=1)})
    invite(account)
    reply(account, text=UNCLEAR)
    account.advance(hours=5)
    assert texts(account) == [INVALID]


def test_texts_go_from_the_number_of_the_conversation(service: TestService) -> None:
    account = service.account(NUMBERS)
    register(account)
    invite(account, sentFrom=NUMBER)
    reply(account, to=SECOND, text=UNCLEAR)
    rows = service.sql(
        "SELECT number FROM messages WHERE account_id = $1 AND kind = 'prompt'", account.id
    )
    assert rows == [{"number": SECOND}]


def test_texts_are_as_the_event_has_them_now(account: TestAccount) -> None:
    register(account)
    invite(account)
    register(account, texts=TEXTS | {"invalidReply": "Come again?"})
    reply(account, text=UNCLEAR)
    assert texts(account) == ["Come again?"]


def test_texts_to_guests_publish_no_event(account: TestAccount) -> None:
    register(account)
    invite(account)
    reply(account, text=UNCLEAR)
    account.advance(hours=3)
    assert texts(account) == [INVALID, NUDGE]
    received = {event["data"]["clientMessageId"] for event in account.events()}
    assert received == {"invite-0001"}


SUBSCRIPTION = """
[accounts.subscription]
package = "Gold"
billingType = "PACKAGE"
unique = 1
followup = 0
"""


def test_texts_cost_nothing_and_need_no_quota(service: TestService) -> None:
    account = service.account(SUBSCRIPTION, billingMode="ENFORCED")
    register(account)
    invite(account)
    reply(account, text=UNCLEAR)
    account.advance(hours=3)
    assert texts(account) == [INVALID, NUDGE]
    found = account.get("/balance").json()["data"]["subscription"]
    assert (found["unique"]["used"], found["followup"]["used"]) == (1, 0)


def test_texts_wait_while_the_account_is_paused_and_publish_no_event(service: TestService) -> None:
    account = service.account(name="paused-texts")
    register(account)
    invite(account)
    service.account(name="paused-texts", paused=True)
    reply(account, text=UNCLEAR)
    account.advance(minutes=1)
    assert texts(account) == []
    service.account(name="paused-texts", paused=False)
    account.advance(hours=1)
    assert texts(account) == [INVALID]
    assert account.events("message.deferred") == []


def test_an_invitation_without_an_event_is_understood_but_has_no_texts(
    account: TestAccount,
) -> None:
    invite(account, eventId=None, expiresAt=later(hours=6))
    reply(account, text=UNCLEAR)
    account.advance(hours=5)
    reply(account, text="no")
    account.advance(hours=5)
    reply(account, text="yes")
    assert kinds(account) == ["guest.replied_invalid", "guest.declined", "guest.replied_late"]
    assert "eventId" not in guest_events(account)[0]
    assert texts(account) == []
    assert account.status("invite-0001")["invitation"]["eventId"] is None


# Defaults of the event


def test_an_invitation_ends_when_it_says_else_its_event_else_the_day_itself(
    account: TestAccount,
) -> None:
    day, end, own = later(days=30), later(days=20), later(days=10)
    register(account, eventDate=day, defaults={"expiresAt": end})
    register(account, "party", eventDate=day)
    for cid, expected, fields in (
        ("invite-0001", own, {"expiresAt": own}),
        ("invite-0002", end, {}),
        ("invite-0003", day, {"eventId": "party"}),
    ):
        invite(account, cid, **fields)
        found = account.status(cid)["invitation"]["expiresAt"]
        assert datetime.fromisoformat(found) == datetime.fromisoformat(expected)


def test_nobody_is_invited_to_what_is_over(account: TestAccount) -> None:
    register(account, defaults={"expiresAt": later(hours=1)})
    account.advance(hours=2)
    body = {"kind": "invitation", "eventId": "wedding", "templateName": "plain"}
    refused = account.send(clientMessageId="invite-0001", to=GUEST, **body)
    require_refused(refused, "VALIDATION_ERROR", field="eventId")
    fields = {"scheduledFor": later(hours=9), "expiresAt": later(hours=8)}
    refused = account.send(clientMessageId="invite-0001", to=GUEST, **body | fields)
    require_refused(refused, "VALIDATION_ERROR", field="expiresAt")


def test_an_invitation_still_waiting_at_its_end_expires_unsent(service: TestService) -> None:
    account = service.account(paused=True)
    register(account, defaults={"expiresAt": later(hours=1)})
    invite(account)
    account.advance(hours=2)
    status = account.status("invite-0001")
    assert (status["status"], status["attempts"]) == ("expired", [])
    assert get_event(account)["sentInvitations"] == 0


@pytest.mark.parametrize("kind", ["invitation", "notification"])
def test_an_undelivered_message_of_an_event_expires_in_the_events_time(
    account: TestAccount, kind: str
) -> None:
    register(account, defaults={"undeliveredTimeoutMinutes": 90})
    invite(account, to="972500009001", kind=kind)
    account.advance(minutes=88)
    assert account.status("invite-0001")["status"] == "sent"
    account.advance(minutes=3)
    assert account.status("invite-0001")["status"] == "expired"
    received = account.events("message.status")[-1]["data"]
    assert (received["status"], received["neverDelivered"], received["eventId"]) == (
        "expired",
        True,
        "wedding",
    )
    if kind == "invitation":
        assert get_event(account)["replies"]["pending"] == 0


def test_its_time_to_be_delivered_begins_when_it_is_sent(account: TestAccount) -> None:
    register(account, defaults={"undeliveredTimeoutMinutes": 90})
    invite(account, to="972500009001", scheduledFor=later(hours=4))
    account.advance(hours=5, minutes=15)
    assert account.status("invite-0001")["status"] == "sent"
    account.advance(minutes=20)
    assert account.status("invite-0001")["status"] == "expired"


def test_a_new_guest_starts_on_the_events_number_and_others_keep_theirs(
    service: TestService,
) -> None:
    account = service.account(NUMBERS)
    register(account, defaults={"sentFrom": SECOND})
    account.send(clientMessageId="hello-0001", to=GUEST, templateName="plain")
    assert invite(account, "invite-0001", GUEST)["sentFrom"] == NUMBER, "already messaged"
    assert invite(account, "invite-0002", "972501234568")["sentFrom"] == SECOND
    asked = invite(account, "invite-0003", "972501234569", sentFrom=NUMBER)
    assert asked["sentFrom"] == NUMBER
    register(account, defaults={"sentFrom": None})
    assert invite(account, "invite-0004", "972501234570")["sentFrom"] in (NUMBER, SECOND)
    assert invite(account, "invite-0005", "972501234568")["sentFrom"] == SECOND, "keeps it"


def test_ten_minutes_before_the_end_is_in_time(account: TestAccount) -> None:
    """The end itself is too late."""
    end = datetime.fromisoformat(later(hours=2))
    register(account, defaults={"expiresAt": end.isoformat()})
    invite(account)
    account.advance(minutes=110)
    reply(account, text="yes")
    now = datetime.fromisoformat(account.get("/sandbox/v1/clock").json()["data"]["now"])
    account.advance(seconds=(end - now) // timedelta(seconds=1) + 1)
    reply(account, text="no")
    assert kinds(account) == ["guest.confirmed", "guest.replied_late"]


# Bulk


def test_a_batch_hands_its_event_down(account: TestAccount) -> None:
    register(account)
    register(account, "party")
    item = {"templateName": "invite", "templateParams": ["a", "b"], "kind": "invitation"}
    messages: list[dict[str, Any]] = [
        {"clientMessageId": "invite-0001", "to": GUEST, **item},
        {"clientMessageId": "invite-0002", "to": "972501234568", **item, "eventId": "party"},
        {"clientMessageId": "invite-0003", "to": "972501234568", **item, "eventId": "nothing"},
    ]
    answer = account.post("/messages/bulk", {"messages": messages, "eventId": "wedding"})
    assert answer.status_code == 202, answer.text
    data = answer.json()["data"]
    assert data["eventId"] == "wedding"
    (rejected,) = data["rejected"]
    assert (rejected["index"], rejected["code"]) == (2, "EVENT_NOT_FOUND")
    account.advance(minutes=2)
    assert account.status("invite-0001")["eventId"] == "wedding"
    assert account.status("invite-0002")["eventId"] == "party"
    reply(account, text="yes")
    (received,) = guest_events(account)
    assert (received["eventId"], received["batchId"]) == ("wedding", data["batchId"])
    assert get_event(account)["replies"]["confirmed"] == 1


@pytest.mark.parametrize("dry", ["true", "false"])
def test_a_batch_of_an_unknown_event_is_refused_as_a_whole(account: TestAccount, dry: str) -> None:
    messages = [{"clientMessageId": "invite-0001", "to": GUEST, "templateName": "plain"}]
    body = {"messages": messages, "eventId": "nothing"}
    answer = account.post("/messages/bulk", body, headers={"X-Dry-Run": dry})
    assert answer.status_code == 404, answer.text
    assert answer.json()["error"]["code"] == "EVENT_NOT_FOUND"
    assert account.get("/messages/invite-0001").status_code == 404
