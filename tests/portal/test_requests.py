"""Requests: the API calls of an account, filtered by address, and one of them."""

from uuid import uuid4

import pytest

from tests.support.portal import Seen, Visitor, signed_in, text_of
from tests.support.service import GUEST, TestAccount, TestService
from tidings.features.requests import lookup


@pytest.fixture
def called(account: TestAccount) -> TestAccount:
    """An account with three calls: sent, refused, not found."""
    account.send(
        to=GUEST, templateName="hello", templateParams=["Dana"], clientMessageId="order-r1"
    )
    account.send(to="12", message="Dear Dana, the table is ready")
    account.get("/nothing-here")
    account.service.call(account.service.service.recorder.flush)
    return account


def paths(page: Seen) -> list[str]:
    return [row[2] for row in page.rows()] if page.soup.table else []


def first_id(visitor: Visitor, path: str = "/requests") -> str:
    row = visitor.get(path).soup.select_one("tr[data-href]")
    assert row is not None
    return str(row["data-href"]).rpartition("/")[2]


@pytest.mark.parametrize("role", ["owner", "viewer"])
def test_every_call_is_listed_the_newest_first(called: TestAccount, role: str) -> None:
    page = signed_in(called, role).get("/requests")
    assert (page.status, page.h1) == (200, "Requests")
    assert paths(page) == [
        "GET /api/v1/nothing-here",
        "POST /api/v1/messages/text",
        "POST /api/v1/messages/text",
    ]
    assert [row[1] for row in page.rows()] == ["404", "400", "200"]
    assert page.rows()[0][3].startswith("td_sandbox_")
    text = page.response.text
    assert called.key not in text and GUEST not in text and "Dana" not in text


def test_the_address_filters(called: TestAccount) -> None:
    visitor = signed_in(called)
    assert len(paths(visitor.get("/requests?status=4xx"))) == 2
    assert paths(visitor.get("/requests?status=404")) == ["GET /api/v1/nothing-here"]
    assert len(paths(visitor.get("/requests?path=messages/text"))) == 2
    assert paths(visitor.get("/requests?key=td_sandbox_other")) == []
    request_id = first_id(visitor)
    assert paths(visitor.get(f"/requests?id={request_id}")) == ["GET /api/v1/nothing-here"]
    for unknown in ("req_0", "%00", "x" * 500, f"req_{uuid4().hex}"):
        page = visitor.get(f"/requests?id={unknown}")
        assert page.status == 200 and "No call fits" in page.main
    page = visitor.submit(visitor.get("/requests"), "Filter", {"Status": "2xx", "Path": "text"})
    assert [row[1] for row in page.rows()] == ["200"]
    assert page.field("Path")["value"] == "text"


def test_a_key_is_called_by_its_name(called: TestAccount) -> None:
    called.service.sql(
        "UPDATE api_keys SET name = 'till' WHERE account_id = $1 RETURNING id", called.id
    )
    page = signed_in(called).get("/requests")
    assert page.rows()[0][3] == "till"
    options = {text_of(one): str(one["value"]) for one in page.field("Key").select("option")}
    assert called.key.startswith(options["till"])


def test_a_call_shows_its_body_without_what_is_secret(called: TestAccount) -> None:
    visitor = signed_in(called)
    page = visitor.get(f"/requests/{first_id(visitor, '/requests?status=2xx')}")
    assert (page.status, page.h1) == (200, "Request")
    body = text_of(page.soup.pre)
    assert '"order-r1"' in body and '"hello"' in body and "[hidden]" in body
    assert not any(word in page.response.text for word in ("Dana", GUEST, called.key))
    empty = visitor.get(f"/requests/{first_id(visitor, '/requests?status=404')}")
    assert "The call had none." in empty.main


def test_another_organisations_call_is_unknown(called: TestAccount, service: TestService) -> None:
    request_id = first_id(signed_in(called))
    stranger = signed_in(service.account())
    for path in (f"/requests/{request_id}", f"/requests/req_{uuid4().hex}", "/requests/x"):
        page = stranger.get(path)
        assert (page.status, page.h1) == (404, "Not found")
    assert signed_in(called, "billing").get("/requests").status == 403


def test_pages_lead_to_older_and_newer_calls(account: TestAccount) -> None:
    visitor = signed_in(account)
    page = visitor.get("/requests")
    assert "No calls yet" in page.main
    for n in range(lookup.PAGE_ROWS + 2):
        account.get(f"/messages/none-{n}")
    account.service.call(account.service.service.recorder.flush)
    newest = visitor.get("/requests?status=404")
    assert "Newer" not in newest.links()
    older = visitor.get(newest.links()["Older"])
    assert paths(older) == ["GET /api/v1/messages/none-1", "GET /api/v1/messages/none-0"]
    assert paths(visitor.get(older.links()["Newer"])) == paths(newest)


def test_times_are_real_where_the_sandbox_clock_runs_ahead(called: TestAccount) -> None:
    called.advance(days=3)
    page = signed_in(called).get("/requests?path=messages/text")
    assert "days" not in page.rows()[0][0]
