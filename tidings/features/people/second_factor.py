"""The second factor: codes by time (TOTP, RFC 6238), and recovery codes for a lost phone.

The secret is sealed under the master key. A code is good once: the step of the last one used is
kept. Recovery codes are shown once, kept as hashes, and deleted when used.
"""

import secrets
from dataclasses import dataclass, field
from uuid import UUID

import pyotp

from tidings import limits
from tidings.context import Context
from tidings.engine.db.tx import Tx
from tidings.engine.http.client_address import network_of
from tidings.errors import ApiError, Code
from tidings.features.accounts.sealed import SealedColumn
from tidings.secrets import Sealer, is_same, key_hash

from . import attempts, person_store
from .model import Person
from .person_store import StoredPerson
from .recording import actor_of, record_person
from .rules import PeopleCode

SEALED = [
    SealedColumn("people", column, ("id",), lambda key: _context(key[0]))
    for column in ("totp", "totp_pending")
]
ISSUER = "Tidings"
STEP_SECONDS = 30
STEPS_AROUND = (-1, 0, 1)  # clocks differ, and codes take time to type
_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # none that looks like another
_GROUPS, _GROUP_CHARS = 3, 4


@dataclass(frozen=True, slots=True)
class Setup:
    """What an authenticator app needs: by the QR code of `uri`, or by hand."""

    secret: str = field(repr=False)
    uri: str = field(repr=False)


async def is_on(tx: Tx, person: Person) -> bool:
    return (await person_store.load(tx, person.id)).totp is not None


async def count_left(tx: Tx, person: Person) -> int | None:
    """How many recovery codes were not used; None where the second factor is off."""
    is_off = not await is_on(tx, person)
    return None if is_off else await person_store.count_recovery_codes(tx, person.id)


async def begin_setup(tx: Tx, sealer: Sealer, person: Person) -> Setup:
    """A secret that becomes the second factor when a code of it is given; asked for again, the
    same one."""
    stored = await person_store.load(tx, person.id)
    if stored.totp is not None:
        raise ApiError(Code.VALIDATION_ERROR, "the second factor is on already")
    if stored.totp_pending is not None:
        secret = sealer.open(stored.totp_pending, _context(stored.id)).reveal()
    else:
        secret = pyotp.random_base32()
        await person_store.set_pending(tx, stored.id, sealer.seal(secret, _context(stored.id)))
    return Setup(secret, pyotp.TOTP(secret).provisioning_uri(stored.email, ISSUER))


async def turn_on(
    tx: Tx, sealer: Sealer, person: Person, code: str, address: str | None
) -> list[str]:
    """Ask for a code at every sign-in from now on. Returns the recovery codes, to be shown once."""
    stored = await person_store.load(tx, person.id)
    if stored.totp_pending is None:
        raise ApiError(Code.VALIDATION_ERROR, "set the second factor up first")
    secret = sealer.open(stored.totp_pending, _context(stored.id)).reveal()
    step = _find_step(tx, secret, code, after=0)
    if step is None:
        raise ApiError(PeopleCode.CODE_REFUSED, field="code")
    await person_store.turn_on(tx, stored.id, step)
    codes = [_recovery_code() for _ in range(limits.RECOVERY_CODES)]
    await person_store.replace_recovery_codes(tx, stored.id, [_hash(one) for one in codes])
    actor = actor_of(person, address)
    await record_person(tx, actor, "second_factor.turned_on", person.id, person.email)
    return codes


async def turn_off(ctx: Context, person: Person, code: str, address: str) -> None:
    """Needs a code, so that a session left open is not enough."""
    subject = str(person.id)
    attempt = await ctx.db.transact(
        lambda tx: attempts.count(
            tx, (attempts.CODE, subject), (attempts.ADDRESS, network_of(address))
        )
    )

    async def work(tx: Tx) -> None:
        stored = await person_store.load(tx, person.id)
        if not await use_code(tx, ctx.sealer, stored, code):
            raise ApiError(PeopleCode.CODE_REFUSED, field="code")
        await attempts.take_back(tx, attempt)
        await drop(tx, stored)
        actor = actor_of(person, address)
        await record_person(tx, actor, "second_factor.turned_off", person.id, person.email)

    await ctx.db.transact(work)


async def drop(tx: Tx, person: StoredPerson) -> None:
    await person_store.turn_off(tx, person.id)
    await person_store.replace_recovery_codes(tx, person.id, [])


async def use_code(tx: Tx, sealer: Sealer, person: StoredPerson, code: str) -> bool:
    """Whether this is a code of the app or a recovery code, for the first time. Uses it up."""
    given = "".join(code.split()).lower()
    if person.totp is None:
        return False
    secret = sealer.open(person.totp, _context(person.id)).reveal()
    step = _find_step(tx, secret, given, after=person.totp_step)
    if step is not None:
        await person_store.set_step(tx, person.id, step)
        return True
    return await person_store.use_recovery_code(tx, person.id, _hash(given))


def _find_step(tx: Tx, secret: str, code: str, *, after: int) -> int | None:
    """The step of time that this is the code of, later than the last one used."""
    given, now = "".join(code.split()), int(tx.now.timestamp()) // STEP_SECONDS
    for step in (now + offset for offset in STEPS_AROUND):
        if step > after and is_same(pyotp.TOTP(secret).generate_otp(step), given):
            return step
    return None


def _recovery_code() -> str:
    chars = [secrets.choice(_LETTERS) for _ in range(_GROUPS * _GROUP_CHARS)]
    groups = ["".join(chars[at : at + _GROUP_CHARS]) for at in range(0, len(chars), _GROUP_CHARS)]
    return "-".join(groups)


def _hash(recovery_code: str) -> bytes:
    """60 random bits, and five tries in fifteen minutes: a plain hash is enough."""
    return key_hash(recovery_code.replace("-", ""))


def _context(person_id: UUID) -> str:
    return f"people/{person_id}/totp"
