"""Options and arguments that several commands share, and the panels of `tidings --help`."""

from typing import Annotated, Any
from urllib.parse import urlsplit

import typer
from typer.core import TyperGroup

from tidings import limits

SETUP, RUN, SANDBOX, INSPECT = "Set up", "Run", "Sandbox", "Inspect"
LOCAL_URL = "http://127.0.0.1:8080"
LIST_LIMIT = limits.LIST_LIMIT_DEFAULT

AccountName = Annotated[str, typer.Argument(metavar="NAME", help="The account's name.")]
Account = Annotated[str, typer.Option("--account", metavar="NAME", help="The account's name.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Key = Annotated[
    str | None,
    typer.Option("--key", help="The account's API key; else TIDINGS_API_KEY.", show_default=False),
]


def _require_address(url: str) -> str:
    try:
        parts = urlsplit(url)
        is_address = parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        is_address = False
    if not is_address:
        raise typer.BadParameter(f"{url!r} is no address such as {LOCAL_URL}")
    return url


Url = Annotated[
    str,
    typer.Option(
        "--url",
        envvar="TIDINGS_URL",
        callback=_require_address,
        help="Where the service listens.",
    ),
]

# Of commands that list (`listing.py`).
Limit = Annotated[int, typer.Option("--limit", min=1, help="How many, the newest first.")]
Everything = Annotated[bool, typer.Option("--all", help="All of them, whatever the limit.")]
AsCsv = Annotated[bool, typer.Option("--csv", help="Print CSV.")]


class ListByDefault(TyperGroup):
    """A group of commands whose `list` is meant where no command is named."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if self._means_list(args) and not (ctx.resilient_parsing and not args):
            args = ["list", *args]
        return super().parse_args(ctx, args)

    def shell_complete(self, ctx: Any, incomplete: str) -> list[Any]:
        """The commands, and behind a dash the options of `list`."""
        found = super().shell_complete(ctx, incomplete)
        if incomplete.startswith("-"):
            listing = self.commands["list"]
            below = listing.make_context("list", [], parent=ctx, resilient_parsing=True)
            known = {one.value for one in found}
            more = listing.shell_complete(below, incomplete)
            found += [one for one in more if one.value not in known]
        return found

    def _means_list(self, args: list[str]) -> bool:
        first = args[0] if args else ""
        if first in self.commands or first in ("-h", "--help"):
            return False
        # A word is an argument of `list` if that takes one, else a misspelt command.
        takes_words = any(one.param_type_name == "argument" for one in self.commands["list"].params)
        return not first or first.startswith("-") or takes_words
