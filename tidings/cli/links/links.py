"""`tidings links`: the list by the API that customers use, deactivation in the database."""

from datetime import timedelta

from tidings.cli.actor import command_actor
from tidings.cli.database import transact_for
from tidings.cli.listing import Listing
from tidings.cli.output import print_json, print_table, say
from tidings.engine.db.tx import Tx
from tidings.features.accounts.model import Account
from tidings.features.links import lookup
from tidings.features.links.deactivate import deactivate
from tidings.features.links.model import DayOpens

LINKS = Listing(
    "links",
    "/links",
    {
        "code": "code",
        "active": "active",
        "clicks>": "clicks",
        "last opened": "lastClickAt",
        "url": "url",
    },
    none="No links.",
    exported=(
        "code", "shortUrl", "url", "clicks", "firstClickAt", "lastClickAt", "active",
    ),
)  # fmt: skip


def deactivate_link(account: str, code: str) -> None:
    actor = command_actor()
    changed = transact_for(account, lambda tx, owner: deactivate(tx, owner.id, actor, code))
    say(f"{code}: deactivated" if changed else f"{code}: was not active before")


def show_days(account: str, code: str, days: int, *, as_json: bool) -> None:
    async def load(tx: Tx, owner: Account) -> list[DayOpens]:
        link = await lookup.load_link(tx, owner.id, code)
        first = owner.now(tx.now).date() - timedelta(days=days - 1)
        return await lookup.load_days(tx, owner.id, link.code, first)

    found = transact_for(account, load)
    if as_json:
        print_json({"days": [{"day": str(one.day), "clicks": one.clicks} for one in found]})
    else:
        print_table(
            ("day", "clicks>"), ((str(one.day), one.clicks) for one in found), none="No opens."
        )
