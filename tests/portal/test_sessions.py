"""The door, tried from outside: fixation, replay, guessing, forged forms, framing, redirects."""

import re
from datetime import timedelta

import httpx
import pytest
from starlette.responses import Response

from tests.support import people
from tests.support.demo_world import DemoWorld
from tests.support.people import PASSWORD
from tests.support.portal import Visitor, signed_in
from tests.support.service import TestAccount, TestService
from tidings import limits
from tidings.features.people.roles import Right, Role
from tidings.portal.page import routes_of
from tidings.portal.pages import PAGES
from tidings.portal.tokens import SESSION, VISITOR, Tokens


def member(account: TestAccount, role: Role = Role.OWNER) -> str:
    email = people.new_email()
    people.join(account.service, people.invite(account.service, account.id, role, email))
    return email


def enter(visitor: Visitor, email: str, password: str = PASSWORD, **fields: str) -> httpx.Response:
    """The bare answer to the form of the page Sign in."""
    csrf = visitor.get("/sign-in").csrf
    data = {"csrf": csrf, "email": email, "password": password, "next": ""} | fields
    return visitor.raw("POST", "/sign-in", data=data)


def from_address(service: TestService, address: str) -> Visitor:
    visitor = Visitor(service)
    transport = httpx.HTTPTransport(local_address=address)
    visitor.http = httpx.Client(base_url=service.url, timeout=60, transport=transport)
    return visitor


def test_a_planted_session_is_worth_nothing_after_sign_in(
    service: TestService, account: TestAccount
) -> None:
    visitor = Visitor(service)
    visitor.keep_session("planted" * 6)
    assert enter(visitor, member(account)).status_code == 303
    assert visitor.http.cookies[SESSION] != "planted" * 6
    other = Visitor(service)
    other.keep_session("planted" * 6)
    assert other.get("/").h1 == "Sign in"


def test_two_sign_ins_have_two_tokens_and_signing_out_ends_one(
    service: TestService, account: TestAccount
) -> None:
    email = member(account)
    first, second = Visitor(service), Visitor(service)
    for visitor in (first, second):
        enter(visitor, email)
    kept = first.http.cookies[SESSION]
    assert kept != second.http.cookies[SESSION]
    first.submit(first.get("/"), "Sign out")
    first.keep_session(kept)
    assert first.get("/").h1 == "Sign in"
    assert second.get("/").h1 == "Getting started"


def test_a_session_ends_after_twelve_idle_hours(account: TestAccount) -> None:
    visitor = signed_in(account)
    session = people.load(account.service, visitor.http.cookies[SESSION]).id

    def idle(**time: int) -> None:
        """The clock stays: other tests of this process take it for the time of day."""
        query = "UPDATE sessions SET last_seen_at = last_seen_at - $2::interval WHERE id = $1"
        account.service.sql(f"{query} RETURNING id", session, timedelta(**time))

    for _ in range(2):
        idle(hours=11, minutes=59)
        assert visitor.get("/people").h1 == "People"
    idle(hours=12, seconds=1)
    assert visitor.get("/people").h1 == "Sign in"


def test_fifty_wrong_passwords_from_one_address_limit_it_and_no_other(
    service: TestService, account: TestAccount
) -> None:
    email, visitor = member(account), from_address(service, "127.0.0.9")
    for number in range(limits.WRONG_PER_ADDRESS_MAX):
        assert enter(visitor, f"nobody{number}@example.com").status_code == 422
    limited = enter(visitor, email)
    assert limited.status_code == 429 and int(limited.headers["retry-after"]) > 0
    assert enter(Visitor(service), email).status_code == 303


def test_forms_of_nobody_or_of_another_session_are_refused(account: TestAccount) -> None:
    visitor, other = signed_in(account), signed_in(account)
    tokens = Tokens(account.service.ctx.sealer, secure=False)
    foreign = tokens.for_forms(other.http.cookies[SESSION])
    for page in PAGES:
        path = f"/portal{re.sub(r'{[^}]+}', 'nothing', page.path)}"
        if page.post is None or page.needs in (Right.OPERATE, None):
            continue
        for token in ("", foreign):
            answer = visitor.raw("POST", path, data={"csrf": token, "confirmed": "yes"})
            assert answer.status_code == 403, path
    assert visitor.get("/people").h1 == "People", "not even signed out"


def test_the_form_of_sign_in_belongs_to_its_browser(
    service: TestService, account: TestAccount
) -> None:
    email = member(account)
    csrf = Visitor(service).get("/sign-in").csrf
    fresh = Visitor(service)
    data = {"csrf": csrf, "email": email, "password": PASSWORD}
    assert fresh.raw("POST", "/sign-in", data=data).status_code == 403
    fresh.get("/sign-in")
    assert fresh.http.cookies[VISITOR]
    assert fresh.raw("POST", "/sign-in", data=data).status_code == 403


@pytest.mark.parametrize(
    "wanted",
    ["https://evil.example/", "//evil.example", "/portal//evil.example", "/portal/\\evil.example",
     "/portal/\r\nset-cookie: a=b", "/evil", "javascript:alert(1)", "/portal@evil.example"],
)  # fmt: skip
def test_after_sign_in_nobody_is_led_elsewhere(
    service: TestService, account: TestAccount, wanted: str
) -> None:
    visitor = Visitor(service)
    answer = enter(visitor, member(account), next=wanted)
    assert (answer.status_code, answer.headers["location"]) == (303, "/portal/")
    assert "a" not in visitor.http.cookies
    for path in ("/sign-in", "/sign-in/code", "/language"):
        led = visitor.raw("GET", path, params={"next": wanted, "to": "en"})
        assert led.headers["location"] == "/portal/", path


def test_pages_inside_and_outside_are_neither_framed_nor_kept(account: TestAccount) -> None:
    token = people.invite(account.service, account.id, Role.VIEWER)
    answers = [
        *(Visitor(account.service).raw("GET", path)
          for path in ("/sign-in", "/sign-up", f"/welcome?token={token}", "/welcome", "/people")),
        *(signed_in(account).raw("GET", path)
          for path in ("/", "/people", "/people/second-factor", "/audit", "/keys", "/nothing")),
        signed_in(account, "viewer").raw("GET", "/keys"),
    ]  # fmt: skip
    for answer in answers:
        headers = answer.headers
        assert headers["cache-control"] == "no-store", answer.url
        assert headers["x-frame-options"] == "DENY"
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "same-origin", "a link's token stays here"


def test_cookies_are_for_the_server_alone(service: TestService, account: TestAccount) -> None:
    set_cookies = enter(Visitor(service), member(account)).headers.get_list("set-cookie")
    [session] = [one for one in set_cookies if one.startswith(f"{SESSION}=")]
    assert {"HttpOnly", "SameSite=Lax", "Path=/portal"} <= set(session.split("; "))
    assert "Secure" not in session, "by http"


def test_behind_https_cookies_are_secure(service: TestService) -> None:
    for secure in (True, False):
        made = Response()
        Tokens(service.ctx.sealer, secure=secure).put(made, SESSION, "x")
        assert ("Secure" in made.headers["set-cookie"]) is secure


def test_a_form_that_another_site_sends_is_refused_even_with_its_token(
    account: TestAccount,
) -> None:
    visitor = signed_in(account)
    token = Tokens(account.service.ctx.sealer, secure=False)
    data = {"csrf": token.for_forms(visitor.http.cookies[SESSION])}
    foreign = {"origin": "https://evil.example"}, {"origin": "null"}, {"origin": "http://["}
    for headers in (*foreign, {"sec-fetch-site": "cross-site"}):
        refused = visitor.raw("POST", "/people/sessions/end-others", data=data, headers=headers)
        assert refused.status_code == 403, headers
    own = {"origin": account.service.url, "sec-fetch-site": "same-origin"}
    done = visitor.raw("POST", "/people/sessions/end-others", data=data, headers=own)
    assert done.status_code == 303


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("multipart/form-data", b"abc"),
        ("multipart/form-data; boundary=x", b"--x\r\ncontent-disposition: form-data\r\n\r\na"),
        ("application/x-www-form-urlencoded", b"a=1&" * 2000),
        ("multipart/form-data; boundary=x; charset=undefined",
         b'--x\r\ncontent-disposition: form-data; name="a"\r\n\r\nb\r\n--x--\r\n'),
    ],
)  # fmt: skip
def test_a_damaged_form_is_refused(service: TestService, kind: str, body: bytes) -> None:
    answer = Visitor(service).raw("POST", "/sign-in", content=body, headers={"content-type": kind})
    assert answer.status_code == 400


def test_half_a_character_in_a_form_is_replaced(account: TestAccount) -> None:
    """An encoding such as this one can spell what no UTF-8 text holds."""
    visitor = signed_in(account)
    fields = {
        "csrf": visitor.get("/people").csrf,
        "email": r"a\ud800@example.com",
        "role": "viewer",
    }
    part = '--x\r\ncontent-disposition: form-data; name="{}"\r\n\r\n{}\r\n'
    body = "".join(part.format(*field) for field in fields.items()) + "--x--\r\n"
    kind = "multipart/form-data; boundary=x; charset=unicode_escape"
    headers = {"content-type": kind}
    answer = visitor.raw("POST", "/people/invite", content=body.encode(), headers=headers)
    assert answer.status_code < 500


def test_a_method_that_a_page_does_not_have_names_those_it_has(account: TestAccount) -> None:
    answer = signed_in(account).raw("PUT", "/people")
    assert (answer.status_code, answer.headers["allow"]) == (405, "GET, HEAD")


def test_another_organisations_page_is_like_an_unknown_one(
    world: DemoWorld, account: TestAccount
) -> None:
    owner, compared = signed_in(account), 0
    for page in PAGES:
        if "{" not in page.path or page.needs is Right.OPERATE:
            continue
        for route in routes_of(page):
            path, unknown = route.path, route.path
            for name, value in world.params.items():
                path = path.replace(f"{{{name}}}", value)
                unknown = unknown.replace(f"{{{name}}}", _other(value))
            assert "{" not in path, f"demo_world.py knows no value for {path}"
            foreign, missing = (_asked(owner, route.method, one) for one in (path, unknown))
            if page.path.startswith("/optouts/"):  # by number: nobody's own
                continue
            assert foreign == missing, path
            assert foreign[0] == 404, path
            compared += 1
    assert compared >= 5


def _other(value: str) -> str:
    """Of the same shape."""
    return re.sub(r"[0-9]", lambda digit: str((int(digit[0]) + 3) % 10), value) + (
        "" if re.search(r"[0-9]", value) else "-x"
    )


def _asked(visitor: Visitor, method: str, path: str) -> tuple[int, str]:
    tokens = Tokens(visitor.service.ctx.sealer, secure=False)
    csrf = tokens.for_forms(visitor.http.cookies[SESSION])
    data = {"csrf": csrf, "confirmed": "yes"} if method == "POST" else None
    answer = visitor.raw(method, path, data=data)
    text = answer.text.replace(path, "PATH").replace(path.replace("/", "%2F"), "PATH")
    for part in path.split("/")[3:]:
        text = text.replace(part, "ID")
    return answer.status_code, re.sub(r"req_[0-9a-f]+", "REQUEST", text)
