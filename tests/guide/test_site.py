"""/guide over HTTP: pages, their Markdown, files, search, and the headers that keep them safe."""

import json
import re

import pytest

from tests.support.service import TestService
from tidings.guide import library


def test_a_page_is_html_with_its_title_and_its_place_in_the_contents(service: TestService) -> None:
    answer = service.http.get("/guide/webhooks")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert "<title>Webhooks · Tidings</title>" in answer.text
    assert '<a href="/guide/webhooks" aria-current="page">' in answer.text
    assert '<h2 id="verify-the-signature">' in answer.text


def test_nothing_on_a_page_comes_from_elsewhere(service: TestService) -> None:
    answer = service.http.get("/guide")
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'; script-src 'self'; style-src 'self'" in policy
    assert not re.findall(r"<script(?! src=)|<style|style=| on\w+=", answer.text)
    for url in re.findall(r'(?:src|href)="([^"#]+)"', answer.text):
        assert url.startswith("/")


def test_every_file_of_a_page_is_served_and_kept(service: TestService) -> None:
    text = service.http.get("/guide/portal/phone").text
    found = re.findall(r'(?:src|href)="(/guide/(?:static|images)/[^"]+)"', text)
    assert len(found) >= 5
    for url in found:
        answer = service.http.get(url)
        assert answer.status_code == 200, url
    assert "immutable" in service.http.get(found[0]).headers["cache-control"]


def test_a_page_is_also_markdown_with_links_that_work_from_anywhere(service: TestService) -> None:
    answer = service.http.get("/guide/webhooks.md")
    assert answer.headers["content-type"] == "text/markdown; charset=utf-8"
    assert answer.text.startswith("# Webhooks\n")
    site = service.settings.public_url
    assert f"[Events]({site}/guide/events.md)" in answer.text
    assert service.http.get("/guide/index.md").text.startswith("# ")


@pytest.mark.parametrize("given", ["{}", "W/{}", '"other", {}'])
def test_what_has_not_changed_is_not_sent_again(service: TestService, given: str) -> None:
    etag = service.http.get("/guide/webhooks").headers["etag"]
    answer = service.http.get("/guide/webhooks", headers={"if-none-match": given.format(etag)})
    assert (answer.status_code, answer.content) == (304, b"")
    assert answer.headers["etag"] == etag
    assert "content-length" not in answer.headers, "0 is not the length of the page"


@pytest.mark.parametrize("path", ["nothing", "search?q=webhooks"])
@pytest.mark.parametrize("given", ["-", "", "*"])
def test_what_has_no_version_is_always_sent(service: TestService, path: str, given: str) -> None:
    answer = service.http.get(f"/guide/{path}", headers={"if-none-match": given})
    assert answer.status_code in (200, 404) and answer.content


def test_addresses_that_are_no_page_are_not_remembered() -> None:
    assert library.find("webhooks") is not None
    kept = library.load.cache_info().currsize
    for number in range(10):
        assert library.find(f"nothing/{number}") is None
    assert library.load.cache_info().currsize == kept


@pytest.mark.parametrize("path", ["/guide/webhooks", "/docs", "/api/v1/openapi.json", "/llms.txt"])
def test_a_tag_that_a_proxy_made_weak_is_known_too(service: TestService, path: str) -> None:
    whole = service.http.get(path)
    assert whole.headers["cache-control"] == "no-cache"
    known = {"if-none-match": f'"other", W/{whole.headers["etag"]}'}
    answer = service.http.get(path, headers=known)
    assert (answer.status_code, answer.content) == (304, b"")
    assert "content-length" not in answer.headers
    assert service.http.get(path).content == whole.content  # the connection is still in step


def test_what_has_no_tag_is_always_sent(service: TestService) -> None:
    answer = service.http.get("/guide/search?q=window", headers={"if-none-match": "-"})
    assert answer.status_code == 200


@pytest.mark.parametrize(
    "path",
    ["nothing", "static/../site.py", "static/nothing.js", "../pyproject.toml", "contents.toml"],
)
def test_what_is_not_there_is_not_found(service: TestService, path: str) -> None:
    answer = service.http.get(f"/guide/{path.replace('..', '%2e%2e')}")
    assert answer.status_code == 404


def test_only_get_is_answered(service: TestService) -> None:
    answer = service.http.post("/guide/webhooks", content=b"{}")
    assert (answer.status_code, answer.headers["allow"]) == (405, "GET, HEAD")
    assert service.http.head("/guide/webhooks").status_code == 200


def test_llms_txt_lists_every_page_as_markdown(service: TestService) -> None:
    text = service.http.get("/llms.txt").text
    site = service.settings.public_url
    assert text.startswith("# Tidings\n\n> ")
    assert f"- [Webhooks]({site}/guide/webhooks.md)" in text
    assert f"({site}/guide/errors/ALREADY_SENT.md)" in text
    whole = service.http.get("/llms-full.txt").text
    assert "# Webhooks\n" in whole and "# ALREADY_SENT\n" in whole


def test_a_search_finds_sections_pages_and_beginnings_of_words(service: TestService) -> None:
    def found(query: str) -> list[str]:
        answer = service.http.get("/guide/search.json", params={"q": query})
        return [one["url"] for one in json.loads(answer.text)["results"]]

    assert found("already_sent")[0] == "/guide/errors/ALREADY_SENT"
    assert found("guest.conf")[0] == "/guide/events/guest.confirmed"
    assert "/guide/webhooks#verify-the-signature" in found("how do I verify a signature")
    assert found("zzzzzz") == found("") == found("***") == []
    page = service.http.get("/guide/search", params={"q": "<b>already_sent"})
    assert "&lt;b&gt;already_sent" in page.text


def test_the_address_in_an_error_is_the_page_of_its_code(service: TestService) -> None:
    error = service.http.get("/api/v1/messages/any").json()["error"]
    path = error["docUrl"].removeprefix(service.settings.public_url)
    assert path == "/guide/errors/UNAUTHORIZED"
    page = service.http.get(path)
    assert page.status_code == 200 and "x-api-key" in page.text
