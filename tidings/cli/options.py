"""Options and arguments that several commands share, and the panels of `tidings --help`."""

from typing import Annotated

import typer

SETUP, RUN, INSPECT = "Set up", "Run", "Inspect"
LOCAL_URL = "http://127.0.0.1:8080"

AccountName = Annotated[str, typer.Argument(metavar="NAME", help="The account's name.")]
Account = Annotated[str, typer.Option("--account", metavar="NAME", help="The account's name.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Key = Annotated[
    str | None,
    typer.Option("--key", help="The account's API key; else TIDINGS_API_KEY.", show_default=False),
]
Url = Annotated[str, typer.Option("--url", help="Where the service listens.")]
