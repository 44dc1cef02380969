"""Many large batches of one account at once: each is answered, and no other account waits."""

from concurrent.futures import ThreadPoolExecutor

from tests.support.batches import all_turns_taken
from tests.support.waiting import eventually, patiently
from tidings.limits import BATCHES_WAITING_MAX

BATCHES, SIZE = 32, 500


def _batch(place: int, size: int = SIZE) -> list[dict]:
    return [
        {
            "clientMessageId": f"crowd-{place:02}-{item:04}",
            "to": f"9725{place:02}{item:05}",
            "templateName": "hello",
            "templateParams": ["Dana"],
        }
        for item in range(size)
    ]


def test_parallel_batches_of_one_account_are_all_taken_and_another_is_served_meanwhile(
    account, service
):
    """Of the other's messages none is refused, and none waits for more than a few batches."""
    other = service.account()
    taken = []

    def send(place: int):
        body = {"messages": _batch(place)}
        answer = patiently(lambda: account.post("/messages/bulk", body))
        taken.append((answer.status_code, len(answer.json()["data"]["accepted"])))

    overtaken = []
    with ThreadPoolExecutor(BATCHES) as pool:
        sending = [pool.submit(send, place) for place in range(BATCHES)]
        for n in range(5):
            before = len(taken)
            answer = other.send(
                clientMessageId=f"beside-{n}-x", to="972501111111", templateName="plain"
            )
            assert answer.status_code in (200, 202), answer.text
            overtaken.append(len(taken) - before)
    for one in sending:
        one.result()  # or what went wrong
    assert taken == [(202, SIZE)] * BATCHES
    assert sorted(overtaken)[2] <= 4, overtaken


def test_batches_queue_and_those_beyond_the_limit_get_retry_after(account, service):
    other = service.account()
    statuses = []

    def send(place: int):
        body = {"messages": _batch(90 + place % 9, size=1)}
        statuses.append(account.post("/messages/bulk", body).status_code)

    with ThreadPoolExecutor(BATCHES_WAITING_MAX) as pool, all_turns_taken(service, account):
        for place in range(BATCHES_WAITING_MAX):
            pool.submit(send, place)
        waiting = service.ctx.batch_reads.waiting
        eventually(lambda: waiting(account.id) == BATCHES_WAITING_MAX)
        refused = account.post("/messages/bulk", {"messages": _batch(99, size=1)})
        assert refused.status_code == 429
        assert refused.json()["error"]["code"] == "RATE_LIMIT_EXCEEDED"
        assert int(refused.headers["retry-after"]) > 0
        taken = other.post("/messages/bulk", {"messages": _batch(99, size=1)})
        assert taken.status_code == 202
        assert statuses == []
    assert statuses == [202] * BATCHES_WAITING_MAX
