"""`tidings listen`, `trigger` and `webhooks`: for those who receive events."""

from pathlib import Path
from typing import Annotated

import typer

from tidings.cli.options import (
    LIST_LIMIT,
    LOCAL_URL,
    RUN,
    SANDBOX,
    AccountName,
    AsCsv,
    AsJson,
    Everything,
    Key,
    Limit,
    Url,
)

Account = Annotated[
    str | None,
    typer.Option(
        "--account", help="On the service's own machine: an account's name, in place of its key."
    ),
]

webhooks = typer.Typer(
    no_args_is_help=True, help="Addresses, signatures and the catalogue of events."
)


def listen(
    forward_to: Annotated[
        str | None, typer.Option("--forward-to", metavar="URL", help="Post each event there.")
    ] = None,
    key: Key = None,
    account: Account = None,
    secret: Annotated[
        str | None,
        typer.Option(help="Sign what is forwarded with this secret.", show_default=False),
    ] = None,
    since_start: Annotated[
        bool, typer.Option("--all", help="Start with the oldest event in the feed.")
    ] = False,
    url: Url = LOCAL_URL,
    as_json: AsJson = False,
) -> None:
    """Show an account's events as they happen, and forward them to this machine.

    No tunnel is needed: events are read from the catch-up feed, signed anew and posted once.
    """
    from .listen import listen_for_events

    listen_for_events(
        forward_to,
        key=key,
        account=account,
        secret=secret,
        from_oldest=since_start,
        url=url,
        as_json=as_json,
    )


def trigger(
    kind: Annotated[str, typer.Argument(metavar="KIND", help="Such as message.status.")],
    key: Key = None,
    account: Account = None,
    url: Url = LOCAL_URL,
    as_json: AsJson = False,
) -> None:
    """Send a sandbox account an example of an event, to its webhook and its feed."""
    from .events import trigger_event

    trigger_event(kind, key=key, account=account, url=url, as_json=as_json)


@webhooks.command("set")
def set_address(
    name: AccountName,
    address: Annotated[str, typer.Argument(metavar="URL", help="Where its events are posted.")],
) -> None:
    """Set the address that an account's events are posted to, without a file.

    For use on the service's own machine, also while it runs; the change applies at once.
    """
    from .endpoint import set_webhook_url

    set_webhook_url(name, address)


@webhooks.command("verify")
def verify(
    body: Annotated[
        Path, typer.Option("--body", metavar="FILE", help="The raw body; - reads standard input.")
    ],
    header: Annotated[
        list[str] | None,
        typer.Option("--header", "-H", help="A header of the post, 'X-Signature: …'; repeat."),
    ] = None,
    secret: Annotated[
        str | None,
        typer.Option(help="Your signing secret: nothing leaves this machine.", show_default=False),
    ] = None,
    computed: Annotated[
        str | None, typer.Option(help="The signature that your code computed.")
    ] = None,
    key: Key = None,
    url: Url = LOCAL_URL,
    as_json: AsJson = False,
) -> None:
    """Explain what is wrong with a signature; exit code 1 when something is.

    With --secret it is checked locally; with --key the service also compares the body with what it
    posted.
    """
    from .endpoint import verify_signature

    verify_signature(
        body, header or [], secret=secret, computed=computed, key=key, url=url, as_json=as_json
    )


@webhooks.command("failed")
def list_failed(
    since: Annotated[
        str | None, typer.Option(help="Failed then or later: 2026-11-16T08:00:00Z.")
    ] = None,
    limit: Limit = LIST_LIMIT,
    everything: Everything = False,
    key: Key = None,
    url: Url = LOCAL_URL,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
) -> None:
    """List events whose six attempts failed, the newest failure first."""
    from tidings.cli.listing import Asked, print_list

    from .failed import FAILED

    print_list(FAILED, {"since": since}, Asked(limit, everything, as_json, as_csv, key, url))


@webhooks.command("catalogue")
def catalogue() -> None:
    """Print the catalogue of events, each with its fields and an example, as Markdown."""
    from .events import print_catalogue

    print_catalogue()


def add_to(app: typer.Typer) -> None:
    app.command(rich_help_panel=RUN)(listen)
    app.command(rich_help_panel=SANDBOX)(trigger)
    app.add_typer(webhooks, name="webhooks", rich_help_panel=RUN)
