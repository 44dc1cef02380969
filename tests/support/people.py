"""People for tests: made by the same verbs as everybody's, with a password that is known here."""

import itertools
from uuid import UUID

import pyotp

from tests.support.service import TestService
from tidings.engine.db.tx import Tx
from tidings.features.accounts.organisations import load_organisation
from tidings.features.audit.record import Actor
from tidings.features.people import second_factor, sessions, sign_in, welcome
from tidings.features.people.model import Session
from tidings.features.people.roles import Role
from tidings.features.people.sign_in import Browser, SignedIn

PASSWORD = "plum-tractor-window"
HERE = Browser("192.0.2.1", "Firefox")
ROOT = Actor("command", "tests")
_count = itertools.count(1)


def new_email() -> str:
    return f"person-{next(_count)}@example.com"


def invite(service: TestService, account_id: UUID, role: Role, email: str | None = None) -> str:
    """The token of a link into the organisation of the account."""

    async def work(tx: Tx) -> str:
        organisation = await load_organisation(tx, account_id)
        return await welcome.invite_member(
            tx, organisation.id, email or new_email(), role, ROOT, account_id
        )

    return service.transact(work)


def join(service: TestService, token: str, password: str = PASSWORD) -> SignedIn:
    return service.call(lambda: welcome.join(service.ctx, token, password, HERE))


def enter(
    service: TestService, email: str, password: str = PASSWORD, browser: Browser = HERE
) -> SignedIn:
    return service.call(lambda: sign_in.sign_in(service.ctx, email, password, browser))


def find(service: TestService, token: str) -> Session | None:
    return service.transact(lambda tx: sessions.find_session(tx, token))


def load(service: TestService, token: str) -> Session:
    found = find(service, token)
    assert found is not None
    return found


def turn_on(service: TestService, token: str) -> tuple[str, list[str]]:
    """A second factor for the session's person: its secret, and the recovery codes."""
    person, sealer = load(service, token).person, service.ctx.sealer
    setup = service.transact(lambda tx: second_factor.begin_setup(tx, sealer, person))

    async def work(tx: Tx) -> list[str]:
        code = pyotp.TOTP(setup.secret).at(tx.now)
        return await second_factor.turn_on(tx, sealer, person, code, None)

    return setup.secret, service.transact(work)


def code_at(service: TestService, secret: str, later: int = 0) -> str:
    """The code of so many steps later."""
    return pyotp.TOTP(secret).at(service.clock.now(), later)
