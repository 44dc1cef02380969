"""GET /media/inbound/{platform_message_id} (4.13): a guest's file by a signed link."""

import re
import socket
from collections.abc import Iterator
from contextlib import ExitStack, closing
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit
from uuid import uuid4

import httpx
import pytest
from aiohttp import web

from tests.support import callbacks as payload
from tests.support.callbacks import APP_SECRET, PERSON
from tests.support.database import fresh_database
from tests.support.names import named
from tests.support.pages import Pages
from tests.support.plain_http import NO_TLS
from tests.support.service import NUMBER, TestAccount, TestService
from tests.support.waiting import eventually
from tidings.features.media.inbound_files.link import signed_url
from tidings.limits import INBOUND_MEDIA_BYTES_MAX, INBOUND_MEDIA_STREAMS_MAX
from tidings.platforms.sandbox.guest_messages import SAMPLES

WEBHOOK = "/platform/whatsapp/webhook"
TOKEN = "token-of-the-number"
GUESTS = (f"97250{n:07}" for n in range(1, 1000))
PNG = b"\x89PNG\r\n\x1a\n" + b"picture" * 100


def photo_url(account: TestAccount, kind: str = "image") -> str:
    """The link that an event brought."""
    guest = next(GUESTS)
    media = {"type": kind, "caption": "us"}
    answer = account.post("/sandbox/v1/replies", {"from": guest, "media": media})
    assert answer.status_code == 200, answer.text
    (url,) = {
        event["data"]["mediaUrl"] for event in account.events() if event["data"].get("mediaUrl")
    }
    return str(url)


def here(service: TestService, url: str) -> str:
    parts = urlsplit(url)
    return service.url + urlunsplit(("", "", parts.path, parts.query, ""))


def get(service: TestService, url: str, method: str = "GET", **kwargs: Any) -> httpx.Response:
    return httpx.request(method, here(service, url), timeout=30, **kwargs, verify=NO_TLS)


# The sandbox


@pytest.mark.quick
def test_the_link_of_an_event_opens_the_picture(service: TestService) -> None:
    url = photo_url(service.account(replies="raw"))
    answer = get(service, url)
    assert answer.status_code == 200, answer.text
    assert answer.content == SAMPLES["image"].data
    assert answer.headers["content-type"] == "image/jpeg"
    assert url.startswith(service.settings.public_url + "/api/v1/media/inbound/wamid.")


def test_a_picture_is_shown_and_a_document_is_offered_for_saving(service: TestService) -> None:
    picture = get(service, photo_url(service.account(replies="raw")))
    document = get(service, photo_url(service.account(replies="raw"), "document"))
    assert picture.headers["content-disposition"] == "inline"
    assert document.headers["content-disposition"].startswith("attachment; filename=")
    assert document.content == SAMPLES["document"].data


def test_headers_keep_whatever_a_guest_sent_harmless(service: TestService) -> None:
    answer = get(service, photo_url(service.account(replies="raw")))
    headers = answer.headers
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["content-security-policy"].startswith("default-src 'none'")
    assert "sandbox" in headers["content-security-policy"]
    assert re.fullmatch("private, max-age=[0-9]+", headers["cache-control"])
    assert headers["cross-origin-resource-policy"] == "cross-origin"
    assert "set-cookie" not in headers


def test_head_tells_what_get_would(service: TestService) -> None:
    url = photo_url(service.account(replies="raw"))
    answer = get(service, url, "HEAD")
    assert (answer.status_code, answer.content) == (200, b"")
    assert answer.headers["content-length"] == str(len(SAMPLES["image"].data))


def test_guest_accounts_have_the_link_too(service: TestService) -> None:
    assert get(service, photo_url(service.account(replies="guest"))).status_code == 200


def test_after_seven_days_of_the_accounts_time_it_is_gone(service: TestService) -> None:
    account = service.account(replies="raw")
    url = photo_url(account)
    account.advance(days=6, hours=23, minutes=59)
    assert get(service, url).status_code == 200
    account.advance(minutes=2)
    answer = get(service, url)
    assert answer.status_code == 410
    assert answer.json()["error"]["code"] == "MEDIA_EXPIRED"
    assert answer.json()["success"] is False


def changed(url: str, **fields: str | None) -> str:
    parts = urlsplit(url)
    query = dict(parse_qsl(parts.query)) | fields
    return parts._replace(
        query=urlencode({k: v for k, v in query.items() if v is not None})
    ).geturl()


@pytest.mark.parametrize("fields", [
    {"s": None}, {"s": ""}, {"s": "0" * 64}, {"s": "0"}, {"s": "0" * 200}, {"s": "é"},
    {"e": None}, {"e": "99999999999"}, {"e": "x"}, {"e": "-1"}, {"e": "9" * 400},
    {"a": None}, {"a": "0" * 32}, {"a": "x"}, {"a": None, "e": None, "s": None},
], ids=named)  # fmt: skip
def test_a_link_that_was_changed_opens_nothing(
    service: TestService, fields: dict[str, str | None]
) -> None:
    answer = get(service, changed(photo_url(service.account(replies="raw")), **fields))
    assert answer.status_code == 403
    assert answer.json()["error"]["code"] == "INVALID_SIGNATURE"


def test_a_flipped_signature_opens_nothing(service: TestService) -> None:
    url = photo_url(service.account(replies="raw"))
    signature = dict(parse_qsl(urlsplit(url).query))["s"]
    flipped = signature[:-1] + ("0" if signature[-1] != "0" else "1")
    assert get(service, changed(url, s=flipped)).status_code == 403
    assert get(service, changed(url, s=signature.upper())).status_code == 403


@pytest.mark.parametrize("added", ["&s=0", "&x=1", "&s=%00", "&%FF=1"])
def test_a_link_that_was_added_to_opens_nothing(service: TestService, added: str) -> None:
    answer = get(service, photo_url(service.account(replies="raw")) + added)
    assert answer.status_code == 403
    assert answer.json()["error"]["code"] == "INVALID_SIGNATURE"


def test_a_refusal_of_a_link_of_ours_tells_the_environment(service: TestService) -> None:
    account = service.account(replies="raw")
    url = photo_url(account)
    assert "environment" not in get(service, changed(url, s="0")).json()
    account.advance(days=8)
    assert get(service, url).json()["environment"] == "sandbox"


def test_the_signature_of_one_file_does_not_open_another(service: TestService) -> None:
    mine, theirs = (urlsplit(photo_url(service.account(replies="raw"))) for _ in range(2))
    swapped = mine._replace(query=theirs.query).geturl()
    assert get(service, swapped).status_code == 403


def sign(service: TestService, account: TestAccount, platform_id: str, ago: timedelta) -> str:
    known = SimpleNamespace(id=account.id)
    return signed_url(service.ctx, known, platform_id, datetime.now(UTC) - ago)


def test_a_message_without_a_file_has_none(service: TestService) -> None:
    account = service.account(replies="raw")
    for platform_id in ("wamid.nothing", "../../etc/passwd", "a b/c%2F?#\u05d0", "\ufdd0"):
        answer = get(service, sign(service, account, platform_id, timedelta(0)))
        assert answer.status_code == 404, platform_id
        assert answer.json()["error"]["code"] == "MEDIA_NOT_FOUND"


def test_a_link_that_has_ended_says_so_also_when_its_file_is_forgotten(
    service: TestService,
) -> None:
    account = service.account(replies="raw")
    ago = timedelta(days=7, minutes=1)  # not the last second: the machine's clock may be set back
    answer = get(service, sign(service, account, "wamid.nothing", ago))
    assert answer.json()["error"]["code"] == "MEDIA_EXPIRED"


# The live platform


@pytest.fixture(scope="module")
def pages() -> Iterator[Pages]:
    with Pages() as served:
        yield served


@pytest.fixture(scope="module")
def live(pages: Pages, tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestService]:
    settings = {"TIDINGS_APP_SECRET": APP_SECRET, "TIDINGS_GRAPH_URL": pages.url}
    folder = tmp_path_factory.mktemp("data")
    with TestService(fresh_database(), folder, settings=settings, working=False) as running:
        yield running


@pytest.fixture(scope="module")
def account(live: TestService) -> TestAccount:
    return at_the_platform(live, payload.PHONE_NUMBER_ID)


def at_the_platform(live: TestService, place: str) -> TestAccount:
    return live.account(
        f"""
        [[accounts.numbers]]
        number = "{NUMBER}"
        phoneNumberId = "{place}"
        wabaId = "{payload.WABA}"
        accessToken = "{TOKEN}"
        """,
        environment="live",
        replies="raw",
        billingMode="OFF",
    )


def received(
    live: TestService,
    account: TestAccount,
    media_id: str,
    place: str = payload.PHONE_NUMBER_ID,
    **part: Any,
) -> str:
    """A guest sends a file; the link to it."""
    part = {"id": media_id, "mime_type": "image/png"} | part
    kind = part.pop("kind", "image")
    id_ = f"wamid.{uuid4().hex}+/=="
    now = int(live.clock.now().timestamp())
    message = payload.message(kind, part, id_=id_, at=now)
    data = payload.raw(payload.body(payload.change(messages=[message], number=place)))
    assert live.http.post(WEBHOOK, content=data, headers=payload.signed(data)).status_code == 200
    events = account.events("message.received")
    (url,) = (e["data"]["mediaUrl"] for e in events if e["data"]["messageId"] == id_)
    return str(url)


def test_a_file_is_passed_on_from_the_platform(
    live: TestService, account: TestAccount, pages: Pages
) -> None:
    pages.file("7001", PNG, "image/png")
    answer = get(live, received(live, account, "7001"))
    assert (answer.status_code, answer.content) == (200, PNG)
    assert answer.headers["content-type"] == "image/png"
    assert answer.headers["content-length"] == str(len(PNG))
    assert pages.tokens[-1] == f"Bearer {TOKEN}"


def test_a_large_file_comes_in_pieces(
    live: TestService, account: TestAccount, pages: Pages
) -> None:
    data = bytes(range(256)) * 4096 * 20
    pages.file("7002", data, "application/pdf")
    url = received(
        live, account, "7002", kind="document", mime_type="application/pdf", filename='a"b\nֹ.pdf'
    )
    answer = get(live, url)
    assert answer.content == data
    assert answer.headers["content-disposition"].startswith('attachment; filename="a_b__.pdf"')


def test_a_page_that_a_guest_sent_is_never_opened(
    live: TestService, account: TestAccount, pages: Pages
) -> None:
    pages.file("7003", b"<html><script>alert(1)</script>", "text/html")
    url = received(live, account, "7003", kind="document", mime_type="text/html")
    answer = get(live, url)
    assert answer.headers["content-disposition"] == "attachment"
    assert answer.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("mime_type", ["image/svg+xml", "x\r\nset-cookie: a", "", "text/html"])
def test_only_pictures_films_and_sounds_are_shown(
    live: TestService, account: TestAccount, pages: Pages, mime_type: str
) -> None:
    pages.file("7004", b"whatever", "application/octet-stream")
    answer = get(live, received(live, account, "7004", mime_type=mime_type))
    assert answer.status_code == 200
    assert answer.headers["content-disposition"] == "attachment"
    assert "set-cookie" not in answer.headers


def failing(live: TestService, url: str) -> str:
    answer = get(live, url)
    assert answer.status_code == 502, answer.text
    assert answer.json()["error"]["code"] == "META_ERROR"
    return str(answer.json()["error"]["message"])


def test_the_platforms_error_text_is_reported(
    live: TestService, account: TestAccount, pages: Pages
) -> None:
    words = {"error_data": {"details": "Media id has expired"}, "error_subcode": 33}
    pages.refuse("7005", 100, **words)
    assert "Media id has expired" in failing(live, received(live, account, "7005"))


def test_a_stale_address_a_broken_answer_and_a_page_are_failures(
    live: TestService, account: TestAccount, pages: Pages
) -> None:
    url = received(live, account, "7006")
    pages.file("7006", PNG, "image/png")
    pages.forget("files/7006")
    failing(live, url)
    pages.show("7006", {"id": "7006"})
    failing(live, url)
    pages.show("7006", {"url": "https://evil.example/steal", "mime_type": "image/png"})
    assert "not the platform's" in failing(live, url)
    pages.file("7006", b"<!DOCTYPE html><p>log in", "image/png")
    assert "page" in failing(live, url)


def test_a_file_larger_than_any_is_a_failure(
    live: TestService, account: TestAccount, pages: Pages
) -> None:
    async def endless(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Length": str(INBOUND_MEDIA_BYTES_MAX + 1)})
        await response.prepare(request)
        return response

    pages.file("7007", PNG, "image/png")
    pages.answer("files/7007", endless)
    assert "larger" in failing(live, received(live, account, "7007"))


def test_a_platform_that_breaks_off_leaves_no_whole_file(
    live: TestService, account: TestAccount, pages: Pages
) -> None:
    async def broken(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Length": "200000"})
        await response.prepare(request)
        await response.write(b"x" * 100_000)
        assert request.transport is not None
        request.transport.abort()
        return response

    pages.file("7008", PNG, "image/png")
    pages.answer("files/7008", broken)
    url = received(live, account, "7008")
    with pytest.raises(httpx.RemoteProtocolError):
        get(live, url)
    pages.file("7008", PNG, "image/png")
    assert get(live, url).status_code == 200


def test_streams_that_were_given_up_are_let_go(
    live: TestService, account: TestAccount, pages: Pages
) -> None:
    pages.file("7009", b"y" * 3_000_000, "video/mp4")
    url = here(live, received(live, account, "7009", kind="video", mime_type="video/mp4"))
    for _ in range(40):
        with httpx.stream("GET", url, timeout=60, verify=NO_TLS) as answer:
            assert answer.status_code == 200
    assert get(live, url).status_code == 200
    eventually(lambda: live.ctx.media_streams.used == 0)


def test_one_accounts_slow_readers_leave_the_streams_of_others(
    live: TestService, account: TestAccount, pages: Pages
) -> None:
    pages.file("7012", b"y" * 8_000_000, "video/mp4")
    pages.file("7013", PNG, "image/png")
    url = urlsplit(received(live, account, "7012", kind="video", mime_type="video/mp4"))
    theirs = received(live, at_the_platform(live, "106540352242999"), "7013", "106540352242999")
    with ExitStack() as stack:
        for _ in range(INBOUND_MEDIA_STREAMS_MAX):
            reader = stack.enter_context(closing(socket.socket()))
            reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 8192)
            reader.connect(("127.0.0.1", urlsplit(live.url).port))
            reader.sendall(f"GET {url.path}?{url.query} HTTP/1.1\r\nHost: a\r\n\r\n".encode())
        eventually(lambda: live.ctx.media_streams.used == INBOUND_MEDIA_STREAMS_MAX // 2)
        assert get(live, theirs).content == PNG
    eventually(lambda: live.ctx.media_streams.used == 0)


def test_head_of_a_live_file_has_its_length(
    live: TestService, account: TestAccount, pages: Pages
) -> None:
    pages.file("7010", PNG, "image/png")
    answer = get(live, received(live, account, "7010"), "HEAD")
    assert (answer.status_code, answer.content) == (200, b"")
    assert answer.headers["content-length"] == str(len(PNG))


def test_the_link_is_in_no_log_and_no_person_in_the_link(
    live: TestService, account: TestAccount
) -> None:
    url = received(live, account, "7011")
    assert PERSON not in url and TOKEN not in url
