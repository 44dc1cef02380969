"""The ways in: sign in, sign out, sign up, and links that let people in (portal.md)."""

from collections.abc import Iterator
from dataclasses import replace
from urllib.parse import urlsplit

import pytest

from tests.support import people
from tests.support.clock import ManualClock
from tests.support.people import PASSWORD
from tests.support.portal import Seen, Visitor, signed_in
from tests.support.service import TestAccount, TestService
from tidings import limits
from tidings.features.people import welcome
from tidings.features.people.demo import offer_demo
from tidings.features.people.roles import Role
from tidings.portal.tokens import SESSION

WRONG = "The e-mail address or the password is wrong."


@pytest.fixture
def service(moved_service: TestService) -> TestService:
    return moved_service


def member(account: TestAccount, role: Role = Role.OWNER) -> tuple[str, str]:
    """Somebody's address, and the token of a first session."""
    email = people.new_email()
    token = people.invite(account.service, account.id, role, email)
    return email, people.join(account.service, token).token


def enter(visitor: Visitor, email: str, password: str = PASSWORD, path: str = "/sign-in") -> Seen:
    page = visitor.get(path)
    return visitor.submit(page, "Sign in", {"Email": email, "Password": password})


def path_of(page: Seen) -> str:
    return urlsplit(str(page.response.url)).path


def test_who_signs_in_comes_to_the_page_that_was_asked_for(
    service: TestService, account: TestAccount
) -> None:
    email, _ = member(account)
    visitor = Visitor(service)
    asked = visitor.get("/phone?number=972501234567")
    assert (asked.h1, path_of(asked)) == ("Sign in", "/portal/sign-in")
    page = visitor.submit(asked, "Sign in", {"Email": email, "Password": PASSWORD})
    assert page.h1 == "Phone"
    assert str(page.response.url).endswith("/portal/phone?number=972501234567")
    assert visitor.get("/sign-in").h1 == "Getting started"
    assert visitor.get("/sign-up").h1 == "Getting started"


def test_a_wrong_password_and_an_unknown_address_look_the_same(
    service: TestService, account: TestAccount
) -> None:
    email, _ = member(account)
    pages = [
        enter(Visitor(service), email, "not the password"),
        enter(Visitor(service), people.new_email(), PASSWORD),
    ]
    for page in pages:
        assert (page.status, page.h1, page.errors) == (422, "Sign in", [WRONG])
        assert page.field("Email")["value"]
        assert not page.field("Password").get("value")


def test_after_five_wrong_passwords_the_page_says_how_long_to_wait(
    service: TestService, account: TestAccount, moved_clock: ManualClock
) -> None:
    pages = []
    for email in (member(account)[0], people.new_email()):
        for _ in range(limits.WRONG_PER_PERSON_MAX):
            assert enter(Visitor(service), email, "wrong").status == 422
        pages.append(enter(Visitor(service), email))
    known, unknown = pages
    assert known.status == unknown.status == 429
    assert known.errors == unknown.errors and "Wait for" in known.errors[0]
    assert 0 < int(known.response.headers["retry-after"]) <= 900
    moved_clock.advance(minutes=15)


def test_the_second_factor_is_asked_for_and_a_code_is_good_once(
    service: TestService, account: TestAccount
) -> None:
    email, token = member(account)
    secret, recovery = people.turn_on(service, token)
    visitor = Visitor(service)
    step = enter(visitor, email, path="/sign-in?next=/portal/phone")
    assert (step.h1, path_of(step)) == ("Sign in", "/portal/sign-in/code")
    assert visitor.get("/phone").h1 == "Sign in", "half signed in is not signed in"
    step = visitor.get("/sign-in/code?next=/portal/phone")
    waiting = visitor.http.cookies[SESSION]
    wrong = visitor.submit(step, "Sign in", {"Code": "000000"})
    assert wrong.status == 422 and "code is wrong" in wrong.errors[0]
    code = people.code_at(service, secret, 1)
    assert visitor.submit(wrong, "Sign in", {"Code": f" {code[:3]} {code[3:]}"}).h1 == "Phone"
    assert visitor.http.cookies[SESSION] != waiting
    again = Visitor(service)
    assert again.submit(enter(again, email), "Sign in", {"Code": code}).status == 422
    by_recovery = again.submit(again.get("/sign-in/code"), "Sign in", {"Code": recovery[0]})
    assert by_recovery.h1 == "Getting started"


def test_the_code_cannot_be_given_long_after_the_password(
    service: TestService, account: TestAccount, moved_clock: ManualClock
) -> None:
    email, token = member(account)
    secret, _ = people.turn_on(service, token)
    visitor = Visitor(service)
    step = enter(visitor, email)
    moved_clock.advance(seconds=limits.SECOND_FACTOR_WAIT.total_seconds() + 1)
    late = visitor.submit(step, "Sign in", {"Code": people.code_at(service, secret, 1)})
    assert path_of(late) == "/portal/sign-in" and "too late" in late.main
    assert path_of(visitor.get("/sign-in/code")) == "/portal/sign-in"


def test_who_signs_out_is_out_and_the_old_cookie_is_worth_nothing(
    service: TestService, account: TestAccount
) -> None:
    visitor = Visitor(service)
    page = enter(visitor, member(account)[0])
    kept = visitor.http.cookies[SESSION]
    left = visitor.submit(page, "Sign out")
    assert (left.h1, "You have signed out." in left.main) == ("Sign in", True)
    assert SESSION not in visitor.http.cookies
    visitor.keep_session(kept)
    assert visitor.get("/").h1 == "Sign in"


def test_who_signs_up_has_a_sandbox_that_can_send(service: TestService) -> None:
    visitor = Visitor(service)
    page = visitor.get(visitor.get("/sign-in").links()["Create your account"])
    assert page.h1 == "Create your account"
    fields = {"Organisation": "Café Noa", "Email": people.new_email(), "Password": PASSWORD}
    start = visitor.submit(page, "Create account", fields)
    assert (start.status, start.h1) == (200, "Getting started")
    assert "sk_" in start.main or "x-api-key" in start.main.lower()
    assert start.soup.select_one(".environment.sandbox") is not None
    sent = visitor.submit(start, "Send test message")
    assert "queued" in sent.main or "sent" in sent.main


@pytest.mark.parametrize(
    ("label", "value", "says"),
    [
        ("Organisation", " ", "organisation's name"),
        ("Email", "dana", "e-mail address such as"),
        ("Password", "short", "at least 12 characters"),
        ("Password", "password1234", "do not belong together"),
        ("Password", "x" * 250, "at most 200"),
    ],
)
def test_a_refused_sign_up_keeps_what_was_typed(
    service: TestService, label: str, value: str, says: str
) -> None:
    fields = {"Organisation": "Acme", "Email": "a@b.example", "Password": PASSWORD, label: value}
    visitor = Visitor(service)
    page = visitor.submit(visitor.get("/sign-up"), "Create account", fields)
    assert page.status == 422
    assert any(says in error for error in page.errors), page.errors
    assert page.field("Email")["value"] == fields["Email"]
    assert page.field(label).get("aria-invalid") == "true"


def test_a_refused_sign_up_says_at_once_what_is_wrong(service: TestService) -> None:
    visitor = Visitor(service)
    fields = {"Organisation": " ", "Email": "dana", "Password": "short"}
    page = visitor.submit(visitor.get("/sign-up"), "Create account", fields)
    assert page.status == 422
    assert all(page.field(label).get("aria-invalid") == "true" for label in fields)


def test_an_address_that_somebody_has_cannot_sign_up_again(
    service: TestService, account: TestAccount
) -> None:
    email, _ = member(account)
    visitor = Visitor(service)
    fields = {"Organisation": "Acme", "Email": email.upper(), "Password": PASSWORD}
    page = visitor.submit(visitor.get("/sign-up"), "Create account", fields)
    assert page.status == 422 and "Sign in" in page.errors[0]


@pytest.fixture
def no_sign_up(service: TestService) -> Iterator[None]:
    before = service.ctx.settings
    service.ctx.settings = replace(before, sign_up=False)
    yield
    service.ctx.settings = before


@pytest.mark.usefixtures("no_sign_up")
def test_switched_off_there_is_no_sign_up_and_no_link_to_it(service: TestService) -> None:
    visitor = Visitor(service)
    page = visitor.get("/sign-in")
    assert "Create your account" not in page.links()
    assert visitor.get("/sign-up").status == 404
    posted = visitor.raw("POST", "/sign-up", data={"csrf": page.csrf, "email": "a@b.example"})
    assert posted.status_code == 404


def test_an_invitation_is_opened_without_being_used_up(
    service: TestService, account: TestAccount
) -> None:
    email = people.new_email()
    path = f"/welcome?token={people.invite(service, account.id, Role.SENDER, email)}"
    for _ in range(3):  # a mail program looks at it
        page = Visitor(service).get(path)
        assert page.status == 200 and page.has_button("Join")
    visitor = Visitor(service)
    page = visitor.get(path)
    assert page.h1.startswith("Join ") and "sender" in page.main
    assert page.field("Email")["value"] == email
    refused = visitor.submit(page, "Join", {"Password": "tooshort"})
    assert refused.status == 422 and "at least 12" in refused.errors[0]
    assert visitor.submit(refused, "Join", {"Password": PASSWORD}).h1 == "Getting started"
    for other in (visitor, Visitor(service)):
        over = other.get(path)
        assert (over.status, over.h1) == (404, "This link lets nobody in")
        assert "Ask whoever sent the link" in over.main


def test_somebody_who_has_a_password_joins_with_it(
    service: TestService, account: TestAccount
) -> None:
    email, _ = member(account)
    other = service.account()
    path = f"/welcome?token={people.invite(service, other.id, Role.VIEWER, email)}"
    visitor = Visitor(service)
    page = visitor.get(path)
    assert "enter its password" in page.main
    wrong = visitor.submit(page, "Join", {"Password": "another-tractor-window"})
    assert wrong.status == 422 and "not your present password" in wrong.errors[0]
    assert visitor.submit(wrong, "Join", {"Password": PASSWORD}).h1 == "Getting started"


def test_a_forgotten_password_is_chosen_again(service: TestService, account: TestAccount) -> None:
    email, session = member(account)
    token = service.transact(lambda tx: welcome.offer_reset(tx, email, people.ROOT))
    visitor = Visitor(service)
    visitor.keep_session(session)  # signed in all the same
    page = visitor.get(f"/welcome?token={token}")
    assert page.h1 == "Choose a new password"
    done = visitor.submit(page, "Save password", {"Password": "another-tractor-window"})
    assert done.h1 == "Getting started"
    assert people.find(service, session) is None
    assert enter(Visitor(service), email, "another-tractor-window").h1 == "Getting started"


def test_the_demo_link_asks_nothing_and_is_good_once(
    service: TestService, account: TestAccount, moved_clock: ManualClock
) -> None:
    token = service.transact(lambda tx: offer_demo(tx, [account.id]))
    visitor = Visitor(service)
    assert visitor.raw("HEAD", f"/welcome?token={token}").status_code == 200
    page = visitor.get(f"/welcome?token={token}")
    assert page.h1 == "Getting started"
    assert "Health" in page.links(), "an operator"
    again = Visitor(service).get(f"/welcome?token={token}")
    assert again.status == 404 and "prints a new link" in again.main
    late = service.transact(lambda tx: offer_demo(tx, [account.id]))
    moved_clock.advance(hours=1, seconds=1)
    assert Visitor(service).get(f"/welcome?token={late}").status == 404


@pytest.mark.parametrize("path", ["/welcome", "/welcome?token=", "/welcome?token=%00%ff"])
def test_a_damaged_link_says_what_to_do(service: TestService, path: str) -> None:
    page = Visitor(service).get(path)
    assert (page.status, page.h1) == (404, "This link lets nobody in")
    assert page.links()["Sign in"] == "/portal/sign-in"


def test_signing_in_again_ends_the_session_before(
    service: TestService, account: TestAccount
) -> None:
    visitor = signed_in(account)
    before = visitor.http.cookies[SESSION]
    token = people.invite(service, account.id, Role.VIEWER)
    visitor.submit(visitor.get(f"/welcome?token={token}"), "Join", {"Password": PASSWORD})
    assert visitor.http.cookies[SESSION] != before
    assert people.find(service, before) is None


def test_the_language_can_be_changed_on_the_way_in_without_losing_the_link(
    service: TestService, account: TestAccount
) -> None:
    token = people.invite(service, account.id, Role.VIEWER)
    visitor = Visitor(service)
    hebrew = visitor.get(visitor.get(f"/welcome?token={token}").links()["עברית"])
    assert hebrew.has_button("הצטרפות")
    refused = visitor.submit(hebrew, "הצטרפות", {"סיסמה": "password1234"})
    assert "קל מדי לנחש" in refused.errors[0]


def test_a_link_does_not_lead_around_the_second_factor(
    service: TestService, account: TestAccount
) -> None:
    email, session = member(account)
    people.turn_on(service, session)
    other = service.account()
    token = people.invite(service, other.id, Role.VIEWER, email)
    visitor = Visitor(service)
    page = visitor.submit(visitor.get(f"/welcome?token={token}"), "Join", {"Password": PASSWORD})
    assert path_of(page) == "/portal/sign-in/code"
