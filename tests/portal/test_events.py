"""The pages of events: registering and changing one, its figures, its guests, replies to settle."""

import csv
import io
from typing import Any

import pytest

from tests.support.invitations import DAY, get_event, invite, register, reply
from tests.support.portal import Seen, Visitor, signed_in, text_of
from tests.support.reading_back import read_all
from tests.support.service import GUEST, TestAccount, TestService

SECOND, THIRD = "972501234568", "972501234569"
UNCLEAR = "who is this?"
SETTINGS = {
    "Event id": "wedding",
    "Date": "2036-06-01T18:30",
    "Callback URL": "https://example.com/hook",
    "Text for unclear replies": "Yes or no?",
    "Nudge": "Are you coming?",
    "Text after expiry": "It is over.",
}


@pytest.fixture
def visitor(account: TestAccount) -> Visitor:
    return signed_in(account, "sender")


def region(page: Seen) -> str:
    return text_of(page.soup.select_one("#unclear"))


def audit(account: TestAccount) -> list[tuple[str, str]]:
    rows = account.service.sql(
        "SELECT action, subject FROM audit_log WHERE account_id = $1 ORDER BY id", account.id
    )
    return [(row["action"], row["subject"]) for row in rows if row["action"] != "account.created"]


def test_without_events_the_page_says_what_one_is_for(account: TestAccount) -> None:
    page = signed_in(account, "viewer").get("/events")
    assert (page.status, page.h1) == (200, "Events")
    assert "No events yet" in page.main
    assert "New event" not in page.links()


def test_an_event_is_registered_and_listed(account: TestAccount, visitor: Visitor) -> None:
    form = visitor.get(visitor.get("/events").links()["New event"])
    assert form.h1 == "New event"
    page = visitor.submit(form, "Save", SETTINGS)
    assert (page.status, page.h1) == (200, "wedding")
    assert "No guests yet" in page.main
    event = get_event(account)
    assert event["eventDate"] == "2036-06-01T18:30:00.000Z"
    assert event["texts"] == {
        "invalidReply": "Yes or no?", "nudge": "Are you coming?", "expired": "It is over."
    }  # fmt: skip
    assert event["defaults"]["nudgeAfterMinutes"] is None
    assert audit(account)[-1] == ("event.created", "wedding")
    listed = visitor.get("/events").rows()
    assert [row[:-1] for row in listed] == [
        ["wedding", "1 June 2036", "0", "0", "0", "0", "0", "0"]
    ]
    assert visitor.submit(form, "Save", SETTINGS).h1 == "wedding"  # sent twice
    assert [action for action, _ in audit(account)].count("event.created") == 1


def test_events_are_listed_from_either_end(account: TestAccount, visitor: Visitor) -> None:
    for event_id in ("first", "second"):
        register(account, event_id)
    page = visitor.get("/events")
    assert [row[0] for row in page.rows()] == ["second", "first"]
    page = visitor.get(page.links()["Created"])
    assert [row[0] for row in page.rows()] == ["first", "second"]


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"Event id": "abc"}, "Give an id of 4 to 64 characters."),
        ({"Event id": ""}, "Give an id of 4 to 64 characters."),
        ({"Date": "soon"}, "Give a day and a time."),
        ({"Callback URL": "ftp://example.com"}, "Give an address that begins with https://"),
        ({"Nudge": " "}, "Write a text of at most"),
        ({"Minutes before asking again": "1441"}, "Give whole minutes, 1 to 1440"),
        ({"Answers until": "2001-01-01T10:00"}, "still to come"),
    ],
)
def test_a_refused_event_keeps_what_was_typed(
    visitor: Visitor, account: TestAccount, fields: dict[str, str], said: str
) -> None:
    page = visitor.submit(visitor.get("/events/new"), "Save", SETTINGS | fields)
    assert page.status == 422
    assert said in page.errors[0]
    kept = {name: page.field(name) for name in SETTINGS | fields}
    for name, value in (SETTINGS | fields).items():
        shown = kept[name].get("value") or kept[name].get_text().removeprefix("\n")
        assert str(shown) == value, name
    assert account.get("/events").json()["data"] == []


def test_an_id_that_is_taken_is_refused_and_nothing_changes(
    visitor: Visitor, account: TestAccount
) -> None:
    before = register(account)
    page = visitor.submit(visitor.get("/events/new"), "Save", SETTINGS)
    assert page.status == 422
    assert "already" in page.errors[0]
    assert get_event(account)["texts"] == before["texts"]


def test_a_date_is_changed_after_invitations_only_when_confirmed(
    visitor: Visitor, account: TestAccount
) -> None:
    register(account, defaults={"nudgeAfterMinutes": 30})
    invite(account)
    form = visitor.get(visitor.get("/events/wedding").links()["Edit event"])
    assert "1 invitation went out" in form.main
    assert form.field("Minutes before asking again")["value"] == "30"
    asked = visitor.submit(form, "Save", {"Date": "2036-07-01T20:00", "Nudge": "Coming?"})
    assert asked.h1 == "Change the date?"
    assert get_event(account)["texts"]["nudge"] != "Coming?"
    page = visitor.submit(asked, "Confirm")
    assert page.h1 == "wedding"
    changed = get_event(account)
    assert changed["eventDate"] == "2036-07-01T20:00:00.000Z"
    assert (changed["texts"]["nudge"], changed["defaults"]["nudgeAfterMinutes"]) == ("Coming?", 30)
    assert audit(account)[-1] == ("event.changed", "wedding")


def test_what_is_not_touched_keeps_its_seconds(visitor: Visitor, account: TestAccount) -> None:
    before = register(account, eventDate=DAY.replace(".000", ".123"))
    invite(account)
    page = visitor.submit(visitor.get("/events/wedding/edit"), "Save", {"Nudge": "Coming?"})
    assert page.h1 == "wedding", page.main
    assert get_event(account)["eventDate"] == before["eventDate"]


def test_figures_curve_and_guests(visitor: Visitor, account: TestAccount) -> None:
    register(account)
    for index, number in enumerate((GUEST, SECOND, THIRD)):
        invite(account, f"invite-000{index}", number)
    reply(account, GUEST, text="yes, 3 of us")
    reply(account, SECOND, text="no, sorry")
    reply(account, THIRD, text=UNCLEAR)
    page = visitor.get("/events/wedding")
    figures = page.figures()
    assert {name: figures[name] for name in ("Invited", "Confirmed", "Declined", "Headcount")} == {
        "Invited": "3", "Confirmed": "1", "Declined": "1", "Headcount": "3"
    }  # fmt: skip
    assert (figures["Unclear"], figures["Pending"]) == ("1", "1")
    curve = page.soup.select("#curve table tbody tr")
    assert [text_of(cell) for cell in curve[-1].select("td")] == ["1", "1"]
    assert [row[:3] for row in page.rows(1)] == [
        [THIRD, "unclear", ""], [SECOND, "declined", ""], [GUEST, "confirmed", "3"]
    ]  # fmt: skip
    only = visitor.submit(page, "Filter", {"State": "confirmed"})
    assert [row[0] for row in only.rows(1)] == [GUEST]
    assert "state=confirmed" in str(only.response.url)
    assert visitor.get("/events/wedding?state=failed").main.count("No guest is in this state.") == 1


def test_guests_are_paged(visitor: Visitor, account: TestAccount) -> None:
    register(account)
    items = [
        {"clientMessageId": f"guest-{index:04}", "to": f"97250200{index:04}", "kind": "invitation",
         "eventId": "wedding", "templateName": "invite", "templateParams": ["Dana", "Sunday"]}
        for index in range(51)
    ]  # fmt: skip
    assert account.post("/messages/bulk", {"messages": items}).status_code == 202
    page = visitor.get("/events/wedding")
    older = visitor.get(page.links()["Older"])
    assert (len(page.rows()), len(older.rows())) == (50, 1)
    newer = visitor.get(older.links()["Newer"])
    assert newer.rows() == page.rows()


def settle(visitor: Visitor, button: str, fields: dict[str, Any] | None = None) -> Seen:
    return visitor.submit(visitor.get("/events/wedding"), button, fields)


@pytest.fixture
def unclear(account: TestAccount) -> TestAccount:
    register(account)
    invite(account)
    reply(account, text=UNCLEAR)
    return account


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("is there parking?", "Neither a yes nor a no was found in it."),
        ("if it rains I can't <make it", "because of “can't <make it”."),
        ("If the bus runs we'll be 4", "sure, because of “we'll be 4”."),
    ],
)
def test_the_queue_says_what_a_reply_leans_to_and_because_of_which_words(
    account: TestAccount, visitor: Visitor, text: str, why: str
) -> None:
    register(account)
    invite(account)
    reply(account, text=text)
    [said] = visitor.get("/events/wedding").soup.select("#unclear .unclear .muted")
    assert why in said.get_text()


@pytest.mark.parametrize(
    ("button", "fields", "answer", "guests"),
    [
        ("Yes", {}, "yes", None),
        ("No", {}, "no", None),
        ("Guests", {"Number of guests": "4"}, "yes", 4),
        ("Yes", {"Number of guests": "2"}, "yes", 2),
    ],
)
def test_a_person_settles_what_was_meant(
    unclear: TestAccount, visitor: Visitor, button: str, fields: dict[str, str], answer: str,
    guests: int | None,
) -> None:  # fmt: skip
    before = region(visitor.get("/events/wedding"))
    assert UNCLEAR in before
    assert "Neither a yes nor a no" in before
    page = settle(visitor, button, fields)
    assert page.status == 200
    assert "No reply waits" in region(page)
    kind = "guest.confirmed" if answer == "yes" else "guest.declined"
    [event] = unclear.events(kind)
    assert (event["data"]["guests"], event["data"]["slotMatch"]) == (guests, "settled")
    assert audit(unclear)[-1] == ("answer.settled", GUEST)


def test_a_number_of_guests_that_is_none_is_refused_beside_its_field(
    unclear: TestAccount, visitor: Visitor
) -> None:
    for given in ("", "0", "1000"):
        page = settle(visitor, "Guests", {"Number of guests": given})
        assert page.status == 422
        assert "Give a number from 1 to 999." in region(page)
    assert unclear.events("guest.confirmed") == []


def test_a_reply_that_was_not_read_is_not_settled(unclear: TestAccount, visitor: Visitor) -> None:
    page = visitor.get("/events/wedding")
    unclear.advance(minutes=1)
    reply(unclear, text="what is the dress code?")
    after = visitor.submit(page, "No")
    assert after.status == 422
    assert "written again since" in after.errors[0]
    assert "dress code" in region(after)
    assert unclear.events("guest.declined") == []


def test_guests_are_exported_as_filtered_and_without_formulas(
    visitor: Visitor, account: TestAccount
) -> None:
    register(account)
    invite(account)
    invite(account, "invite-0002", SECOND)
    reply(account, SECOND, text='=HYPERLINK("x")')
    page = visitor.get("/events/wedding?state=unclear")
    answer = visitor.raw("GET", page.links()["Export CSV"])
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    assert 'filename="wedding-guests.csv"' in answer.headers["content-disposition"]
    rows = list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))
    assert [(row["to"], row["state"], row["text"]) for row in rows] == [
        (SECOND, "unclear", '\'=HYPERLINK("x")')
    ]
    everyone = visitor.raw("GET", "/events/wedding/guests.csv")
    assert len(everyone.text.splitlines()) == 3


def test_whoever_only_reads_sees_no_control_and_may_not_act(unclear: TestAccount) -> None:
    viewer = signed_in(unclear, "viewer")
    page = viewer.get("/events/wedding")
    assert UNCLEAR in region(page)
    assert not page.has_button("Yes")
    assert "Edit event" not in page.links()
    assert viewer.get("/events/new").status == 403
    answer = viewer.post("/events/wedding/answer", {"to": GUEST, "answer": "yes"})
    assert answer.status_code == 403
    assert signed_in(unclear, "billing").get("/events").status == 403


def test_a_foreign_event_is_as_unknown_as_none(unclear: TestAccount, service: TestService) -> None:
    other = signed_in(service.account())
    for path in ("", "/edit", "/guests.csv"):
        assert other.raw("GET", f"/events/wedding{path}").status_code == 404
        assert other.raw("GET", f"/events/nothing{path}").status_code == 404
    answer = other.post("/events/wedding/answer", {"to": GUEST, "answer": "yes"})
    assert answer.status_code == 404


def test_an_id_may_hold_any_sign(visitor: Visitor, account: TestAccount) -> None:
    name = "חתונה 1/2 100%?"
    register(account, name)
    page = visitor.get(visitor.get("/events").links()[name])
    assert (page.status, page.h1) == (200, name)
    assert visitor.raw("GET", page.links()["Export CSV"]).status_code == 200
    invite(account, eventId=name)
    edit = visitor.get(page.links()["Edit event"])
    asked = visitor.submit(edit, "Save", {"Date": "2036-07-01T20:00"})
    assert asked.h1 == "Change the date?"
    assert visitor.submit(asked, "Confirm").h1 == name
    changed = read_all(account, "/events")[0]
    assert changed["eventDate"] == "2036-07-01T20:00:00.000Z"
    assert visitor.get(page.links()["עברית"]).h1 == name
