"""Two processes on one database: a form goes once to each number, and one answer counts."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any, TypeVar

import pytest

from tests.support.database import fresh_database
from tests.support.forms import ANSWERS, form_toml, submitted
from tests.support.service import GUEST, TestAccount, TestService
from tests.support.waiting import patiently
from tidings.doctor import check
from tidings.engine.db.pool import Database
from tidings.engine.db.tx import Tx
from tidings.features.feedback.forms import names
from tidings.features.feedback.sends.parse import FormRequest
from tidings.features.feedback.sends.send import AcceptedForm, send
from tidings.ids import new_id

T = TypeVar("T")
Pair = tuple[TestService, TestService]


@pytest.fixture(scope="module")
def services(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    dsn, folder = fresh_database(), tmp_path_factory.mktemp("data")
    with TestService(dsn, folder) as one, TestService(dsn, folder) as two:
        yield one, two
        assert one.call(lambda: check(one.ctx.db)) == []


def both(services: Pair) -> tuple[TestAccount, TestAccount]:
    """The same account at both processes."""
    account = services[0].account(form_toml())
    made = {"id": account.id, "apiKey": account.key, "signingSecret": account.secret}
    return account, TestAccount(services[1], made)


@pytest.mark.parametrize("same", [False, True], ids=["each its own id", "one id"])
def test_of_64_at_two_doors_one_is_sent(services: Pair, same: bool) -> None:
    doors = both(services)

    def one(nth: int) -> tuple[int, str]:
        cid = "visit-all" if same else f"visit-{nth:04}"
        body = {"formId": "visit", "to": GUEST, "clientMessageId": cid}
        answer = patiently(lambda: doors[nth % 2].post("/feedback/send", body))
        data = answer.json().get("data")
        return answer.status_code, data["sendId"] if data else answer.json()["error"]["code"]

    with ThreadPoolExecutor(32) as pool:
        answers = list(pool.map(one, range(64)))
    good = [send_id for status, send_id in answers if status == 200]
    assert len(set(good)) == 1 and len(good) == (64 if same else 1)
    assert {code for status, code in answers if status != 200} <= {"ALREADY_SENT"}


def test_of_an_id_used_for_two_numbers_at_two_doors_one_is_sent(services: Pair) -> None:
    doors = both(services)

    def one(nth: int) -> tuple[int, str]:
        body = {"formId": "visit", "to": f"97250444{nth:04}", "clientMessageId": "visit-one"}
        answer = patiently(lambda: doors[nth % 2].post("/feedback/send", body))
        error = answer.json().get("error")
        return answer.status_code, error["code"] if error else ""

    with ThreadPoolExecutor(32) as pool:
        answers = list(pool.map(one, range(32)))
    assert sorted(answers) == [(200, ""), *[(409, "DUPLICATE_CLIENT_MESSAGE_ID")] * 31]


def test_of_many_answers_at_two_doors_one_counts(services: Pair) -> None:
    doors = both(services)
    assert doors[0].post("/feedback/send", {"formId": "visit", "to": GUEST}).status_code == 200
    doors[0].advance(seconds=5)

    def one(nth: int) -> int:
        body = {"from": GUEST, "form": {"answers": ANSWERS | {"q1": nth % 5 + 1}}}
        return doors[nth % 2].post("/sandbox/v1/replies", body).status_code

    with ThreadPoolExecutor(16) as pool:
        assert set(pool.map(one, range(32))) == {200}
    assert len(submitted(doors[0])) == 1


class Meanwhile:
    """A database in whose next transaction, before the nth reading, something happens elsewhere."""

    def __init__(self, db: Database, nth: int, happen: Callable[[], Awaitable[None]]) -> None:
        self._db, self._left, self._happen = db, nth, happen

    async def transact(self, work: Callable[[Tx], Awaitable[T]]) -> T:
        async def watched(tx: Tx) -> T:
            real, tx.connection = tx.connection, Watched(tx.connection, self.come)
            try:
                return await work(tx)
            finally:
                tx.connection = real

        return await self._db.transact(watched)

    async def come(self) -> None:
        self._left -= 1
        if self._left == 0:
            await self._happen()


class Watched:
    def __init__(self, connection: Any, reads: Callable[[], Awaitable[None]]) -> None:
        self._connection, self._reads = connection, reads

    async def fetch(self, *query: Any) -> Any:
        await self._reads()
        return await self._connection.fetch(*query)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._connection, name)


@pytest.mark.parametrize("nth", range(1, 5))
def test_whenever_the_other_door_takes_it_the_same_request_is_its_repeat(
    services: Pair, nth: int
) -> None:
    here, there = both(services)
    body = {"formId": "visit", "to": GUEST, "clientMessageId": "visit-same"}
    taken: list[str] = []

    async def take_it_there() -> None:
        answer = await asyncio.to_thread(there.post, "/feedback/send", body)
        taken.append(answer.json()["data"]["sendId"])

    ctx = here.service.ctx
    watched: Any = replace(ctx, db=Meanwhile(ctx.db, nth, take_it_there))
    asked = FormRequest(here.id, "visit", GUEST, "visit-same", new_id())
    [result] = here.service.call(lambda: send(watched, [asked]))
    assert isinstance(result, AcceptedForm), result
    assert (names.send_ref(result.send.id), result.duplicate) == (taken[0], True)
