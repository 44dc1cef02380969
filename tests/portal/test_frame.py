"""The frame of every page: who may see it, in which language, with which headers."""

import socket
from urllib.parse import urlsplit

import pytest

from tests.support.portal import Visitor, signed_in
from tests.support.service import TestAccount, TestService
from tidings.portal.navigation import GROUPS
from tidings.portal.paging import paging
from tidings.portal.visit import within_portal
from tidings.reference.chapters import CHAPTERS


def test_a_browser_at_the_root_is_led_to_the_portal(service: TestService) -> None:
    answer = service.http.get("/", headers={"accept": "text/html"})
    assert (answer.status_code, answer.headers["location"]) == (302, "/portal/")


def test_who_has_not_signed_in_is_led_to_sign_in_whatever_is_asked_for(
    service: TestService,
) -> None:
    visitor = Visitor(service)
    for path in ("/people", "/nothing-here"):
        answer = visitor.raw("GET", path)
        assert answer.status_code == 303
        assert (
            answer.headers["location"]
            == f"/portal/sign-in?next=%2Fportal{path.replace('/', '%2F')}"
        )


def test_an_unknown_page_is_not_found_and_keeps_the_frame(account: TestAccount) -> None:
    page = signed_in(account).get("/nothing-here")
    assert (page.status, page.h1) == (404, "Not found")
    assert page.soup.nav is not None


def test_every_page_forbids_framing_foreign_content_and_caching(account: TestAccount) -> None:
    headers = signed_in(account).get("/nothing-here").response.headers
    assert "default-src 'none'" in headers["content-security-policy"]
    assert "unsafe" not in headers["content-security-policy"]
    assert headers["x-frame-options"] == "DENY"
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["cache-control"] == "no-store"


def test_a_form_without_its_token_is_refused(account: TestAccount) -> None:
    visitor = signed_in(account)
    for token in ("", "0" * 64, "ü"):
        answer = visitor.raw("POST", "/switch", data={"account": str(account.id), "csrf": token})
        assert answer.status_code == 403, token


def test_a_form_that_is_not_wanted_ends_its_connection(service: TestService) -> None:
    """Its body may come all the same, and must not pass for the next request."""
    address = urlsplit(service.url)
    head = b"POST /portal/nothing-here HTTP/1.1\r\nhost: a\r\nexpect: 100-continue\r\n"
    body = b"GET /portal/sign-in HTTP/1.1\r\nhost: a\r\n\r\n"
    length = b"content-length: %d\r\n\r\n" % len(body)
    with socket.create_connection((address.hostname, address.port), timeout=30) as connection:
        connection.sendall(head + length)
        answer = connection.recv(65536)
        assert b" 303 " in answer and b"connection: close" in answer
        while answer:
            answer = connection.recv(65536)


def test_a_form_whose_rest_cannot_arrive_is_refused(service: TestService) -> None:
    address = urlsplit(service.url)
    head = b"POST /portal/sign-in HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n"
    form = b"content-type: application/x-www-form-urlencoded\r\n\r\nno chunk\r\n"
    with socket.create_connection((address.hostname, address.port), timeout=30) as connection:
        connection.sendall(head + form)
        assert connection.recv(65536).startswith(b"HTTP/1.1 400 ")


def test_the_language_is_a_switch_that_lasts(account: TestAccount) -> None:
    visitor = signed_in(account)
    assert visitor.get("/nothing-here").one("html")["lang"] == "en"
    hebrew = visitor.get(visitor.get("/nothing-here").links()["עברית"])
    assert (hebrew.one("html")["lang"], hebrew.one("html")["dir"]) == ("he", "rtl")
    assert "English" in visitor.get("/nothing-here").links()


def test_a_static_file_is_named_by_its_content_and_kept_for_a_year(service: TestService) -> None:
    visitor = Visitor(service)
    found = visitor.raw("GET", "/static/portal.css")
    assert found.status_code == 200
    assert "immutable" in found.headers["cache-control"]
    for name in ("../page.py", "nothing.css", "..%2fpage.py", ""):
        assert visitor.raw("GET", f"/portal/static/{name}").status_code in (404, 303)


@pytest.mark.parametrize(
    ("given", "path"),
    [
        ("/portal/messages?status=failed", "/messages?status=failed"),
        ("/portal", "/"),
        ("//evil.example/portal/", "/"),
        ("/portal//evil.example", "/"),
        ("/portalevil", "/"),
        ("https://evil.example", "/"),
        ("/portal/\\evil", "/"),
        ("/portal/../docs", "/"),
        ("/portal/%2e%2E/docs", "/"),
        ("/portal/messages/a..b", "/messages/a..b"),
        ("/portal/\r\nset-cookie: a=b", "/"),
        ("", "/"),
    ],
)
def test_redirects_stay_within_the_portal(given: str, path: str) -> None:
    assert within_portal(given) == path


def test_older_and_newer_lead_back_the_way_they_came() -> None:
    first = paging("/messages", {"status": "failed"}, "c1")
    assert (first.newer, first.older) == (None, "/portal/messages?status=failed&cursor=c1&trail=-")
    second = paging("/messages", {"status": "failed", "cursor": "c1", "trail": "-"}, "c2")
    assert second.newer == "/portal/messages?status=failed"
    assert second.older == "/portal/messages?status=failed&cursor=c2&trail=-%2Cc1"
    third = paging("/messages", {"cursor": "c2", "trail": "-,c1"}, None)
    assert (third.newer, third.older) == ("/portal/messages?cursor=c1&trail=-", None)


def test_a_page_leads_to_the_chapter_of_the_reference_that_fits(account: TestAccount) -> None:
    visitor = signed_in(account)
    assert visitor.get("/phone").links()["API reference"] == "/docs#chapter-sandbox"
    assert visitor.get("/").links()["API reference"] == "/docs"
    assert visitor.get("/").links()["Guide"] == "/guide"


def test_every_chapter_that_pages_lead_to_exists() -> None:
    chapters = {item.chapter for _, items in GROUPS for item in items if item.chapter}
    assert chapters <= {name.lower() for name in CHAPTERS}
