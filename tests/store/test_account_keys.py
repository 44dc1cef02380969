"""Keys and secrets of accounts: rotated, found, forgotten in time (section 5)."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest

from tests.support.accounts import ACME, SEALER, make
from tests.support.clock import ManualClock
from tidings.engine.db.pool import Database
from tidings.errors import ApiError, Code
from tidings.features.accounts import credentials, keys
from tidings.features.accounts.authenticate import Authenticator
from tidings.features.accounts.lookup import find_account
from tidings.features.accounts.master_key import require_same_master_key
from tidings.ids import new_id
from tidings.secrets import Sealer
from tidings.settings import BadSetting


async def refusal_of(authenticator, key):
    with pytest.raises(ApiError) as refusal:
        await authenticator.authenticate(key)
    return refusal.value.code


async def test_a_changed_key_is_a_rotation_and_the_old_one_ends_after_a_day(
    db: Database, clock: ManualClock
) -> None:
    authenticator = Authenticator(db, clock)
    await make(db, replace(ACME, api_key="td_sandbox_old"))
    changed = await make(db, replace(ACME, api_key="td_sandbox_new"))
    assert changed.api_key == "td_sandbox_new"
    clock.advance(hours=23, minutes=59, seconds=59)
    assert (await authenticator.authenticate("td_sandbox_old")).name == "acme"
    clock.advance(seconds=1)
    assert await refusal_of(authenticator, "td_sandbox_old") is Code.INVALID_API_KEY
    assert (await authenticator.authenticate("td_sandbox_new")).name == "acme"


async def test_going_back_to_the_old_key_makes_it_the_current_one_again(
    db: Database, clock: ManualClock
) -> None:
    for key in ("td_sandbox_1", "td_sandbox_2", "td_sandbox_1"):
        await make(db, replace(ACME, api_key=key))
    clock.advance(days=2)
    authenticator = Authenticator(db, clock)
    assert (await authenticator.authenticate("td_sandbox_1")).name == "acme"
    assert await refusal_of(authenticator, "td_sandbox_2") is Code.INVALID_API_KEY


@pytest.mark.parametrize("overlap", [timedelta(0), timedelta(days=7)])
async def test_the_owner_chooses_how_long_a_rotated_key_works_on(
    db: Database, clock: ManualClock, overlap
) -> None:
    made = await make(db)
    fresh = await db.transact(lambda tx: keys.rotate_keys(tx, SEALER, made.id, overlap))
    authenticator = Authenticator(db, clock)
    if overlap:
        await authenticator.authenticate(made.api_key)
        clock.advance(seconds=overlap.total_seconds())
    assert await refusal_of(authenticator, made.api_key) is Code.INVALID_API_KEY
    assert (await authenticator.authenticate(fresh)).id == made.id


async def test_an_overlap_of_more_than_seven_days_is_refused(db: Database) -> None:
    made = await make(db)
    with pytest.raises(ApiError, match="0 to 7 days"):
        await db.transact(lambda tx: keys.rotate_keys(tx, SEALER, made.id, timedelta(days=8)))


async def test_a_rotated_secret_signs_beside_the_new_one_for_a_day(
    db: Database, clock: ManualClock
) -> None:
    async def secrets(db, account_id):
        found = await db.transact(lambda tx: credentials.signing_secrets(tx, SEALER, [account_id]))
        current, previous = found[account_id]
        return current.reveal(), previous and previous.reveal()

    made = await make(db)
    first = made.signing_secret
    assert await secrets(db, made.id) == (first, None)
    second = await db.transact(lambda tx: credentials.rotate_secret(tx, SEALER, made.id))
    assert await secrets(db, made.id) == (second, first)
    await make(db, replace(ACME, signing_secret="whsec_third"))
    assert await secrets(db, made.id) == ("whsec_third", second)
    clock.advance(hours=24)
    assert await secrets(db, made.id) == ("whsec_third", None)
    assert await db.transact(credentials.delete_expired) == 1


async def test_another_master_key_is_reported_before_it_does_harm(db: Database) -> None:
    await db.transact(lambda tx: require_same_master_key(tx, SEALER))
    await db.transact(lambda tx: require_same_master_key(tx, SEALER))
    with pytest.raises(BadSetting, match="sealed with another master key"):
        other = Sealer(b"x" * 32)
        await db.transact(lambda tx: require_same_master_key(tx, other))


async def test_a_missing_key_and_a_wrong_key_are_distinguished(db: Database) -> None:
    authenticator = Authenticator(db, ManualClock())
    assert await refusal_of(authenticator, None) is Code.UNAUTHORIZED
    assert await refusal_of(authenticator, "") is Code.UNAUTHORIZED
    for key in ("td_sandbox_no", "x" * 257, "clé"):
        assert await refusal_of(authenticator, key) is Code.INVALID_API_KEY


async def test_a_known_key_is_answered_from_memory_until_invalidated(db: Database) -> None:
    made = await make(db)
    authenticator = Authenticator(db, ManualClock())
    await authenticator.authenticate(made.api_key)
    await make(db, replace(ACME, active=False))
    assert (await authenticator.authenticate(made.api_key)).active
    authenticator.forget([made.id])
    assert not (await authenticator.authenticate(made.api_key)).active


async def test_a_refresh_notices_a_change_whose_notice_was_lost(db: Database) -> None:
    made = await make(db)
    authenticator = Authenticator(db, ManualClock())
    assert await authenticator.refresh()
    await authenticator.authenticate(made.api_key)
    assert not await authenticator.refresh()
    await make(db, replace(ACME, paused=True))
    assert await authenticator.refresh()
    assert (await authenticator.authenticate(made.api_key)).paused


async def test_a_new_key_works_within_a_second_or_at_once_after_invalidation(
    db: Database, clock: ManualClock
) -> None:
    spec = replace(ACME, api_key="td_sandbox_soon")

    asked, invalidated = Authenticator(db, clock), Authenticator(db, clock)
    for authenticator in (asked, invalidated):
        assert await refusal_of(authenticator, spec.api_key) is Code.INVALID_API_KEY
    await make(db, spec)
    invalidated.forget()
    assert (await invalidated.authenticate(spec.api_key)).name == "acme"
    clock.advance(seconds=1)
    assert (await asked.authenticate(spec.api_key)).name == "acme"


async def test_a_flood_of_bad_keys_shares_its_queries(db: Database) -> None:
    made = await make(db)
    authenticator = Authenticator(db, ManualClock())
    bad = (refusal_of(authenticator, f"td_sandbox_{n}") for n in range(500))
    good = authenticator.authenticate(made.api_key)
    *codes, account = await asyncio.gather(*bad, good)
    assert set(codes) == {Code.INVALID_API_KEY}
    assert account.id == made.id


async def test_a_key_is_rotated_alone_and_its_name_stays(db: Database, clock: ManualClock) -> None:
    made = await make(db)
    account = await named(db)
    second = await db.transact(lambda tx: keys.issue_key(tx, SEALER, account, " Web  shop "))
    [_, listed] = await db.transact(lambda tx: keys.load_keys(tx, account))
    assert listed.name == "Web shop"
    third = await db.transact(
        lambda tx: keys.rotate_key(tx, SEALER, account, listed.id, timedelta(days=2))
    )
    found = await db.transact(lambda tx: keys.load_keys(tx, account))
    assert [(one.name, one.expires_at) for one in found] == [
        ("", None), ("Web shop", clock.now() + timedelta(days=2)), ("Web shop", None),
    ]  # fmt: skip
    clock.advance(days=2)
    authenticator = Authenticator(db, clock)
    assert await refusal_of(authenticator, second) is Code.INVALID_API_KEY
    for key in (made.api_key, third):
        assert (await authenticator.authenticate(key)).id == made.id
    with pytest.raises(ApiError, match="revoked, or has expired"):
        await db.transact(lambda tx: keys.revoke_key(tx, account, listed.id))


async def test_a_key_is_issued_once_for_an_id_and_replaced_once(db: Database) -> None:
    await make(db)
    account, key_id = await named(db), new_id()
    await db.transact(lambda tx: keys.issue_key(tx, SEALER, account, "Shop", key_id))
    with pytest.raises(ApiError, match="created already"):
        await db.transact(lambda tx: keys.issue_key(tx, SEALER, account, "Shop", key_id))

    async def rotate(tx):
        return await keys.rotate_key(tx, SEALER, account, key_id, timedelta(days=1))

    await db.transact(rotate)
    with pytest.raises(ApiError, match="rotated already"):
        await db.transact(rotate)


async def test_a_key_of_another_account_is_as_unknown_as_none(db: Database) -> None:
    await make(db)
    await make(db, replace(ACME, name="other"))
    [theirs] = await db.transact(keys_of("other"))
    account = await named(db)
    for verb in (keys.revoke_key, keys.load_key):
        with pytest.raises(ApiError, match="revoked, or has expired"):
            await db.transact(lambda tx, verb=verb: verb(tx, account, theirs.id))
    assert await db.transact(keys_of("other")) == [theirs]


async def test_the_newest_key_of_a_sandbox_account_is_shown_in_samples_and_no_live_one(
    db: Database,
) -> None:
    made = await make(db)
    account = await named(db)

    async def sample(account):
        return await db.transact(lambda tx: keys.find_sample_key(tx, SEALER, account))

    assert (await sample(account)).reveal() == made.api_key
    fresh = await db.transact(lambda tx: keys.rotate_keys(tx, SEALER, made.id, timedelta(days=1)))
    assert (await sample(account)).reveal() == fresh
    await db.transact(lambda tx: keys.revoke_keys(tx, account))
    assert await sample(account) is None
    await make(db, replace(ACME, name="live", environment="live"))
    assert await sample(await named(db, "live")) is None
    rows = await db.transact(lambda tx: tx.rows("SELECT sealed FROM api_keys"))
    assert [row["sealed"] for row in rows] == [None], "a live key is not kept"


async def test_use_is_noted_once_a_minute_a_key(db: Database, clock: ManualClock) -> None:
    made = await make(db)
    account = await named(db)
    one, other = Authenticator(db, clock), Authenticator(db, clock)

    async def used():
        return [key.last_used_at for key in await db.transact(keys_of(account.name))]

    assert await one.note_use() == 0 and await used() == [None]
    first = clock.now()
    for authenticator in (one, other):
        await authenticator.authenticate(made.api_key)
    assert (await one.note_use(), await other.note_use()) == (1, 0), "once for all processes"
    clock.advance(seconds=59)
    await one.authenticate(made.api_key)
    assert await one.note_use() == 0 and await used() == [first]
    clock.advance(seconds=2)
    assert await one.note_use() == 1, "what was used meanwhile is noted, with no request since"
    assert await used() == [clock.now()]


async def test_a_name_that_is_too_long_or_not_printable_is_refused(db: Database) -> None:
    await make(db)
    account = await named(db)
    for name in ("x" * 101, "\x1b[2J"):
        with pytest.raises(ApiError, match="printable"):
            await db.transact(lambda tx, name=name: keys.issue_key(tx, SEALER, account, name))


async def named(db, name="acme"):
    return await db.transact(lambda tx: find_account(tx, name))


def keys_of(name):
    async def load(tx):
        return await keys.load_keys(tx, await find_account(tx, name))

    return load
