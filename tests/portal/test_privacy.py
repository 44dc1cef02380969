"""Privacy: a person is found by number, exported and erased; and the account's retention time."""

import pytest

from tests.support import invitations, persons
from tests.support.persons import NAME, PERSON
from tests.support.portal import signed_in
from tests.support.service import TestAccount, TestService


@pytest.fixture
def known(account: TestAccount) -> TestAccount:
    account.send(clientMessageId=f"hello-{PERSON}", to=PERSON, templateName="hello",
                 templateParams=[NAME])  # fmt: skip
    account.reply(PERSON, "Hello there")
    return account


def actions(account: TestAccount) -> list[str]:
    rows = account.service.sql(
        "SELECT action, subject FROM audit_log WHERE account_id = $1 ORDER BY id", account.id
    )
    assert PERSON not in str(rows)
    return [row["action"] for row in rows]


def test_what_is_kept_of_a_person_is_listed(known: TestAccount) -> None:
    visitor = signed_in(known)
    page = visitor.get("/privacy")
    assert (page.status, page.h1) == (200, "Privacy")
    assert not page.has_button("Erase")
    page = visitor.submit(page, "Find a person", {"Find a person": "+972 54-111-2233"})
    counts = {row[0].split(" · ")[0]: row[1] for row in page.rows()}
    assert (counts["Messages"], counts["Replies"]) == ("1", "1")
    assert {"Contact", "Conversations", "Webhook events"} <= counts.keys()


def test_nobody_and_no_number(account: TestAccount) -> None:
    visitor = signed_in(account)
    page = visitor.get(f"/privacy?number={PERSON}")
    assert "Nothing is kept of this person" in page.main and not page.has_button("Erase")
    page = visitor.get("/privacy?number=12")
    assert page.status == 422 and page.field("Find a person")["value"] == "12"
    for path in ("/privacy/erase", "/privacy/export"):
        assert visitor.post(path, {"number": "12"}).status_code == 422


def test_an_owner_exports(known: TestAccount) -> None:
    visitor = signed_in(known)
    page = visitor.get(f"/privacy?number={PERSON}")
    answer = visitor.submit(page, "Export").response
    assert answer.headers["content-type"] == "application/json"
    assert f"{PERSON}.json" in answer.headers["content-disposition"]
    whole = answer.json()
    assert whole["number"] == PERSON and whole["messages"][0]["to"] == PERSON
    assert NAME in str(whole["messages"]) and whole["replies"][0]["text"] == "Hello there"
    assert "person.exported" in actions(known)


def test_an_owner_erases_after_being_asked(known: TestAccount) -> None:
    persons.schedule(known)
    visitor = signed_in(known)
    asked = visitor.submit(visitor.get(f"/privacy?number={PERSON}"), "Erase")
    assert asked.h1 == "Erase this person?" and PERSON in asked.main
    assert known.status("later-0001")["to"] == PERSON
    page = visitor.submit(asked, "Confirm")
    assert "The person is erased." in page.main
    persons.finish(known.service)
    assert persons.places_of(known, PERSON) == set()
    assert known.status("later-0001")["status"] == "cancelled"
    assert "person.erased" in actions(known)
    assert "Nothing is kept" in visitor.get(f"/privacy?number={PERSON}").main


@pytest.mark.parametrize("role", ["viewer", "sender", "developer"])
def test_others_only_look(known: TestAccount, role: str) -> None:
    visitor = signed_in(known, role)
    page = visitor.get(f"/privacy?number={PERSON}")
    assert page.rows() and "Data is kept as long as the messages are." in page.main
    assert not any(page.has_button(name) for name in ("Export", "Erase", "Save"))
    for act in ("export", "erase", "retention"):
        fields = {"number": PERSON, "days": "1", "confirmed": "yes"}
        assert visitor.post(f"/privacy/{act}", fields).status_code == 403
    assert known.status(f"hello-{PERSON}")["to"] == PERSON


def test_money_is_another_matter_and_accounts_are_apart(
    known: TestAccount, service: TestService
) -> None:
    assert signed_in(known, "billing").get("/privacy").status == 403
    stranger = signed_in(service.account())
    assert "Nothing is kept" in stranger.get(f"/privacy?number={PERSON}").main
    stranger.post("/privacy/erase", {"number": PERSON, "confirmed": "yes"})
    assert known.status(f"hello-{PERSON}")["to"] == PERSON


def test_the_retention_time_is_set_and_taken_away(known: TestAccount) -> None:
    visitor = signed_in(known)
    for wrong in ("0", "3651", "x", "1.5", "9" * 30):
        page = visitor.submit(visitor.get("/privacy"), "Save", {"Keep data for (days)": wrong})
        assert page.status == 422 and page.field("Keep data for (days)")["value"] == wrong
    asked = visitor.submit(visitor.get("/privacy"), "Save", {"Keep data for (days)": "90"})
    assert asked.h1 == "Erase old data?"
    page = visitor.submit(asked, "Confirm")
    assert "Data is kept for 90 days." in page.main
    assert page.field("Keep data for (days)")["value"] == "90"
    assert "Data is kept for 90 days." in signed_in(known, "viewer").get("/privacy").main
    page = visitor.submit(page, "Save", {"Keep data for (days)": ""})
    assert "Data is kept as long as the messages are." in page.main
    [row] = known.service.sql("SELECT retention_days FROM accounts WHERE id = $1", known.id)
    assert row == {"retention_days": None}
    edits = known.service.sql(
        "SELECT setting FROM account_hand_edits WHERE account_id = $1", known.id
    )
    assert {"setting": "retentionDays"} in edits
    assert len([one for one in actions(known) if one.startswith("account.")]) >= 2


SHARE = "Share of answers that has to be right"
OPINION = "Ask for a second opinion on replies that are not understood"
SAVE_READING = "Save how replies are read"


def test_who_lets_texts_leave_the_house_is_asked_first(account: TestAccount) -> None:
    visitor = signed_in(account)
    page = visitor.get("/privacy")
    assert page.field(SHARE)["value"] == "0.99"
    assert "Your operator has chosen no language model" in page.main
    asked = visitor.submit(page, SAVE_READING, {OPINION: "yes", SHARE: "0.95"})
    assert asked.h1 == "Ask for a second opinion?"
    assert _reading(account) == {"reader_precision": 0.99, "second_opinion": False}
    page = visitor.submit(asked, "Confirm")
    assert "It holds from the next reply on." in page.main
    assert _reading(account) == {"reader_precision": 0.95, "second_opinion": True}
    edits = account.service.sql(
        "SELECT setting FROM account_hand_edits WHERE account_id = $1 ORDER BY setting", account.id
    )
    assert [row["setting"] for row in edits] == ["readerPrecision", "secondOpinion"]
    assert "go to a language model" in signed_in(account, "viewer").get("/privacy").main
    page = visitor.submit(page, SAVE_READING, {SHARE: ""})
    assert _reading(account) == {"reader_precision": 0.99, "second_opinion": True}


@pytest.mark.parametrize("wrong", ["1", "0.89", "99%", "nan"])
def test_a_share_out_of_range_is_refused_with_its_rule(account: TestAccount, wrong: str) -> None:
    visitor = signed_in(account)
    page = visitor.submit(visitor.get("/privacy"), SAVE_READING, {SHARE: wrong})
    assert page.status == 422 and page.field(SHARE)["value"] == wrong
    assert "must be a number from 0.9 to 0.999" in page.main
    assert visitor.post("/privacy/reading", {"secondOpinion": "yes"}).status_code == 200
    viewer = signed_in(account, "viewer")
    assert viewer.post("/privacy/reading", {"confirmed": "yes"}).status_code == 403


def _reading(account: TestAccount) -> dict[str, object]:
    [row] = account.service.sql(
        "SELECT reader_precision, second_opinion FROM accounts WHERE id = $1", account.id
    )
    return row


KEEP = "Keep the replies that people settle"
NO_LONGER = "Keep settled replies no longer?"


def _settled(service: TestService) -> TestAccount:
    account = service.account(keepReadings=True)
    invitations.register(account)
    invitations.invite(account, to=PERSON)
    invitations.reply(account, PERSON, text="=who knows")
    invitations.settle(account, "yes", PERSON, guests=2)
    return account


def test_settled_replies_are_downloaded_and_that_is_recorded(service: TestService) -> None:
    account = _settled(service)
    visitor = signed_in(account)
    page = visitor.get("/privacy")
    assert "1 settled reply is kept." in page.main
    file = visitor.post("/privacy/readings", {})
    assert file.text == "text\tanswer\tguests\n=who knows\tyes\t2\n"
    assert file.headers["content-type"] == "text/plain; charset=utf-8"
    assert ".txt" in file.headers["content-disposition"]
    assert actions(account)[-1] == "readings.exported"
    assert "Replies kept as examples" in visitor.get(f"/privacy?number={PERSON}").main
    viewer = signed_in(account, "viewer")
    assert not viewer.get("/privacy").has_button("Export the kept replies")
    assert viewer.post("/privacy/readings", {}).status_code == 403


def test_who_withdraws_is_asked_and_then_nothing_is_kept(service: TestService) -> None:
    account = _settled(service)
    visitor = signed_in(account)
    asked = visitor.submit(visitor.get("/privacy"), SAVE_READING, {KEEP: ""})
    assert asked.h1 == NO_LONGER and "1 settled reply that was kept is erased." in asked.main
    kept = "SELECT 1 FROM kept_readings WHERE account_id = $1"
    assert len(service.sql(kept, account.id)) == 1
    page = visitor.submit(asked, "Confirm")
    assert service.sql(kept, account.id) == []
    assert not page.has_button("Export the kept replies")
