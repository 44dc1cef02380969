"""`tidings links`: redirect links and how often they were opened."""

from typing import Annotated
from urllib.parse import quote

import typer

from tidings.cli.options import (
    INSPECT,
    LIST_LIMIT,
    LOCAL_URL,
    Account,
    AsCsv,
    AsJson,
    Everything,
    Key,
    Limit,
    ListByDefault,
    Url,
)

links = typer.Typer(cls=ListByDefault, help="Redirect links: list, show, deactivate.")

Code = Annotated[str, typer.Argument(metavar="CODE", help="The 12 characters after /r/.")]


@links.command("list")
def list_links(
    event: Annotated[str | None, typer.Option("--event", help="Only of this event.")] = None,
    since: Annotated[
        str | None, typer.Option(help="Created then or later: 2026-11-16T08:00:00Z.")
    ] = None,
    until: Annotated[str | None, typer.Option(help="Created before then.")] = None,
    limit: Limit = LIST_LIMIT,
    everything: Everything = False,
    key: Key = None,
    url: Url = LOCAL_URL,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
) -> None:
    """List links and their opens, the newest first."""
    from tidings.cli.listing import Asked, print_list

    from .links import LINKS

    filters = {"eventId": event, "since": since, "until": until}
    print_list(LINKS, filters, Asked(limit, everything, as_json, as_csv, key, url))


@links.command("show")
def show_link(code: Code, key: Key = None, url: Url = LOCAL_URL, as_json: AsJson = False) -> None:
    """Show one link and its opens."""
    from tidings.cli.messages.reading import show_one

    show_one(f"/links/{quote(code, safe='')}", key=key, url=url, as_json=as_json)


@links.command("days")
def show_days(
    code: Code,
    account: Account,
    days: Annotated[int, typer.Option(min=1, max=3660, help="How far back.")] = 30,
    as_json: AsJson = False,
) -> None:
    """Show how often a link was opened on each day (UTC)."""
    from .links import show_days as run

    run(account, code, days, as_json=as_json)


@links.command("deactivate")
def deactivate_link(code: Code, account: Account) -> None:
    """Deactivate a link for good: whoever opens it sees that it is no longer active."""
    from .links import deactivate_link as run

    run(account, code)


def add_to(app: typer.Typer) -> None:
    app.add_typer(links, name="links", rich_help_panel=INSPECT)
