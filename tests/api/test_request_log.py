"""The log of API calls: every call of a key, without what is secret, for a week."""

from types import SimpleNamespace
from typing import Any, cast
from uuid import UUID

from tests.support.service import GUEST, TestAccount, TestService
from tidings import limits
from tidings.engine.db.log_pages import LogCursor, LogPage
from tidings.engine.http.exchange import Exchange
from tidings.features.requests import lookup
from tidings.features.requests.lookup import Filter
from tidings.features.requests.model import LoggedCall

TEXT = "Dear Dana, the table is ready"


def log_of(account: TestAccount, **chosen: Any) -> LogPage[LoggedCall]:
    service = account.service
    service.call(service.service.recorder.flush)
    cursor = LogCursor(chosen.pop("before", None), chosen.pop("after", None))
    found = Filter(**chosen)
    return service.transact(lambda tx: lookup.load_page(tx, UUID(str(account.id)), found, cursor))


def test_a_call_is_logged_with_its_key_status_and_request_id(account: TestAccount) -> None:
    answer = account.send(
        to=GUEST, templateName="hello", templateParams=["Dana"], clientMessageId="r1"
    )
    refused = account.send(to="12", message=TEXT)
    missing = account.get("/nothing-here")
    calls = log_of(account).entries
    assert [call.request_id for call in calls] == [
        one.headers["x-request-id"] for one in (missing, refused, answer)
    ]
    assert [call.status for call in calls] == [404, 400, answer.status_code]
    sent = calls[-1]
    assert (sent.method, sent.path) == ("POST", "/api/v1/messages/text")
    assert account.key.startswith(sent.key) and len(sent.key) < len(account.key) - 10
    assert sent.body is not None and '"r1"' in sent.body and "hello" in sent.body
    assert sent.body_bytes == len(answer.request.content)
    whole = repr(calls)
    assert not any(word in whole for word in (TEXT, "Dana", GUEST, account.key))
    one = account.service.transact(lambda tx: lookup.find_call(tx, UUID(str(account.id)), sent.id))
    assert one == sent


def test_nothing_of_a_passcodes_body_is_kept(account: TestAccount) -> None:
    account.post("/messages/otp", {"to": GUEST, "code": "482913", "clientMessageId": "o1"})
    account.post("/webhooks/verify", {"secret": "whsec_x", "headers": {}, "body": "x"})
    calls = log_of(account).entries
    assert len(calls) == 2 and all(call.body is None and call.body_bytes for call in calls)


def test_calls_without_a_valid_key_are_nobodys(account: TestAccount, service: TestService) -> None:
    service.http.get("/api/v1/limits", headers={"x-api-key": "td_sandbox_unknown"})
    service.http.get("/api/v1/health")
    assert log_of(account).entries == []


def test_the_list_is_filtered_and_paged(account: TestAccount) -> None:
    for n in range(lookup.PAGE_ROWS + 5):
        account.get(f"/messages/none-{n}")
    account.get("/limits")
    newest = log_of(account)
    assert newest.newer is None and newest.older is not None
    older = log_of(account, before=newest.older)
    assert [call.path for call in older.entries] == [
        f"/api/v1/messages/none-{n}" for n in range(5, -1, -1)
    ]
    assert older.older is None
    assert log_of(account, after=older.newer) == newest
    assert [call.path for call in log_of(account, status="2xx").entries] == ["/api/v1/limits"]
    assert [call.path for call in log_of(account, path="none-33").entries] == [
        "/api/v1/messages/none-33"
    ]
    assert log_of(account, status="404", key="td_sandbox_other").entries == []


def test_of_too_many_bodies_the_first_are_kept(account: TestAccount, service: TestService) -> None:
    async def quiet() -> None:
        """Calls are answered on this loop: none of ours is flushed in between."""
        recorder = service.service.recorder
        await recorder.flush()
        exchange = SimpleNamespace(
            account=SimpleNamespace(id=account.id),
            headers={b"x-api-key": account.key.encode()},
            raw_path=b"/x",
            raw_query=b"",
            method="POST",
            status=200,
            body_bytes=2,
            body=b"{}",
        )
        for n in range(limits.REQUEST_LOG_WAITING_MAX + 7):
            exchange.id = f"req_{n:032x}"
            recorder.record(cast(Exchange, exchange), 0.001)
        assert await recorder.flush() == limits.REQUEST_LOG_WAITING_MAX

    service.call(quiet)
    [row] = service.sql(
        "SELECT count(*) AS calls, count(body) AS bodies FROM request_log WHERE account_id = $1",
        account.id,
    )
    assert row == {
        "calls": limits.REQUEST_LOG_WAITING_MAX,
        "bodies": limits.REQUEST_LOG_BODIES_MAX,
    }
    assert b"tidings_request_log_dropped_total 7.0" in service.ctx.metrics.render()


def test_a_call_is_forgotten_after_a_week(account: TestAccount, service: TestService) -> None:
    account.get("/limits")
    [call] = log_of(account).entries
    aged = "UPDATE request_log SET id = $2 WHERE account_id = $1"
    old = UUID(int=call.id.int - (8 * 24 * 3600 * 1000 << 80))
    account.get("/limits")
    assert len(log_of(account).entries) == 2
    service.sql(f"{aged} AND id = $3", account.id, old, call.id)
    service.call(lambda: lookup.purge(service.ctx))
    assert len(log_of(account).entries) == 1
