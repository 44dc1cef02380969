"""Batches in the portal: from a CSV file, in steps, to progress and cancelling."""

from typing import Any

import pytest

from tests.support.batches import SLOW, item, submit
from tests.support.portal import Seen, Visitor, signed_in, text_of
from tests.support.service import GUEST, TestAccount, TestService
from tests.support.text import ahead
from tests.support.waiting import settle

GOOD = "id,phone,name\nguest-0001,972501111111,Dana\nguest-0002,+972 50-222-2222,Noam\n"


def upload(visitor: Visitor, content: bytes | str, template: str = "hello/en") -> Seen:
    raw = content.encode() if isinstance(content, str) else content
    page = visitor.get("/batches/new")
    files = {"CSV file": ("guests.csv", raw, "text/csv")}
    return visitor.submit(page, "Continue", {"Template": template}, files=files)


def checked(visitor: Visitor, content: bytes | str, **columns: str) -> Seen:
    page = upload(visitor, content)
    assert page.status == 200, page.errors
    chosen = {label: _column(page, label, heading) for label, heading in columns.items()}
    return visitor.submit(page, "Continue", chosen)


def _column(page: Seen, label: str, heading: str) -> str:
    options = page.field(label).select("option")
    return next(str(one["value"]) for one in options if text_of(one) == heading)


def mistakes(page: Seen) -> list[list[str]]:
    return page.rows() if page.soup.select("table") else []


def test_a_batch_goes_from_a_file_to_its_messages(account: TestAccount) -> None:
    visitor = signed_in(account, "sender")
    page = upload(visitor, GOOD)
    assert (page.status, page.h1) == (200, "New batch")
    assert [text_of(one) for one in page.field("Number").select("option[selected]")] == ["phone"]
    assert [text_of(one) for one in page.field("Id").select("option[selected]")] == ["id"]
    assert [text_of(one) for one in page.field("Variable 1").select("option[selected]")] == ["name"]
    assert text_of(page.soup.select_one(".bubble-body")) == "Hello Dana"
    check = visitor.submit(page, "Continue")
    figures = check.figures()
    assert (figures["Will be sent"], figures["Left out"], figures["Cost"]) == ("2", "0", "2")
    assert account.get("/messages").json()["data"] == []
    sent = visitor.submit(check, "Send")
    assert sent.h1 == "Batch"
    settle(account)
    listed = visitor.get("/batches").rows()[0]
    assert listed[0] == "guests" and listed[3] == "2"
    batch = visitor.get(str(sent.response.url))
    assert "100%" in batch.main
    messages = visitor.get(batch.links()["Its messages"])
    assert sorted(row[0] for row in messages.rows()) == ["guest-0001", "guest-0002"]
    audit = account.service.sql("SELECT action FROM audit_log WHERE account_id = $1", account.id)
    assert "batch.sent" in [row["action"] for row in audit]


def test_batches_are_listed_from_either_end(account: TestAccount) -> None:
    for name in ("first", "second", "third"):
        submit(account, [item(1, clientMessageId=f"{name}-0001")], batchName=name)
    visitor = signed_in(account, "viewer")
    page = visitor.get("/batches")
    assert [row[0] for row in page.rows()] == ["third", "second", "first"]
    page = visitor.get(page.links()["Created"])
    assert [row[0] for row in page.rows()] == ["first", "second", "third"]


def test_the_same_form_sent_twice_makes_one_batch(account: TestAccount) -> None:
    visitor = signed_in(account)
    check = checked(visitor, GOOD)
    first, second = visitor.submit(check, "Send"), visitor.submit(check, "Send")
    assert first.response.url == second.response.url
    assert len(visitor.get("/batches").rows()) == 1
    settle(account)
    assert len(account.get("/messages").json()["data"]) == 2


def test_the_same_file_again_is_left_out(account: TestAccount) -> None:
    visitor = signed_in(account)
    without_ids = "phone,name\n972501111111,Dana\n"
    visitor.submit(checked(visitor, without_ids), "Send")
    settle(account)
    again = checked(visitor, without_ids)
    assert not again.has_button("Send")
    assert "A message with this id was sent before." in again.main


def test_every_mistake_has_its_row_column_value_and_remedy(account: TestAccount) -> None:
    rows = [
        "id,phone,name",
        "guest-0001,972501111111,Dana",
        "short,9.72501E+11,",
        "guest-0001,050-1234567,Noam",
        ',,"a\nb"',
    ]
    page = checked(signed_in(account), "\n".join(rows))
    found = mistakes(page)
    assert [row[:3] for row in found] == [
        ["3", "phone", "9.72501E+11"],
        ["3", "id", "short"],
        ["3", "name", ""],
        ["4", "id", "guest-0001"],
        ["5", "phone", ""],
        ["5", "id", ""],
        ["5", "name", "a b"],
    ]
    assert all(row[3] and row[4] for row in found)
    assert page.figures()["Will be sent"] == "1"
    assert page.figures()["Left out"] == "3"
    assert "1 message will be sent. 3 rows will not." in page.main


def test_without_a_good_row_there_is_no_send(account: TestAccount) -> None:
    visitor = signed_in(account)
    page = checked(visitor, "id,phone,name\nguest-0001,12,Dana\n")
    assert not page.has_button("Send")
    assert "No row of the file can be sent." in page.main
    path = str(page.response.url.path).removeprefix("/portal")
    assert visitor.post(path, {}).status_code == 422
    assert "No batches yet" in visitor.get("/batches").main


def test_people_who_opted_out_are_left_out(account: TestAccount) -> None:
    account.send(clientMessageId="before-1", to=GUEST, templateName="plain")
    settle(account)
    account.reply(GUEST, "STOP")
    page = checked(signed_in(account), f"id,phone,name\nguest-0001,{GUEST},Dana\n")
    assert not page.has_button("Send")
    assert mistakes(page)[0][:3] == ["2", "phone", GUEST]


def test_the_phone_shows_a_row_that_is_sent(account: TestAccount) -> None:
    rows = ["id,phone,name", "guest-0001,050,Noam", "guest-0002,972501111111,Dana"]
    page = checked(signed_in(account), "\n".join(rows))
    assert text_of(page.one("#phone-title")) == "What row 3 gets"
    assert "Dana" in text_of(page.one(".bubble-body"))


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "empty"),
        (b"PK\x03\x04rest", "Excel workbook"),
        (b"phone,name\n97250,\x00\n", "no text"),
        (b'phone,name\n972501111111,"Dana\n', "quotation marks of row 2"),
        (b"phone,phone\n972501111111,Dana\n", "Two columns"),
        (b"phone,name\n", "only a heading"),
        (b"phone,name\n972501111111," + b"x" * 1_000_000, "far too long"),
        (b"phone\n" + b"972501111111\n" * 10_001, "10,000 rows"),
        (b"x" * (11 << 20), "at most 10 MB"),
        ("phone,name\n972501111111,\x81\n".encode("latin-1"), "cannot be read"),
    ],
)
def test_a_file_that_cannot_be_read_is_explained_beside_its_field(
    account: TestAccount, content: bytes, said: str
) -> None:
    page = upload(signed_in(account), content)
    assert page.status == 422
    assert said in text_of(page.one("#file-error"))


@pytest.mark.parametrize(
    ("encoding", "separator", "name"),
    [
        ("utf-8-sig", ",", "דנה"),
        ("cp1255", ";", "דנה לוי"),
        ("cp1252", ";", "Zoë Müller"),
        ("utf-16", "\t", "دانا"),
    ],
)
def test_files_of_every_spreadsheet_are_read(
    account: TestAccount, encoding: str, separator: str, name: str
) -> None:
    text = f"phone{separator}name\r\n972501111111{separator}{name}\r\n"
    page = upload(signed_in(account), text.encode(encoding))
    assert text_of(page.soup.select_one(".bubble-body")) == f"Hello {name}"


def test_a_file_or_a_template_that_is_missing_is_asked_for(account: TestAccount) -> None:
    visitor = signed_in(account)
    page = visitor.submit(visitor.get("/batches/new"), "Continue", raw={"template": "none/xx"})
    assert page.status == 422
    assert len(page.errors) >= 2


def test_a_slow_batch_is_cancelled_and_says_what_was_refunded(service: TestService) -> None:
    account = service.account(SLOW)
    made = submit(account, [item(index, scheduledFor=ahead(hours=2)) for index in range(3)])
    visitor = signed_in(account, "sender")
    page = visitor.get(f"/batches/{made['batchId']}")
    assert page.figures()["Waiting"] == "3"
    asked = visitor.submit(page, "Cancel batch")
    assert "3 messages that have not been sent" in asked.main
    done = visitor.submit(asked, "Confirm")
    assert "3 messages were cancelled and refunded." in done.main
    assert not done.has_button("Cancel batch")
    assert "Cancelled 3" in done.main


def test_rows_that_are_still_to_come_can_be_cancelled(still_service: TestService) -> None:
    """Nothing runs there: the rows of the batch stay to be taken."""
    account = still_service.account()
    visitor = signed_in(account)
    page = visitor.submit(checked(visitor, GOOD), "Send")
    assert "2 rows are still to be taken." in page.main
    done = visitor.submit(visitor.submit(page, "Cancel batch"), "Confirm")
    assert "2 rows were not taken any more." in done.main
    assert done.figures()["Left out"] == "2"
    assert still_service.sql("SELECT part FROM batch_parts WHERE account_id = $1", account.id) == []


def test_who_may_not_send_sees_batches_only(account: TestAccount) -> None:
    made = submit(account, [item(1, scheduledFor=ahead(hours=2))])["batchId"]
    viewer = signed_in(account, "viewer")
    page = viewer.get(f"/batches/{made}")
    assert page.status == 200 and not page.has_button("Cancel batch")
    assert "New batch" not in viewer.get("/batches").links()
    assert viewer.get("/batches/new").status == 403
    assert viewer.post(f"/batches/{made}/cancel", {"confirmed": "yes"}).status_code == 403
    assert signed_in(account, "billing").get("/batches").status == 403


def test_what_is_another_accounts_is_unknown(account: TestAccount, service: TestService) -> None:
    made = submit(account, [item(1)])["batchId"]
    draft = str(upload(signed_in(account), GOOD).response.url.path)
    other = signed_in(service.account())
    for path in (f"/batches/{made}", "/batches/bat_1", draft, f"{draft}/check", "/batches/new/x"):
        assert other.get(path).status == 404, path
    assert other.post(f"/batches/{made}/cancel", {"confirmed": "yes"}).status_code == 404


def test_drafts_are_kept_a_day_and_not_more_than_twenty(account: TestAccount) -> None:
    visitor = signed_in(account)
    for _ in range(22):
        upload(visitor, GOOD)
    count: Any = account.service.sql(
        "SELECT count(*) AS n FROM batch_drafts WHERE account_id = $1", account.id
    )
    assert count[0]["n"] == 20
