"""Accounts in the database: what is configured is what is kept."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest

from tests.support.accounts import ACME, SEALER, apply, make, versions
from tests.support.clock import ManualClock
from tests.support.rows_read import rows_read
from tidings.engine.db.pool import Database
from tidings.errors import ApiError
from tidings.features.accounts import changes, store
from tidings.features.accounts.lookup import find_account, load_all_accounts
from tidings.features.accounts.model import AccountSpec, PartnerTerms
from tidings.features.senders.lookup import open_token
from tidings.features.senders.store import load_numbers
from tidings.features.templates.lookup import load_templates
from tidings.features.templates.store import load_all

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


async def test_a_new_account_gets_a_key_and_a_secret_and_an_old_one_keeps_them_unseen(
    db: Database,
) -> None:
    first, again = await make(db), await make(db)
    assert first.api_key.startswith("td_sandbox_")
    assert first.signing_secret.startswith("whsec_")
    assert (again.id, again.api_key, again.signing_secret) == (first.id, None, None)


async def test_applying_a_file_twice_changes_nothing(db: Database) -> None:
    first = await apply(db, FILE)
    version = await versions(db)
    again = await apply(db, FILE)
    assert [one.name for one in again] == ["child", "parent"]
    assert [one.id for one in again] == [one.id for one in first]
    assert await versions(db) == version


async def test_what_a_file_declares_is_what_is_loaded(db: Database) -> None:
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
    loaded = await db.transact(lambda tx: load_templates(tx, [child.id]))
    assert loaded == {child.id: {"invite": templates}}


async def test_numbers_keep_the_files_order_and_the_platforms_health(db: Database) -> None:
    child, parent = await apply(db, FILE)
    await db.transact(lambda tx: tx.run("UPDATE numbers SET status = 'RESTRICTED'"))
    await apply(db, FILE.replace("dailyLimit = 10", "dailyLimit = 20"))
    numbers = await db.transact(lambda tx: load_numbers(tx, [child.id, parent.id]))
    assert [one.number[-1] for one in numbers[child.id]] == ["2", "1"]
    assert [one.daily_limit for one in numbers[child.id]] == [None, 20]
    assert not any(one.ready for one in numbers[child.id])
    assert open_token(SEALER, child.id, numbers[child.id][0]).reveal() == "EAAG"
    assert numbers[parent.id] == []


async def test_an_empty_table_removes_what_an_account_has_of_it(db: Database) -> None:
    child, _ = await apply(db, FILE)
    start, end = FILE.index("[[accounts.numbers]]"), FILE.index('[[accounts]]\nname = "parent"')
    await apply(db, FILE[:start] + "numbers = []\ntemplates = []\n" + FILE[end:])
    assert await db.transact(lambda tx: load_numbers(tx, [child.id])) == {child.id: []}
    assert await db.transact(lambda tx: load_all(tx, child.id)) == []


async def test_accounts_the_file_does_not_name_are_left_alone(db: Database) -> None:
    await make(db)
    await apply(db, FILE)
    assert await db.transact(lambda tx: find_account(tx, "acme")) is not None


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
async def test_an_account_that_cannot_be_is_refused(db: Database, spec, expected) -> None:
    await make(db, replace(ACME, api_key="td_sandbox_1"))
    await make(db, AccountSpec(name="partner", environment="sandbox", partner=TERMS))
    with pytest.raises(ApiError, match=expected):
        await make(db, spec)


async def test_a_partner_with_accounts_stays_one_and_nothing_of_a_refused_file_is_kept(
    db: Database,
) -> None:
    await apply(db, FILE)
    lone = '[[accounts]]\nname = "x"\nenvironment = "sandbox"\n'
    with pytest.raises(ApiError, match='"child" belongs to "parent"'):
        await apply(db, lone + lone.replace('"x"', '"parent"'))
    assert await db.transact(lambda tx: find_account(tx, "x")) is None


async def test_a_phone_number_id_leads_to_one_account(db: Database) -> None:
    text = '[[accounts]]\nname = "a"\nenvironment = "sandbox"\n[[accounts.numbers]]\n'
    text += 'number = "97255500001"\nphoneNumberId = "1055"\n'

    await apply(db, text)
    with pytest.raises(ApiError, match="1055 is a number of another account"):
        await apply(db, text.replace('"a"', '"b"'))


async def test_two_files_at_once_make_one_account(db: Database) -> None:
    made = await asyncio.gather(*(apply(db, FILE) for _ in range(3)))
    assert len({child.id for child, _ in made}) == 1
    assert sum(child.api_key is not None for child, _ in made) == 1


async def test_each_account_is_read_once_to_find_those_without_their_partner(db: Database) -> None:
    """Also before the table has statistics."""
    await apply(
        db, "".join(f'[[accounts]]\nname = "a{n}"\nenvironment = "sandbox"\n' for n in range(30))
    )
    async with db.transaction() as tx:
        before = await rows_read(tx, "accounts")
        assert await store.find_orphans(tx) == []
        assert await rows_read(tx, "accounts") - before == 30


async def test_every_change_is_announced_at_commit_on_the_channel(db: Database) -> None:
    heard: list[str] = []
    listener = await db.dedicated()
    await listener.add_listener(changes.CHANNEL, lambda *args: heard.append(args[3]))
    made = await make(db)
    await make(db)
    await listener.fetchval("SELECT 1")
    await listener.close()
    assert heard == [str(made.id)]


async def test_an_account_of_a_partner_begins_in_the_partners_time(db: Database) -> None:
    await make(db, AccountSpec(name="partner", environment="sandbox", partner=TERMS))
    await db.transact(lambda tx: tx.run("UPDATE accounts SET clock_ms = 60000"))
    await make(db, replace(ACME, belongs_to="partner"))
    account = await db.transact(lambda tx: find_account(tx, "acme"))
    noon = ManualClock().now()
    assert account.now(noon) - noon == timedelta(minutes=1)
