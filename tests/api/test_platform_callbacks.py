"""GET and POST /platform/whatsapp/webhook: who is heard, and what becomes of what is said."""

import json
import threading
from collections import Counter
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest

from tests.support import callbacks as payload
from tests.support.callbacks import APP_SECRET, PERSON, VERIFY_TOKEN
from tests.support.database import fresh_database
from tests.support.names import named
from tests.support.platform import FakePlatform
from tests.support.service import NUMBER, TestAccount, TestService
from tidings.features.callbacks.receive import receive, retry_dead_letters
from tidings.limits import CALLBACK_BYTES_MAX
from tidings.platforms.port import InboundMessage
from tidings.platforms.whatsapp.callbacks import MessageCallback, read

PATH = "/platform/whatsapp/webhook"
SETTINGS = {"TIDINGS_APP_SECRET": APP_SECRET, "TIDINGS_VERIFY_TOKEN": VERIFY_TOKEN}
CLOSED_PORT = "http://127.0.0.1:9"


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestService]:
    """A service with a live platform that says yes to everything and calls back when we do."""
    settings = SETTINGS | {"TIDINGS_GRAPH_URL": CLOSED_PORT}
    folder = tmp_path_factory.mktemp("data")
    platforms = {"live": FakePlatform()}
    with TestService(fresh_database(), folder, settings=settings, platforms=platforms) as running:
        yield running


_ids = iter(range(200_000, 900_000))


class Live:
    """A live account, and the platform's side of it."""

    def __init__(self, service: TestService, **fields: Any) -> None:
        self.service = service
        self.phone_number_id, self.waba = str(next(_ids)), str(next(_ids))
        self.account: TestAccount = service.account(
            f"""
            [[accounts.numbers]]
            number = "{NUMBER}"
            phoneNumberId = "{self.phone_number_id}"
            wabaId = "{self.waba}"
            accessToken = "token-of-tests"
            """,
            environment="live",
            billingMode="OFF",
            **fields,
        )
        self.service.sql(
            """
            INSERT INTO templates (account_id, name, language, category, status, body)
            VALUES ($1, 'plain', 'en', 'UTILITY', 'APPROVED', 'Good morning')
            """,
            self.account.id,
        )

    def post(self, *changes: dict[str, Any]) -> int:
        return post(self.service, payload.body(*changes, waba=self.waba))

    def statuses(self, *statuses: Any) -> int:
        return self.post(payload.change(statuses=list(statuses), number=self.phone_number_id))

    def messages(self, *messages: Any, **around: Any) -> int:
        change = payload.change(messages=list(messages), number=self.phone_number_id, **around)
        return self.post(change)

    def send(self) -> tuple[str, str]:
        """A message that has gone: its clientMessageId, and the platform's id."""
        cid = f"message-{uuid4().hex}"
        answer = self.account.send(clientMessageId=cid, to=PERSON, templateName="plain")
        assert answer.status_code == 200, answer.text
        data = answer.json()["data"]
        assert data["status"] == "sent", data
        return cid, data["messageId"]


def post(service: TestService, found: Any, **headers: str) -> int:
    data = found if isinstance(found, bytes) else payload.raw(found)
    answer = service.http.post(PATH, content=data, headers=payload.signed(data) | headers)
    return answer.status_code


def dead_letters(service: TestService) -> list[str]:
    return [
        row["reason"] for row in service.sql("SELECT reason FROM callback_dead_letters ORDER BY id")
    ]


# Who is heard


def test_the_address_is_verified_with_our_token(live: TestService) -> None:
    query = {"hub.mode": "subscribe", "hub.verify_token": VERIFY_TOKEN, "hub.challenge": "11<b>58"}
    answer = live.http.get(PATH, params=query)
    assert (answer.status_code, answer.text) == (200, "11<b>58")
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    assert answer.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("query", [
    {}, {"hub.mode": "subscribe"}, {"hub.mode": "subscribe", "hub.verify_token": ""},
    {"hub.mode": "subscribe", "hub.verify_token": VERIFY_TOKEN + "x"},
    {"hub.mode": "unsubscribe", "hub.verify_token": VERIFY_TOKEN},
    {"hub.verify_token": VERIFY_TOKEN},
], ids=named)  # fmt: skip
def test_no_other_token_verifies_it(live: TestService, query: dict[str, str]) -> None:
    answer = live.http.get(PATH, params={**query, "hub.challenge": "1158201444"})
    assert answer.status_code == 403
    assert answer.json()["error"]["code"] == "INVALID_SIGNATURE"
    assert "1158201444" not in answer.text


@pytest.mark.parametrize("signature", [
    None, "", "sha256=", "sha256=" + "0" * 64, "sha1=" + "0" * 40, "0" * 64, "sha256=" + "é" * 64,
    payload.signature(b"{}", "another secret"), payload.signature(b"{} "),
    payload.signature(b"{}").upper(),
], ids=named)  # fmt: skip
def test_nobody_without_the_secret_is_heard(live: TestService, signature: str | None) -> None:
    headers = {} if signature is None else {"x-hub-signature-256": signature.encode()}
    answer = live.http.post(PATH, content=b"{}", headers=headers)
    assert answer.status_code == 403
    assert answer.json()["error"]["code"] == "INVALID_SIGNATURE"


def test_two_signatures_are_none(live: TestService) -> None:
    good = payload.signature(b"{}")
    headers = [("x-hub-signature-256", good), ("x-hub-signature-256", good)]
    assert live.http.post(PATH, content=b"{}", headers=headers).status_code == 403


def test_without_settings_nobody_is_heard(service: TestService) -> None:
    query = {"hub.mode": "subscribe", "hub.verify_token": "", "hub.challenge": "1"}
    assert service.http.get(PATH, params=query).status_code == 403
    data = b'{"entry":[]}'
    for secret in ("", "None", APP_SECRET):
        answer = service.http.post(PATH, content=data, headers=payload.signed(data, secret))
        assert answer.status_code == 403


def test_a_body_over_3_mb_is_refused_and_one_of_3_mb_is_read(live: TestService) -> None:
    data = b" " * CALLBACK_BYTES_MAX
    assert post(live, data) == 200
    answer = live.http.post(PATH, content=data + b" ", headers=payload.signed(data + b" "))
    assert answer.status_code == 400
    assert "3MB" in answer.json()["error"]["message"]


@pytest.mark.parametrize("data", [
    b"", b"{", b"null", b"[]", b"\xff\xfe\x00", b'{"entry":"x"}', b"[" * 100_000,
    b'{"entry":[{"changes":[{"field":"messages","value":{"metadata":{"phone_number_id":"1"},'
    b'"messages":[{"id":"\\u0000","timestamp":"1","from":"1"}]}}]}]}',
], ids=named)  # fmt: skip
def test_what_cannot_be_read_is_taken_and_put_aside(live: TestService, data: bytes) -> None:
    before = len(dead_letters(live))
    assert post(live, data) == 200
    assert len(dead_letters(live)) == before + 1


def test_the_rate_limit_is_not_for_the_platform(live: TestService) -> None:
    one = Live(live, requestsPerMinute=1)
    assert [one.statuses(payload.status("sent", "wamid.x")) for _ in range(5)] == [200] * 5


# What becomes of it


def test_statuses_move_a_message_in_any_order_and_are_published_once(live: TestService) -> None:
    one = Live(live)
    cid, platform_id = one.send()
    delivered, read = (payload.status(kind, platform_id) for kind in ("delivered", "read"))
    assert one.statuses(read, read) == 200
    assert one.statuses(delivered, read) == 200
    assert one.account.status(cid)["status"] == "read"
    statuses = [event["data"]["status"] for event in one.account.events("message.status")]
    assert statuses == ["sent", "read"]


def test_a_status_finds_its_message_by_our_own_id(live: TestService) -> None:
    one = Live(live)
    cid, _ = one.send()
    (row,) = live.sql("SELECT id FROM messages WHERE account_id = $1", one.account.id)
    ours = f"{row['id'].hex}.1"
    unknown = payload.status("delivered", "wamid.never-heard-of", biz_opaque_callback_data=ours)
    assert one.statuses(unknown) == 200
    assert one.account.status(cid)["status"] == "delivered"


def test_another_accounts_number_cannot_move_a_message(live: TestService) -> None:
    one, other = Live(live), Live(live)
    cid, platform_id = one.send()
    (row,) = live.sql("SELECT id FROM messages WHERE account_id = $1", one.account.id)
    ours = {"biz_opaque_callback_data": f"{row['id'].hex}.1"}
    assert other.statuses(payload.status("failed", platform_id, **ours)) == 200
    assert one.account.status(cid)["status"] == "sent"


def test_a_failure_is_explained(live: TestService) -> None:
    one = Live(live)
    cid, platform_id = one.send()
    error = {"code": 131026, "title": "Message undeliverable"}
    assert one.statuses(payload.status("failed", platform_id, errors=[error])) == 200
    status = one.account.status(cid)
    assert (status["status"], status["error"]["platformCode"]) == ("failed", 131026)


def test_what_a_guest_says_is_kept_once_and_opens_the_window(live: TestService) -> None:
    one = Live(live, replies="raw")
    hello = payload.message("text", {"body": "Hello"}, id_=f"wamid.{uuid4().hex}", at=_now(live))
    assert (one.messages(hello), one.messages(hello)) == (200, 200)
    rows = live.sql("SELECT phone, number, text FROM inbound WHERE account_id = $1", one.account.id)
    assert rows == [{"phone": PERSON, "number": NUMBER, "text": "Hello"}]
    answer = one.account.send(clientMessageId=f"m-{uuid4().hex}", to=PERSON, message="Hi")
    assert answer.status_code == 200, answer.text


def test_callbacks_are_counted_by_their_documented_outcomes(live: TestService) -> None:
    one = Live(live)
    _, platform_id = one.send()
    before = counted(live)
    hello = payload.message("text", {"body": "Hello"}, id_=f"wamid.{uuid4().hex}", at=_now(live))
    assert one.statuses(payload.status("delivered", platform_id)) == 200
    assert one.messages(hello) == 200
    assert counted(live) - before == {"status": 1, "inbound": 1}


def counted(service: TestService) -> Counter[str]:
    """`tidings_callbacks_total` by outcome."""
    families = service.ctx.metrics.registry.collect()
    [family] = [one for one in families if one.name == "tidings_callbacks"]
    samples = [one for one in family.samples if one.name.endswith("_total")]
    return Counter({one.labels["outcome"]: int(one.value) for one in samples})


def test_a_timestamp_ahead_of_our_clock_is_capped(live: TestService) -> None:
    one = Live(live, replies="raw")
    ahead = payload.message("text", {"body": "a"}, id_=f"wamid.{uuid4().hex}", at=_now(live) + 3600)
    assert one.messages(ahead) == 200
    (row,) = live.sql("SELECT at <= now() AS past FROM inbound WHERE account_id = $1",
                      one.account.id)  # fmt: skip
    assert row["past"]


def test_neighbours_of_a_broken_piece_are_taken(live: TestService) -> None:
    one = Live(live)
    first, second = one.send(), one.send()
    before = len(dead_letters(live))
    good = [payload.status("delivered", platform_id) for _, platform_id in (first, second)]
    assert one.statuses(good[0], {"id": "x"}, 7, good[1]) == 200
    assert [one.account.status(cid)["status"] for cid, _ in (first, second)] == ["delivered"] * 2
    assert len(dead_letters(live)) == before + 2


def test_several_accounts_may_share_a_body(live: TestService) -> None:
    one, other = Live(live), Live(live)
    (cid, mine), (other_cid, theirs) = one.send(), other.send()
    both = [
        payload.change(statuses=[payload.status("read", platform_id)], number=live_.phone_number_id)
        for live_, platform_id in ((one, mine), (other, theirs))
    ]
    assert one.post(*both) == 200
    assert one.account.status(cid)["status"] == "read"
    assert other.account.status(other_cid)["status"] == "read"


def test_a_number_that_is_none_of_ours_is_put_aside_and_taken_up_when_it_is(
    live: TestService,
) -> None:
    stranger = str(next(_ids))
    hello = payload.message("text", {"body": "Hello"}, id_=f"wamid.{uuid4().hex}", at=_now(live))
    change = payload.change(messages=[hello], number=stranger, contacts=[{"wa_id": PERSON}])
    assert post(live, payload.body(change)) == 200
    assert dead_letters(live)[-1] == "no account has this number"
    one = Live(live, replies="raw")
    live.sql("UPDATE numbers SET phone_number_id = $2 WHERE account_id = $1",
             one.account.id, stranger)  # fmt: skip
    live.sql("UPDATE accounts_version SET version = version + 1")
    live.call(lambda: retry_dead_letters(live.ctx))
    rows = live.sql("SELECT text FROM inbound WHERE account_id = $1", one.account.id)
    assert rows == [{"text": "Hello"}]
    assert "no account has this number" not in dead_letters(live)


def test_a_sandbox_account_is_not_called_by_the_live_platform(live: TestService) -> None:
    number = f'[[accounts.numbers]]\nnumber = "{NUMBER}"\nphoneNumberId = "777001"\n'
    sandbox = live.account(number)
    hello = payload.message("text", {"body": "Hello"}, id_=f"wamid.{uuid4().hex}")
    assert post(live, payload.body(payload.change(messages=[hello], number="777001"))) == 200
    assert live.sql("SELECT 1 FROM inbound WHERE account_id = $1", sandbox.id) == []


def test_a_piece_that_breaks_our_work_is_put_aside_and_its_neighbours_are_taken(
    live: TestService,
) -> None:
    one = Live(live)
    cid, platform_id = one.send()
    # No text column takes these bytes, and the reader would not have let them through.
    change = payload.change(
        statuses=[payload.status("read", platform_id)], number=one.phone_number_id
    )
    good = read(payload.raw(payload.body(change)))
    unstorable = InboundMessage("wamid.b", "", PERSON, live.clock.now(), "text", b"\xff")
    bad = MessageCallback(one.phone_number_id, unstorable, b"{}")
    before = len(dead_letters(live))
    live.call(lambda: receive(live.ctx, [bad, *good]))
    assert one.account.status(cid)["status"] == "read"
    assert dead_letters(live)[before:] == ["processing failed: UnicodeDecodeError"]


@pytest.mark.parametrize(("value", "kinds"), [("stop", ["guest.opted_out"]), ("resume", [])])
def test_an_opt_out_at_the_platform_is_applied(
    live: TestService, value: str, kinds: list[str]
) -> None:
    one = Live(live)
    wish = payload.preference(value)
    wish["value"]["metadata"]["phone_number_id"] = one.phone_number_id
    assert (one.post(wish), one.post(wish)) == (200, 200)
    events = [event for event in one.account.events() if event["type"].startswith("guest.")]
    assert [event["type"] for event in events] == kinds
    assert all(event["data"] == {"from": PERSON, "source": "platform"} for event in events)


def test_a_resumed_guest_is_published_as_opted_in(live: TestService) -> None:
    one = Live(live)
    stop, resume = payload.preference("stop", at=1_700_000_000), payload.preference("resume")
    for wish in (stop, resume):
        wish["value"]["metadata"]["phone_number_id"] = one.phone_number_id
        assert one.post(wish) == 200
    types = [event["type"] for event in one.account.events()]
    assert types == ["guest.opted_out", "guest.opted_in"]


def test_many_callbacks_at_once_are_all_taken(live: TestService) -> None:
    one = Live(live)
    sent = [one.send() for _ in range(8)]
    codes: list[int] = []

    def call() -> None:
        for _, platform_id in sent:
            for kind in ("read", "delivered"):
                codes.append(one.statuses(payload.status(kind, platform_id)))

    threads = [threading.Thread(target=call) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert codes == [200] * 96
    assert {one.account.status(cid)["status"] for cid, _ in sent} == {"read"}
    assert len(one.account.events("message.status")) == 8 * 2


def _now(service: TestService) -> int:
    return int(service.clock.now().timestamp())


def test_the_signature_is_over_the_very_bytes(live: TestService) -> None:
    found = payload.body(payload.change(statuses=[payload.status("sent", "wamid.x")]))
    compact = json.dumps(found, separators=(",", ":")).encode()
    answer = live.http.post(PATH, content=compact, headers=payload.signed(payload.raw(found)))
    assert answer.status_code == 403


DEADLOCKS = """
    CREATE FUNCTION deadlock() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'of the test' USING ERRCODE = 'deadlock_detected'; END $$
"""


def test_a_conflict_that_outlasts_all_retries_has_the_platform_call_again(
    live: TestService,
) -> None:
    """It is no fault of the callback: set aside, the status would be lost until somebody looks."""
    one = Live(live)
    cid, platform_id = one.send()
    before = len(dead_letters(live))
    live.sql(DEADLOCKS)
    live.sql(
        "CREATE TRIGGER conflicts BEFORE UPDATE ON messages FOR EACH ROW"
        f" WHEN (NEW.client_message_id = '{cid}') EXECUTE FUNCTION deadlock()"
    )
    try:
        assert one.statuses(payload.status("read", platform_id)) == 503
    finally:
        live.sql("DROP FUNCTION deadlock CASCADE")
    assert len(dead_letters(live)) == before
    assert one.statuses(payload.status("read", platform_id)) == 200
    assert one.account.status(cid)["status"] == "read"
