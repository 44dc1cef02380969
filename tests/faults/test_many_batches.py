"""Many large batches of one account at once: each is answered, and nobody else is kept waiting."""

from concurrent.futures import ThreadPoolExecutor

from tests.support.live import patiently

BATCHES, SIZE = 32, 500


def _batch(place: int) -> list[dict]:
    return [
        {
            "clientMessageId": f"crowd-{place:02}-{item:04}",
            "to": f"9725{place:02}{item:05}",
            "templateName": "hello",
            "templateParams": ["Dana"],
        }
        for item in range(SIZE)
    ]


def test_parallel_batches_of_one_account_are_all_taken(account):
    def send(place: int):
        body = {"messages": _batch(place)}
        answer = patiently(lambda: account.post("/messages/bulk", body))
        return answer.status_code, len(answer.json()["data"]["accepted"])

    with ThreadPoolExecutor(BATCHES) as pool:
        answers = list(pool.map(send, range(BATCHES)))
    assert answers == [(202, SIZE)] * BATCHES
