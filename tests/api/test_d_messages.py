"""GET /messages, black box: filters, pages, and what is refused (contract2.md D, E)."""

from typing import Any

import httpx
import pytest

from tests.support import passcodes
from tests.support.batches import item, submit
from tests.support.billing import REFUSED
from tests.support.invitations import invite, register
from tests.support.service import GUEST, TestAccount, TestService
from tests.support.text import ahead, require_refused
from tests.support.waiting import settle
from tidings.features.messages.read.listing import WINDOW

OTHER = "972501234599"


def send(account: TestAccount, cid: str, to: str = GUEST, **more: Any) -> None:
    answer = account.send(clientMessageId=cid, to=to, **({"templateName": "plain"} | more))
    assert answer.status_code in (200, 202), answer.text


def page(account: TestAccount, **query: object) -> tuple[list[dict[str, Any]], str | None]:
    answer = account.get("/messages", params={name: str(value) for name, value in query.items()})
    assert answer.status_code == 200, answer.text
    whole = answer.json()
    return whole["data"], whole["nextCursor"]


def listed(account: TestAccount, **query: object) -> list[str]:
    """The ids of all pages."""
    found: list[str] = []
    cursor: dict[str, str] = {}
    while True:
        items, following = page(account, **query, **cursor)
        found += [one["clientMessageId"] for one in items]
        if following is None:
            return found
        cursor = {"cursor": following}


@pytest.mark.quick
def test_items_are_as_their_own_address_shows_them_without_timeline_and_attempts(
    account: TestAccount,
) -> None:
    send(account, "order-0001", meta={"table": 7})
    send(account, "order-0002", to=REFUSED)
    register(account)
    invite(account, "invite-0001")
    items, following = page(account)
    assert following is None
    assert [one["clientMessageId"] for one in items] == ["invite-0001", "order-0002", "order-0001"]
    for one in items:
        whole = account.status(one["clientMessageId"])
        assert one == {k: v for k, v in whole.items() if k not in ("timeline", "attempts")}
    assert items[1]["error"]["code"] and items[0]["invitation"]["state"] == "open"


def test_each_filter_lets_through_what_it_names(service: TestService) -> None:
    account = service.account(passcodes.ONE)
    register(account)
    send(account, "order-0001")
    send(account, "order-0002", to=f"00{OTHER}")
    send(account, "order-0003", to=REFUSED)
    send(account, "order-0004", scheduledFor=ahead(hours=2))
    invite(account, "invite-0001", to=OTHER)
    passcodes.send(account, to=OTHER)
    batch = submit(account, [item(1), item(2)])["batchId"]
    settle(account)
    assert listed(account, to=OTHER) == listed(account, to=f"00{OTHER}")
    assert listed(account, to=OTHER) == ["login-0001", "invite-0001", "order-0002"]
    assert listed(account, status="scheduled") == ["order-0004"]
    assert listed(account, status="failed,scheduled", limit=1) == ["order-0004", "order-0003"]
    assert listed(account, status="failed") == ["order-0003"]
    assert listed(account, status="expired,cancelled") == []
    assert listed(account, kind="invitation") == ["invite-0001"]
    assert listed(account, kind="otp") == ["login-0001"]
    assert listed(account, kind="feedback") == []
    assert set(listed(account, kind="notification")) == {
        "order-0001", "order-0002", "order-0003", "order-0004", "item-00001", "item-00002",
    }  # fmt: skip
    assert listed(account, eventId="wedding") == ["invite-0001"]
    assert listed(account, batchId=batch, limit=1) == ["item-00002", "item-00001"]
    assert listed(account, batchId=batch, to=OTHER) == []
    assert listed(account, eventId="wedding", kind="notification") == []
    unknown = {"batchId": "bat_" + "0" * 32, "eventId": "nobody-knows", "to": "972500000001"}
    for name, value in unknown.items():
        assert page(account, **{name: value}) == ([], None), name


def test_since_is_inclusive_and_until_exclusive_by_the_accounts_clock(
    account: TestAccount,
) -> None:
    send(account, "order-0001")
    account.advance(days=3)
    send(account, "order-0002")
    account.advance(days=3)
    send(account, "order-0003")
    at = account.status("order-0002")["createdAt"]
    assert listed(account, since=at) == ["order-0003", "order-0002"]
    assert listed(account, until=at) == ["order-0001"]
    assert listed(account, since=at, until=account.status("order-0003")["createdAt"]) == [
        "order-0002"
    ]
    assert listed(account, since=at, until=at) == []


def test_pages_have_everything_once_and_stay_put_while_new_ones_come(account: TestAccount) -> None:
    for number in range(5):
        send(account, f"order-000{number}")
    first, cursor = page(account, limit=2)
    send(account, "order-0009")
    second, cursor = page(account, limit=2, cursor=cursor)
    third, end = page(account, limit=2, cursor=cursor)
    ids = [one["clientMessageId"] for one in [*first, *second, *third]]
    assert ids == [f"order-000{number}" for number in (4, 3, 2, 1, 0)]
    assert end is None


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("status=lost", "status"),
        ("status=", "status"),
        ("status=sent,,read", "status"),
        ("kind=letter", "kind"),
        ("to=12", "to"),
        ("to=%2B972501234567", "to"),
        ("batchId=7", "batchId"),
        ("eventId=", "eventId"),
        ("since=yesterday", "since"),
        ("until=2026-01-01", "until"),
        ("colour=red", "colour"),
        ("limit=0", "limit"),
        ("limit=201", "limit"),
        ("cursor=x", "cursor"),
        ("to=972501234567&to=972501234568", "to"),
    ],
)
def test_an_unknown_or_malformed_filter_is_refused_by_name(
    account: TestAccount, query: str, field: str
) -> None:
    answer: httpx.Response = account.get(f"/messages?{query}")
    require_refused(answer, "VALIDATION_ERROR", field)


def test_nobody_sees_anothers_messages(account: TestAccount, service: TestService) -> None:
    send(account, "order-0001")
    batch = submit(account, [item(1)])["batchId"]
    other = service.account()
    assert page(other) == ([], None)
    assert page(other, batchId=batch) == ([], None)


def test_the_oldest_is_found_among_very_many(account: TestAccount) -> None:
    """A failed one at once; by a filter without an index, by following the cursor."""
    send(account, "order-0001", to=REFUSED)
    send(account, "order-0002", scheduledFor=ahead(hours=2))
    send(account, "order-0003")
    settle(account)
    account.service.sql(
        """
        INSERT INTO messages (account_id, id, client_message_id, kind, recipient, content, status,
                              created_at, times_out_at, sent_at, delivered_at, read_at)
        SELECT account_id, (left(id::text, 24) || 'ffff' || lpad(to_hex(n), 8, '0'))::uuid,
               'copy-' || n,
               kind, recipient, content, status, created_at, times_out_at,
               sent_at, delivered_at, read_at
          FROM messages, generate_series(1, $2::int) n
         WHERE account_id = $1 AND client_message_id = 'order-0003'
        """,
        account.id,
        WINDOW,
    )
    items, following = page(account, status="failed")
    assert ([one["clientMessageId"] for one in items], following) == (["order-0001"], None)
    items, following = page(account, status="scheduled")
    assert items == [] and following is not None
    assert listed(account, status="scheduled") == ["order-0002"]
    items, following = page(account, to=OTHER, status="scheduled")
    assert (items, following) == ([], None)
