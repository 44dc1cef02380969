"""Links without a database: their codes, their expiry, template buttons, and who opens them."""

import base64
import hashlib
import re
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.clock import NOON
from tidings import ids
from tidings.errors import ApiError, Code
from tidings.features.links import pages
from tidings.features.links.crawlers import is_open
from tidings.features.links.rules import (
    is_active,
    is_code,
    is_ours,
    rate_limit_key,
    require_future,
    short_url,
)

OURS = "https://go.example.com"
SECOND = timedelta(seconds=1)


# Codes


def test_what_we_draw_is_a_code() -> None:
    assert all(is_code(ids.short_code()) for _ in range(100))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "abc",
        "a" * 11,
        "a" * 13,
        "aaaaaaaaaaa\n",
        "aaaaaaaaaaa-",
        "aaaaaaaaaaaé",
        "١٢٣٤٥٦٧٨٩٠١٢",
    ],
)
def test_anything_else_is_none(text: str) -> None:
    assert not is_code(text)


def test_the_short_url_is_on_our_own_domain() -> None:
    assert short_url(OURS, "abcdefghijkl") == "https://go.example.com/r/abcdefghijkl"


# Expiry


def test_an_end_must_lie_ahead() -> None:
    require_future(NOON + SECOND, NOON)
    for end in (NOON, NOON - SECOND):
        with pytest.raises(ApiError) as refusal:
            require_future(end, NOON)
        assert refusal.value.code is Code.VALIDATION_ERROR
        assert refusal.value.field == "expiresAt"


def test_a_link_leads_on_until_its_end_and_while_nobody_switched_it_off() -> None:
    assert is_active(None, NOON, switched_on=True)
    assert is_active(NOON, NOON - SECOND, switched_on=True)
    assert not is_active(NOON, NOON, switched_on=True)
    assert not is_active(None, NOON, switched_on=False)


# Template buttons


@pytest.mark.parametrize(
    ("button", "public"),
    [
        ("https://go.example.com/r/{{1}}", OURS),
        ("https://GO.Example.COM/r/{{1}}", OURS),
        ("https://go.example.com:443/r/{{1}}", OURS),
        ("https://go.example.com./r/{{1}}", OURS),
        ("https://go.example.com/r/{{1}}", OURS + ":443"),
        ("https://go.example.com:8443/r/{{1}}", OURS + ":8443"),
        ("https://go.example.com/in/r/{{1}}", OURS + "/in"),
        ("https://xn--bcher-kva.example/r/{{1}}", "https://bücher.example"),
        ("http://127.0.0.1:8080/r/{{1}}", "http://127.0.0.1:8080"),
        ("https://127.0.0.1:8080/r/{{1}}", "http://127.0.0.1:8080"),
        ("https://go.example.com/r/{{1}}", "http://go.example.com"),
        ("http://[::1]:8080/r/{{1}}", "http://[::1]:8080"),
    ],
)
def test_a_button_on_our_domain_can_carry_a_link(button: str, public: str) -> None:
    assert is_ours(button, public)


@pytest.mark.parametrize(
    "button",
    [
        "https://go.example.com/r/",
        "https://go.example.com/r/abc",
        "https://go.example.com/r/x{{1}}",
        "https://go.example.com/r/{{1}}/more",
        "https://go.example.com/r/{{1}}?x=1",
        "https://go.example.com/r{{1}}",
        "https://go.example.com/R/{{1}}",
        "https://go.example.com/{{1}}",
        "https://go.example.com/x/r/{{1}}",
        "https://go.example.com/r/?to={{1}}",
        "https://go.example.com/r/?/r/{{1}}",
        "https://go.example.com/r/#{{1}}",
        "https://go.example.com/r/#/r/{{1}}",
        "https://go.example.com/x/../r/{{1}}",
        "https://go.example.com:8443/r/{{1}}",
        "https://go.example.com.evil.test/r/{{1}}",
        "https://evil.test/go.example.com/r/{{1}}",
        "https://go.example.com@evil.test/r/{{1}}",
        "https://me@go.example.com/r/{{1}}",
        "https://www.go.example.com/r/{{1}}",
        "http://go.example.com/r/{{1}}",
        "//go.example.com/r/{{1}}",
        "go.example.com/r/{{1}}",
        "https://[/r/{{1}}",
        "https://[]@/r/{{1}}",
        "https://:@go.example.com/r/{{1}}",
        "https://go.example.com:x/r/{{1}}",
        "{{1}}",
        "",
    ],
)
def test_any_other_button_cannot(button: str) -> None:
    assert not is_ours(button, OURS)


@given(st.text(max_size=60))
def test_no_text_breaks_the_rule(text: str) -> None:
    assert is_ours(f"https://{text}/r/{{{{1}}}}", OURS) in (True, False)
    assert rate_limit_key(text) is not None


# Addresses


def test_misses_count_for_an_ipv4_address_and_for_an_ipv6_network() -> None:
    assert rate_limit_key("192.0.2.7") == "192.0.2.7"
    assert rate_limit_key("::ffff:192.0.2.7") == "192.0.2.7"
    assert rate_limit_key("2001:db8:1:2::1") == rate_limit_key("2001:db8:1:2:ffff::9")
    assert rate_limit_key("2001:db8:1:2::1") != rate_limit_key("2001:db8:1:3::1")
    assert rate_limit_key("unix") == "unix"


# Who opens it

CHROME = "AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/126.0 Mobile Safari/537.36"
IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15"

PEOPLE = [
    "",
    f"{IPHONE} (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1",
    "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0",
    f"Mozilla/5.0 (Linux; Android 6.0; CUBOT MAX) {CHROME}",
    f"Mozilla/5.0 (Linux; Android 8.0.0; CUBOT_P20) {CHROME}",
    f"Mozilla/5.0 (Linux; Android 16; Pixel 10; wv) {CHROME} MetaIAB Facebook",
    f"{IPHONE} Mobile/15E148 [FBAN/FBIOS;FBAV/468.0;FBDV/iPhone14,5]",
    f"{IPHONE} Mobile/15E148 Instagram 334.0.0",
    f"{IPHONE} Mobile/15E148 Safari Line/14.9.0",
    f"Mozilla/5.0 (Linux; Android 14; SM-S918B; wv) {CHROME};KAKAOTALK 2410",
    f"Mozilla/5.0 (Linux; Android 7.1.2; G011A; wv) {CHROME} Viber/11.9.5.8",
    f"Mozilla/5.0 (Linux; Android 14; wv) {CHROME} Telegram-Android/11.0",
    f"{IPHONE} Mobile/15E148 LinkedInApp",
    "curl/8.5.0",
    "python-httpx/0.28.1",
    "okhttp/4.12.0",
]
MACHINES = [
    "WhatsApp/2.23.20.0 A",
    "WhatsApp/2.24.9.78 i",
    "WhatsApp",
    "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)",
    "facebookexternalhit/1.1 Facebot Twitterbot/1.0",
    "facebookexternalhit/1.1;line-poker/1.0",
    "meta-externalagent/1.1",
    "Twitterbot/1.0",
    "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
    "Slack-ImgProxy (+https://api.slack.com/robots)",
    "TelegramBot (like TwitterBot)",
    "LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient)",
    "Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)",
    "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
    "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)",
    "Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5",
    "Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)",
    "Mozilla/5.0 (compatible; Baiduspider/2.0)",
    "Snap URL Preview Service; bot; snapchat",
    "kakaotalk-scrap/1.0",
    "Viber/12.8.0.1 CFNetwork/1121.2.2 Darwin/19.3.0",
    "Mozilla/5.0 (compatible; Yahoo! Slurp)",
    "GPTBot/1.2",
    "ClaudeBot/1.0",
    "Mozilla/5.0 (compatible; coccoc/1.0; +http://help.coccoc.com/)",
]


@pytest.mark.parametrize("agent", PEOPLE)
def test_people_open_links(agent: str) -> None:
    assert is_open("GET", {b"user-agent": agent.encode()})


@pytest.mark.parametrize("agent", MACHINES)
def test_machines_only_look_in_whatever_case(agent: str) -> None:
    for spelling in (agent, agent.lower(), agent.upper()):
        assert not is_open("GET", {b"user-agent": spelling.encode()})


@pytest.mark.parametrize(
    ("name", "value"),
    [
        (b"sec-purpose", b"prefetch"),
        (b"sec-purpose", b"prefetch;prerender"),
        (b"sec-purpose", b"prefetch;anonymous-client-ip"),
        (b"purpose", b"Prefetch"),
        (b"purpose", b"preview"),
        (b"x-purpose", b"preview"),
        (b"x-moz", b"prefetch"),
    ],
)
def test_what_a_browser_fetches_ahead_is_no_open(name: bytes, value: bytes) -> None:
    assert not is_open("GET", {b"user-agent": PEOPLE[1].encode(), name: value})


def test_only_a_get_is_an_open() -> None:
    assert not is_open("HEAD", {b"user-agent": PEOPLE[1].encode()})
    assert is_open("GET", {b"purpose": b"navigation"})


# Pages


@pytest.mark.parametrize("page", [pages.UNKNOWN, pages.GONE, pages.UNAVAILABLE, pages.slow_down(7)])
def test_a_page_runs_nothing_and_is_not_kept(page) -> None:
    headers = dict(page.headers)
    policy = headers[b"content-security-policy"].decode()
    assert policy.startswith("default-src 'none'; ")
    style = re.search(rb"<style>(.*)</style>", page.body, re.DOTALL)
    assert style is not None
    digest = base64.b64encode(hashlib.sha256(style[1]).digest()).decode()
    assert f"style-src 'sha256-{digest}'" in policy
    assert b"<script" not in page.body
    assert headers[b"cache-control"] == b"no-store"
    assert b"location" not in headers


def test_a_redirect_carries_the_url_as_it_is() -> None:
    reply = pages.redirect("https://example.com/a%20b?c=d&e=%C3%A9#f")
    assert reply.status == 302
    assert dict(reply.headers)[b"location"] == b"https://example.com/a%20b?c=d&e=%C3%A9#f"
