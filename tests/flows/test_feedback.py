"""A feedback form in the sandbox, from the file that declares it to the answers that are exported
and forgotten (4.6, 6.2)."""

from typing import Any

import msgspec
import pytest

from tests.support.answers import refused
from tests.support.billing import reapply, subscription
from tests.support.forms import (
    ANSWERS,
    ask,
    fill,
    form_toml,
    sent,
    submitted,
    values,
)
from tests.support.invitations import guest_events, invite, register, state
from tests.support.service import GUEST, TestAccount, TestService, require_sound
from tests.support.text import phone
from tidings.engine.db.tx import Tx
from tidings.features.accounts.lookup import load_accounts
from tidings.features.feedback.answers import results
from tidings.features.feedback.forms import lookup

SECOND = "972501234568"


@pytest.fixture
def account(service: TestService) -> TestAccount:
    return service.account(form_toml())


def form_statuses(account: TestAccount) -> list[tuple[Any, ...]]:
    found = account.service.transact(lambda tx: lookup.load_form_statuses(tx, account.id))
    return [(one.form_id, one.version, one.state, one.sendable) for one in found]


def load_results(account: TestAccount) -> results.Results:
    async def work(tx: Tx) -> results.Results:
        owner = (await load_accounts(tx, [account.id]))[account.id]
        return await results.load_results(tx, owner, "visit")

    return account.service.transact(work)


def test_the_whole_story(account: TestAccount) -> None:
    data = sent(account, clientMessageId="visit-0001")
    account.advance(seconds=5)
    (shown,) = phone(account)
    assert (shown["type"], shown["text"]) == ("form", "Your visit")
    assert shown["buttons"] == [
        {"type": "flow", "text": "Give feedback", "payload": None, "url": None}
    ]
    assert (shown["form"]["formId"], shown["form"]["version"]) == ("visit", 1)
    assert [question["type"] for question in shown["form"]["questions"]] == [
        "rating", "single", "multi", "comment",
    ]  # fmt: skip
    fill(account)
    (event,) = submitted(account)
    message = account.status("visit-0001")
    assert message["status"] == "read"
    assert {name: event[name] for name in event if name not in ("answers", "at")} == {
        "clientMessageId": "visit-0001",
        "messageId": message["messageId"],
        "to": GUEST,
        "meta": None,
        "formId": "visit",
        "version": 1,
        "sendId": data["sendId"],
    }
    assert event["answers"] == [
        {"questionId": "q1", "question": "How was it?", "type": "rating", "value": 5},
        {"questionId": "q2", "question": "What did you eat?", "type": "single", "value": "Fish"},
        {
            "questionId": "q3",
            "question": "What did you like?",
            "type": "multi",
            "value": ["Food", "Hall"],
        },
        {"questionId": "q4", "question": "Anything else?", "type": "comment", "value": "Thank you"},
    ]
    assert guest_events(account) == []  # it was no message to answer
    assert phone(account)[-1]["form"]["answers"]["q4"] == "Thank you"


def test_a_form_can_be_answered_as_soon_as_it_was_asked_for(account: TestAccount) -> None:
    sent(account)
    fill(account)
    assert len(submitted(account)) == 1


def test_only_the_first_answer_counts(account: TestAccount) -> None:
    sent(account)
    account.advance(seconds=5)
    fill(account, {"q1": 1, "q2": "Meat"})
    fill(account, {"q1": 5, "q2": "Fish"})
    (event,) = submitted(account)
    assert values(event) == {"q1": 1, "q2": "Meat", "q3": None, "q4": None}
    # What came after it is an ordinary message, with all there is to know about it.
    (late,) = guest_events(account)
    assert late["event"] == "guest.message" and late["raw"]["interactive"]["type"] == "nfm_reply"


@pytest.mark.parametrize(
    ("last_four", "rating", "comment"),
    [("9108", 5, "Lovely, thank you."), ("9109", 1, "We waited for an hour.")],
)
def test_magic_guests_fill_in_their_forms(
    account: TestAccount, last_four: str, rating: int, comment: str
) -> None:
    guest = f"97250123{last_four}"
    sent(account, guest)
    account.advance(seconds=10)
    (event,) = submitted(account)
    assert values(event) == {"q1": rating, "q2": "Fish", "q3": ["Food", "Music"], "q4": comment}
    assert event["to"] == guest


def test_inside_the_window_the_flow_goes_and_outside_it_the_template(account: TestAccount) -> None:
    def content(number: str) -> dict[str, Any]:
        rows = account.service.sql(
            "SELECT content::text AS content FROM messages WHERE account_id = $1 AND recipient = $2"
            " AND kind = 'feedback'",
            account.id,
            number,
        )
        found: dict[str, Any] = msgspec.json.decode(rows[0]["content"])
        return found

    account.reply(GUEST, "hello")
    sent(account, GUEST)
    sent(account, SECOND)
    account.advance(seconds=1)
    inside, outside = content(GUEST), content(SECOND)
    assert "template" not in inside
    assert outside["template"].startswith("form_visit_v1_") and outside["language"] == "en"
    assert [each["type"] for each in phone(account, SECOND)] == ["form"]


def test_a_form_that_waits_goes_by_the_template_when_the_window_has_closed(
    service: TestService,
) -> None:
    account = service.account(form_toml(), paused=True)
    account.reply(GUEST, "hello")
    data = sent(account, clientMessageId="visit-0001")
    assert data["status"] == "queued"
    assert account.status("visit-0001")["reason"] == "SENDING_PAUSED"
    assert account.events("message.deferred")[0]["data"]["reason"] == "SENDING_PAUSED"
    account.advance(hours=25)
    reapply(account, form_toml(), paused=False)
    account.advance(seconds=60)
    assert account.status("visit-0001")["status"] == "read"
    fill(account)
    assert values(submitted(account)[0])["q1"] == 5


def test_a_changed_form_is_a_new_version_and_the_latest_is_sent(account: TestAccount) -> None:
    assert sent(account)["version"] == 1
    changed = form_toml(title="Your stay", questions='{ id = "q1", type = "comment", text = "?" }')
    draft = changed.replace("approved = true", "approved = false")
    reapply(account, draft.replace("published = true", "published = false"))
    assert form_statuses(account) == [("visit", 1, "published", True), ("visit", 2, "draft", False)]
    assert sent(account, SECOND)["version"] == 1
    reapply(account, changed)
    reapply(account, changed)  # again, and nothing changes
    assert form_statuses(account) == [
        ("visit", 1, "superseded", False),
        ("visit", 2, "published", True),
    ]
    for form in ("visit", "visit@1", "visit@2"):
        assert sent(account, f"97250777000{form[-1:].replace('t', '0')}", form)["version"] == 2
    # Another version is the same form: once per number.
    refused(ask(account), 409, "ALREADY_SENT")
    # A form that is out can still be answered, in its own version.
    account.advance(seconds=5)
    fill(account)
    (event,) = submitted(account)
    assert (event["version"], len(event["answers"])) == (1, 4)


def test_flags_alone_move_the_version_forth_and_back(account: TestAccount) -> None:
    stages = [
        ((False, False), "draft", False), ((False, True), "submitted", False),
        ((True, False), "approved", True), ((True, True), "published", True),
        ((True, False), "approved", True), ((False, False), "draft", False),
    ]  # fmt: skip
    for (approved, published), state_, sendable in stages:
        reapply(account, form_toml(approved=approved, published=published))
        assert form_statuses(account) == [("visit", 1, state_, sendable)]
    refused(ask(account), 409, "FORM_NOT_SENDABLE")


def test_a_form_the_file_no_longer_names_is_retired_and_may_come_back(account: TestAccount) -> None:
    sent(account)
    account.advance(seconds=5)
    reapply(account, "forms = []\n")
    refused(ask(account, SECOND), 404, "FORM_NOT_FOUND")
    assert form_statuses(account) == [("visit", 1, "published", False)]
    fill(account)  # what is out can still be answered
    assert len(submitted(account)) == 1
    reapply(account, form_toml())
    assert sent(account, SECOND)["version"] == 1


def test_a_form_that_never_arrived_may_be_sent_again_and_costs_nothing(
    service: TestService,
) -> None:
    account = service.account(form_toml() + subscription(unique=5))
    nobody = "972501239010"  # failed 131026
    sent(account, nobody, clientMessageId="visit-0001")
    account.advance(seconds=5)
    assert account.status("visit-0001")["status"] == "failed"
    unique = account.get("/balance").json()["data"]["subscription"]["unique"]
    assert unique["used"] == 0
    again = sent(account, nobody, clientMessageId="visit-0002")
    assert (again["status"], again["duplicate"]) == ("queued", False)
    # The first request, repeated, is still the first.
    repeated = sent(account, nobody, clientMessageId="visit-0001")
    assert (repeated["status"], repeated["duplicate"]) == ("failed", True)
    refused(ask(account, nobody, clientMessageId="visit-0003"), 409, "ALREADY_SENT")


def test_a_form_and_an_open_invitation_do_not_meet(account: TestAccount) -> None:
    register(account)
    invite(account)
    sent(account, clientMessageId="visit-0001")
    account.advance(seconds=5)
    fill(account, {"q1": 2, "q2": "Fish", "q4": "yes"})
    assert state(account) == "open" and guest_events(account) == []
    fill(account, {"q4": "yes"})  # a second answer is no answer to the invitation either
    assert state(account) == "open"
    assert [event["event"] for event in guest_events(account)] == ["guest.message"]


def test_raw_accounts_receive_both(service: TestService) -> None:
    account = service.account(form_toml(), replies="raw")
    sent(account, clientMessageId="visit-0001")
    account.advance(seconds=5)
    fill(account)
    assert len(submitted(account)) == 1
    (raw,) = [event["data"] for event in account.events("message.received")]
    assert raw["clientMessageId"] == "visit-0001" and raw["repliedTo"] == "quoted_message"


def test_what_no_phone_could_send_is_refused(account: TestAccount) -> None:
    for answers in ({"q9": 1}, {"q1": 6}, {"q2": "Soup"}, {"q3": "Food"}, {"q4": 7}):
        sent_first = account.post(
            "/sandbox/v1/replies", {"from": GUEST, "form": {"answers": answers}}
        )
        refused(sent_first, 400, "VALIDATION_ERROR")
    sent(account)
    account.advance(seconds=5)
    for answers in ({"q9": 1}, {"q1": 6}, {"q2": "Soup"}, {"q3": "Food"}, {"q4": 7}):
        body = {"from": GUEST, "form": {"answers": answers}}
        refused(account.post("/sandbox/v1/replies", body), 400, "VALIDATION_ERROR")


# Results


def test_answers_add_up_and_can_be_forgotten(account: TestAccount) -> None:
    guests = {GUEST: 5, SECOND: 2, "972501239108": None}
    for number in guests:
        sent(account, number)
    account.advance(seconds=10)
    for number, rating in guests.items():
        if rating is not None:
            fill(account, ANSWERS | {"q1": rating}, number)
    found = load_results(account)
    assert (found.sent, found.answered, found.title) == (3, 3, "Your visit")
    rating_, single, multi, comment = found.questions
    assert [one.count for one in rating_.choices] == [0, 1, 0, 0, 2] and rating_.average == 4.0
    assert {one.value: one.count for one in single.choices} == {"Fish": 3, "Meat": 0}
    assert {one.value: one.count for one in multi.choices} == {"Food": 3, "Music": 1, "Hall": 2}
    assert (comment.answered, comment.choices) == (3, [])
    questions = account.service.transact(lambda tx: results.load_questions(tx, account.id, "visit"))
    rows, _ = account.service.transact(
        lambda tx: results.load_rows(tx, account.id, "visit", None, 10)
    )
    assert [question.id for question in questions] == ["q1", "q2", "q3", "q4"]
    assert {row.to: row.answers["q1"] for row in rows} == {
        GUEST: 5, SECOND: 2, "972501239108": 5,
    }  # fmt: skip
    assert account.service.transact(lambda tx: results.forget(tx, account.id, SECOND)) == 1
    assert account.service.transact(lambda tx: results.forget(tx, account.id, SECOND)) == 0
    found = load_results(account)
    assert found.questions[0].average == 5.0
    # That it was answered is remembered: no later answer counts, and no second form goes.
    fill(account, ANSWERS, SECOND)
    assert len(submitted(account)) == 3
    refused(ask(account, SECOND), 409, "ALREADY_SENT")


def test_a_form_in_hebrew(service: TestService) -> None:
    questions = '{ id = "q1", type = "single", text = "מה אכלת?", options = ["דג", "בשר"] }'
    more = 'language = "he"\ntext = "נשמח לשמוע ממך"'
    account = service.account(form_toml(title="הביקור שלך", questions=questions, more=more))
    sent(account)
    account.advance(seconds=5)
    (shown,) = phone(account)
    assert (shown["text"], shown["buttons"][0]["text"]) == ("נשמח לשמוע ממך", "למשוב")
    fill(account, {"q1": "דג"})
    assert submitted(account)[0]["answers"][0]["value"] == "דג"


def test_the_books_are_in_order(account: TestAccount) -> None:
    sent(account)
    account.advance(seconds=5)
    fill(account)
    require_sound(account.service)
