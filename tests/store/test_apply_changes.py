"""`tidings apply`: what a file leaves out is left alone, and removed only with --prune."""

import asyncio

import pytest

from tests.support.accounts import SEALER, apply_whole, versions
from tidings.account_file.apply import RemovalRefused
from tidings.account_file.plan import Removal
from tidings.engine.db.pool import Database
from tidings.errors import ApiError
from tidings.features.accounts.lookup import find_account
from tidings.features.billing.subscriptions.store import load_subscriptions
from tidings.features.feedback.forms.store import find_declared
from tidings.features.senders.lookup import open_token
from tidings.features.senders.store import load_numbers
from tidings.features.templates.lookup import configure as store_templates
from tidings.features.templates.model import Template
from tidings.features.templates.store import load_all

HEAD = '[[accounts]]\nname = "acme"\nenvironment = "sandbox"\n'
SETTINGS = """replies = "raw"
webhookUrl = "https://hooks.example.com/in?token=SECRET-QUERY"
requestsPerMinute = 1000
dailyLimit = 50
paused = true
allowlist = ["972501234567", "972501234568"]
sendWindow = { from = "08:00", to = "21:00", timezone = "UTC" }
"""
SUBSCRIPTION = '[accounts.subscription]\npackage = "Gold"\nbillingType = "PACKAGE"\nunique = 10\n'
NUMBERS = """[[accounts.numbers]]
number = "972555000001"
displayName = "Acme"
dailyLimit = 10
accessToken = "EAAG-SECRET"
[[accounts.numbers]]
number = "972555000002"
"""
TEMPLATES = """[[accounts.templates]]
name = "hello"
body = "Hello {{1}}"
[[accounts.templates]]
name = "bye"
body = "Bye"
"""
FORMS = """[[accounts.forms]]
id = "visit"
title = "Your visit"
published = true
approved = true
questions = [ { id = "q1", type = "rating", text = "How was it?" } ]
"""
FULL = HEAD + SETTINGS + SUBSCRIPTION + NUMBERS + TEMPLATES + FORMS


async def lines(db, text, removal=Removal.REFUSE):
    applied = await apply_whole(db, text, removal=removal)
    return [f"{change.op.value} {change}" for change in applied.changes]


async def load(db, work):
    account = await db.transact(lambda tx: find_account(tx, "acme"))
    return account, await db.transact(lambda tx: work(tx, account.id))


async def state(db):
    """Everything that a file says of the account."""
    account, numbers = await load(db, lambda tx, key: load_numbers(tx, [key]))
    _, templates = await load(db, load_all)
    _, forms = await load(db, find_declared)
    _, subscriptions = await load(db, lambda tx, key: load_subscriptions(tx, [key]))
    ended = [one.ended_at for one in subscriptions[account.id]]
    return account, numbers[account.id], templates, forms, ended


async def test_a_new_account_is_listed_with_all_it_gets_and_the_same_file_changes_nothing(
    db: Database,
) -> None:
    printed = await lines(db, FULL)
    assert printed[0] == "+ acme: account (sandbox)"
    assert "+ acme: dailyLimit 50" in printed
    assert "+ acme: webhookUrl https://hooks.example.com/in?…" in printed
    assert "+ acme: allowlist 2 entries" in printed
    assert "+ acme: sendWindow.from 08:00" in printed
    assert printed[-6:] == [
        "+ acme: number 972555000001",
        "+ acme: number 972555000002",
        "+ acme: template hello (en)",
        "+ acme: template bye (en)",
        "+ acme: form visit",
        "+ acme: subscription",
    ]
    assert all(line.startswith("+ ") for line in printed)
    assert "SECRET" not in "".join(printed)
    version = await versions(db)
    for removal in Removal:
        assert await lines(db, FULL, removal) == []
    assert await versions(db) == version


async def test_what_a_file_leaves_out_is_left_alone(db: Database) -> None:
    await lines(db, FULL)
    before = await state(db)
    assert await lines(db, HEAD) == []
    assert await state(db) == before
    assert await lines(db, HEAD + "dailyLimit = 60\n") == ["~ acme: dailyLimit 50 -> 60"]
    account, *others = await state(db)
    assert (account.daily_limit, account.requests_per_minute, account.paused) == (
        60,
        1000,
        True,
    )
    assert tuple(others) == before[1:]


async def test_a_field_that_a_number_leaves_out_is_left_alone_too(db: Database) -> None:
    fewer = NUMBERS.replace("dailyLimit = 10\n", "").replace('accessToken = "EAAG-SECRET"\n', "")

    await lines(db, FULL)
    assert await lines(db, HEAD + fewer) == []
    _, [first, _], *_ = await state(db)
    assert first.daily_limit == 10
    account = await db.transact(lambda tx: find_account(tx, "acme"))
    assert open_token(SEALER, account.id, first).reveal() == "EAAG-SECRET"
    assert await lines(db, HEAD + fewer, Removal.PRUNE) == [
        "- acme: allowlist (was 2 entries)",
        "- acme: dailyLimit (was 50)",
        "~ acme: paused true -> false",
        "~ acme: replies raw -> guest",
        "~ acme: requestsPerMinute 1000 -> 600",
        "- acme: sendWindow.from (was 08:00)",
        "- acme: sendWindow.timezone (was UTC)",
        "- acme: sendWindow.to (was 21:00)",
        "- acme: webhookUrl (was https://hooks.example.com/in?…)",
        "- acme: number 972555000001 accessToken removed",
        "- acme: number 972555000001 dailyLimit (was 10)",
    ]
    _, [first, _], *_ = await state(db)
    assert (first.daily_limit, first.access_token) == (None, None)


@pytest.mark.parametrize(
    ("table", "removed"),
    [
        (NUMBERS[: NUMBERS.rindex("[[accounts.numbers]]")], ["number 972555000002"]),
        ("numbers = []\n", ["number 972555000001", "number 972555000002"]),
        ("[[accounts.templates]]\nname = 'hello'\nbody = 'Hello {{1}}'\n", ["template bye (en)"]),
        ("templates = []\n", ["template bye (en)", "template hello (en)"]),
        ("forms = []\n", ["form visit"]),
        ("[accounts.subscription]\n", ["subscription"]),
    ],
)
async def test_entries_are_removed_only_with_prune_and_a_refusal_changes_nothing(
    db: Database, table, removed
) -> None:
    more = "dailyLimit = 70\n"

    await lines(db, FULL)
    before = await state(db)
    with pytest.raises(RemovalRefused) as refusal:
        await lines(db, HEAD + more + table)
    printed = [f"{one.op.value} {one}" for one in refusal.value.changes]
    gone = [f"- acme: {one}" for one in removed]
    assert printed == ["~ acme: dailyLimit 50 -> 70", *gone]
    assert await state(db) == before
    text = HEAD + SETTINGS.replace("dailyLimit = 50\n", more) + table
    assert await lines(db, text, Removal.PRUNE) == printed
    assert await lines(db, text, Removal.PRUNE) == []
    account, numbers, templates, forms, ended = await state(db)
    kept = [f"number {one.number}" for one in numbers]
    kept += [f"template {one.name} (en)" for one in templates]
    kept += [f"form {one}" for one in forms]
    kept += ["subscription"] if ended == [None] else []
    assert (account.daily_limit, set(kept) & set(removed)) == (70, set())
    assert len(kept) + len(removed) == 6, "and the tables the file does not have are left alone"


async def test_entries_that_a_file_does_not_name_may_also_be_kept(db: Database) -> None:
    await lines(db, FULL)
    table = '[[accounts.templates]]\nname = "new"\nbody = "New"\n'
    printed = await lines(db, HEAD + "numbers = []\nforms = []\n" + table, Removal.KEEP)
    assert printed == ["+ acme: template new (en)"]


async def test_secrets_are_only_said_to_be_changed(db: Database) -> None:
    other = NUMBERS.replace("EAAG-SECRET", "EAAG-NEW")
    keys = 'apiKey = "td_sandbox_SECRET"\nsigningSecret = "whsec_SECRET"\n'

    await lines(db, FULL)
    printed = await lines(db, HEAD + keys + other)
    assert printed == [
        "~ acme: number 972555000001 accessToken changed",
        "~ acme: apiKey changed; the previous one stays valid for 24 hours",
        "~ acme: signingSecret changed; the previous one stays valid for 24 hours",
    ]
    assert await lines(db, HEAD + keys + other) == []


async def test_changes_of_a_template_a_form_and_the_order_of_numbers_are_listed(
    db: Database,
) -> None:
    first, second = NUMBERS.split("[[accounts.numbers]]\n")[1:]
    turned = f"[[accounts.numbers]]\n{second}[[accounts.numbers]]\n{first}"
    templates = TEMPLATES.replace('body = "Bye"', 'body = "Good bye"\nfooter = "x"')
    text = HEAD + SUBSCRIPTION.replace("10", "20") + turned + templates
    text += FORMS.replace("Your visit", "Our visit")

    await lines(db, FULL)
    assert await lines(db, text) == [
        "~ acme: order of numbers 972555000001, 972555000002 -> 972555000002, 972555000001",
        "~ acme: template bye (en) (body, footer)",
        "~ acme: form visit (title)",
        "~ acme: subscription unique 10 -> 20",
    ]


async def test_two_files_at_once_end_as_if_one_had_followed_the_other(db: Database) -> None:
    def template(name):
        return f'{HEAD}[[accounts.templates]]\nname = "{name}"\nbody = "x"\n'

    await lines(db, HEAD)
    texts = [template("a"), template("b")]
    done = await asyncio.gather(*(lines(db, text) for text in texts), return_exceptions=True)
    refused = [one for one in done if isinstance(one, RemovalRefused)]
    assert len(refused) == 1, "the second sees what the first has added"
    _, _, templates, *_ = await state(db)
    assert len(templates) == 1


async def test_a_partner_whose_terms_the_file_leaves_out_is_one_still(db: Database) -> None:
    terms = 'partner = { ratePerMessage = "0.05", creditLimit = "10.00" }\n'
    member = '[[accounts]]\nname = "member"\nenvironment = "sandbox"\nbelongsTo = "acme"\n'

    await lines(db, HEAD + terms)
    printed = await lines(db, member + HEAD)
    assert printed == ["+ member: account (sandbox)", "+ member: belongsTo acme"]
    with pytest.raises(ApiError, match="a partner belongs to nobody"):
        await lines(db, HEAD + 'belongsTo = "member"\n')


async def test_a_template_that_is_chosen_and_not_there_is_a_warning(db: Database) -> None:
    text = HEAD + 'defaultTemplate = "none"\notpTemplate = "hello"\n'
    first = await apply_whole(db, text)
    assert [one.split(" ")[0] for one in first.warnings] == [
        "acme.defaultTemplate", "acme.otpTemplate",
    ]  # fmt: skip
    there = await apply_whole(db, HEAD + TEMPLATES.replace('"hello"', '"none"'))
    assert [one.split(" ")[0] for one in there.warnings] == ["acme.otpTemplate"]
    assert (await apply_whole(db, HEAD)).warnings == there.warnings, "as it is in the database"


async def test_templates_of_a_live_account_are_the_platforms_and_never_removed(
    db: Database,
) -> None:
    live = (
        HEAD.replace("sandbox", "live")
        + NUMBERS.replace(
            'displayName = "Acme"\n',
            'displayName = "Acme"\nphoneNumberId = "1055"\nwabaId = "2077"\n',
        ).partition('[[accounts.numbers]]\nnumber = "972555000002"')[0]
    )

    await lines(db, live)
    account = await db.transact(lambda tx: find_account(tx, "acme"))
    synced = Template("hello", "en", "UTILITY", "APPROVED", body="Hello")
    await db.transact(lambda tx: store_templates(tx, account.id, [synced]))
    for removal in (Removal.REFUSE, Removal.PRUNE):
        assert await lines(db, live, removal) == []
    assert await db.transact(lambda tx: load_all(tx, account.id)) == [synced]
