"""An account with several numbers: a batch goes by all of them, and their rates add up."""

from collections import Counter

NUMBERS = ("972555000001", "972555000002", "972555000003")
TOML = "".join(f'[[accounts.numbers]]\nnumber = "{number}"\nperSecond = 10\n' for number in NUMBERS)


def _batch(size: int) -> list[dict]:
    return [
        {"clientMessageId": f"spread-{n:04}", "to": f"97250{n:07}", "templateName": "plain"}
        for n in range(size)
    ]


def test_a_batch_is_spread_over_the_numbers(service):
    account = service.account(TOML)
    account.post("/messages/bulk", {"messages": _batch(60)})
    account.advance(seconds=3)
    sent = Counter(account.status(f"spread-{n:04}")["sentFrom"] for n in range(60))
    assert sent == dict.fromkeys(NUMBERS, 20)
    states = Counter(account.status(f"spread-{n:04}")["status"] for n in range(60))
    assert "queued" not in states  # 60 messages at 10 a second take six seconds by one number


def test_a_batch_told_to_go_by_one_number_goes_by_it(service):
    account = service.account(TOML)
    items = [item | {"sentFrom": NUMBERS[1]} for item in _batch(20)]
    account.post("/messages/bulk", {"messages": items, "fromPolicy": "strict"})
    account.advance(seconds=5)
    assert {account.status(f"spread-{n:04}")["sentFrom"] for n in range(20)} == {NUMBERS[1]}


def test_single_messages_take_the_number_that_is_free(service):
    account = service.account(TOML)
    answers = [account.send(**item).json()["data"] for item in _batch(6)]
    assert len({data["sentFrom"] for data in answers}) > 1
    assert {data["status"] for data in answers} == {"sent"}
