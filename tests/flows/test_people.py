"""Invitations, roles, signing up: who comes in, and who goes (portal.md, "Who signs in")."""

import pytest

from tests.support import people
from tests.support.clock import ManualClock
from tests.support.people import PASSWORD, ROOT
from tests.support.service import GUEST, TestAccount, TestService
from tidings import limits
from tidings.engine.db.tx import Tx
from tidings.errors import ApiError
from tidings.features.accounts.keys import find_sample_key
from tidings.features.accounts.lookup import find_account
from tidings.features.people import attempts, demo, members, sign_up, welcome
from tidings.features.people.roles import Role
from tidings.features.people.sign_in import Browser


@pytest.fixture
def service(moved_service: TestService) -> TestService:
    return moved_service


def test_an_invitation_lets_in_once_with_its_role(
    service: TestService, account: TestAccount
) -> None:
    email = people.new_email()
    token = people.invite(service, account.id, Role.SENDER, email)
    for _ in range(2):  # looking does not use it up
        assert service.transact(lambda tx: welcome.find_welcome(tx, token)).link.email == email
    with pytest.raises(ApiError, match="PASSWORD_TOO_SHORT"):
        people.join(service, token, "short")
    session = people.load(service, people.join(service, token).token)
    assert (session.person.email, session.role_in(account.id)) == (email, Role.SENDER)
    with pytest.raises(ApiError, match="LINK_OVER"):
        people.join(service, token)


def test_a_link_ends_by_time_and_by_the_next_one(
    service: TestService, account: TestAccount, moved_clock: ManualClock
) -> None:
    email = people.new_email()
    first = people.invite(service, account.id, Role.VIEWER, email)
    second = people.invite(service, account.id, Role.VIEWER, email)
    with pytest.raises(ApiError, match="LINK_OVER"):
        people.join(service, first)
    moved_clock.advance(days=limits.WELCOME_VALIDITY.days)
    with pytest.raises(ApiError, match="LINK_OVER"):
        people.join(service, second)


def test_an_invitation_does_not_choose_the_password_of_somebody_who_has_one(
    service: TestService, account: TestAccount
) -> None:
    email, other = people.new_email(), service.account()
    people.join(service, people.invite(service, account.id, Role.OWNER, email))
    token = people.invite(service, other.id, Role.VIEWER, email)
    assert service.transact(lambda tx: welcome.find_welcome(tx, token)).is_known
    with pytest.raises(ApiError, match="PASSWORD_WRONG"):
        people.join(service, token, "a password of the inviter")
    session = people.load(service, people.join(service, token, PASSWORD).token)
    assert [session.role_in(one.id) for one in (account, other)] == [Role.OWNER, Role.VIEWER]


def test_the_last_owner_stays_an_owner(service: TestService, account: TestAccount) -> None:
    first = people.load(
        service, people.join(service, people.invite(service, account.id, Role.OWNER)).token
    )
    organisation_id, person_id = first.memberships[0].organisation_id, first.person.id

    def remove() -> None:
        service.transact(lambda tx: members.remove_member(tx, organisation_id, person_id, ROOT))

    def make(role: Role) -> None:
        service.transact(lambda tx: members.change_role(tx, organisation_id, person_id, role, ROOT))

    for forbidden in (remove, lambda: make(Role.VIEWER)):
        with pytest.raises(ApiError, match="LAST_OWNER"):
            forbidden()
    second = people.join(service, people.invite(service, account.id, Role.OWNER)).token
    make(Role.VIEWER)
    remove()
    assert people.find(service, second) is not None
    with pytest.raises(ApiError, match="NOT_FOUND"):
        remove()
    with pytest.raises(ApiError, match="SIGN_IN_REFUSED"):
        people.enter(service, first.person.email)  # who belongs nowhere is forgotten


def test_who_signs_up_has_an_account_that_sends_at_once(service: TestService) -> None:
    email, browser = people.new_email(), Browser("198.51.100.20", "")
    ctx = service.ctx
    done = service.call(lambda: sign_up.sign_up(ctx, " Café  Lavi ", email, PASSWORD, browser))
    session = people.load(service, done.token)
    [membership] = session.memberships
    assert (membership.organisation, membership.role) == ("Café Lavi", Role.OWNER)
    [ref] = membership.accounts
    assert ref.environment == "sandbox" and ref.name.startswith("caf-lavi-")
    key = _sample_key(service, ref.name)
    account = TestAccount(service, {"id": ref.id, "apiKey": key, "signingSecret": ""})
    sent = account.send(
        clientMessageId="message-1", to=GUEST, templateName="hello", templateParams=["Dana"]
    )
    assert sent.status_code in (200, 202), sent.text
    assert len(account.get("/templates").json()["data"]) == 3
    with pytest.raises(ApiError, match="PERSON_EXISTS"):
        service.call(lambda: sign_up.sign_up(ctx, "Other", email.upper(), PASSWORD, browser))


def _sample_key(service: TestService, name: str) -> str:
    """The key that Getting started shows."""

    async def work(tx: Tx) -> str:
        account = await find_account(tx, name)
        assert account is not None
        key = await find_sample_key(tx, service.ctx.sealer, account)
        assert key is not None
        return key.reveal()

    return service.transact(work)


def test_sign_ups_of_an_address_are_limited_and_leave_nothing_behind(
    service: TestService,
) -> None:
    browser = Browser("198.51.100.21", "")

    async def fill() -> None:
        for _ in range(limits.SIGN_UPS_PER_ADDRESS_MAX):
            await service.ctx.db.transact(
                lambda tx: attempts.count(tx, (attempts.SIGN_UP, browser.address))
            )

    service.call(fill)
    email = people.new_email()
    with pytest.raises(ApiError, match="TOO_MANY_TRIES"):
        service.call(lambda: sign_up.sign_up(service.ctx, "Acme", email, PASSWORD, browser))
    assert service.sql("SELECT 1 FROM people WHERE email = $1", email) == []


def test_the_demo_link_signs_an_owner_and_operator_in_once(
    service: TestService, account: TestAccount
) -> None:
    other = service.account()
    token = service.transact(lambda tx: demo.offer_demo(tx, [account.id, other.id]))

    def open_link() -> str:
        return service.transact(lambda tx: welcome.open_demo(tx, token, people.HERE)).token

    session = people.load(service, open_link())
    assert session.person.is_operator
    assert {session.role_in(one.id) for one in (account, other)} == {Role.OWNER}
    with pytest.raises(ApiError, match="LINK_OVER"):
        open_link()
    invited = people.invite(service, account.id, Role.VIEWER)
    with pytest.raises(ApiError, match="LINK_OVER"):
        service.transact(lambda tx: welcome.open_demo(tx, invited, people.HERE))


def test_who_is_invited_sees_first_the_account_that_was_named(
    service: TestService,
) -> None:
    for named in [service.account(organisation="siblings") for _ in range(2)]:
        token = people.join(service, people.invite(service, named.id, Role.VIEWER)).token
        assert people.load(service, token).account_id == named.id
