"""Two processes on one database: a form goes once to each number, and one answer counts."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.support.database import fresh_database
from tests.support.forms import ANSWERS, form_toml, submitted
from tests.support.live import patiently
from tests.support.service import GUEST, TestAccount, TestService
from tidings.doctor import check

Pair = tuple[TestService, TestService]


@pytest.fixture(scope="module")
def services(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    dsn, folder = fresh_database(), tmp_path_factory.mktemp("data")
    with TestService(dsn, folder) as one, TestService(dsn, folder) as two:
        yield one, two
        assert one.call(lambda: check(one.ctx.db)) == []


def both(services: Pair) -> tuple[TestAccount, TestAccount]:
    """The same account at both doors."""
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
