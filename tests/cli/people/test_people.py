"""`tidings people`: invite, list, remove, reset."""

from urllib.parse import parse_qs, urlsplit

import pytest

from tests.support import people
from tests.support.commands import Done, commands
from tests.support.people import PASSWORD
from tests.support.service import TestAccount, TestService


@pytest.fixture
def name(service: TestService, account: TestAccount) -> str:
    [row] = service.sql("SELECT name FROM accounts WHERE id = $1", account.id)
    return str(row["name"])


def token_of(done: Done) -> str:
    [link] = done.good().splitlines()
    assert urlsplit(link).path == "/portal/welcome"
    return parse_qs(urlsplit(link).query)["token"][0]


def test_an_invited_member_and_an_operator_come_in_by_the_printed_link(
    service: TestService, account: TestAccount, name: str
) -> None:
    tidings, email, root = commands(service), people.new_email(), people.new_email()
    link = token_of(tidings("people", "invite", email, "--account", name, "--role", "billing"))
    session = people.load(service, people.join(service, link).token)
    assert str(session.role_in(account.id)) == "billing"
    link = token_of(tidings("people", "invite", root, "--operator"))
    session = people.load(service, people.join(service, link).token)
    assert session.person.is_operator and session.role_in(account.id) is None
    shown = {one["email"]: one for one in tidings("people", "list", "--json").json()["people"]}
    assert shown[email]["organisations"] == [{"organisation": name, "role": "billing"}]
    assert shown[root] == {
        "email": root, "operator": True, "secondFactor": False, "organisations": [],
    }  # fmt: skip
    assert email in tidings("people", "list", "--account", name).good()
    assert root not in tidings("people", "list", "--account", name).good()


def test_what_is_missing_or_contradictory_is_refused(
    service: TestService, account: TestAccount, name: str
) -> None:
    tidings = commands(service)
    for words, said in [
        (["a@example.com"], "either"),
        (["a@example.com", "--operator", "--role", "owner"], "either"),
        (["a@example.com", "--account", name, "--role", "king"], "one of owner"),
        (["a@example.com", "--account", "nobody", "--role", "owner"], "no account"),
        (["a@example.com\nBcc: b@example.com", "--operator"], "email must be"),
    ]:
        tidings("people", "invite", *words).refused(said)
    tidings("people", "remove", "unknown@example.com").refused("nobody has")


def test_somebody_removed_is_out_and_the_last_owner_stays(
    service: TestService, account: TestAccount, name: str
) -> None:
    tidings, email = commands(service), people.new_email()
    join = ["people", "invite", email, "--account", name, "--role", "owner"]
    session = people.join(service, token_of(tidings(*join)))
    tidings("people", "remove", email).refused("needs an owner")
    other = people.new_email()
    token = token_of(tidings("people", "invite", other, "--account", name, "--role", "owner"))
    people.join(service, token)
    tidings("people", "remove", email, "--account", name).good()
    assert people.find(service, session.token) is None


def test_a_forgotten_password_and_a_lost_phone_are_reset(
    service: TestService, account: TestAccount, name: str
) -> None:
    tidings, email = commands(service), people.new_email()
    join = ["people", "invite", email, "--account", name, "--role", "owner"]
    before = people.join(service, token_of(tidings(*join))).token
    people.turn_on(service, before)
    token = token_of(tidings("people", "reset", email))
    assert people.join(service, token, "quite another phrase").needs_code
    assert people.find(service, before) is None
    token_of(tidings("people", "reset", email, "--second-factor"))
    assert not people.enter(service, email, "quite another phrase").needs_code
    with pytest.raises(Exception, match="SIGN_IN_REFUSED"):
        people.enter(service, email, PASSWORD)
