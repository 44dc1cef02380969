"""Options and arguments that several commands share, and the panels of `tidings --help`."""

from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from tidings import limits

SETUP, RUN, INSPECT = "Set up", "Run", "Inspect"
LOCAL_URL = "http://127.0.0.1:8080"
LIST_LIMIT = limits.LIST_LIMIT_DEFAULT

AccountName = Annotated[str, typer.Argument(metavar="NAME", help="The account's name.")]
Account = Annotated[str, typer.Option("--account", metavar="NAME", help="The account's name.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Key = Annotated[
    str | None,
    typer.Option("--key", help="The account's API key; else TIDINGS_API_KEY.", show_default=False),
]
Url = Annotated[str, typer.Option("--url", help="Where the service listens.")]

# Of commands that list (`listing.py`).
Limit = Annotated[int, typer.Option("--limit", min=1, help="How many, the newest first.")]
Everything = Annotated[bool, typer.Option("--all", help="All of them, whatever the limit.")]
AsCsv = Annotated[bool, typer.Option("--csv", help="Print CSV.")]


class ListByDefault(TyperGroup):
    """A group of commands whose `list` is meant where no command is named."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        first = args[0] if args else ""
        if first not in self.commands and first not in ("-h", "--help"):
            args = ["list", *args]
        return super().parse_args(ctx, args)
