"""The phone page: what the guest sees and does, the account's clock, and the events beside it."""

from typing import Any

import pytest

from tests.support.forms import form_toml, sent, submitted, values
from tests.support.live import number_toml
from tests.support.media import encoded, png
from tests.support.portal import Seen, Visitor, signed_in, text_of
from tests.support.service import GUEST, TEMPLATES, TestAccount, TestService
from tests.support.waiting import wait_for_feed
from tidings.platforms.sandbox.phone import DOTS

CODE = """
[[accounts.templates]]
name = "code"
language = "en"
category = "AUTHENTICATION"
status = "APPROVED"
body = "{{1}} is your verification code."
"""
PHONE = f"/phone?number={GUEST}"


def invite(account: TestAccount, cid: str = "invitation-1", to: str = GUEST) -> None:
    params = {"templateName": "invite", "templateParams": ["Dana", "Sunday"]}
    ends = {"kind": "invitation", "expiresAt": "2027-12-31T10:00:00Z"}
    answer = account.send(clientMessageId=cid, to=to, **params, **ends)
    assert answer.status_code == 200, answer.text


def bubbles(page: Seen) -> list[str]:
    return [text_of(one.select_one(".bubble-card")) for one in page.soup.select(".bubble")]


def shown(account: TestAccount, visitor: Visitor) -> Seen:
    """The page once it has all events."""
    wait_for_feed(account)
    return visitor.get(PHONE)


def events(page: Seen) -> list[str]:
    return [text_of(one) for one in page.soup.select("#events summary")]


def ticks(page: Seen) -> list[str]:
    return [str(one["aria-label"]) for one in page.soup.select(".bubble .ticks")]


def test_the_phone_shows_messages_and_how_far_they_came(account: TestAccount) -> None:
    invite(account)
    visitor = signed_in(account, "sender")
    page = visitor.get(PHONE)
    assert (page.status, page.h1) == (200, "Phone")
    assert bubbles(page)[0].startswith("Hi Dana, join us on Sunday")
    assert ticks(page) == ["Sent"]
    account.advance(seconds=1)
    assert ticks(visitor.get(PHONE)) == ["Delivered"]
    account.advance(seconds=1)
    assert ticks(visitor.get(PHONE)) == ["Read"]


def test_without_a_number_the_guest_is_the_one_written_to_last(account: TestAccount) -> None:
    visitor = signed_in(account)
    assert "No messages yet" in visitor.get("/phone").main
    invite(account, "invitation-1", "972501111111")
    invite(account, "invitation-2", "972502222222")
    page = visitor.get("/phone")
    assert page.field("Guest number")["value"] == "972502222222"
    assert [str(one["value"]) for one in page.soup.select("datalist option")] == [
        "972502222222",
        "972501111111",
    ]


def test_a_number_may_be_written_as_people_write_it(account: TestAccount) -> None:
    invite(account)
    visitor = signed_in(account)
    page = visitor.submit(visitor.get("/phone"), "Show", {"Guest number": "+972 50-123-4567"})
    assert page.field("Guest number")["value"] == GUEST
    wrong = visitor.get("/phone?number=12ab")
    assert wrong.status == 422
    assert wrong.field("Guest number")["value"] == "12ab"
    assert "12ab" in wrong.errors[0]


def test_a_tapped_button_answers_with_its_payload_and_the_event_is_shown(
    account: TestAccount,
) -> None:
    invite(account)
    visitor = signed_in(account, "sender")
    page = visitor.submit(visitor.get(PHONE), "Yes")
    assert bubbles(page)[1].startswith("Yes")
    confirmed = events(shown(account, visitor))[0]
    assert confirmed.startswith("guest.confirmed yes")
    assert "understood, 100% sure" in confirmed
    [event] = account.events("guest.confirmed")
    assert event["data"]["slotMatch"] == "button"


def test_an_event_opens_to_its_signed_headers_and_body(account: TestAccount) -> None:
    invite(account)
    page = shown(account, signed_in(account))
    headers = page.soup.select_one("#events .code-block pre")
    raw = str(page.soup.select("#events [data-copy]")[1]["data-copy"])
    given = dict(line.split(": ", 1) for line in text_of_lines(headers))
    check = account.post(
        "/webhooks/verify", {"headers": given, "body": raw, "secret": account.secret}
    )
    assert check.json()["data"]["valid"] is True, check.text


def text_of_lines(tag: Any) -> list[str]:
    return [line for line in tag.get_text().splitlines() if line.strip()]


def test_the_events_of_a_guest_stay_whatever_happens_to_others(account: TestAccount) -> None:
    invite(account, to=f"00{GUEST}")
    message = {"templateName": "invite", "templateParams": ["Noam", "Sunday"]}
    others = [{"clientMessageId": f"other-{n:04}", "to": f"9725077{n:05}"} for n in range(120)]
    batch = {"messages": [message | other for other in others]}
    assert account.post("/messages/bulk", batch).status_code == 202
    account.advance(seconds=60)
    words = [one.split()[1] for one in events(shown(account, signed_in(account, "sender")))]
    assert words == ["read", "delivered", "sent"]


def test_what_the_guest_writes_is_understood(account: TestAccount) -> None:
    invite(account)
    visitor = signed_in(account)
    page = visitor.submit(visitor.get(PHONE), "Send reply", {"Reply": "Yes, we will be 4"})
    assert bubbles(page)[1].startswith("Yes, we will be 4")
    assert "4 guests" in events(shown(account, visitor))[0]


def test_an_empty_reply_is_not_sent(account: TestAccount) -> None:
    visitor = signed_in(account)
    page = visitor.submit(visitor.get(PHONE), "Send reply", {"Reply": "  "})
    assert page.status == 422
    assert "Write something first." in page.errors[0]
    assert account.events() == []


def test_a_photo_and_stop(account: TestAccount) -> None:
    invite(account)
    visitor = signed_in(account)
    page = visitor.submit(visitor.get(PHONE), "Photo")
    assert page.soup.select_one(".bubble-guest img") is not None
    visitor.submit(page, "STOP")
    assert [event["data"]["from"] for event in account.events("guest.opted_out")] == [GUEST]


def test_texts_of_messages_are_never_markup(account: TestAccount) -> None:
    visitor = signed_in(account)
    said = "*bold* <img src=x> _yes_"
    page = visitor.submit(visitor.get(PHONE), "Send reply", {"Reply": said})
    body = page.soup.select_one(".bubble-body")
    assert body is not None
    assert [one.name for one in body.find_all(True)] == ["strong", "em"]
    assert text_of(body) == "bold <img src=x> yes"


def test_a_passcode_is_dots(service: TestService) -> None:
    account = service.account(TEMPLATES + CODE)
    account.post("/messages/otp", {"clientMessageId": "passcode-1", "to": GUEST, "code": "482913"})
    page = signed_in(account).get(PHONE)
    assert DOTS in bubbles(page)[0]
    assert "482913" not in page.response.text


def test_a_form_opens_and_its_answers_come_back(service: TestService) -> None:
    account = service.account(form_toml())
    sent(account)
    account.advance(seconds=1)
    visitor = signed_in(account)
    page = visitor.get(visitor.get(PHONE).links()["Give feedback"])
    questions = [text_of(one) for one in page.soup.select(".sheet legend")]
    assert questions == [
        "How was it?", "What did you eat?", "What did you like?", "Anything else?"
    ]  # fmt: skip
    filled: dict[str, str | list[str]] = {
        "answer.q1": "5", "answer.q2": "Fish", "answer.q3": ["Food", "Hall"], "answer.q4": "",
    }  # fmt: skip
    after = visitor.submit(page, "Send form", raw=filled)
    assert values(submitted(account)[0]) == {
        "q1": 5, "q2": "Fish", "q3": ["Food", "Hall"], "q4": None
    }  # fmt: skip
    assert after.soup.select_one(".sheet") is None
    assert "Fish" in bubbles(after)[-1]


def test_an_answer_that_the_form_does_not_offer_is_refused(service: TestService) -> None:
    account = service.account(form_toml())
    sent(account)
    account.advance(seconds=1)
    visitor = signed_in(account)
    page = visitor.get(visitor.get(PHONE).links()["Give feedback"])
    refused = visitor.submit(page, "Send form", raw={"answer.q2": "Soap"})
    assert refused.status == 422
    assert "Fish" in refused.errors[0]
    assert submitted(account) == []


def test_the_clock_moves_on_and_what_falls_due_happens(account: TestAccount) -> None:
    params = {"templateName": "invite", "templateParams": ["Dana", "Sunday"]}
    soon = (account.get("/sandbox/v1/clock").json()["data"]["now"])[:10]
    account.send(
        clientMessageId="invitation-1", to=GUEST, kind="invitation",
        expiresAt=f"{soon}T23:59:59Z", **params,
    )  # fmt: skip
    visitor = signed_in(account)
    page = visitor.submit(visitor.get(PHONE), "Advance", {"Advance by": "2", "Unit": "days"})
    assert "Runs 2 days ahead" in page.main
    assert account.get("/sandbox/v1/clock").json()["data"]["offsetSeconds"] == 2 * 86400
    assert account.status("invitation-1")["invitation"]["state"] == "expired"


@pytest.mark.parametrize(
    ("by", "unit"), [("0", "days"), ("-1", "hours"), ("1.5", "hours"), ("9999999", "days")]
)
def test_a_clock_that_cannot_move_so_says_why(account: TestAccount, by: str, unit: str) -> None:
    visitor = signed_in(account)
    page = visitor.submit(visitor.get(PHONE), "Advance", {"Advance by": by, "Unit": unit})
    assert page.status == 422
    assert page.field("Advance by")["value"] == by
    assert account.get("/sandbox/v1/clock").json()["data"]["offsetSeconds"] == 0


def test_whoever_only_reads_has_no_phone_and_a_live_account_neither(
    account: TestAccount, service: TestService
) -> None:
    viewer = signed_in(account, "viewer")
    assert viewer.get(PHONE).status == 403
    assert "Phone" not in viewer.get("/").links()
    assert viewer.post("/phone/reply", {"number": GUEST, "reply": "Yes"}).status_code == 403
    live = signed_in(service.account(number_toml(place="105577710003"), environment="live"))
    assert live.get(PHONE).status == 404
    assert live.post("/phone/stop", {"number": GUEST}).status_code == 404


def test_what_a_person_did_on_the_phone_is_in_the_audit_log(account: TestAccount) -> None:
    visitor = signed_in(account)
    page = visitor.submit(visitor.get(PHONE), "STOP")
    visitor.submit(page, "Advance", {"Advance by": "5", "Unit": "minutes"})
    rows = account.service.sql(
        "SELECT action, subject FROM audit_log WHERE account_id = $1 ORDER BY id", account.id
    )
    assert [row["action"] for row in rows][-2:] == ["phone.answered", "clock.advanced"]


def test_a_picture_is_shown_to_its_account_only(account: TestAccount, service: TestService) -> None:
    invite(account)
    account.reply(GUEST, "Hello")
    answer = account.send(
        clientMessageId="picture-1",
        to=GUEST,
        mediaBase64=encoded(png()),
        type="image",
        message="Look",
    )
    assert answer.status_code == 200, answer.text
    visitor = signed_in(account, "sender")
    picture = visitor.get(PHONE).soup.select_one(".bubble-ours img")
    assert picture is not None
    shown = visitor.raw("GET", str(picture["src"]))
    assert (shown.status_code, shown.headers["content-type"]) == (200, "image/png")
    other: Visitor = signed_in(service.account())
    foreign, unknown = (
        other.raw("GET", path) for path in (str(picture["src"]), "/media/med_unknown")
    )
    assert foreign.status_code == unknown.status_code == 404
