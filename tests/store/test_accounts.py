"""Accounts in the database: configured, rotated, found by their keys (section 5)."""

import asyncio
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta

import pytest

from tests.support.clock import ManualClock
from tests.support.database import fresh_database
from tidings.cli.apply import apply_declaration
from tidings.cli.file import read_file
from tidings.engine.db.pool import Database
from tidings.errors import ApiError, Code
from tidings.features.accounts import changes, rotate
from tidings.features.accounts.authenticate import Authenticator
from tidings.features.accounts.configure import configure
from tidings.features.accounts.directory import find_account, load_all_accounts
from tidings.features.accounts.master_key import require_same_master_key
from tidings.features.accounts.model import AccountSpec, PartnerTerms
from tidings.features.senders.store import load_numbers
from tidings.features.senders.tokens import open_token
from tidings.features.templates.store import load, load_all
from tidings.secrets import Sealer
from tidings.settings import BadSetting

SEALER = Sealer(bytes(32))
ACME = AccountSpec(name="acme", environment="sandbox")
TERMS = PartnerTerms("0.05", "100.00", "ILS", None)
FILE = """
[[accounts]]
name = "child"
environment = "sandbox"
belongsTo = "parent"
allowlist = ["972501234567"]
sendWindow = { from = "21:00", to = "06:00", timezone = "UTC" }
[[accounts.numbers]]
number = "972555000002"
accessToken = "EAAG"
[[accounts.numbers]]
number = "972555000001"
dailyLimit = 10
[[accounts.templates]]
name = "invite"
body = "Hi {{1}}"
buttons = [ { type = "QUICK_REPLY", text = "Yes" } ]
[[accounts.templates]]
name = "invite"
language = "he"
status = "PENDING"
body = "Hi"
[[accounts]]
name = "parent"
environment = "sandbox"
partner = { ratePerMessage = "0.05", creditLimit = "100.00", expiresAt = "2027-01-01T00:00:00Z" }
[accounts.subscription]
package = "Gold"
billingType = "PACKAGE"
"""


@asynccontextmanager
async def database(clock=None):
    db = await Database.open(fresh_database(), clock or ManualClock(), size=3)
    try:
        yield db
    finally:
        await db.close()


def with_database(work, clock=None):
    """Run `work(db)` on a database of its own."""

    async def run():
        async with database(clock) as db:
            return await work(db)

    return asyncio.run(run())


async def make(db, spec=ACME):
    return await db.transact(lambda tx: configure(tx, SEALER, spec))


async def apply(db, text, env=None):
    declaration = read_file(text, env or {}, allow_private=False)
    return await db.transact(lambda tx: apply_declaration(tx, SEALER, declaration))


async def refusal_of(authenticator, key):
    with pytest.raises(ApiError) as refusal:
        await authenticator.authenticate(key)
    return refusal.value.code


def test_a_new_account_gets_a_key_and_a_secret_and_an_old_one_keeps_them_unseen() -> None:
    async def work(db):
        first, again = await make(db), await make(db)
        assert first.api_key.startswith("td_sandbox_")
        assert first.signing_secret.startswith("whsec_")
        assert (again.id, again.api_key, again.signing_secret) == (first.id, None, None)

    with_database(work)


def test_applying_a_file_twice_changes_nothing() -> None:
    async def work(db):
        first = await apply(db, FILE)
        version = await db.transact(changes.version)
        again = await apply(db, FILE)
        assert [one.name for one in again] == ["child", "parent"]
        assert [one.id for one in again] == [one.id for one in first]
        assert await db.transact(changes.version) == version

    with_database(work)


def test_what_a_file_declares_is_what_is_loaded() -> None:
    async def work(db):
        child, parent = await apply(db, FILE)
        found = {account.name: account for account in await db.transact(load_all_accounts)}
        assert found["child"].belongs_to == parent.id
        assert found["child"].allowlist == frozenset({"972501234567"})
        assert found["child"].send_window.opens.hour == 21
        assert found["parent"].is_partner
        assert found["parent"].partner.expires_at.year == 2027
        templates = await db.transact(lambda tx: load_all(tx, child.id))
        assert [(one.language, one.usable, one.variables) for one in templates] == [
            ("en", True, 1),
            ("he", False, 0),
        ]
        asked = [(child.id, "invite"), (child.id, "none")]
        loaded = await db.transact(lambda tx: load(tx, asked))
        assert loaded == {asked[0]: templates, asked[1]: []}

    with_database(work)


def test_numbers_keep_the_files_order_and_the_platforms_health() -> None:
    async def work(db):
        child, parent = await apply(db, FILE)
        await db.transact(lambda tx: tx.run("UPDATE numbers SET status = 'RESTRICTED'"))
        await apply(db, FILE.replace("dailyLimit = 10", "dailyLimit = 20"))
        numbers = await db.transact(lambda tx: load_numbers(tx, [child.id, parent.id]))
        assert [one.number[-1] for one in numbers[child.id]] == ["2", "1"]
        assert [one.daily_limit for one in numbers[child.id]] == [None, 20]
        assert not any(one.ready for one in numbers[child.id])
        assert open_token(SEALER, child.id, numbers[child.id][0]).reveal() == "EAAG"
        assert numbers[parent.id] == []

    with_database(work)


def test_what_a_file_no_longer_names_is_removed_from_its_account() -> None:
    async def work(db):
        child, _ = await apply(db, FILE)
        start, end = FILE.index("[[accounts.numbers]]"), FILE.index('[[accounts]]\nname = "parent"')
        await apply(db, FILE[:start] + FILE[end:])
        assert await db.transact(lambda tx: load_numbers(tx, [child.id])) == {child.id: []}
        assert await db.transact(lambda tx: load_all(tx, child.id)) == []

    with_database(work)


def test_accounts_the_file_does_not_name_are_left_alone() -> None:
    async def work(db):
        await make(db)
        await apply(db, FILE)
        assert await db.transact(lambda tx: find_account(tx, "acme")) is not None

    with_database(work)


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        (AccountSpec(name="acme", environment="live"), "cannot become live"),
        (AccountSpec(name="b", environment="sandbox", belongs_to="acme"), '"acme" is none'),
        (AccountSpec(name="b", environment="sandbox", belongs_to="nobody"), '"nobody" is none'),
        (AccountSpec(name="b", environment="live", belongs_to="partner"), "a live partner"),
        (AccountSpec(name="b", environment="sandbox", api_key="td_sandbox_1"), "another account"),
    ],
)
def test_an_account_that_cannot_be_is_refused(spec, expected) -> None:
    async def work(db):
        await make(db, replace(ACME, api_key="td_sandbox_1"))
        await make(db, AccountSpec(name="partner", environment="sandbox", partner=TERMS))
        with pytest.raises(ApiError, match=expected):
            await make(db, spec)

    with_database(work)


def test_a_partner_with_accounts_stays_one_and_nothing_of_a_refused_file_is_kept() -> None:
    async def work(db):
        await apply(db, FILE)
        lone = '[[accounts]]\nname = "x"\nenvironment = "sandbox"\n'
        with pytest.raises(ApiError, match='"child" belongs to "parent"'):
            await apply(db, lone + lone.replace('"x"', '"parent"'))
        assert await db.transact(lambda tx: find_account(tx, "x")) is None

    with_database(work)


def test_a_phone_number_id_leads_to_one_account() -> None:
    text = '[[accounts]]\nname = "a"\nenvironment = "sandbox"\n[[accounts.numbers]]\n'
    text += 'number = "97255500001"\nphoneNumberId = "1055"\n'

    async def work(db):
        await apply(db, text)
        with pytest.raises(ApiError, match="1055 is a number of another account"):
            await apply(db, text.replace('"a"', '"b"'))

    with_database(work)


def test_two_files_at_once_make_one_account() -> None:
    async def work(db):
        made = await asyncio.gather(*(apply(db, FILE) for _ in range(3)))
        assert len({child.id for child, _ in made}) == 1
        assert sum(child.api_key is not None for child, _ in made) == 1

    with_database(work)


def test_a_changed_key_is_a_rotation_and_the_old_one_ends_after_a_day() -> None:
    clock = ManualClock()

    async def work(db):
        authenticator = Authenticator(db, clock)
        await make(db, replace(ACME, api_key="td_sandbox_old"))
        changed = await make(db, replace(ACME, api_key="td_sandbox_new"))
        assert changed.api_key == "td_sandbox_new"
        clock.advance(hours=23, minutes=59, seconds=59)
        assert (await authenticator.authenticate("td_sandbox_old")).name == "acme"
        clock.advance(seconds=1)
        assert await refusal_of(authenticator, "td_sandbox_old") is Code.INVALID_API_KEY
        assert (await authenticator.authenticate("td_sandbox_new")).name == "acme"

    with_database(work, clock)


def test_going_back_to_the_old_key_makes_it_the_current_one_again() -> None:
    clock = ManualClock()

    async def work(db):
        for key in ("td_sandbox_1", "td_sandbox_2", "td_sandbox_1"):
            await make(db, replace(ACME, api_key=key))
        clock.advance(days=2)
        authenticator = Authenticator(db, clock)
        assert (await authenticator.authenticate("td_sandbox_1")).name == "acme"
        assert await refusal_of(authenticator, "td_sandbox_2") is Code.INVALID_API_KEY

    with_database(work, clock)


@pytest.mark.parametrize("overlap", [timedelta(0), timedelta(days=7)])
def test_the_owner_chooses_how_long_a_rotated_key_works_on(overlap) -> None:
    clock = ManualClock()

    async def work(db):
        made = await make(db)
        fresh = await db.transact(lambda tx: rotate.rotate_key(tx, made.id, overlap))
        authenticator = Authenticator(db, clock)
        if overlap:
            await authenticator.authenticate(made.api_key)
            clock.advance(seconds=overlap.total_seconds())
        assert await refusal_of(authenticator, made.api_key) is Code.INVALID_API_KEY
        assert (await authenticator.authenticate(fresh)).id == made.id

    with_database(work, clock)


def test_an_overlap_of_more_than_seven_days_is_refused() -> None:
    async def work(db):
        made = await make(db)
        with pytest.raises(ApiError, match="0 to 7 days"):
            await db.transact(lambda tx: rotate.rotate_key(tx, made.id, timedelta(days=8)))

    with_database(work)


def test_a_rotated_secret_signs_beside_the_new_one_for_a_day() -> None:
    clock = ManualClock()

    async def secrets(db, account_id):
        found = await db.transact(lambda tx: rotate.signing_secrets(tx, SEALER, [account_id]))
        current, previous = found[account_id]
        return current.reveal(), previous and previous.reveal()

    async def work(db):
        made = await make(db)
        first = made.signing_secret
        assert await secrets(db, made.id) == (first, None)
        second = await db.transact(lambda tx: rotate.rotate_secret(tx, SEALER, made.id))
        assert await secrets(db, made.id) == (second, first)
        await make(db, replace(ACME, signing_secret="whsec_third"))
        assert await secrets(db, made.id) == ("whsec_third", second)
        clock.advance(hours=24)
        assert await secrets(db, made.id) == ("whsec_third", None)
        assert await db.transact(rotate.delete_expired) == 1

    with_database(work, clock)


def test_another_master_key_is_told_before_it_does_harm() -> None:
    async def work(db):
        await db.transact(lambda tx: require_same_master_key(tx, SEALER))
        await db.transact(lambda tx: require_same_master_key(tx, SEALER))
        with pytest.raises(BadSetting, match="sealed with another master key"):
            other = Sealer(b"x" * 32)
            await db.transact(lambda tx: require_same_master_key(tx, other))

    with_database(work)


def test_a_missing_key_and_a_wrong_key_are_told_apart() -> None:
    async def work(db):
        authenticator = Authenticator(db, ManualClock())
        assert await refusal_of(authenticator, None) is Code.UNAUTHORIZED
        assert await refusal_of(authenticator, "") is Code.UNAUTHORIZED
        for key in ("td_sandbox_no", "x" * 257, "clé"):
            assert await refusal_of(authenticator, key) is Code.INVALID_API_KEY

    with_database(work)


def test_a_known_key_is_answered_from_memory_until_told_to_forget() -> None:
    async def work(db):
        made = await make(db)
        authenticator = Authenticator(db, ManualClock())
        await authenticator.authenticate(made.api_key)
        await make(db, replace(ACME, active=False))
        assert (await authenticator.authenticate(made.api_key)).active
        authenticator.forget(made.id)
        assert not (await authenticator.authenticate(made.api_key)).active

    with_database(work)


def test_a_refresh_notices_a_change_whose_notice_was_lost() -> None:
    async def work(db):
        made = await make(db)
        authenticator = Authenticator(db, ManualClock())
        assert await authenticator.refresh()
        await authenticator.authenticate(made.api_key)
        assert not await authenticator.refresh()
        await make(db, replace(ACME, paused=True))
        assert await authenticator.refresh()
        assert (await authenticator.authenticate(made.api_key)).paused

    with_database(work)


def test_a_key_made_a_moment_ago_works_within_a_second_or_at_once_when_told() -> None:
    clock = ManualClock()
    spec = replace(ACME, api_key="td_sandbox_soon")

    async def work(db):
        asked, told = Authenticator(db, clock), Authenticator(db, clock)
        for authenticator in (asked, told):
            assert await refusal_of(authenticator, spec.api_key) is Code.INVALID_API_KEY
        await make(db, spec)
        told.forget()
        assert (await told.authenticate(spec.api_key)).name == "acme"
        clock.advance(seconds=1)
        assert (await asked.authenticate(spec.api_key)).name == "acme"

    with_database(work, clock)


def test_a_flood_of_bad_keys_shares_its_queries() -> None:
    async def work(db):
        made = await make(db)
        authenticator = Authenticator(db, ManualClock())
        bad = (refusal_of(authenticator, f"td_sandbox_{n}") for n in range(500))
        good = authenticator.authenticate(made.api_key)
        *codes, account = await asyncio.gather(*bad, good)
        assert set(codes) == {Code.INVALID_API_KEY}
        assert account.id == made.id

    with_database(work)


def test_every_change_is_told_at_commit_on_the_channel() -> None:
    async def work(db):
        heard: list[str] = []
        listener = await db.dedicated()
        await listener.add_listener(changes.CHANNEL, lambda *args: heard.append(args[3]))
        made = await make(db)
        await make(db)
        await listener.fetchval("SELECT 1")
        await listener.close()
        assert heard == [str(made.id)]

    with_database(work)


def test_an_account_of_a_partner_begins_in_the_partners_time() -> None:
    async def work(db):
        await make(db, AccountSpec(name="partner", environment="sandbox", partner=TERMS))
        await db.transact(lambda tx: tx.run("UPDATE accounts SET clock_ms = 60000"))
        await make(db, replace(ACME, belongs_to="partner"))
        account = await db.transact(lambda tx: find_account(tx, "acme"))
        noon = ManualClock().now()
        assert account.now(noon) - noon == timedelta(minutes=1)

    with_database(work)
