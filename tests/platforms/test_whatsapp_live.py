"""Live accounts through a whole service, against a Graph server: every row of the contract."""

import base64
import json
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest

from tests.support import graph as fake
from tests.support.database import fresh_database
from tests.support.graph import TOKEN, FakeGraph, refuse
from tests.support.live import LiveAccount, number_toml
from tests.support.service import NUMBER, TestService
from tests.support.waiting import eventually, settle
from tidings.doctor import check
from tidings.platforms.port import DispatchResult, Send
from tidings.platforms.sandbox.guest_messages import SAMPLES

CID = "order-0001"
PHOTO = SAMPLES["image"].data


@pytest.fixture(scope="module")
def graph() -> Iterator[FakeGraph]:
    with FakeGraph() as running:
        yield running


@pytest.fixture(scope="module")
def service(graph: FakeGraph, tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestService]:
    settings = {"TIDINGS_GRAPH_URL": graph.url}
    with TestService(fresh_database(), tmp_path_factory.mktemp("d"), settings=settings) as running:
        yield running
        assert running.call(lambda: check(running.ctx.db)) == []


@pytest.fixture
def account(service: TestService) -> LiveAccount:
    return LiveAccount(service)


recipients = (f"97250{n:07}" for n in range(1, 10_000))


@pytest.fixture
def to() -> str:
    return next(recipients)


def send(account: LiveAccount, to: str, cid: str = CID, **more: Any) -> httpx.Response:
    fields = {"clientMessageId": cid, "to": to, "templateName": "plain"} | more
    answer = account.send(**fields)
    assert answer.status_code in (200, 202), answer.text
    assert answer.json()["environment"] == "live"
    return answer


def data(answer: httpx.Response) -> dict[str, Any]:
    found: dict[str, Any] = answer.json()["data"]
    return found


def received(account: LiveAccount) -> list[str]:
    kinds = ("message.status", "message.deferred")
    events = [event["data"] for event in account.events() if event["type"] in kinds]
    return [event.get("reason") or event["status"] for event in events]


# The rows of contract.md, "Sending"


def test_a_message_that_the_platform_takes_is_sent(
    account: LiveAccount, graph: FakeGraph, to: str
) -> None:
    answer = send(account, to, templateName="hello", templateParams=["Dana"])
    found = data(answer)
    assert (answer.status_code, found["status"], found["sentFrom"]) == (200, "sent", NUMBER)
    assert found["messageId"].startswith("wamid.")
    called = graph.to(to)[0]
    assert called.path == f"/v25.0/{account.place}/messages"
    assert called.headers["Authorization"] == f"Bearer {TOKEN}"
    assert called.body["template"]["components"] == [
        {"type": "body", "parameters": [{"type": "text", "text": "Dana"}]}
    ]
    assert received(account) == ["sent"]


@pytest.mark.parametrize(
    ("code", "word"), [(132000, "TEMPLATE_PARAMS_MISMATCH"), (131030, "RECIPIENT_NOT_ON_TEST_LIST")]
)
def test_refused_for_this_message_or_recipient_is_failed_and_refunded(
    account: LiveAccount, graph: FakeGraph, to: str, code: int, word: str
) -> None:
    graph.behave[to] = refuse(code, details="because")
    answer = send(account, to)
    found = data(answer)
    assert (answer.status_code, found["status"]) == (200, "failed")
    assert found["error"]["code"] == word and "because" in found["error"]["explanation"]
    assert account.status(CID)["error"]["platformCode"] == code
    assert received(account) == ["failed"]
    rows = account.service.sql("SELECT refunded_at FROM messages WHERE account_id=$1", account.id)
    assert rows[0]["refunded_at"] is not None


DEFERRED = {
    "NUMBER_LIMIT": [130429, 131048, 131056, 132069, 133016],
    "ACCOUNT_LIMIT": [4, 80007, 131064],
    "PLATFORM_UNAVAILABLE": [1, 2, 131000, 131016, 131057, 133004],
    "NUMBER_UNHEALTHY": [
        *[0, 3, 10, 190, 200, 299, 368, 131005, 131031, 131037],
        *[131042, 131045, 131063, 133010],
    ],
}


@pytest.mark.parametrize(
    ("reason", "code"), [(reason, code) for reason, codes in DEFERRED.items() for code in codes]
)
def test_what_waits_is_deferred_with_the_contracts_reason(
    account: LiveAccount, graph: FakeGraph, to: str, reason: str, code: int
) -> None:
    graph.behave[to] = refuse(code)
    answer = send(account, to)
    found = data(answer)
    assert (answer.status_code, found["status"], found["reason"]) == (202, "deferred", reason)
    assert (found["messageId"], found["sentAt"]) == (None, None)
    assert (found["retryAt"] is None) == (reason == "NUMBER_UNHEALTHY")
    assert received(account) == [reason]


def test_a_number_that_the_platform_does_not_know_is_unhealthy(
    service: TestService, to: str
) -> None:
    account = LiveAccount(service, number_toml(place="999"))
    assert data(send(account, to))["reason"] == "NUMBER_UNHEALTHY"
    assert account.status(CID)["attempts"][0]["code"] == "NUMBER_NOT_FOUND"


@pytest.mark.parametrize("status", [500, 503])
def test_a_code_nobody_knows_waits_from_500_on(
    account: LiveAccount, graph: FakeGraph, to: str, status: int
) -> None:
    graph.behave[to] = refuse(987654, status=status)
    assert data(send(account, to))["reason"] == "PLATFORM_UNAVAILABLE"


def test_a_code_nobody_knows_is_refused_below_500(
    account: LiveAccount, graph: FakeGraph, to: str
) -> None:
    graph.behave[to] = refuse(987654)
    found = data(send(account, to))
    assert (found["status"], found["error"]["code"]) == ("failed", "PLATFORM_ERROR")


@pytest.mark.parametrize("answer", [fake.reset, fake.say(500), fake.say(502, "<html>")])
def test_without_an_answer_it_is_sending_and_never_sent_again(
    account: LiveAccount, graph: FakeGraph, to: str, answer: fake.Behaviour
) -> None:
    graph.behave[to] = answer
    got = send(account, to)
    assert (got.status_code, data(got)["status"]) == (202, "sending")
    account.let_jobs_look()
    settle(account)
    assert data(send(account, to))["status"] == "sending"
    assert account.status(CID)["attempts"][0]["outcome"] == "unknown"
    assert len(graph.to(to)) == 1 and received(account) == []


def test_the_wait_that_the_platform_asks_for_is_kept(
    account: LiveAccount, graph: FakeGraph, to: str
) -> None:
    graph.behave[to] = refuse(80007, retry_after="7200")
    retry_at = datetime.fromisoformat(data(send(account, to))["retryAt"])
    wait = retry_at - datetime.now(UTC)
    assert timedelta(minutes=119) < wait <= timedelta(minutes=120)


def test_what_was_deferred_goes_out_when_its_time_has_come(
    account: LiveAccount, graph: FakeGraph, to: str
) -> None:
    graph.behave[to] = refuse(131016, status=503)
    assert data(send(account, to))["status"] == "deferred"
    del graph.behave[to]
    account.service.sql(
        "UPDATE messages SET retry_at = now() WHERE account_id = $1 RETURNING id", account.id
    )
    account.let_jobs_look()
    eventually(lambda: account.status(CID)["status"] == "sent")
    assert received(account) == ["PLATFORM_UNAVAILABLE", "sent"]


def test_a_platform_that_cannot_be_reached_lets_messages_wait(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    settings = {"TIDINGS_GRAPH_URL": "http://127.0.0.1:9"}
    with TestService(fresh_database(), tmp_path_factory.mktemp("d"), settings=settings) as away:
        account = LiveAccount(away)
        answer = send(account, next(recipients))
        assert (answer.status_code, data(answer)["reason"]) == (202, "PLATFORM_UNAVAILABLE")


# Kinds of messages


def test_a_passcode_goes_into_the_body_and_the_button_and_nowhere_else(
    account: LiveAccount, graph: FakeGraph, to: str
) -> None:
    answer = account.post("/messages/otp", {"to": to, "code": "428571"})
    assert (answer.status_code, data(answer)["status"]) == (200, "sent")
    text = json.dumps(graph.to(to)[0].body)
    assert text.count("428571") == 2
    stored = account.service.sql("SELECT * FROM messages WHERE account_id = $1", account.id)
    assert "428571" not in str(stored) + json.dumps(account.events())


def test_media_is_uploaded_once_for_many_messages(account: LiveAccount, graph: FakeGraph) -> None:
    before = len(graph.uploads)
    picture = base64.b64encode(PHOTO).decode()
    upload = account.post("/messages/upload", {"mediaBase64": picture})
    media = {"mediaId": data(upload)["mediaId"], "type": "image", "templateName": "picture"}
    people = [next(recipients) for _ in range(5)]
    for place, to in enumerate(people):
        assert data(send(account, to, f"order-{place:04}", **media))["status"] == "sent"
    assert len(graph.uploads) == before + 1
    assert graph.uploads[-1].file == PHOTO
    headers = [graph.to(to)[0].body["template"]["components"][0] for to in people]
    assert len({json.dumps(header) for header in headers}) == 1
    assert headers[0]["parameters"][0]["image"]["id"].isdigit()


def test_after_25_days_media_is_uploaded_anew(account: LiveAccount, graph: FakeGraph) -> None:
    picture = base64.b64encode(PHOTO).decode()
    media = {"mediaBase64": picture, "type": "image", "templateName": "picture"}
    send(account, next(recipients), "order-0001", **media)
    before = len(graph.uploads)
    aged = "UPDATE platform_media SET uploaded_at = now() - $2::interval WHERE account_id = $1"
    account.service.sql(f"{aged} RETURNING platform_id", account.id, timedelta(days=24, hours=23))
    send(account, next(recipients), "order-0002", **media)
    assert len(graph.uploads) == before
    account.service.sql(f"{aged} RETURNING platform_id", account.id, timedelta(days=25))
    send(account, next(recipients), "order-0003", **media)
    assert len(graph.uploads) == before + 1


def test_a_refused_upload_fails_the_message_in_words(
    account: LiveAccount, graph: FakeGraph, to: str
) -> None:
    picture = base64.b64encode(PHOTO).decode()
    graph.on_upload = refuse(131053, details="Unsupported image")
    try:
        media = {"mediaBase64": picture, "type": "image", "templateName": "picture"}
        found = data(send(account, to, **media))
    finally:
        graph.on_upload = None
    assert (found["status"], found["error"]["code"]) == ("failed", "MEDIA_REJECTED")
    assert graph.to(to) == []


def test_an_upload_without_an_answer_lets_the_message_wait(
    account: LiveAccount, graph: FakeGraph, to: str
) -> None:
    picture = base64.b64encode(PHOTO).decode()
    graph.on_upload = fake.say(500)
    try:
        media = {"mediaBase64": picture, "type": "image", "templateName": "picture"}
        found = data(send(account, to, **media))
    finally:
        graph.on_upload = None
    assert (found["status"], found["reason"]) == ("deferred", "PLATFORM_UNAVAILABLE")


# Many, and slow ones


def test_a_batch_goes_out_over_kept_connections(account: LiveAccount, graph: FakeGraph) -> None:
    people = [next(recipients) for _ in range(60)]
    graph.behave[people[3]] = refuse(131030)
    messages = [
        {"clientMessageId": f"batch-{place:05}", "to": to, "templateName": "plain"}
        for place, to in enumerate(people)
    ]
    before = graph.connections
    answer = account.post("/messages/bulk", {"messages": messages})
    assert answer.status_code == 202, answer.text
    eventually(lambda: len(received(account)) == 60)
    assert sorted(set(received(account))) == ["failed", "sent"]
    assert all(len(graph.to(to)) == 1 for to in people)
    assert graph.connections - before < 40


def test_one_that_is_slow_does_not_hold_up_the_others_of_its_batch(
    account: LiveAccount, graph: FakeGraph
) -> None:
    people = [next(recipients) for _ in range(10)]
    others_are_sent = threading.Event()
    graph.behave[people[0]] = fake.when(others_are_sent.is_set)
    messages = [
        {"clientMessageId": f"batch-{place:05}", "to": to, "templateName": "plain"}
        for place, to in enumerate(people)
    ]
    account.post("/messages/bulk", {"messages": messages})
    try:
        eventually(lambda: received(account) == ["sent"] * 9)
    finally:
        others_are_sent.set()
    eventually(lambda: received(account) == ["sent"] * 10)


# An adapter that breaks


class Broken:
    def __init__(self) -> None:
        self.calls = 0

    async def send(self, sends: list[Send]) -> list[DispatchResult]:
        self.calls += 1
        raise RuntimeError("a bug")


def test_an_adapter_that_breaks_is_an_unknown_outcome_and_no_500(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    broken = Broken()
    folder = tmp_path_factory.mktemp("d")
    with TestService(fresh_database(), folder, platforms={"live": broken}) as service:
        account = LiveAccount(service)
        answer = send(account, next(recipients))
        assert (answer.status_code, data(answer)["status"]) == (202, "sending")
        send(account, next(recipients), "order-0002", scheduledFor="2020-01-01T00:00:00Z")
        assert broken.calls == 2
        assert account.status(CID)["attempts"][0]["outcome"] == "unknown"


# Secrets


def test_tokens_are_never_logged_nor_stored_in_clear(
    account: LiveAccount, graph: FakeGraph, capfd: pytest.CaptureFixture[str]
) -> None:
    for behaviour in (refuse(190), refuse(131016), fake.reset, fake.say(502, "<html>")):
        to = next(recipients)
        graph.behave[to] = behaviour
        send(account, to, f"order-{to}")
    out, err = capfd.readouterr()
    assert TOKEN not in out + err
    assert "platform.refused" in out + err, "there is a log"
    rows = account.service.sql("SELECT * FROM numbers WHERE account_id = $1", account.id)
    assert TOKEN not in str(rows) and TOKEN.encode() not in rows[0]["access_token"]
    assert TOKEN not in json.dumps(account.events())
