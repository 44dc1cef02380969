"""GET /limits (2.12, endpoint 3): what may be sent, what was, and when places come back."""

from datetime import timedelta
from uuid import UUID

import msgspec
import pytest

from tests.support.accounts import PORTFOLIO, SECOND, THIRD, data, number_toml, take, timestamp
from tests.support.clock import STANDING
from tests.support.service import GUEST, NUMBER, TestAccount, TestService
from tidings.features.accounts.lookup import load_accounts
from tidings.features.senders import responses
from tidings.features.senders.capacity import purge
from tidings.features.senders.quotas import ACCOUNT
from tidings.features.senders.responses import tier


def test_an_account_without_limits_has_nothing_to_count(account: TestAccount) -> None:
    assert data(account, "/limits") == {
        "resetsAt": None,
        "numbers": [
            {
                "number": NUMBER, "tier": "TIER_UNLIMITED", "dailyLimit": None,
                "used": None, "remaining": None, "perSecond": 80,
            }
        ],
        "total": {"dailyLimit": None, "used": None, "remaining": None},
        "account": {
            "dailyLimit": None, "used": None, "remaining": None, "requestsPerMinute": 1_000_000,
        },
    }  # fmt: skip


def test_numbers_of_one_portfolio_share_their_places_and_count_once(service: TestService) -> None:
    account = service.account(PORTFOLIO)
    take(account, "portfolio:p1", 3)
    take(account, f"number:{THIRD}", 2)
    shown = data(account, "/limits")
    msgspec.convert(shown, responses.Capacities)
    rows = [tuple(number.values()) for number in shown["numbers"]]
    assert rows == [
        (NUMBER, "TIER_2K", 1000, 3, 997, 80),
        (SECOND, "TIER_2K", 1000, 3, 997, 20),
        (THIRD, "TIER_250", 250, 2, 248, 80),
    ]
    assert shown["total"] == {"dailyLimit": 1250, "used": 5, "remaining": 1245}


def test_a_number_without_a_limit_makes_the_total_one_without(service: TestService) -> None:
    account = service.account(number_toml(dailyLimit=10) + number_toml(number=SECOND))
    shown = data(account, "/limits")
    assert shown["total"] == {"dailyLimit": None, "used": None, "remaining": None}
    assert [number["remaining"] for number in shown["numbers"]] == [10, None]


def test_the_account_has_a_limit_of_its_own(service: TestService) -> None:
    account = service.account(dailyLimit=5, requestsPerMinute=70)
    take(account, ACCOUNT, 2)
    own = data(account, "/limits")["account"]
    assert own == {"dailyLimit": 5, "used": 2, "remaining": 3, "requestsPerMinute": 70}


def test_places_come_back_24_hours_after_they_were_taken(service: TestService) -> None:
    account = service.account(dailyLimit=5)
    take(account, ACCOUNT, 1, hours_ago=25)
    first = take(account, ACCOUNT, 2, hours_ago=23)
    second = take(account, ACCOUNT, 1)
    shown = data(account, "/limits")
    assert shown["account"]["used"] == 3
    assert abs(timestamp(shown["resetsAt"]) - first - timedelta(hours=24)) < timedelta(seconds=1)
    account.advance(hours=1, seconds=1)
    shown = data(account, "/limits")
    assert shown["account"]["used"] == 1
    assert abs(timestamp(shown["resetsAt"]) - second - timedelta(hours=24)) < timedelta(seconds=1)
    account.advance(hours=23)
    shown = data(account, "/limits")
    assert (shown["account"]["used"], shown["resetsAt"]) == (0, None)


def test_the_next_place_of_any_limit_is_the_one_named(service: TestService) -> None:
    account = service.account(number_toml(dailyLimit=9), dailyLimit=9)
    take(account, ACCOUNT, 1, hours_ago=2)
    oldest = take(account, f"number:{NUMBER}", 1, hours_ago=5)
    shown = data(account, "/limits")
    assert abs(timestamp(shown["resetsAt"]) - oldest - timedelta(hours=24)) < timedelta(seconds=1)


def test_more_used_than_a_lowered_limit_leaves_nothing(service: TestService) -> None:
    account = service.account(dailyLimit=2)
    take(account, ACCOUNT, 3)
    own = data(account, "/limits")["account"]
    assert (own["used"], own["remaining"]) == (3, 0)


def test_a_message_sent_takes_its_places(service: TestService) -> None:
    account = service.account(number_toml(dailyLimit=100), dailyLimit=50)
    for index in range(3):
        to = GUEST if index < 2 else "972509999999"
        answer = account.send(clientMessageId=f"order-000{index}", to=to, templateName="plain")
        assert answer.status_code == 200, answer.text
    shown = data(account, "/limits")
    assert shown["account"]["used"] == 3
    assert (shown["numbers"][0]["used"], shown["numbers"][0]["remaining"]) == (2, 98)
    until = timestamp(shown["resetsAt"])
    assert STANDING.now() < until <= STANDING.now() + timedelta(hours=24)


def test_accounts_do_not_see_each_others_use(service: TestService) -> None:
    mine, other = service.account(dailyLimit=5), service.account(dailyLimit=5)
    take(other, ACCOUNT, 4)
    assert data(mine, "/limits")["account"]["used"] == 0


@pytest.mark.parametrize(
    ("limit", "name"),
    [
        (0, "TIER_250"), (250, "TIER_250"), (251, "TIER_2K"), (2_000, "TIER_2K"),
        (2_001, "TIER_10K"), (10_000, "TIER_10K"), (10_001, "TIER_100K"),
        (100_000, "TIER_100K"), (100_001, "TIER_UNLIMITED"), (None, "TIER_UNLIMITED"),
    ],
)  # fmt: skip
def test_a_tier_is_the_first_rung_that_holds_the_limit(limit: int | None, name: str) -> None:
    assert tier(limit) == name


def test_what_no_limit_counts_any_more_is_purged(service: TestService) -> None:
    account = service.account(dailyLimit=5)
    take(account, ACCOUNT, 1, hours_ago=26)
    take(account, ACCOUNT, 1)
    account_id = UUID(str(account.id))

    async def work(tx):
        return await purge(tx, (await load_accounts(tx, [account_id])).values())

    assert service.call(lambda: service.ctx.db.transact(work)) == 1
    assert data(account, "/limits")["account"]["used"] == 1
    account.advance(hours=26)
    assert service.call(lambda: service.ctx.db.transact(work)) == 1
