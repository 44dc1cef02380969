"""What was changed by hand is not undone by the next `apply` unnoticed (contract2.md, C)."""

from datetime import timedelta

import pytest

from tests.support.accounts import COMMAND, SEALER, apply_whole
from tidings.account_file.apply import EditsRefused, RemovalRefused
from tidings.account_file.edit import Edit, create_account, edit_account
from tidings.account_file.hand_edits import EditPolicy
from tidings.account_file.plan import Removal
from tidings.account_file.read import ValuesRefused
from tidings.engine.db.pool import Database
from tidings.errors import ApiError
from tidings.features.accounts.lookup import find_account
from tidings.features.audit.lookup import Filter, load_page
from tidings.features.audit.record import Actor
from tidings.features.operation.credentials import rotate_keys

DANA = Actor("person", "dana@example.com", "192.0.2.1")
HEAD = '[[accounts]]\nname = "acme"\nenvironment = "sandbox"\n'
FILE = HEAD + "dailyLimit = 50\nrequestsPerMinute = 100\n"
NUMBERS = """[[accounts.numbers]]
number = "972555000001"
perSecond = 10
[[accounts.numbers]]
number = "972555000002"
"""


async def edit(db: Database, actor: Actor = DANA, cleared=(), **values):
    change = Edit(values, frozenset(cleared))
    return await db.transact(
        lambda tx: edit_account(tx, SEALER, actor, "acme", change, allow_private=False)
    )


async def lines(db: Database, text: str, **kwargs):
    return [str(one) for one in (await apply_whole(db, text, **kwargs)).changes]


async def load(db: Database):
    return await db.transact(lambda tx: find_account(tx, "acme"))


async def log(db: Database):
    """The newest entry's actor, action and details."""
    [newest, *_] = (await db.transact(lambda tx: load_page(tx, Filter()))).entries
    return newest.actor.name, newest.action, newest.details


async def test_a_setting_changed_by_hand_is_named_with_who_and_when(db: Database) -> None:
    await apply_whole(db, FILE)
    await edit(db, dailyLimit=70)
    with pytest.raises(EditsRefused) as refusal:
        await apply_whole(db, FILE)
    [conflict] = refusal.value.conflicts
    assert str(conflict).startswith("acme: dailyLimit 70 -> 50 (changed by dana@example.com at 20")
    assert (await load(db)).daily_limit == 70


async def test_overwriting_undoes_it_and_the_next_apply_is_clean(db: Database) -> None:
    await apply_whole(db, FILE)
    await edit(db, dailyLimit=70)
    overwritten = await lines(db, FILE, edited=EditPolicy.OVERWRITE)
    assert overwritten == ["acme: dailyLimit 70 -> 50"]
    assert await lines(db, FILE) == []
    assert await lines(db, FILE.replace("50", "60")) == ["acme: dailyLimit 50 -> 60"]


async def test_a_file_that_agrees_takes_the_setting_over(db: Database) -> None:
    await apply_whole(db, FILE)
    await edit(db, dailyLimit=70)
    agreeing = FILE.replace("dailyLimit = 50", "dailyLimit = 70")
    assert await lines(db, agreeing) == []
    assert await lines(db, FILE) == ["acme: dailyLimit 70 -> 50"]


async def test_a_setting_that_the_file_leaves_out_stays_until_it_is_pruned(db: Database) -> None:
    await apply_whole(db, HEAD)
    await edit(db, dailyLimit=70)
    assert await lines(db, HEAD) == []
    with pytest.raises(EditsRefused):
        await apply_whole(db, HEAD, removal=Removal.PRUNE)
    pruned = await lines(db, HEAD, removal=Removal.PRUNE, edited=EditPolicy.OVERWRITE)
    assert pruned == ["acme: dailyLimit (was 70)"]
    assert await lines(db, HEAD, removal=Removal.PRUNE) == []


async def test_a_key_rotated_by_hand_is_not_replaced_unnoticed(db: Database) -> None:
    given = HEAD + 'apiKey = "td_sandbox_abcdefgh12345678"\n'
    await apply_whole(db, given)
    account = await load(db)
    key = await db.transact(lambda tx: rotate_keys(tx, SEALER, DANA, account, timedelta(0)))
    assert key.startswith("td_sandbox_")
    with pytest.raises(EditsRefused) as refusal:
        await apply_whole(db, given)
    assert str(refusal.value.conflicts[0]).startswith("acme: apiKey changed;")
    assert await lines(db, HEAD) == []
    assert await lines(db, given, edited=EditPolicy.KEEP) == []
    [line] = await lines(db, given, edited=EditPolicy.OVERWRITE)
    assert line.startswith("acme: apiKey")
    assert await lines(db, given) == []


async def test_other_settings_of_the_file_are_still_its_own(db: Database) -> None:
    await apply_whole(db, FILE)
    await edit(db, paused=True)
    changed = FILE.replace("100", "200")
    assert await lines(db, changed) == ["acme: requestsPerMinute 100 -> 200"]
    assert (await load(db)).paused


async def test_numbers_added_changed_and_removed_by_hand_are_kept_too(db: Database) -> None:
    first = {"number": "972555000001", "perSecond": 10}
    await apply_whole(db, HEAD + NUMBERS)
    await edit(db, numbers=[first | {"perSecond": 20}, {"number": "972555000002"}])
    with pytest.raises(EditsRefused) as refusal:
        await apply_whole(db, HEAD + NUMBERS)
    assert [one.change.what for one in refusal.value.conflicts] == ["number 972555000001 perSecond"]
    await edit(db, numbers=[first])
    with pytest.raises(EditsRefused) as refusal:
        await apply_whole(db, HEAD + NUMBERS)
    assert [one.change.what for one in refusal.value.conflicts] == ["number 972555000002"]
    await edit(db, numbers=[first, {"number": "972555000002"}, {"number": "972555000003"}])
    with pytest.raises(RemovalRefused):
        await apply_whole(db, HEAD + NUMBERS)
    with pytest.raises(EditsRefused):
        await apply_whole(db, HEAD + NUMBERS, removal=Removal.PRUNE)
    await lines(db, HEAD + NUMBERS, removal=Removal.PRUNE, edited=EditPolicy.OVERWRITE)
    assert await lines(db, HEAD + NUMBERS) == []


async def test_the_demo_keeps_what_was_changed_by_hand(db: Database) -> None:
    await apply_whole(db, FILE)
    await edit(db, dailyLimit=70)
    assert await lines(db, FILE, removal=Removal.KEEP, edited=EditPolicy.KEEP) == []
    assert (await load(db)).daily_limit == 70


async def test_an_edit_is_refused_with_the_words_of_the_file(db: Database) -> None:
    await apply_whole(db, FILE)
    with pytest.raises(ValuesRefused) as refusal:
        await edit(db, dailyLimit=-1)
    [limit] = refusal.value.problems
    assert (limit.path, limit.text) == ("dailyLimit", "must be a whole number, 0 or more, not -1")
    with pytest.raises(ValuesRefused) as refusal:
        await edit(db, webhookUrl="http://10.0.0.1/")
    [url] = refusal.value.problems
    assert url.path == "webhookUrl" and url.text.startswith("must be")
    with pytest.raises(ApiError):
        await edit(db, belongsTo="nobody")
    assert (await load(db)).daily_limit == 50


async def test_a_setting_can_be_cleared(db: Database) -> None:
    await apply_whole(db, FILE)
    edited = await edit(db, cleared=["dailyLimit"])
    assert [str(one) for one in edited.changes] == ["acme: dailyLimit (was 50)"]
    assert (await load(db)).daily_limit is None


async def test_file_and_hand_write_the_same_audit_entry(db: Database) -> None:
    await apply_whole(db, FILE)
    assert (await log(db))[:2] == ("tests", "account.created")
    await apply_whole(db, FILE.replace("50", "60"))
    assert await log(db) == ("tests", "account.changed", {"dailyLimit": "50 -> 60"})
    await edit(db, dailyLimit=50)
    assert await log(db) == (DANA.name, "account.changed", {"dailyLimit": "60 -> 50"})
    await edit(db, active=False)
    assert await log(db) == (DANA.name, "account.disabled", {"active": "true -> false"})
    await edit(db, active=False)  # changes nothing, and says nothing
    await edit(db, COMMAND, numbers=[{"number": "972555000001", "accessToken": "EAAG-SECRET"}])
    assert await log(db) == ("tests", "account.changed", {"number 972555000001": "added"})


async def test_a_name_is_created_once(db: Database) -> None:
    async def create():
        values = {"name": "acme", "environment": "sandbox"}
        return await db.transact(
            lambda tx: create_account(tx, SEALER, DANA, values, allow_private=False)
        )

    made = await create()
    assert made.account.api_key.startswith("td_sandbox_")
    with pytest.raises(ApiError, match="already"):
        await create()
