"""How replies of guests find their invitation, and the events of each (6.2, contract.md)."""

from datetime import timedelta

import httpx
import pytest

from tests.support.inbound import ingest, said, status
from tests.support.invitations import (
    TEXTS,
    get_event,
    guest_events,
    invite,
    kinds,
    later,
    register,
    reply,
    state,
    texts,
)
from tests.support.plain_http import NO_TLS
from tests.support.service import GUEST, TestAccount
from tests.support.webhooks import require_described
from tidings.platforms.port import StatusKind

UNCLEAR = "who is this?"
FRIEND = "972501234568"


def slots(account: TestAccount) -> list[tuple[str, str, str | None]]:
    """(event without its prefix, slotMatch, clientMessageId) of every reply."""
    return [
        (event["event"].removeprefix("guest."), event["slotMatch"], event["clientMessageId"])
        for event in guest_events(account)
    ]


@pytest.fixture
def invited(account: TestAccount) -> TestAccount:
    register(account)
    invite(account)
    return account


# Buttons


@pytest.mark.parametrize(("label", "kind"), [("Yes", "confirmed"), ("No", "declined")])
def test_buttons_with_the_same_payload_are_distinguished_by_their_text(
    invited: TestAccount, label: str, kind: str
) -> None:
    reply(invited, button={"text": label})
    assert slots(invited) == [(kind, "button", "invite-0001")]
    (event,) = guest_events(invited)
    assert (event["text"], event["type"], event["matchConfidence"]) == (label, "button", 1.0)


def test_a_button_finds_its_invitation_among_many(account: TestAccount) -> None:
    register(account)
    for place in range(3):
        invite(account, f"invite-{place:04}")
    reply(account, button={"text": "No", "clientMessageId": "invite-0001"})
    assert slots(account) == [("declined", "button", "invite-0001")]
    assert {state(account, f"invite-{n:04}") for n in range(3)} == {"declined"}, "one event"


def test_a_button_with_a_payload_of_its_own_is_read_by_its_text_too(account: TestAccount) -> None:
    register(account)
    invite(account, buttonPayloads=["rsvp:17:a", "rsvp:17:b"])
    reply(account, button={"payload": "rsvp:17:b"})
    assert slots(account) == [("declined", "button", "invite-0001")]


def test_where_text_and_payload_contradict_each_other_the_payload_holds(
    account: TestAccount,
) -> None:
    register(account)
    invite(account, buttonPayloads=["decline", "confirm_yes"])
    reply(account, button={"text": "Yes"})
    reply(account, button={"text": "No"})
    assert [slot[0] for slot in slots(account)] == ["declined", "confirmed"]


def test_a_client_message_id_with_a_word_in_it_answers_nothing(account: TestAccount) -> None:
    register(account)
    invite(account, "invite-yes-0001")
    ingest(account, said(account, "Hm", id_="r1", type_="button", payload="invite-yes-0001"))
    reply(account, button={"text": "No"})
    assert [slot[0] for slot in slots(account)] == ["replied_invalid", "declined"]


@pytest.mark.parametrize(
    ("payload", "kind"),
    [("invite-0001", "confirmed"), ("confirm_yes", "confirmed"), ("whatever", "confirmed")],
)
def test_a_button_whose_message_the_platform_does_not_name(
    invited: TestAccount, payload: str, kind: str
) -> None:
    """By its payload where that is the clientMessageId, else by words."""
    ingest(invited, said(invited, "Yes", id_="r1", type_="button", payload=payload))
    slot = "button" if payload == "invite-0001" else "only_open"
    assert slots(invited) == [(kind, slot, "invite-0001")]


def test_a_payload_that_names_somebody_elses_invitation_says_nothing(account: TestAccount) -> None:
    register(account)
    invite(account, "invite-0001", FRIEND)
    ingest(account, said(account, "Yes", id_="r1", type_="button", payload="invite-0001"))
    assert slots(account) == [("message", "none", None)]
    assert state(account) == "open"


def test_a_button_of_an_expired_invitation_is_late(account: TestAccount) -> None:
    register(account, defaults={"expiresAt": later(hours=1)})
    invite(account, "invite-0001")
    account.advance(hours=2)
    invite(account, "invite-0002", expiresAt=later(days=1))
    reply(account, button={"text": "Yes", "clientMessageId": "invite-0001"})
    assert slots(account) == [("replied_late", "button", "invite-0001")]
    assert state(account, "invite-0002") == "open"


@pytest.mark.parametrize("days", [29, 60, 700])
def test_a_reply_is_late_however_long_ago_the_invitation_ended(
    account: TestAccount, days: int
) -> None:
    register(account, defaults={"expiresAt": later(hours=1)})
    invite(account)
    account.advance(days=days)
    reply(account, text="yes")
    reply(account, button={"text": "Yes"})
    assert slots(account) == [
        ("replied_late", "only_open", "invite-0001"),
        ("replied_late", "button", "invite-0001"),
    ]
    assert texts(account) == [TEXTS["expired"]]


def test_a_number_after_a_yes_is_how_many_come(invited: TestAccount) -> None:
    reply(invited, button={"text": "Yes"})
    reply(invited, text="4")
    assert [(event["event"], event["guests"]) for event in guest_events(invited)] == [
        ("guest.confirmed", None), ("guest.confirmed", 4),
    ]  # fmt: skip


def parties(account: TestAccount) -> list[tuple[str, int | None]]:
    return [(event["event"], event["guests"]) for event in guest_events(account)]


def test_a_change_of_the_party_after_a_yes_is_a_new_confirmation(invited: TestAccount) -> None:
    reply(invited, text="yes, we will be 4")
    for words in ("make it 3", "no, only 2 of us", "actually 5"):
        reply(invited, text=words)
    assert parties(invited) == [("guest.confirmed", guests) for guests in (4, 3, 2, 5)]
    assert get_event(invited)["replies"]["headcount"] == 5
    reply(invited, text="no")
    assert parties(invited)[-1] == ("guest.declined", None)
    reply(invited, text="no, only 2 of us")
    assert get_event(invited)["replies"]["declined"] == 1, "there is no yes to change"


def test_before_a_yes_the_same_words_may_mean_either_and_are_asked_about(
    invited: TestAccount,
) -> None:
    reply(invited, text="no, only 2 of us")
    assert [event["event"] for event in guest_events(invited)] == ["guest.replied_invalid"]
    assert get_event(invited)["replies"]["unclear"] == 1


# Quotes and words


def test_a_quoted_invitation_is_meant(account: TestAccount) -> None:
    register(account)
    invite(account, "invite-0001")
    invite(account, "invite-0002")
    reply(account, text="no", quoted="invite-0001")
    assert slots(account) == [("declined", "quoted", "invite-0001")]


def test_a_quoted_text_of_ours_means_its_invitation(account: TestAccount) -> None:
    register(account)
    invite(account, "invite-0001")
    reply(account, text=UNCLEAR)
    invite(account, "invite-0002")
    shown = account.get(f"/sandbox/v1/phones/{GUEST}").json()["data"]["messages"]
    ours = next(one["clientMessageId"] for one in shown if one["text"] == TEXTS["invalidReply"])
    reply(account, text="yes", quoted=ours)
    assert slots(account)[-1] == ("confirmed", "quoted", "invite-0001")


def test_words_answer_the_only_open_invitation(account: TestAccount) -> None:
    register(account)
    register(account, "party")
    invite(account, "invite-0001")
    reply(account, text="yes")
    invite(account, "invite-0002", eventId="party")
    reply(account, text="no")
    assert slots(account) == [
        ("confirmed", "only_open", "invite-0001"),
        ("declined", "only_open", "invite-0002"),
    ]


def test_words_answer_the_latest_of_several_open_invitations(account: TestAccount) -> None:
    register(account)
    register(account, "party")
    invite(account, "invite-0001")
    account.advance(hours=1)
    invite(account, "invite-0002", eventId="party")
    reply(account, text="yes")
    reply(account, text="no")
    reply(account, text="yes")
    assert slots(account) == [
        ("confirmed", "latest_open", "invite-0002"),
        ("declined", "only_open", "invite-0001"),
        ("confirmed", "latest_open", "invite-0002"),
    ]


def test_what_the_guest_has_not_got_cannot_be_answered(account: TestAccount) -> None:
    register(account)
    invite(account, "invite-0001")
    invite(account, "invite-0002", scheduledFor=later(hours=1))
    invite(account, "invite-0003", "972500009010")
    reply(account, text="yes")
    assert slots(account) == [("confirmed", "only_open", "invite-0001")]
    account.advance(seconds=10)
    reply(account, "972500009010", text="yes")
    assert slots(account)[-1] == ("message", "none", None), "it never arrived"


def test_no_invitation_no_answer(account: TestAccount) -> None:
    account.send(clientMessageId="hello-0001", to=GUEST, templateName="plain")
    reply(account, text="yes")
    (event,) = guest_events(account)
    assert (event["event"], event["slotMatch"], event["answer"]) == ("guest.message", "none", None)
    assert event["matchConfidence"] == 0.0, "there is no answer to be sure of"
    assert (event["clientMessageId"], event["meta"], event["to"]) == (None, None, GUEST)
    assert (event["from"], event["text"], event["raw"]["text"]) == (GUEST, "yes", {"body": "yes"})


def test_what_is_about_another_message_is_no_answer(invited: TestAccount) -> None:
    invited.send(clientMessageId="order-0001", to=GUEST, templateName="plain", meta={"n": 1})
    reply(invited, text="yes", quoted="order-0001")
    (event,) = guest_events(invited)
    assert (event["event"], event["slotMatch"], event["answer"]) == ("guest.message", "none", None)
    assert (event["clientMessageId"], event["meta"]) == ("order-0001", {"n": 1})
    assert state(invited) == "open"


def test_a_reminder_of_the_same_event_asks_the_same_question(account: TestAccount) -> None:
    register(account)
    register(account, "party")
    invite(account, "invite-0001")
    invite(account, "invite-0002", eventId="party")
    invite(account, "remind-0001", kind="notification")
    reply(account, text="yes", quoted="remind-0001")
    reply(account, button={"text": "No", "clientMessageId": "remind-0001"})
    assert slots(account) == [
        ("confirmed", "only_open", "invite-0001"),
        ("declined", "only_open", "invite-0001"),
    ]


# Other kinds of reply


def test_a_photo_is_not_understood_and_has_its_address(invited: TestAccount) -> None:
    reply(invited, media={"type": "image"})
    (event,) = guest_events(invited)
    assert (event["event"], event["type"], event["text"]) == (
        "guest.replied_invalid",
        "image",
        None,
    )
    url = event["mediaUrl"].replace("http://127.0.0.1:8080", invited.service.url)
    got = httpx.get(url, timeout=60, verify=NO_TLS)
    assert (got.status_code, got.headers["content-type"]) == (200, "image/jpeg")


def test_the_caption_of_a_photo_can_be_the_answer(invited: TestAccount) -> None:
    reply(invited, media={"type": "image", "caption": "yes, we come!"})
    (event,) = guest_events(invited)
    assert (event["event"], event["answer"]) == ("guest.confirmed", "yes")
    assert event["mediaUrl"]


def test_where_no_file_came_there_is_no_address(invited: TestAccount) -> None:
    reply(invited, text="yes")
    assert "mediaUrl" not in guest_events(invited)[0]


@pytest.mark.parametrize("kind", ["reaction", "edit", "system", "location", "unsupported", "new"])
def test_reactions_edits_and_the_unknown_are_messages(invited: TestAccount, kind: str) -> None:
    ingest(invited, said(invited, "yes", id_="r1", type_=kind))
    (event,) = guest_events(invited)
    assert (event["event"], event["type"], event["answer"]) == ("guest.message", kind, None)
    assert event["raw"]["type"] == kind
    assert (state(invited), texts(invited)) == ("open", [])


# Once, in any order


def test_a_reply_that_comes_twice_is_published_once(invited: TestAccount) -> None:
    one = said(invited, "yes", id_="r1")
    ingest(invited, one, one)
    ingest(invited, one)
    assert slots(invited) == [("confirmed", "only_open", "invite-0001")]


def test_the_last_word_stands_in_whatever_order_it_comes(invited: TestAccount) -> None:
    minute = timedelta(minutes=1)
    invited.advance(minutes=5)
    yes, no = (said(invited, t, id_=t, ago=ago) for t, ago in (("yes", 2 * minute), ("no", minute)))
    ingest(invited, no)
    ingest(invited, yes)
    assert [slot[0] for slot in slots(invited)] == ["declined", "message"]
    assert state(invited) == "declined"


def test_replies_of_one_call_are_taken_in_the_order_they_were_written(invited: TestAccount) -> None:
    minute = timedelta(minutes=1)
    invited.advance(minutes=5)
    later_, first = (
        said(invited, "no", id_="b", ago=minute),
        said(invited, "yes", id_="a", ago=2 * minute),
    )
    ingest(invited, later_, first)
    assert [slot[0] for slot in slots(invited)] == ["confirmed", "declined"]


def test_an_answer_given_in_time_counts_though_we_hear_of_it_late(account: TestAccount) -> None:
    register(account, defaults={"expiresAt": later(hours=1)})
    invite(account)
    reply(account, text=UNCLEAR)
    account.advance(hours=2)
    ingest(account, said(account, "yes", id_="r1", ago=timedelta(minutes=90)))
    assert kinds(account) == ["guest.replied_invalid", "guest.unresolved", "guest.confirmed"]
    assert (state(account), get_event(account)["replies"]["confirmed"]) == ("confirmed", 1)
    assert get_event(account)["replies"]["unresolved"] == 0


def test_a_reply_overtakes_every_status(account: TestAccount) -> None:
    register(account)
    sent = invite(account, to="972500009001")
    guest = {"from_": "972500009001"}
    ingest(account, said(account, "yes", id_="r1", **guest))
    statuses = [
        status(account, sent["messageId"], kind) for kind in (StatusKind.READ, StatusKind.SENT)
    ]
    ingest(account, *statuses, said(account, "no", id_="r2", **guest))
    assert [slot[0] for slot in slots(account)] == ["confirmed", "declined"]
    assert account.status("invite-0001")["status"] == "read"


def test_many_guests_in_one_call(account: TestAccount) -> None:
    register(account)
    guests = [f"9725012300{n:02}" for n in range(40)]
    for n, guest in enumerate(guests):
        invite(account, f"invite-{n:04}", guest)
    words = ["yes", "no", UNCLEAR, "STOP"]
    ingest(
        account,
        *(said(account, words[n % 4], id_=f"r{n}", from_=guest) for n, guest in enumerate(guests)),
    )
    require_described(account.events())
    assert sorted(kinds(account)) == sorted(
        ["guest.confirmed", "guest.declined", "guest.replied_invalid", "guest.opted_out"] * 10
    )
    account.advance(seconds=5)
    assert texts(account, guests[2]) == [TEXTS["invalidReply"]]
    assert get_event(account)["replies"] == {
        "invited": 40, "delivered": 40, "confirmed": 10, "declined": 10, "unresolved": 0,
        "pending": 20, "unclear": 10, "late": 0, "headcount": 10,
    }  # fmt: skip


def test_replies_of_a_guest_without_a_number_are_read(invited: TestAccount) -> None:
    """Whom the platform names by an id of its own alone: by quote or button only."""
    sent = invited.status("invite-0001")["messageId"]
    nobody = {"from_": "", "user_id": "US.1349"}
    ingest(invited, said(invited, "yes", id_="r1", **nobody))
    ingest(invited, said(invited, "no", id_="r2", quoted=sent, **nobody))
    assert slots(invited) == [("message", "none", None), ("declined", "quoted", "invite-0001")]
    assert [event["from"] for event in guest_events(invited)] == ["US.1349"] * 2
