"""A sandbox clock that plays a long batch while our own time goes on (contract.md, /sandbox/v1)."""

from collections import Counter
from collections.abc import Iterator

import pytest

from tests.support.batches import submit
from tests.support.clock import StandingClock
from tests.support.database import fresh_database
from tests.support.service import NUMBER, TestService
from tidings import limits

SLOW = f'[[accounts.numbers]]\nnumber = "{NUMBER}"\nperSecond = 10\n'
MANY = 400  # forty seconds of that number, more than a clock call lasts


class BusyClock(StandingClock):
    """Whoever looks at it finds that something has come due again since."""

    def now(self):
        self.advance(milliseconds=40)
        return super().now()


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestService]:
    folder = tmp_path_factory.mktemp("d")
    with TestService(fresh_database(), folder, clock=BusyClock(), working=False) as running:
        yield running


def test_what_our_own_time_brings_meanwhile_does_not_hold_it_up(service: TestService) -> None:
    assert limits.CLOCK_WAIT_MAX.total_seconds() * 10 < MANY
    account = service.account(SLOW)
    items = [
        {"clientMessageId": f"item-{n:05}", "to": f"97250{n:05}00", "templateName": "plain"}
        for n in range(MANY)
    ]
    assert len(submit(account, items)["accepted"]) == MANY
    account.advance(minutes=5)
    rows = service.sql("SELECT status FROM messages WHERE account_id = $1", account.id)
    assert Counter(row["status"] for row in rows) == {"read": MANY}
