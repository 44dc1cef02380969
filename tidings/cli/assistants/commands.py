"""`tidings mcp`: an account for assistants that speak the Model Context Protocol."""

from typing import Annotated

import typer

from tidings.cli.options import LOCAL_URL, RUN, Key, Url
from tidings.cli.output import Refused


def mcp(
    key: Key = None,
    url: Url = LOCAL_URL,
    allow_live: Annotated[
        bool,
        typer.Option("--allow-live", help="Let it act with the key of a live account too."),
    ] = False,
) -> None:
    """Serve an account to an assistant over standard input and output.

    It speaks the Model Context Protocol: send, see what became of messages, guests, batches and
    failed webhooks, search the documentation. The key's limits apply. A live account is only read,
    unless --allow-live.
    """
    try:
        from .server import serve_assistant
    except ModuleNotFoundError as missing:
        if missing.name != "mcp":
            raise
        raise Refused("The MCP SDK is not installed. Run: pip install 'tidings[mcp]'") from None

    serve_assistant(url, key, allow_live=allow_live)


def add_to(app: typer.Typer) -> None:
    app.command(rich_help_panel=RUN)(mcp)
