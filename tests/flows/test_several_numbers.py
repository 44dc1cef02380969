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


def test_a_batch_pinned_to_one_number_uses_it(service):
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


LIMITED = "".join(
    f'[[accounts.numbers]]\nnumber = "{number}"\ndailyLimit = 1\n' for number in NUMBERS[:2]
)


def _used_up(service):
    """Two numbers of one new guest a day: the second used an hour before the first."""
    account = service.account(LIMITED)
    for place, number in enumerate((NUMBERS[1], NUMBERS[0])):
        account.send(clientMessageId=f"used-{number}", to=f"9725011111{place}1", sentFrom=number,
                     templateName="plain", fromPolicy="strict")  # fmt: skip
        account.advance(hours=1)
    return account


def test_where_all_limits_are_used_up_the_earliest_reservation_is_taken(service):
    for wish in ({}, {"sentFrom": NUMBERS[0]}):
        account = _used_up(service)
        answer = account.send(
            clientMessageId="waits-0001", to="972502222222", templateName="plain", **wish
        ).json()["data"]
        assert (answer["status"], answer["reason"]) == ("deferred", "NUMBER_LIMIT")
        assert answer["sentFrom"] == NUMBERS[1], "its place comes an hour earlier"
        account.advance(hours=22, minutes=1)
        status = account.status("waits-0001")
        assert (status["status"] in ("sent", "delivered", "read"), status["sentFrom"]) == (
            True,
            NUMBERS[1],
        )


def test_the_overflow_of_a_batch_is_shared_by_the_numbers(service):
    account = service.account(LIMITED)
    data = account.post("/messages/bulk", {"messages": _batch(6)}).json()["data"]
    assert len(data["held"]) == 4
    days = Counter(entry["until"][:10] for entry in data["held"])
    assert set(days.values()) == {2}, "a place a day by each of the two"
