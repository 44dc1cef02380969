"""The audit log: who did what, when and from where; filtered by address, page by page."""

from datetime import UTC, datetime, timedelta
from uuid import UUID

from tests.support import people
from tests.support.portal import Seen, Visitor, signed_in
from tests.support.service import TestAccount
from tidings.engine.db.tx import Tx
from tidings.features.audit import lookup
from tidings.features.audit.record import Actor, Entry, record
from tidings.features.people.roles import Role

DANA = Actor("person", "dana@example.com", "192.0.2.7")


def write(
    account: TestAccount, count: int = 1, action: str = "key.revoked", *, of_none: bool = False
) -> None:
    async def work(tx: Tx) -> None:
        for number in range(count):
            entry = Entry(
                actor=DANA,
                action=action,
                subject=f"key <{number}>",
                account_id=None if of_none else UUID(str(account.id)),
                details={"overlap": "2 days"},
            )
            await record(tx, entry)

    account.service.transact(work)


def subjects(page: Seen) -> list[str]:
    return [row[3].split(" overlap")[0] for row in page.rows()]


def test_an_entry_says_who_when_what_and_from_where(account: TestAccount) -> None:
    write(account)
    page = signed_in(account, "viewer").get("/audit")
    assert page.h1 == "Audit log"
    assert page.rows()[0][1:] == [
        "dana@example.com",
        "key.revoked",
        "key <0> overlap: 2 days",
        "192.0.2.7",
    ]
    assert page.one("tbody time")["datetime"]


def test_the_address_filters_by_person_action_and_day(account: TestAccount) -> None:
    write(account)
    write(account, action="webhook.saved")
    owner = signed_in(account)
    assert len(owner.get("/audit?action=key.").rows()) == 1
    assert len(owner.get("/audit?who=dana@example.com").rows()) == 2
    nobody = owner.get("/audit?who=noa@example.com&action=key.")
    assert "Nothing fits" in nobody.main and nobody.field("Who")["value"] == "noa@example.com"
    today = datetime.now(UTC).date()  # ids are made by the real clock
    assert len(owner.get(f"/audit?since={today - timedelta(days=1)}&who={DANA.name}").rows()) == 2
    assert "Nothing fits" in owner.get(f"/audit?since={today + timedelta(days=2)}").main
    wrong = owner.get("/audit?since=yesterday&action=key.")
    assert wrong.status == 422 and len(wrong.rows()) == 1
    filtered = owner.submit(owner.get("/audit"), "Filter", {"Action": "webhook."})
    assert [row[2] for row in filtered.rows()] == ["webhook.saved"]


def test_older_and_newer_keep_the_filter(account: TestAccount) -> None:
    write(account, lookup.PAGE_ROWS + 2)
    write(account, action="link.deactivated")
    viewer = signed_in(account, "viewer")
    first = viewer.get("/audit?action=key.")
    assert "Newer" not in first.links()
    second = viewer.get(first.links()["Older"])
    assert subjects(second) == ["key <1>", "key <0>"] and "Older" not in second.links()
    back = viewer.get(second.links()["Newer"])
    assert subjects(back) == subjects(first)
    for edge in ("before=x", "after=" + "0" * 32):
        assert viewer.get(f"/audit?{edge}").status == 200


def test_without_changes_the_page_says_what_will_stand_there(account: TestAccount) -> None:
    account.service.sql("DELETE FROM audit_log WHERE account_id = $1 RETURNING id", account.id)
    page = signed_in(account, "viewer").get("/audit")
    assert "No changes yet" in page.main


def test_what_was_done_with_people_is_for_owners(account: TestAccount) -> None:
    email = people.new_email()
    people.join(account.service, people.invite(account.service, account.id, Role.SENDER, email))
    write(account)
    owner = signed_in(account, "owner").get("/audit")
    assert {row[2] for row in owner.rows()} >= {"person.invited", "person.joined", "key.revoked"}
    viewer = signed_in(account, "viewer").get("/audit")
    assert [row[2] for row in viewer.rows()] == ["key.revoked", "account.created"]
    assert email not in viewer.response.text


def test_nobody_sees_the_changes_of_others_and_operators_see_all(account: TestAccount) -> None:
    other = account.service.account()
    write(other, action="key.issued")
    write(other, action="sending.paused", of_none=True)
    owner = signed_in(account)
    assert not {row[2] for row in owner.get("/audit").rows()} & {"key.issued", "sending.paused"}
    assert owner.get("/operator/audit").status == 403
    assert "Installation log" not in owner.get("/audit").links()
    operator: Visitor = signed_in(account, None, operator=True)
    page = operator.get("/operator/audit")
    assert page.h1 == "Installation log"
    assert {row[2] for row in page.rows()} >= {"key.issued", "sending.paused"}
    assert operator.get("/audit").status == 403, "of no account"


def test_who_may_not_read_gets_no_log(account: TestAccount) -> None:
    billing = signed_in(account, "billing")
    assert billing.get("/audit").status == 403
    assert "Audit log" not in billing.get("/people").links()
