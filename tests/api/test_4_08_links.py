"""POST /links, GET /links/{code} (4.8, 2.6), and the redirect at GET /r/{code} (contract.md)."""

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest

from tests.support.clock import ManualClock
from tests.support.database import fresh_database
from tests.support.service import GUEST, TestAccount, TestService, account_toml

URL = "https://example.com/tickets?id=7"
PHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15"
LONGEST = "https://example.com/" + "a" * (2048 - len("https://example.com/"))


def make(account: TestAccount, **fields: Any) -> dict[str, Any]:
    answer = account.post("/links", {"url": URL} | fields)
    assert answer.status_code == 200, answer.text
    data: dict[str, Any] = answer.json()["data"]
    return data


def follow(account: TestAccount, link: dict[str, Any], **headers: str) -> httpx.Response:
    return account.service.http.get(f"/r/{link['code']}", headers={"user-agent": PHONE} | headers)


def opens(account: TestAccount, link: dict[str, Any]) -> dict[str, Any]:
    answer = account.get(f"/links/{link['code']}")
    assert answer.status_code == 200, answer.text
    data: dict[str, Any] = answer.json()["data"]
    return data


def account_now(account: TestAccount) -> datetime:
    now: str = account.get("/sandbox/v1/clock").json()["data"]["now"]
    return datetime.fromisoformat(now)


def wire(timestamp: datetime) -> str:
    return timestamp.astimezone(UTC).isoformat()


def stored(account: TestAccount) -> int:
    return len(account.service.sql("SELECT FROM links WHERE account_id = $1", account.id))


# Creating


@pytest.mark.quick
def test_a_link_has_a_code_and_an_address_on_the_services_own_domain(account: TestAccount) -> None:
    answer = account.post("/links", {"url": URL})
    assert answer.status_code == 200
    whole = answer.json()
    assert (whole["success"], whole["environment"]) == (True, "sandbox")
    link = whole["data"]
    assert set(link) == {"code", "shortUrl", "url", "clicks", "active"}
    assert re.fullmatch("[0-9A-Za-z]{12}", link["code"])
    assert link["shortUrl"] == f"{account.service.settings.public_url}/r/{link['code']}"
    assert (link["url"], link["clicks"], link["active"]) == (URL, 0, True)


def test_each_request_makes_a_link_of_its_own(account: TestAccount) -> None:
    assert make(account)["code"] != make(account)["code"]


@pytest.mark.parametrize(
    "fields",
    [
        {"eventId": "gala"}, {"eventId": "g" * 64}, {"clientMessageId": "o"},
        {"clientMessageId": "é" * 128}, {"expiresAt": "2099-01-01T00:00:00+02:00"},
        {"url": LONGEST},
    ],
)  # fmt: skip
def test_the_borders_of_each_field_are_taken(account: TestAccount, fields: dict[str, Any]) -> None:
    make(account, **fields)


def test_what_a_link_belongs_to_is_kept(account: TestAccount) -> None:
    link = make(account, eventId="gala", clientMessageId="order-0001")
    rows = account.service.sql("SELECT * FROM links WHERE code = $1", link["code"])
    assert (rows[0]["account_id"], rows[0]["event_id"]) == (account.id, "gala")
    assert rows[0]["client_message_id"] == "order-0001"


@pytest.mark.parametrize(
    "url",
    [
        "", "http://example.com/", "ftp://example.com/", "javascript:alert(1)", "//example.com/",
        "example.com", "https:///path", "https://user@example.com/", "https://localhost/",
        "https://127.0.0.1/", "https://10.0.0.1/", "https://169.254.169.254/latest/meta-data",
        "https://[::1]/", "https://2130706433/", "https://0x7f.1/", "https://printer.local/",
        "https://host/", "https://exa mple.com/", "https://example.com\\@evil.test/",
        "https://example.com/\r\nSet-Cookie: a=b", "https://example.com:0/",
        "https://example.com:99999/", LONGEST + "a",
    ],
)  # fmt: skip
def test_a_url_that_is_not_https_on_a_public_host_is_refused(
    account: TestAccount, url: str
) -> None:
    answer = account.post("/links", {"url": url})
    assert answer.status_code == 400
    error = answer.json()["error"]
    assert (error["code"], error["field"]) == ("INVALID_URL", "url")
    assert stored(account) == 0


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "url"),
        ({"url": None}, "url"),
        ({"url": 7}, "url"),
        ({"url": [URL]}, "url"),
        ({"url": URL, "eventId": "abc"}, "eventId"),
        ({"url": URL, "eventId": "a" * 65}, "eventId"),
        ({"url": URL, "eventId": None}, "eventId"),
        ({"url": URL, "eventId": "    "}, "eventId"),
        ({"url": URL, "clientMessageId": ""}, "clientMessageId"),
        ({"url": URL, "clientMessageId": "a" * 129}, "clientMessageId"),
        ({"url": URL, "clientMessageId": "line\nbreak"}, "clientMessageId"),
        ({"url": URL, "clientMessageId": 12345678}, "clientMessageId"),
        ({"url": URL, "expiresAt": "2020-01-01T00:00:00Z"}, "expiresAt"),
        ({"url": URL, "expiresAt": "2099-01-01"}, "expiresAt"),
        ({"url": URL, "expiresAt": "2099-01-01T00:00:00"}, "expiresAt"),
        ({"url": URL, "expiresAt": "tomorrow"}, "expiresAt"),
        ({"url": URL, "expiresAt": 4070908800}, "expiresAt"),
        ({"url": URL, "expiresAt": None}, "expiresAt"),
        ({"url": URL, "expires": "2099-01-01T00:00:00Z"}, "expires"),
    ],
)
def test_a_missing_or_wrong_field_is_named(
    account: TestAccount, body: dict[str, Any], field: str
) -> None:
    answer = account.post("/links", body)
    assert answer.status_code == 400
    error = answer.json()["error"]
    assert (error["code"], error["field"]) == ("VALIDATION_ERROR", field)
    assert field in error["message"]
    assert stored(account) == 0


def test_an_end_is_judged_by_the_accounts_own_time(account: TestAccount) -> None:
    account.advance(days=10)
    real = datetime.now(UTC)
    answer = account.post("/links", {"url": URL, "expiresAt": wire(real + timedelta(days=9))})
    assert answer.json()["error"]["field"] == "expiresAt"
    make(account, expiresAt=wire(real + timedelta(days=11)))


# Reading


def test_a_link_nobody_opened_has_no_times(account: TestAccount) -> None:
    link = make(account)
    assert opens(account, link) == {**link, "firstClickAt": None, "lastClickAt": None}


def test_opens_are_counted_with_the_first_and_the_last(account: TestAccount) -> None:
    link = make(account)
    account.advance(days=1)
    before = account_now(account)
    follow(account, link)
    follow(account, link)
    account.advance(hours=2)
    follow(account, link)
    after = account_now(account)
    found = opens(account, link)
    assert found["clicks"] == 3
    first = datetime.fromisoformat(found["firstClickAt"])
    last = datetime.fromisoformat(found["lastClickAt"])
    a_millisecond = timedelta(milliseconds=1)  # what goes on the wire is cut to it
    assert before - a_millisecond <= first <= last - timedelta(hours=2) + a_millisecond
    assert last <= after
    assert found["firstClickAt"].endswith("Z")


@pytest.mark.parametrize("path", ["aaaaaaaaaaaa", "a", "%2F", "%00", "a" * 10_000, "é", "%ff"])
def test_an_unknown_code_is_not_found(account: TestAccount, path: str) -> None:
    answer = account.get(f"/links/{path}")
    assert answer.status_code == 404
    assert answer.json()["error"]["code"] == "LINK_NOT_FOUND"


def test_case_matters(account: TestAccount) -> None:
    link = make(account)
    code = link["code"].swapcase()
    assert account.get(f"/links/{code}").json()["error"]["code"] == "LINK_NOT_FOUND"
    assert account.service.http.get(f"/r/{code}").status_code == 404


def test_another_accounts_link_is_as_unknown_as_none(
    service: TestService, account: TestAccount
) -> None:
    link = make(service.account())
    answers = [account.get(f"/links/{code}") for code in (link["code"], "aaaaaaaaaaaa")]
    errors = [answer.json()["error"] for answer in answers]
    for error in errors:
        error.pop("requestId")
    assert errors[0] == errors[1]
    assert [answer.status_code for answer in answers] == [404, 404]


# Following


def test_a_link_leads_to_its_destination_and_leaves_no_trace_on_the_way(
    account: TestAccount,
) -> None:
    answer = follow(account, make(account))
    assert answer.status_code == 302
    assert answer.headers["location"] == URL
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert answer.content == b""


@pytest.mark.parametrize(
    "url",
    [
        "https://example.com",
        "https://example.com/a%20b/%2e%2e/c?d=e+f&g=%C3%A9&d=e#h=i",
        "https://example.com/../../a//b/./c",
        "https://example.com/?next=https://other.example/%0d%0aX:y",
        "https://example.com/שלום?q=日本",
        "https://BÜCHER.example:443/Path",
        "https://example.com:8443/{{1}}?a[]=1'\"<script>",
    ],
)
def test_the_location_is_the_stored_url_byte_for_byte(account: TestAccount, url: str) -> None:
    link = make(account, url=url)
    answer = follow(account, link)
    assert dict(answer.headers.raw)[b"location"] == link["url"].encode()
    assert opens(account, link)["url"] == link["url"]


def test_a_query_string_on_a_link_goes_nowhere(account: TestAccount) -> None:
    link = make(account)
    answer = account.service.http.get(f"/r/{link['code']}?url=https://evil.test&x=%0d%0a")
    assert answer.headers["location"] == URL


def test_previews_prefetches_and_head_are_redirected_but_not_counted(account: TestAccount) -> None:
    link = make(account)
    for headers in (
        {"user-agent": "WhatsApp/2.23.20.0 A"}, {"user-agent": "facebookexternalhit/1.1"},
        {"user-agent": "Mozilla/5.0 (compatible; Googlebot/2.1)"},
        {"purpose": "prefetch"}, {"sec-purpose": "prefetch;prerender"}, {"x-moz": "prefetch"},
    ):  # fmt: skip
        assert follow(account, link, **headers).headers["location"] == URL
    head = account.service.http.head(f"/r/{link['code']}")
    assert (head.status_code, head.headers["location"], head.content) == (302, URL, b"")
    assert opens(account, link)["clicks"] == 0
    assert opens(account, link)["firstClickAt"] is None
    follow(account, link, **{"user-agent": "curl/8.5.0"})
    assert opens(account, link)["clicks"] == 1


def test_sixty_four_opens_at_once_are_sixty_four_opens(account: TestAccount) -> None:
    links = [make(account), make(account)]
    with ThreadPoolExecutor(64) as guests:
        answers = guests.map(lambda n: follow(account, links[n % 2]), range(64))
        assert [answer.status_code for answer in answers] == [302] * 64
    assert [opens(account, link)["clicks"] for link in links] == [32, 32]


def test_an_expired_link_is_gone_and_counts_no_more(account: TestAccount) -> None:
    end = account_now(account) + timedelta(hours=1)
    link = make(account, expiresAt=wire(end))
    assert follow(account, link).status_code == 302
    assert opens(account, link)["active"] is True
    account.advance(hours=1)
    require_page(follow(account, link), 410)
    found = opens(account, link)
    assert (found["active"], found["clicks"]) == (False, 1)


def test_a_disabled_accounts_links_lead_nowhere_until_it_is_enabled(service: TestService) -> None:
    account = service.account(name="links-switched-off")
    link = make(account)
    service.apply(account_toml(name="links-switched-off", active=False))
    require_page(follow(account, link), 410)
    assert account.get(f"/links/{link['code']}").json()["error"]["code"] == "APP_INACTIVE"
    service.apply(account_toml(name="links-switched-off"))
    assert follow(account, link).status_code == 302
    assert opens(account, link)["clicks"] == 1


def test_a_link_that_was_switched_off_is_gone(account: TestAccount) -> None:
    link = make(account)
    service = account.service
    switch_off = "UPDATE links SET active = false WHERE code = $1"
    service.call(lambda: service.ctx.db.transact(lambda tx: tx.run(switch_off, link["code"])))
    require_page(follow(account, link), 410)
    assert opens(account, link)["active"] is False


@pytest.mark.parametrize("code", ["aaaaaaaaaaaa", "a", "%00", "<script>", "a" * 5000])
def test_an_unknown_link_is_a_plain_page(service: TestService, code: str) -> None:
    answer = service.http.get(f"/r/{code}")
    require_page(answer, 404)
    assert "<script>" not in answer.text


def require_page(answer: httpx.Response, status: int) -> None:
    assert answer.status_code == status
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["content-security-policy"].startswith("default-src 'none'; ")
    assert answer.headers["cache-control"] == "no-store"
    assert "location" not in answer.headers
    assert answer.text.startswith("<!doctype html>")


# Behind a template's button

TICKETS = """
[[accounts.templates]]
name = "tickets"
language = "en"
category = "UTILITY"
status = "APPROVED"
body = "Hi {{{{1}}}}, your tickets are ready."
buttons = [ {{ type = "URL", text = "Open", url = "{base}/r/{{{{1}}}}" }} ]
"""


def send_tickets(account: TestAccount, **fields: Any) -> httpx.Response:
    message = {"clientMessageId": "tickets-0001", "to": GUEST, "templateName": "tickets"}
    return account.send(**message, templateParams=["Dana"], **fields)


def test_a_buttons_link_is_counted_and_read_like_any_other(service: TestService) -> None:
    base = service.settings.public_url
    account = service.account(TICKETS.format(base=base))
    answer = send_tickets(account, buttonUrl=URL)
    assert answer.status_code == 200, answer.text
    shown = account.get(f"/sandbox/v1/phones/{GUEST}").json()["data"]["messages"]
    address = shown[0]["buttons"][0]["url"]
    assert address.startswith(f"{base}/r/")
    link = {"code": address.removeprefix(f"{base}/r/")}
    assert follow(account, link).headers["location"] == URL
    found = opens(account, link)
    assert (found["url"], found["clicks"], found["active"]) == (URL, 1, True)
    assert send_tickets(account, buttonUrl=URL).json()["data"]["duplicate"] is True
    assert stored(account) == 1


def test_a_button_elsewhere_takes_no_link_and_leaves_none(service: TestService) -> None:
    account = service.account(TICKETS.format(base="https://elsewhere.example"))
    answer = send_tickets(account, buttonUrl=URL)
    assert answer.status_code == 400
    assert answer.json()["error"]["code"] == "BUTTON_URL_UNSUPPORTED"
    assert stored(account) == 0


# A service of its own


@pytest.fixture
def alone(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestService]:
    folder = tmp_path_factory.mktemp("links")
    settings = {"TIDINGS_PUBLIC_URL": "https://go.example.com/"}
    clock = ManualClock()
    with TestService(
        fresh_database(), folder, clock=clock, settings=settings, working=False
    ) as running:
        yield running


def test_guessing_codes_is_slowed_down_and_real_links_still_open(alone: TestService) -> None:
    account = alone.account()
    link = make(account)
    assert link["shortUrl"] == f"https://go.example.com/r/{link['code']}"
    answers = [alone.http.get(f"/r/{n:012}") for n in range(62)]
    assert [answer.status_code for answer in answers] == [404] * 60 + [429] * 2
    require_page(answers[-1], 429)
    assert answers[-1].headers["retry-after"] == "1"
    assert follow(account, link).status_code == 302
    assert isinstance(alone.clock, ManualClock)
    alone.clock.advance(seconds=1)
    assert alone.http.get("/r/aaaaaaaaaaaa").status_code == 404


def test_opens_are_written_before_the_service_stops(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    dsn, folder = fresh_database(), tmp_path_factory.mktemp("links")
    with TestService(dsn, folder, working=False) as first:
        account = first.account(name="acme")
        link = make(account)
        for _ in range(20):
            follow(account, link)
    with TestService(dsn, folder, working=False) as second:
        rows = second.sql("SELECT clicks FROM links")
    assert rows == [{"clicks": 20}]
