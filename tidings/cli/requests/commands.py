"""`tidings logs`: the API calls of an account."""

from typing import Annotated

import typer

from tidings.cli.options import INSPECT, AsJson

LINES = 20


def logs(
    request: Annotated[
        str | None, typer.Argument(metavar="REQUEST", help="Only this one, whole: req_….")
    ] = None,
    account: Annotated[
        str | None,
        typer.Option(
            "--account", metavar="NAME", help="The account's name; not needed for the only one."
        ),
    ] = None,
    follow: Annotated[
        bool, typer.Option("--follow", "-f", help="Go on with calls as they happen.")
    ] = False,
    status: Annotated[str, typer.Option(help="Only these: 404, or 4xx.")] = "",
    path: Annotated[str, typer.Option(help="Only where this is part of the path.")] = "",
    limit: Annotated[int, typer.Option("--limit", min=0, help="How many of the newest.")] = LINES,
    as_json: AsJson = False,
) -> None:
    """Show the API calls of an account, the newest last.

    It is the log of the portal's page of requests, without secrets, texts and people's numbers. For
    use on the service's own machine: it is read from the database, so that watching makes no calls.
    """
    from . import logs as log

    if request is not None:
        log.show_call(request, account, as_json=as_json)
    else:
        log.show_calls(account, follow=follow, status=status, path=path, limit=limit, json=as_json)


def add_to(app: typer.Typer) -> None:
    app.command(rich_help_panel=INSPECT)(logs)
