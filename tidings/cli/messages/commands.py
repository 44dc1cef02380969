"""`tidings send`, `bench` and `callbacks`: messages through a running service, and what the
platform reported about them."""

from typing import Annotated

import typer

from tidings.cli.options import INSPECT, LOCAL_URL, RUN, AsJson, Key, Url


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


def add_to(app: typer.Typer) -> None:
    app.command(rich_help_panel=RUN)(send)
    app.command(rich_help_panel=RUN)(bench)
    app.command(rich_help_panel=INSPECT)(callbacks)
