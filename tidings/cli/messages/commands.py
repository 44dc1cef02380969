"""`tidings send`, `bench`, `callbacks`, `messages` and `batches`: messages through a running
service, and what became of them."""

from typing import Annotated
from urllib.parse import quote

import typer

from tidings.cli.options import (
    INSPECT,
    LIST_LIMIT,
    LOCAL_URL,
    RUN,
    AsCsv,
    AsJson,
    Everything,
    Key,
    Limit,
    ListByDefault,
    Url,
)

messages = typer.Typer(cls=ListByDefault, help="Messages and what became of them.")
batches = typer.Typer(cls=ListByDefault, help="Batches and how far they are.")


def send(
    to: Annotated[str, typer.Argument(metavar="TO", help="International digits.")],
    template: Annotated[str | None, typer.Option(help="An approved template.")] = None,
    param: Annotated[
        list[str] | None, typer.Option(help="A template variable; repeat in order.")
    ] = None,
    message: Annotated[
        str | None, typer.Option(help="Free text, inside the 24-hour window.")
    ] = None,
    client_message_id: Annotated[
        str | None, typer.Option("--id", help="Your id; a repeated id is not sent twice.")
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only show what would happen.")
    ] = False,
    key: Key = None,
    url: Url = LOCAL_URL,
    as_json: AsJson = False,
) -> None:
    """Send one message through a running service."""
    from .send import send_message

    send_message(
        to,
        template=template,
        params=param or [],
        message=message,
        client_message_id=client_message_id,
        url=url,
        key=key,
        dry_run=dry_run,
        as_json=as_json,
    )


def bench(
    messages: Annotated[int, typer.Option(min=1, max=1_000_000, help="How many.")] = 2000,
    connections: Annotated[int, typer.Option(min=1, max=1000, help="Concurrently.")] = 32,
    template: Annotated[str, typer.Option(help="An approved template.")] = "hello",
    param: Annotated[
        list[str] | None, typer.Option(help="A template variable; repeat in order.")
    ] = None,
    key: Key = None,
    url: Url = LOCAL_URL,
    as_json: AsJson = False,
) -> None:
    """Measure how many messages a second a running service accepts (sandbox accounts only)."""
    from .bench import run_bench

    params = ["World"] if param is None and template == "hello" else param or []
    message: dict[str, object] = {"templateName": template, "templateParams": params}
    run_bench(messages, connections, message=message, url=url, key=key, as_json=as_json)


def callbacks(
    again: Annotated[
        bool, typer.Option("--again", help="Retry them, as if they arrived now.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Show platform callbacks that could not be read, or are for numbers that are not ours."""
    from .platform_callbacks import show_callbacks

    show_callbacks(again=again, as_json=as_json)


@messages.command("list")
def list_messages(
    to: Annotated[str | None, typer.Option(help="Only to this number.")] = None,
    status: Annotated[
        str | None, typer.Option(help="Such as failed, or several: failed,expired.")
    ] = None,
    kind: Annotated[
        str | None, typer.Option(help="notification, invitation, otp or feedback.")
    ] = None,
    event: Annotated[str | None, typer.Option("--event", help="Only of this event.")] = None,
    batch: Annotated[str | None, typer.Option("--batch", help="Only of this batch.")] = None,
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
    """List messages, the newest first."""
    from tidings.cli.listing import Asked, print_list

    from .reading import MESSAGES

    filters = {
        "to": to,
        "status": status,
        "kind": kind,
        "eventId": event,
        "batchId": batch,
        "since": since,
        "until": until,
    }
    print_list(MESSAGES, filters, Asked(limit, everything, as_json, as_csv, key, url))


@messages.command("show")
def show_message(
    client_message_id: Annotated[str, typer.Argument(metavar="ID", help="Your id of it.")],
    key: Key = None,
    url: Url = LOCAL_URL,
    as_json: AsJson = False,
) -> None:
    """Show one message with its timeline and its attempts."""
    from .reading import show_one

    show_one(f"/messages/{quote(client_message_id, safe='')}", key=key, url=url, as_json=as_json)


@batches.command("list")
def list_batches(
    limit: Limit = LIST_LIMIT,
    everything: Everything = False,
    key: Key = None,
    url: Url = LOCAL_URL,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
) -> None:
    """List batches, the newest first."""
    from tidings.cli.listing import Asked, print_list

    from .reading import BATCHES

    print_list(BATCHES, {}, Asked(limit, everything, as_json, as_csv, key, url))


@batches.command("show")
def show_batch(
    batch_id: Annotated[str, typer.Argument(metavar="BATCH", help="Such as bat_01a1….")],
    key: Key = None,
    url: Url = LOCAL_URL,
    as_json: AsJson = False,
) -> None:
    """Show one batch and its counts."""
    from .reading import show_one

    show_one(f"/batches/{quote(batch_id, safe='')}", key=key, url=url, as_json=as_json)


def add_to(app: typer.Typer) -> None:
    app.add_typer(messages, name="messages", rich_help_panel=INSPECT)
    app.add_typer(batches, name="batches", rich_help_panel=INSPECT)
    app.command(rich_help_panel=RUN)(send)
    app.command(rich_help_panel=RUN)(bench)
    app.command(rich_help_panel=INSPECT)(callbacks)
