"""`tidings accounts`: what accounts there are."""

from tidings import times
from tidings.cli.database import opened
from tidings.cli.output import print_json, print_table
from tidings.cli.runner import load_settings, run
from tidings.features.accounts.directory import load_all_accounts
from tidings.features.accounts.model import Account
from tidings.ids import account_ref
from tidings.settings import Settings


def list_accounts(*, as_json: bool) -> None:
    found = [_presented(account) for account in run(_load(load_settings()))]
    if as_json:
        print_json({"accounts": found})
        return
    headings = ("name", "environment", "state", "replies", "id")
    rows = [
        (one["name"], one["environment"], _state(one), one["replies"], one["id"]) for one in found
    ]
    print_table(headings, rows, none="No accounts yet. tidings apply FILE makes some.")


def _state(one: dict[str, object]) -> str:
    return "inactive" if not one["active"] else "paused" if one["paused"] else "active"


async def _load(settings: Settings) -> list[Account]:
    async with opened(settings) as db:
        return await db.transact(load_all_accounts)


def _presented(account: Account) -> dict[str, object]:
    return {
        "name": account.name,
        "id": account_ref(account.id),
        "environment": account.environment,
        "active": account.active,
        "paused": account.paused,
        "replies": account.replies,
        "billingMode": account.billing_mode,
        "partner": account.is_partner,
        "createdAt": times.to_wire(account.created_at),
    }
