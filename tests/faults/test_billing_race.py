"""Many requests at once, in several processes: no quota below zero, no charge or refund twice."""

from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest

from tests.support.batches import cancel, submit
from tests.support.billing import (
    REFUSED,
    SENT_ONLY,
    TERMS,
    at,
    balance,
    charges,
    phone,
    send,
    subscription,
    used,
)
from tests.support.clock import STANDING
from tests.support.database import fresh_database
from tests.support.service import NUMBER, TestAccount, TestService, require_sound
from tests.support.text import ahead
from tests.support.waiting import patiently

HANDS = 64
QUICK = f'[[accounts.numbers]]\nnumber = "{NUMBER}"\nperSecond = 1000\n'


@pytest.fixture(scope="module")
def houses(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[TestService]]:
    """Three processes' worth of the service, on one database."""
    dsn, folder = fresh_database(), tmp_path_factory.mktemp("data")
    with ExitStack() as stack:
        made = [TestService(dsn, Path(folder), clock=STANDING) for _ in range(3)]
        yield [stack.enter_context(one) for one in made]


def everywhere(account: TestAccount, houses: list[TestService]) -> list[TestAccount]:
    """The same account at each of them."""
    made = {"id": account.id, "apiKey": account.key, "signingSecret": account.secret}
    return [TestAccount(house, made) for house in houses]


def at_once(work: Callable[[int], httpx.Response], count: int = HANDS) -> list[str]:
    """The results of concurrent requests: a status, or the code of a refusal."""
    with ThreadPoolExecutor(HANDS) as hands:
        answers = list(hands.map(lambda n: patiently(lambda: work(n)), range(count)))
    return [
        answer.json()["data"]["status"]
        if answer.status_code in (200, 202)
        else answer.json()["error"]["code"]
        for answer in answers
    ]


def test_a_quota_of_twenty_takes_twenty_of_sixty_four(houses: list[TestService]) -> None:
    accounts = everywhere(houses[0].account(subscription(unique=20) + QUICK), houses)
    results = Counter(at_once(lambda n: send(accounts[n % 3], n)))
    assert results == {"sent": 20, "QUOTA_EXHAUSTED": 44}
    assert used(accounts[0]) == (20, 0)
    require_sound(houses[0])


def test_of_sixty_four_to_one_number_one_is_unique(houses: list[TestService]) -> None:
    accounts = everywhere(houses[0].account(subscription(unique=64, followup=64) + QUICK), houses)
    assert set(at_once(lambda n: send(accounts[n % 3], n, phone(1)))) == {"sent"}
    assert used(accounts[0]) == (1, 63)


def test_sixty_four_duplicates_are_charged_once(houses: list[TestService]) -> None:
    accounts = everywhere(houses[0].account(subscription(unique=64) + QUICK), houses)
    assert set(at_once(lambda n: send(accounts[n % 3], 1))) <= {"sent", "sending"}
    assert used(accounts[0]) == (1, 0)


def test_an_account_without_numbers_is_charged_as_exactly(houses: list[TestService]) -> None:
    """Nothing but the charges themselves keeps its requests apart."""
    accounts = everywhere(houses[0].account(subscription(unique=20, followup=3)), houses)
    houses[0].sql("DELETE FROM numbers WHERE account_id = $1 RETURNING number", accounts[0].id)
    for house in houses:
        house.sql("UPDATE accounts_version SET version = version + 1 RETURNING version")
    results = Counter(at_once(lambda n: send(accounts[n % 3], n, phone(n % 25))))
    assert results["deferred"] == sum(used(accounts[0]))
    assert used(accounts[0])[0] == 20 and used(accounts[0])[1] == 3
    require_sound(houses[0])


def test_accounts_of_a_partner_share_its_capacity_exactly(houses: list[TestService]) -> None:
    partner = houses[0].account(name="shared", billingMode="ENFORCED", partner=TERMS)
    assert partner.post("/partner/topups", {"messages": 30}).status_code == 200
    members = [
        everywhere(houses[0].account(QUICK, billingMode="ENFORCED", belongsTo="shared"), houses)
        for _ in range(4)
    ]
    results = Counter(at_once(lambda n: send(members[n % 4][n % 3], n)))
    assert results == {"sent": 30, "PARTNER_CAPACITY_EXHAUSTED": 34}
    assert balance(partner)["capacity"] == {"total": 30, "used": 30, "remaining": 0, "pct": 100}
    require_sound(houses[0])


def test_pay_as_you_go_stops_at_its_limit_whoever_asks(houses: list[TestService]) -> None:
    terms = subscription(billingType="USAGE", pricePerUnique="0.07", creditLimit="1.00")
    accounts = everywhere(houses[0].account(terms + QUICK), houses)
    results = Counter(at_once(lambda n: send(accounts[n % 3], n)))
    assert results == {"sent": 14, "USAGE_CREDIT_LIMIT": 50}
    assert balance(accounts[0])["subscription"]["usage"]["accrued"] == "0.98"


def test_what_fails_while_others_are_accepted_is_refunded_once(houses: list[TestService]) -> None:
    accounts = everywhere(houses[0].account(subscription(unique=200, followup=200) + QUICK), houses)
    at_once(lambda n: send(accounts[n % 3], n, REFUSED if n % 2 else phone(n)))
    assert used(accounts[0]) == (32, 0)
    states = Counter(state for _, state in charges(accounts[0]).values())
    assert states["REFUNDED"] == 32
    require_sound(houses[0])


def test_a_batch_cancelled_by_many_at_once_is_refunded_once(houses: list[TestService]) -> None:
    accounts = everywhere(houses[0].account(subscription(unique=100) + QUICK), houses)
    later = [
        {"clientMessageId": f"item-{n:05}", "to": phone(n), "templateName": "plain",
         "scheduledFor": ahead(days=1)}
        for n in range(50)
    ]  # fmt: skip
    batch = submit(accounts[0], later)["batchId"]
    assert used(accounts[0]) == (50, 0)
    with ThreadPoolExecutor(8) as hands:
        list(hands.map(lambda n: cancel(accounts[n % 3], batch), range(8)))
    assert used(accounts[0]) == (0, 0)
    require_sound(houses[0])


def test_a_month_that_ends_under_load_is_invoiced_once_to_the_last_message(
    houses: list[TestService],
) -> None:
    """The charges of both months add up to all that was accepted."""
    terms = subscription(
        billingType="USAGE", pricePerUnique="0.10", pricePerFollowup="0.10", creditLimit="100.00",
        startsAt=at(days=-25),
    )  # fmt: skip
    account = houses[0].account(terms + QUICK)
    accounts = everywhere(account, houses)

    def work(n: int) -> httpx.Response:
        if n == HANDS // 2:
            ahead = {"advanceSeconds": 8 * 86400}  # once more under load is still one month's end
            assert patiently(lambda: account.post("/sandbox/v1/clock", ahead)).status_code == 200
        return send(accounts[n % 3], n, SENT_ONLY)

    assert set(at_once(work)) <= {"sent"}
    invoices = account.get("/invoices").json()["data"]
    accrued = balance(account)["subscription"]["usage"]["accrued"]
    billed = sum(float(one["subtotal"]) for one in invoices) + float(accrued)
    assert len(invoices) == 1 and round(billed, 2) == HANDS / 10
    require_sound(houses[0])
