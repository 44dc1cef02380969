"""The estimate of a batch of an account in which many other messages wait."""

from datetime import timedelta

from tests.support.batches import item, submit, timestamp
from tests.support.service import NUMBER, TestService
from tests.support.text import account_now, ahead
from tidings.engine.db.tx import Tx
from tidings.features.accounts.lookup import load_accounts
from tidings.features.messages.track import batches
from tidings.ids import new_id

MINUTE, TOMORROW = ahead(seconds=60), ahead(hours=24)
WAITING = 600  # at each of these times


def test_a_sample_of_what_waits_is_enough(service: TestService) -> None:
    account = service.account(f'[[accounts.numbers]]\nnumber = "{NUMBER}"\nperSecond = 10\n')
    start = account_now(account)
    for at, first in ((TOMORROW, 0), (MINUTE, WAITING)):
        submit(account, [item(first + n, scheduledFor=at) for n in range(WAITING)])
    mine = submit(account, [item(2 * WAITING + n, scheduledFor=MINUTE) for n in range(10)])
    estimate = timestamp(mine["estimatedCompletionAt"]) - start
    at_least = timedelta(seconds=60 + WAITING / 10)
    assert at_least < estimate < timedelta(minutes=10), "those of tomorrow do not go before"

    async def find(tx: Tx) -> tuple[list[str], float]:
        loaded = await load_accounts(tx, [account.id])
        others, weight = await batches.find_others(tx, loaded[account.id], new_id())
        return [other.client_message_id for other in others], weight

    found, weight = service.transact(find)
    assert len(found) < WAITING / 2, "or a batch costs more the more messages wait"
    assert abs(len(found) * weight - (2 * WAITING + 10)) <= weight
    of_tomorrow = [n for n in range(WAITING) if item(n)["clientMessageId"] in found]
    assert abs(len(of_tomorrow) * weight - WAITING) <= weight, "each time has its share"
