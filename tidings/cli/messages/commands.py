"""`tidings send` and `tidings bench`: trying a running service; their work is imported when run."""

from typing import Annotated

import typer

Key = Annotated[
    str | None,
    typer.Option("--key", help="The account's API key; else TIDINGS_API_KEY.", show_default=False),
]
Url = Annotated[str, typer.Option("--url", help="Where the service is.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
HERE = "http://127.0.0.1:8080"


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
        str | None, typer.Option("--id", help="Your id; sent again, nothing is sent twice.")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would happen.")] = False,
    key: Key = None,
    url: Url = HERE,
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
    connections: Annotated[int, typer.Option(min=1, max=1000, help="At once.")] = 32,
    template: Annotated[str, typer.Option(help="An approved template.")] = "hello",
    param: Annotated[
        list[str] | None, typer.Option(help="A template variable; repeat in order.")
    ] = None,
    key: Key = None,
    url: Url = HERE,
    as_json: AsJson = False,
) -> None:
    """Measure how many messages a second a running service takes (sandbox accounts only)."""
    from .bench import run_bench

    params = ["World"] if param is None and template == "hello" else param or []
    wanted: dict[str, object] = {"templateName": template, "templateParams": params}
    run_bench(messages, connections, wanted=wanted, url=url, key=key, as_json=as_json)


def add_to(app: typer.Typer, panel: str) -> None:
    app.command(rich_help_panel=panel)(send)
    app.command(rich_help_panel=panel)(bench)
