"""The page People: members for owners, and everybody's own password, second factor, sessions."""

import re
from dataclasses import replace
from urllib.parse import urlsplit

import pytest

from tests.support import people
from tests.support.mail import mail_server
from tests.support.people import PASSWORD
from tests.support.portal import Seen, Visitor, signed_in
from tests.support.service import TestAccount
from tidings import limits
from tidings.features.people.roles import Role
from tidings.portal.people.browsers import browser_name
from tidings.portal.tokens import SESSION


def joined(account: TestAccount, role: Role = Role.OWNER) -> tuple[Visitor, str]:
    """Somebody with a password, signed in; and the address."""
    email = people.new_email()
    visitor = Visitor(account.service)
    token = people.invite(account.service, account.id, role, email)
    visitor.keep_session(people.join(account.service, token).token)
    return visitor, email


def link_in(page: Seen) -> str:
    found = re.search(r"/portal/welcome\?token=\w+", page.main)
    assert found is not None, page.main
    return found[0]


def row_of(page: Seen, email: str) -> Seen:
    """Only the row of this person, to press its buttons."""
    for row in page.soup.select("tbody tr"):
        if email in row.get_text():
            return Seen(page.response, row)
    raise AssertionError(f"no row of {email} in: {page.main}")


def actions(account: TestAccount) -> list[str]:
    rows = account.service.sql(
        "SELECT action FROM audit_log WHERE organisation_id ="
        " (SELECT organisation_id FROM accounts WHERE id = $1) ORDER BY id",
        account.id,
    )
    return [row["action"] for row in rows]


def test_an_owner_invites_and_the_link_lets_in_with_the_role(account: TestAccount) -> None:
    owner, _ = joined(account)
    email = people.new_email()
    page = owner.submit(owner.get("/people"), "Invite", {"Email": email, "Role": "sender"})
    assert (page.status, page.h1) == (200, "People")
    invited = row_of(page, email)
    assert "invited" in invited.soup.get_text() and "sender" in invited.soup.get_text()
    visitor = Visitor(account.service)
    start = visitor.submit(visitor.get(link_in(page)), "Join", {"Password": PASSWORD})
    assert start.h1 == "Getting started" and start.has_button("Send test message")
    after = owner.get("/people")
    assert not after.has_button("Withdraw")
    assert row_of(after, email).has_button("Remove")
    assert "token=" not in after.main, "the link is shown once"
    assert actions(account)[-3:] == ["person.invited", "person.joined", "session.opened"]


def test_members_sort_by_the_address_and_the_invited_stay_below(account: TestAccount) -> None:
    owner, _ = joined(account)
    owner.submit(owner.get("/people"), "Invite", {"Email": people.new_email(), "Role": "sender"})
    joined(account)
    page = owner.get("/people")
    for reverse in (False, True):
        page = owner.get(page.links()["Person"])
        *emails, _invited = (row[0].split()[0] for row in page.rows())
        assert len(emails) > 1 and emails == sorted(emails, reverse=reverse)
        assert "invited" in page.rows()[-1][2]


def test_a_refused_invitation_keeps_what_was_typed(account: TestAccount) -> None:
    owner, email = joined(account)
    for wrong, says in (("nobody", "such as dana@"), (email, "member already"), ("", "such as")):
        fields = {"Email": wrong, "Role": "billing"}
        page = owner.submit(owner.get("/people"), "Invite", fields)
        assert page.status == 422 and says in page.errors[0], page.errors
        assert page.field("Email")["value"] == wrong
        chosen = page.field("Role").select_one("option[selected]")
        assert chosen is not None and chosen["value"] == "billing"


def test_an_invitation_needs_a_role_that_there_is(account: TestAccount) -> None:
    owner = signed_in(account)
    answer = owner.post("/people/invite", {"email": "dana@example.com", "role": "king"})
    assert answer.status_code == 422 and "Choose a role." in answer.text


def test_an_invitation_can_be_withdrawn(account: TestAccount) -> None:
    owner, _ = joined(account)
    email = people.new_email()
    page = owner.submit(owner.get("/people"), "Invite", {"Email": email, "Role": "viewer"})
    after = owner.submit(row_of(page, email), "Withdraw")
    assert email not in after.main
    assert Visitor(account.service).get(link_in(page)).status == 404


def test_with_a_mail_server_the_link_is_sent_as_well(
    account: TestAccount, monkeypatch: pytest.MonkeyPatch
) -> None:
    ctx = account.service.ctx
    owner, own = joined(account)
    email = people.new_email()
    with mail_server() as server:
        monkeypatch.setattr(ctx, "settings", replace(ctx.settings, smtp_url=server.url))
        page = owner.submit(owner.get("/people"), "Invite", {"Email": email, "Role": "viewer"})
    assert "sent by mail" in page.main
    [sent] = server.received
    assert sent["To"] == email and "Invitation to" in sent["Subject"]
    assert link_in(page) in sent.get_content() and own in sent.get_content()


def test_a_role_is_changed_and_a_member_removed_after_confirming(account: TestAccount) -> None:
    owner, _ = joined(account)
    other, email = joined(account, Role.DEVELOPER)
    page = owner.get("/people")
    page = owner.submit(row_of(page, email), "Change", raw={"to": "viewer"})
    assert "The role was changed." in page.main
    assert not other.get("/").has_button("Send test message"), "from the next request on"
    asked = owner.submit(row_of(page, email), "Remove")
    assert asked.h1 == f"Remove {email}?"
    assert other.get("/people").h1 == "People", "nothing has happened yet"
    after = owner.submit(asked, "Confirm")
    assert f"{email} was removed." in after.main
    assert other.get("/people").h1 == "Sign in"
    assert actions(account)[-2:] == ["person.role_changed", "person.removed"]


def test_the_last_owner_can_be_neither_removed_nor_demoted(account: TestAccount) -> None:
    owner, email = joined(account)
    joined(account, Role.VIEWER)
    page = owner.get("/people")
    for refused in (
        owner.submit(row_of(page, email), "Remove"),
        owner.submit(row_of(page, email), "Remove", raw={"confirmed": "yes"}),
        owner.submit(row_of(page, email), "Change", raw={"to": "viewer"}),
    ):
        assert refused.status == 422 and "needs an owner" in refused.errors[0]
    joined(account)  # a second one
    asked = owner.submit(row_of(page, email), "Remove")
    assert owner.submit(asked, "Confirm").h1 == "Sign in"


@pytest.mark.parametrize("role", [role for role in Role if role is not Role.OWNER])
def test_others_see_only_their_own_part(account: TestAccount, role: Role) -> None:
    _, someone = joined(account)
    visitor, email = joined(account, role)
    page = visitor.get("/people")
    assert page.h1 == "People" and page.has_button("Change password")
    assert someone not in page.response.text
    for button in ("Invite", "Remove", "Change", "Withdraw"):
        assert not page.has_button(button), button
    for path in ("invite", "remove", "role", "withdraw"):
        assert visitor.post(f"/people/{path}", {"email": email}).status_code == 403, path


def test_an_operator_without_an_account_has_a_page_too(account: TestAccount) -> None:
    page = signed_in(account, None, operator=True).get("/people")
    assert (page.status, page.h1) == (200, "People")
    assert page.has_button("Set up second factor") and not page.has_button("Invite")


def test_people_of_other_organisations_are_not_found(account: TestAccount) -> None:
    owner, _ = joined(account)
    stranger, _ = joined(account.service.account())
    person = people.load(account.service, stranger.http.cookies[SESSION]).person.id
    for path in ("/people/remove", "/people/role"):
        for wanted in (str(person), "x", ""):
            answer = owner.post(path, {"person": wanted, "to": "viewer", "confirmed": "yes"})
            assert answer.status_code == 404
    assert stranger.get("/people").has_button("Invite")


def test_the_password_is_changed_with_the_present_one_and_ends_other_sessions(
    account: TestAccount,
) -> None:
    visitor, email = joined(account, Role.VIEWER)
    elsewhere = people.enter(account.service, email).token
    page = visitor.get("/people")
    wrong = {"Present password": "wrong", "New password": "another-tractor-window"}
    refused = visitor.submit(page, "Change password", wrong)
    assert refused.status == 422 and refused.field("Present password")["aria-invalid"] == "true"
    easy = {"Present password": PASSWORD, "New password": "password1234"}
    refused = visitor.submit(page, "Change password", easy)
    assert refused.status == 422 and refused.field("New password")["aria-invalid"] == "true"
    right = {"Present password": PASSWORD, "New password": "another-tractor-window"}
    assert "password was changed" in visitor.submit(page, "Change password", right).main
    assert people.find(account.service, elsewhere) is None
    people.enter(account.service, email, "another-tractor-window")


def test_who_came_by_a_link_that_asked_nothing_sets_a_password(account: TestAccount) -> None:
    visitor = signed_in(account)
    page = visitor.get("/people")
    assert not page.has_button("Change password")
    page = visitor.submit(page, "Set password", {"New password": PASSWORD})
    assert page.has_button("Change password")


def test_the_second_factor_is_set_up_asked_for_and_turned_off(account: TestAccount) -> None:
    service = account.service
    visitor, email = joined(account, Role.SENDER)
    setup = visitor.submit(visitor.get("/people"), "Set up second factor")
    assert setup.h1 == "Set up second factor"
    assert setup.soup.select_one("[role=img] svg path") is not None
    secret = setup.one("#secret").get_text().replace(" ", "")
    assert visitor.get("/people/second-factor").one("#secret") == setup.one("#secret")
    wrong = visitor.submit(setup, "Turn on", {"Code": "000000"})
    assert wrong.status == 422 and "code is wrong" in wrong.errors[0]
    on = visitor.submit(wrong, "Turn on", {"Code": people.code_at(service, secret)})
    codes = on.one("pre").get_text().split()
    assert len(codes) == limits.RECOVERY_CODES
    page = visitor.get("/people")
    assert "10 recovery codes are left" in page.main and codes[0] not in page.response.text
    assert people.enter(service, email).needs_code
    assert visitor.get("/people/second-factor").h1 == "People"
    used = visitor.submit(page, "Turn off", {"Code": people.code_at(service, secret)})
    assert used.status == 422, "a code is good once"
    off = visitor.submit(page, "Turn off", {"Code": codes[0]})
    assert off.has_button("Set up second factor")
    assert not people.enter(service, email).needs_code


def test_sessions_are_listed_and_ended(account: TestAccount) -> None:
    service = account.service
    visitor, email = joined(account, Role.VIEWER)
    others = [people.enter(service, email).token for _ in range(3)]
    page = visitor.get("/people")
    assert [row[0] for row in page.rows()] == ["Firefox"] * 4
    assert sum("this one" in row for row in page.rows()) == 1
    page = visitor.submit(page, "End")
    assert len(page.rows()) == 3
    page = visitor.submit(page, "End other sessions")
    assert "2 other sessions were ended." in page.main and len(page.rows()) == 1
    assert "No other session is open." in visitor.submit(page, "End other sessions").main
    assert [people.find(service, one) for one in others] == [None] * 3
    assert actions(account)[-2:] == ["session.ended", "session.ended"]


def test_nobody_ends_the_session_of_somebody_else(account: TestAccount) -> None:
    visitor, _ = joined(account)
    other, _ = joined(account)
    session = people.load(account.service, other.http.cookies[SESSION]).id
    for wanted in (str(session), "x"):
        assert visitor.post("/people/sessions/end", {"session": wanted}).status_code == 404
    assert urlsplit(str(other.get("/people").response.url)).path == "/portal/people"


@pytest.mark.parametrize(
    ("user_agent", "name"),
    [
        ("Mozilla/5.0 (Windows NT 10.0; Win64) AppleWebKit Chrome/126 Safari/537.36 Edg/126",
         ("Edge", "Windows")),
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) Version/17.5 Safari/604.1",
         ("Safari", "iPhone")),
        ("Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0",
         ("Firefox", "Linux")),
        ("<script>", ("", "")),
    ],
)  # fmt: skip
def test_a_browser_is_named_in_two_words(user_agent: str, name: tuple[str, str]) -> None:
    assert browser_name(user_agent) == name
