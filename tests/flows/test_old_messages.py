"""Messages that are older than the installation keeps them: gone, and every sum as before."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.support.billing import (
    FAILS,
    REFUSED,
    charges,
    invoices,
    metered,
    partner_with_member,
    phone,
    sent,
    subscribed,
    subscription,
    used,
)
from tests.support.forms import fill, form_toml
from tests.support.forms import sent as send_form
from tests.support.invitations import get_event, invite, register
from tests.support.receiver import Receiver
from tests.support.retention import aging_service, count, money, pass_time, retain
from tests.support.service import GUEST, TestAccount, TestService, require_sound
from tests.support.text import account_now
from tests.support.waiting import settle
from tidings.platforms.port import StatusKind, StatusUpdate

MONTHS_14 = 430  # days
TABLES = ("messages", "platform_ids", "lost_messages", "charges")


@pytest.fixture
def aging(tmp_path: Path) -> Iterator[TestService]:
    with aging_service(tmp_path) as service:
        yield service


def write(account: TestAccount) -> None:
    """Unique messages, follow-ups, and refunds of both."""
    for n in range(4):
        sent(account, n, phone(n % 3))
    sent(account, 5, REFUSED)
    sent(account, 6, FAILS)
    account.advance(seconds=5)


def pay(account: TestAccount, number: str) -> None:
    answer = account.post(f"/sandbox/v1/invoices/{number}/pay")
    assert answer.status_code == 200, answer.text


def figures(account: TestAccount) -> list[dict[str, Any]]:
    """Of a form, without the texts that people wrote."""
    questions = account.get("/forms/visit/results").json()["data"]["questions"]
    return [{**one, "comments": None} for one in questions]


def test_after_14_months_messages_are_unknown_and_the_sums_the_same(aging: TestService) -> None:
    account = subscribed(aging, unique=50, followup=50)
    write(account)
    pass_time(aging, days=MONTHS_14)
    require_sound(aging)
    before = money(account)
    retain(aging)
    assert {table: count(aging, table) for table in TABLES} == dict.fromkeys(TABLES, 0)
    assert account.get("/messages/order-00000").status_code == 404
    assert account.get("/messages").json()["data"] == []
    assert charges(account) == {}
    assert money(account) == before
    require_sound(aging)


@pytest.mark.parametrize("named_by", ["send_id", "platform_id"])
def test_a_status_or_a_reply_that_comes_later_is_of_no_message(
    aging: TestService, named_by: str
) -> None:
    """Also where the process that sent it still has it in memory."""
    account = subscribed(aging, unique=50, followup=50)
    write(account)
    rows = aging.sql("SELECT id, platform_id FROM messages WHERE platform_id IS NOT NULL")
    pass_time(aging, days=MONTHS_14)
    retain(aging)
    updates = [
        StatusUpdate(
            platform_id=row["platform_id"], status=StatusKind.READ, at=account_now(account),
            send_id=f"{row['id'].hex}.1" if named_by == "send_id" else None, failure=None,
            recipient="",
        )
        for row in rows
    ]  # fmt: skip
    lane = aging.ctx.lanes.ingest
    results = aging.call(lambda: lane.put_each([(account.id, one) for one in updates]))
    assert results == ["status"] * len(rows)
    account.reply(phone(0), "Who is this?")
    assert count(aging, "messages") == 0
    require_sound(aging)


def test_a_package_counts_on_after_its_first_messages_are_gone(aging: TestService) -> None:
    account = subscribed(aging, unique=50, followup=50)
    write(account)
    unique, followup = used(account)
    pass_time(aging, days=MONTHS_14)
    retain(aging)
    sent(account, 9, phone(0))
    assert used(account) == (unique, followup + 1), "somebody who had a unique message before"
    sent(account, 10, phone(20))
    assert used(account) == (unique + 1, followup + 1)
    require_sound(aging)


def test_what_is_not_invoiced_or_paid_stays(aging: TestService) -> None:
    account = metered(aging, creditLimit="900.00")
    write(account)
    pass_time(aging, days=MONTHS_14)
    retain(aging)
    assert len(charges(account)) == 6, "its month is still open"
    settle(account)
    [invoice, *_] = invoices(account)
    retain(aging)
    assert len(charges(account)) == 6 and invoice["status"] != "PAID"
    pay(account, invoice["number"])
    before = money(account)
    retain(aging)
    assert charges(account) == {} and money(account) == before
    require_sound(aging)


def test_a_partners_capacity_stays_used(aging: TestService) -> None:
    partner, member = partner_with_member(aging, "old-partner", messages=50)
    write(member)
    path = "/partner/account"
    pass_time(aging, days=MONTHS_14)
    before = partner.get(path).content, money(member)
    retain(aging)
    assert count(aging, "messages") == 0
    assert (partner.get(path).content, money(member)) == before
    require_sound(aging)


def test_an_account_that_keeps_its_people_for_longer_keeps_its_messages(
    aging: TestService,
) -> None:
    lasting = aging.account(subscription(unique=50, followup=50), retentionDays=3650)
    other = subscribed(aging, unique=50, followup=50)
    write(lasting)
    write(other)
    pass_time(aging, days=MONTHS_14)
    before = money(lasting), money(other)
    retain(aging)
    assert lasting.get("/messages/order-00000").status_code == 200
    assert other.get("/messages/order-00000").status_code == 404
    assert charges(other) == {} and len(charges(lasting)) == 6
    assert (money(lasting), money(other)) == before
    require_sound(aging)


def test_guests_of_an_event_to_come_stay_and_go_13_months_after_it(
    aging: TestService, receiver: Receiver
) -> None:
    account = subscribed(aging, unique=50, followup=50)
    soon = aging.clock.now() + timedelta(days=MONTHS_14 + 10)
    register(account, eventDate=soon.isoformat(), callbackUrl=receiver.url)
    invite(account)
    write(account)
    pass_time(aging, days=MONTHS_14)
    retain(aging)
    assert account.status("invite-0001")["to"] == GUEST
    account.reply(GUEST, "yes")
    assert get_event(account)["replies"]["confirmed"] == 1
    assert account.get("/messages/order-00000").status_code == 404, "of no event"
    settle(account, "webhooks")
    pass_time(aging, days=MONTHS_14 + 31)  # 13 months from the end of the event's month
    retain(aging)
    assert account.get("/messages/invite-0001").status_code == 404
    assert count(aging, "invitations") == 0
    require_sound(aging)


def test_forms_go_with_their_messages_and_their_figures_stay(aging: TestService) -> None:
    account = aging.account(subscription(unique=50, followup=50) + form_toml())
    send_form(account, GUEST)
    account.advance(seconds=5)
    fill(account, {"q1": 5, "q2": "Fish", "q3": ["Food"], "q4": "Thanks"}, GUEST)
    before = figures(account)
    pass_time(aging, days=MONTHS_14)
    retain(aging)
    assert (count(aging, "form_sends"), count(aging, "form_answers")) == (0, 0)
    assert figures(account) == before
    require_sound(aging)


def test_by_an_accounts_own_clock_its_messages_go_by_rows(service: TestService) -> None:
    account, other = (subscribed(service, unique=50, followup=50) for _ in range(2))
    write(account)
    write(other)
    account.advance(days=MONTHS_14)
    before = money(account)
    retain(service)
    assert account.get("/messages/order-00000").status_code == 404
    assert other.get("/messages/order-00000").status_code == 200
    assert charges(account) == {} and money(account) == before
    sent(account, 0, phone(0))  # its clientMessageId is free again
    require_sound(service)


def test_off_keeps_everything(tmp_path: Path) -> None:
    with aging_service(tmp_path, TIDINGS_MESSAGES_MONTHS="off") as service:
        account = subscribed(service, unique=50, followup=50)
        write(account)
        account.advance(days=MONTHS_14)
        retain(service)
        assert account.get("/messages/order-00000").status_code == 200
