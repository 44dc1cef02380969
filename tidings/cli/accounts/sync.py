"""`tidings sync`: read numbers and templates of live accounts from the platform, now."""

from functools import partial

from tidings.app import open_graph
from tidings.cli.actor import command_actor
from tidings.cli.database import load_account, opened
from tidings.cli.output import Refused, print_json, print_table, waiting
from tidings.cli.runner import load_settings, run
from tidings.engine.db.pool import Database
from tidings.engine.db.tx import Tx
from tidings.features.accounts.lookup import load_all_accounts
from tidings.features.accounts.master_key import load_sealer
from tidings.features.accounts.model import Account
from tidings.features.operation.platform import sync_now
from tidings.features.senders.lookup import load_numbers
from tidings.features.senders.model import Number
from tidings.features.templates.lookup import load_templates
from tidings.features.templates.sync import Synced
from tidings.ids import account_ref
from tidings.platforms.whatsapp.client import Graph
from tidings.secrets import Sealer
from tidings.settings import Settings

Presented = dict[str, object]


def sync_accounts(name: str | None, *, as_json: bool) -> None:
    """Print what the platform answered; exit code 1 where it did not answer for an account."""
    with waiting("Reading numbers and templates from the platform"):
        synced = run(_sync(load_settings(), name))
    if as_json:
        print_json({"accounts": synced})
    else:
        _print(synced)
    failed = [str(one["name"]) for one in synced if one["problem"] is not None]
    if failed:
        raise Refused(f"not read: {', '.join(failed)}. Their stored numbers and templates stay.")


async def _sync(settings: Settings, name: str | None) -> list[Presented]:
    sealer = load_sealer(settings)
    graph = open_graph(settings)
    try:
        async with opened(settings) as db:
            accounts = await db.transact(partial(_choose, name=name))
            return [await _sync_one(db, graph, sealer, account) for account in accounts]
    finally:
        await graph.close()


async def _choose(tx: Tx, name: str | None) -> list[Account]:
    if name is None:
        return [one for one in await load_all_accounts(tx) if not one.is_sandbox]
    account = await load_account(tx, name)
    if account.is_sandbox:
        raise Refused(
            f'"{name}" is a sandbox account: its numbers and templates come from the account file.'
        )
    return [account]


async def _sync_one(db: Database, graph: Graph, sealer: Sealer, account: Account) -> Presented:
    synced = await sync_now(db, graph, sealer, command_actor(), account)
    return await db.transact(partial(_present, account=account, synced=synced))


async def _present(tx: Tx, account: Account, synced: Synced | None) -> Presented:
    numbers = (await load_numbers(tx, [account.id]))[account.id]
    templates = (await load_templates(tx, [account.id]))[account.id]
    versions = [version for versions in templates.values() for version in versions]
    return {
        "name": account.name,
        "id": account_ref(account.id),
        "changed": synced is not None and bool(synced.numbers or synced.templates),
        "problem": "it has no number with wabaId" if synced is None else synced.problem,
        "numbers": [_number(number) for number in numbers],
        "templates": {
            "total": len(versions),
            "usable": sum(version.usable for version in versions),
        },
    }


def _number(number: Number) -> Presented:
    return {
        "number": number.number,
        "status": number.shown_status,
        "qualityRating": number.quality,
        "dailyLimit": number.limit,
        "perSecond": number.rate,
    }


def _print(synced: list[Presented]) -> None:
    headings = ("account", "numbers", "templates", "outcome")
    none = "No live accounts. Sandbox accounts take theirs from the account file."
    print_table(headings, (_row(one) for one in synced), none=none)


def _row(one: Presented) -> tuple[object, ...]:
    numbers, templates = one["numbers"], one["templates"]
    assert isinstance(numbers, list) and isinstance(templates, dict)
    states = ", ".join(f"{n['number']} {n['status']} {n['qualityRating']}" for n in numbers)
    usable = f"{templates['usable']} of {templates['total']} usable"
    outcome = one["problem"] or ("changed" if one["changed"] else "unchanged")
    return one["name"], states, usable, outcome
