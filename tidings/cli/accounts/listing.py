"""`tidings accounts list`."""

from tidings import times
from tidings.cli.database import transact
from tidings.cli.output import print_json, print_table
from tidings.features.accounts.lookup import load_all_accounts
from tidings.features.accounts.model import Account
from tidings.ids import account_ref


def list_accounts(*, as_json: bool) -> None:
    accounts = transact(load_all_accounts)
    if as_json:
        print_json({"accounts": [_present(account) for account in accounts]})
        return
    headings = ("name", "environment", "state", "replies", "id")
    rows = [
        (one.name, one.environment, _state(one), one.replies, account_ref(one.id))
        for one in accounts
    ]
    print_table(headings, rows, none="No accounts yet. tidings apply FILE creates them.")


def _state(account: Account) -> str:
    return "inactive" if not account.active else "paused" if account.paused else "active"


def _present(account: Account) -> dict[str, object]:
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
