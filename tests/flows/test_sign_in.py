"""Signing in: limits, second factor, recovery codes (portal.md, "Who signs in")."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.support import people
from tests.support.clock import ManualClock
from tests.support.people import PASSWORD
from tests.support.service import TestAccount, TestService
from tidings import limits
from tidings.errors import ApiError
from tidings.features.people import attempts, passwords, second_factor, sign_in
from tidings.features.people.roles import Role
from tidings.features.people.rules import PeopleCode
from tidings.features.people.sign_in import Browser

WINDOW = limits.SIGN_IN_WINDOW.total_seconds()


@pytest.fixture
def service(moved_service: TestService) -> TestService:
    return moved_service


def refused(
    service: TestService, email: str, password: str, address: str = "192.0.2.1"
) -> ApiError:
    with pytest.raises(ApiError) as refusal:
        people.enter(service, email, password, Browser(address, ""))
    return refusal.value


def member(account: TestAccount, role: Role = Role.OWNER) -> tuple[str, str]:
    """Somebody's address, and the token of a first session."""
    email = people.new_email()
    token = people.invite(account.service, account.id, role, email)
    return email, people.join(account.service, token).token


def test_a_wrong_password_and_an_unknown_person_are_refused_alike(
    service: TestService, account: TestAccount
) -> None:
    email, _ = member(account)
    wrong = refused(service, email, "not the password")
    unknown = refused(service, people.new_email(), PASSWORD)
    assert (wrong.error(), wrong.code) == (unknown.error(), unknown.code)
    assert wrong.field is None


def test_each_sign_in_has_a_session_of_its_own_and_case_does_not_matter(
    service: TestService, account: TestAccount
) -> None:
    email, first = member(account)
    second = people.enter(service, f" {email.upper()} ")
    assert second.token != first and not second.needs_code
    ids = {people.load(service, token).id for token in (first, second.token)}
    assert len(ids) == 2
    assert people.load(service, first).role_in(account.id) is Role.OWNER


def test_after_five_wrong_passwords_even_the_right_one_waits(
    service: TestService, account: TestAccount, moved_clock: ManualClock
) -> None:
    email, _ = member(account)
    for _ in range(limits.WRONG_PER_PERSON_MAX):
        assert refused(service, email, "wrong").code is PeopleCode.SIGN_IN_REFUSED
    late = refused(service, email, PASSWORD, "198.51.100.7")
    assert late.code is PeopleCode.TOO_MANY_TRIES
    assert late.retry_after is not None and 0 < late.retry_after <= WINDOW
    moved_clock.advance(seconds=WINDOW)
    assert people.enter(service, email).token
    # The wrong ones before a right one do not count.
    assert refused(service, email, "wrong").code is PeopleCode.SIGN_IN_REFUSED


def test_guesses_at_once_are_counted_before_they_are_examined(
    service: TestService, account: TestAccount
) -> None:
    email, _ = member(account)
    with ThreadPoolExecutor(12) as pool:
        answers = list(pool.map(lambda n: refused(service, email, f"guess {n}"), range(12)))
    examined = [one for one in answers if one.code is PeopleCode.SIGN_IN_REFUSED]
    assert len(examined) == limits.WRONG_PER_PERSON_MAX


def test_an_address_is_limited_over_many_people(service: TestService) -> None:
    address = "203.0.113.77"

    async def fill() -> None:
        for _ in range(limits.WRONG_PER_ADDRESS_MAX):
            await service.ctx.db.transact(
                lambda tx: attempts.count(tx, (attempts.ADDRESS, address))
            )

    service.call(fill)
    late = refused(service, people.new_email(), "wrong", address)
    assert late.code is PeopleCode.TOO_MANY_TRIES
    other = refused(service, people.new_email(), "wrong", "203.0.113.78")
    assert other.code is PeopleCode.SIGN_IN_REFUSED


def test_a_code_of_the_second_factor_is_good_once(
    service: TestService, account: TestAccount, moved_clock: ManualClock
) -> None:
    email, token = member(account)
    secret, _ = people.turn_on(service, token)

    def give(code: str) -> str:
        waiting = people.enter(service, email)
        assert waiting.needs_code
        assert people.find(service, waiting.token) is None, "not signed in before the code"
        ctx, browser = service.ctx, people.HERE
        done = service.call(lambda: sign_in.pass_code(ctx, waiting.token, code, browser))
        assert done.token != waiting.token
        return done.token

    moved_clock.advance(seconds=60)  # the code that turned it on is used up
    code = people.code_at(service, secret)
    assert people.find(service, give(f"{code[:3]} {code[3:]}")) is not None
    with pytest.raises(ApiError, match="CODE_REFUSED"):
        give(code)


def test_wrong_codes_are_limited_whatever_the_password(
    service: TestService, account: TestAccount
) -> None:
    email, token = member(account)
    secret, _ = people.turn_on(service, token)
    ctx, browser = service.ctx, people.HERE
    for _ in range(limits.WRONG_PER_PERSON_MAX):
        waiting = people.enter(service, email).token  # the right password clears no wrong code
        with pytest.raises(ApiError, match="CODE_REFUSED"):
            service.call(lambda token=waiting: sign_in.pass_code(ctx, token, "000000", browser))
    waiting, code = people.enter(service, email).token, people.code_at(service, secret, 1)
    with pytest.raises(ApiError, match="TOO_MANY_TRIES"):
        service.call(lambda: sign_in.pass_code(ctx, waiting, code, browser))


def test_a_recovery_code_is_good_once_and_turns_the_second_factor_off(
    service: TestService, account: TestAccount
) -> None:
    email, token = member(account)
    _, codes = people.turn_on(service, token)
    assert len(set(codes)) == limits.RECOVERY_CODES
    ctx, browser = service.ctx, people.HERE
    waiting = people.enter(service, email).token
    done = service.call(lambda: sign_in.pass_code(ctx, waiting, codes[0].upper(), browser))
    person = people.load(service, done.token).person
    with pytest.raises(ApiError, match="CODE_REFUSED"):
        service.call(lambda: second_factor.turn_off(ctx, person, codes[0], browser.address))
    service.call(lambda: second_factor.turn_off(ctx, person, codes[1], browser.address))
    assert not people.enter(service, email).needs_code


def test_a_new_password_needs_the_present_one_and_ends_other_sessions(
    service: TestService, account: TestAccount
) -> None:
    email, first = member(account)
    second = people.enter(service, email).token
    session, ctx = people.load(service, second), service.ctx

    def change(present: str, wanted: str) -> None:
        service.call(lambda: passwords.change_password(ctx, session, present, wanted, "192.0.2.1"))

    with pytest.raises(ApiError, match="PASSWORD_WRONG"):
        change("wrong", "another good phrase of words")
    with pytest.raises(ApiError, match="PASSWORD_TOO_EASY"):
        change(PASSWORD, "password1234")
    change(PASSWORD, "another good phrase of words")
    assert people.find(service, first) is None
    assert people.find(service, second) is not None
    assert refused(service, email, PASSWORD).code is PeopleCode.SIGN_IN_REFUSED
