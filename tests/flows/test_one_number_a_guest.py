"""A guest has one chat with us: the first message accepted for it decides the number for all."""

import threading
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from functools import partial
from typing import Any

import httpx
import pytest

from tests.support.batches import bulk, cancel, cid, dry_run, item, submit, to
from tests.support.capacity import timestamp
from tests.support.clock import ManualClock
from tests.support.database import fresh_database
from tests.support.invitations import event_body
from tests.support.service import GUEST, NUMBER, TestAccount, TestService
from tests.support.waiting import patiently

FIRST, SECOND, THIRD = NUMBER, "972555000002", "972555000003"


def numbers_toml(*numbers: str) -> str:
    return "".join(f'[[accounts.numbers]]\nnumber = "{n}"\nperSecond = 10\n' for n in numbers)


@pytest.fixture
def account(service: TestService) -> TestAccount:
    return service.account(numbers_toml(FIRST, SECOND))


def items(places: range, **changes: Any) -> list[dict[str, Any]]:
    """Messages to one and the same guest."""
    return [item(n, **{"to": GUEST} | changes) for n in places]


def senders(account: TestAccount, places: range) -> list[str]:
    """Which number each of them has, whether it went or waits."""
    return [account.status(cid(n))["sentFrom"] for n in places]


def chats(account: TestAccount, guest: str = GUEST) -> set[str]:
    """The numbers that the guest has got messages from."""
    rows = account.service.sql(
        """
        SELECT DISTINCT number FROM messages
         WHERE account_id = $1 AND recipient = $2 AND sent_at IS NOT NULL
        """,
        account.id,
        guest,
    )
    return {row["number"] for row in rows}


def set_health(account: TestAccount, number: str, status: str) -> None:
    answer = account.post(f"/sandbox/v1/senders/{number}", {"status": status})
    assert answer.status_code == 200, answer.text


def later(account: TestAccount, **time: float) -> str:
    now = account.get("/sandbox/v1/clock").json()["data"]["now"]
    return (datetime.fromisoformat(now) + timedelta(**time)).isoformat()


def together(works: list[Callable[[], httpx.Response]]) -> None:
    """All of them, let go at the same instant."""
    gate = threading.Barrier(len(works))

    def run(work: Callable[[], httpx.Response]) -> int:
        gate.wait(60)
        return patiently(work).status_code

    with ThreadPoolExecutor(len(works)) as pool:
        assert set(pool.map(run, works)) <= {200, 202}


# Within a batch


def test_a_batch_to_one_new_guest_goes_by_one_number(account: TestAccount) -> None:
    submit(account, items(range(6)))
    account.advance(seconds=5)
    assert senders(account, range(6)) == [FIRST] * 6
    assert chats(account) == {FIRST}


@pytest.mark.parametrize(
    "wish", [{"fromPolicy": "auto"}, {"fromPolicy": "auto", "sentFrom": SECOND}]
)
def test_auto_is_no_wish(account: TestAccount, wish: dict[str, str]) -> None:
    submit(account, items(range(6), **wish))
    assert senders(account, range(6)) == [FIRST] * 6


def test_guests_are_spread_over_the_numbers_and_each_has_one(account: TestAccount) -> None:
    """An invitation and a reminder for each, in one batch that is decided in several parts."""
    guests = 350
    batch = [item(n, to=to(n % guests)) for n in range(2 * guests)]
    assert len(submit(account, batch)["accepted"]) == 2 * guests
    rows = account.service.sql(
        """
        SELECT recipient, count(*) AS messages, count(DISTINCT number) AS numbers,
               min(number) AS number
          FROM messages WHERE account_id = $1 GROUP BY recipient
        """,
        account.id,
    )
    assert {(row["messages"], row["numbers"]) for row in rows} == {(2, 1)}
    assert Counter(row["number"] for row in rows) == {FIRST: guests / 2, SECOND: guests / 2}
    known = account.service.sql(
        """
        SELECT count(*) AS n FROM messages m JOIN contacts c
            ON (c.account_id, c.phone, c.number) = (m.account_id, m.recipient, m.number)
         WHERE m.account_id = $1
        """,
        account.id,
    )
    assert known[0]["n"] == 2 * guests, "and is recorded with the number that wrote to it"


def test_whoever_cannot_be_sent_to_decides_nothing(account: TestAccount) -> None:
    refused = item(0, to=GUEST, sentFrom=SECOND, templateName="there-is-none")
    data = submit(account, [refused, *items(range(1, 4))])
    assert [entry["index"] for entry in data["rejected"]] == [0]
    assert senders(account, range(1, 4)) == [FIRST] * 3


def test_a_wish_is_heard_and_the_first_that_was_granted_stays(account: TestAccount) -> None:
    wishes: list[dict[str, str]] = [
        {"sentFrom": SECOND},
        {},
        {"sentFrom": FIRST},
        {"sentFrom": FIRST, "fromPolicy": "strict"},
        {},
    ]
    submit(account, [item(n, to=GUEST, **wish) for n, wish in enumerate(wishes)])
    assert senders(account, range(5)) == [SECOND, SECOND, FIRST, FIRST, SECOND]


def test_an_events_number_is_for_those_who_have_none_yet(account: TestAccount) -> None:
    answer = account.post("/events", event_body(defaults={"sentFrom": SECOND}))
    assert answer.status_code in (200, 201), answer.text
    submit(account, items(range(4)), eventId="wedding")
    assert senders(account, range(4)) == [SECOND] * 4


def test_a_forecast_counts_on_the_one_number(account: TestAccount) -> None:
    """Three hundred at ten a second: half a minute by one number, half of that by two."""
    to_many = dry_run(account, [item(n) for n in range(300)])["estimatedCompletionAt"]
    to_one = dry_run(account, items(range(300)))["estimatedCompletionAt"]
    real = submit(account, items(range(300)))["estimatedCompletionAt"]
    assert timestamp(to_one) - timestamp(to_many) > timedelta(seconds=10)
    assert timestamp(real) - timestamp(to_many) > timedelta(seconds=10)


# From one request to the next


def test_two_batches_to_one_new_guest_go_by_one_number(account: TestAccount) -> None:
    submit(account, [item(100, to=to(1)), *items(range(3))])  # the first number's slot is taken
    submit(account, items(range(3, 6)))
    account.advance(seconds=5)
    assert senders(account, range(6)) == [SECOND] * 6
    assert chats(account) == {SECOND}


def test_a_batch_keeps_the_number_of_one_that_still_waits(account: TestAccount) -> None:
    """The single message waits, while the first number is kept busy by others."""
    waits = item(0, to=GUEST, scheduledFor=later(account, hours=1))
    assert account.send(**waits).json()["data"]["status"] == "scheduled"
    submit(account, [item(n) for n in range(100, 131)])
    submit(account, items(range(1, 6)))
    assert senders(account, range(6)) == [FIRST] * 6
    account.advance(hours=2)
    assert chats(account) == {FIRST}


def test_what_was_held_goes_by_one_number(account: TestAccount) -> None:
    for number in (FIRST, SECOND):
        set_health(account, number, "RESTRICTED")
    assert len(submit(account, items(range(3)))["held"]) == 3
    for number in (FIRST, SECOND):
        set_health(account, number, "CONNECTED")
    submit(account, items(range(3, 6)))
    account.advance(minutes=1)
    assert senders(account, range(6)) == [FIRST] * 6
    assert chats(account) == {FIRST}


def test_a_number_that_cannot_send_is_passed_over(account: TestAccount) -> None:
    submit(account, items(range(2)))
    account.advance(seconds=5)
    set_health(account, FIRST, "RESTRICTED")
    submit(account, items(range(2, 5)))
    assert senders(account, range(2, 5)) == [SECOND] * 3
    set_health(account, FIRST, "CONNECTED")
    submit(account, items(range(5, 7)))
    assert senders(account, range(5, 7)) == [FIRST] * 2


def test_a_guest_whose_batch_was_cancelled_may_stay_on_its_number(account: TestAccount) -> None:
    batch = submit(account, items(range(3), sentFrom=SECOND, scheduledFor=later(account, hours=1)))
    cancel(account, batch["batchId"])
    submit(account, items(range(3, 6)))
    assert senders(account, range(3, 6)) == [SECOND] * 3


def test_an_answer_reaches_the_number_that_wrote_and_opens_its_window(
    account: TestAccount,
) -> None:
    submit(account, items(range(6)))
    account.advance(seconds=5)
    account.reply(GUEST, "Is there parking?")
    data = account.send(clientMessageId="answer-0001", to=GUEST, message="Yes").json()["data"]
    assert (data["status"], data["sentFrom"]) == ("sent", FIRST)


# At the same instant


def test_single_messages_at_the_same_instant_go_by_one_number(account: TestAccount) -> None:
    for guest in range(8):
        places = range(10 * guest, 10 * guest + 6)
        batch = items(places, to=to(guest))
        together([partial(account.send, **body) for body in batch])
        assert len(set(senders(account, places))) == 1


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[TestService, TestService]]:
    dsn, folder, clock = fresh_database(), tmp_path_factory.mktemp("data"), ManualClock()
    with (
        TestService(dsn, folder, clock=clock) as one,
        TestService(dsn, folder, clock=clock) as two,
    ):
        yield one, two


def test_two_processes_agree_on_a_guests_number(pair: tuple[TestService, TestService]) -> None:
    one = pair[0].account(numbers_toml(FIRST, SECOND, THIRD))
    made = {"id": one.id, "apiKey": one.key, "signingSecret": one.secret}
    both = [one, TestAccount(pair[1], made)]
    for guest in range(8):
        places = range(100 * guest, 100 * guest + 18)
        batch = items(places, to=to(guest))
        singles = [partial(both[n % 2].send, **batch[n]) for n in range(6)]
        batches = [partial(bulk, both[n], batch[6 + 6 * n : 12 + 6 * n]) for n in (0, 1)]
        together(singles + batches)
        assert len(set(senders(one, places))) == 1
