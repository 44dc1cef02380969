"""The `tidings` command: every noun's commands in one application.

The `commands.py` of each folder declares options and help; a command's work is imported only when
the command runs, so that `tidings --help` loads neither the database driver nor the service.
"""

import sys
from typing import Annotated

import typer

from tidings import __version__

from .accounts import commands as accounts
from .backup import commands as backup
from .billing import commands as billing
from .events import commands as events
from .forms import commands as forms
from .links import commands as links
from .messages import commands as messages
from .output import Refused, remark, say
from .people import commands as people
from .privacy import commands as privacy
from .running import commands as running
from .webhooks import commands as webhooks

app = typer.Typer(
    name="tidings",
    help="A business messaging gateway: one JSON API over an official messaging platform.",
    epilog="Settings are environment variables; `tidings settings` lists them all.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,  # its frames would show keys and messages
    context_settings={"help_option_names": ["-h", "--help"]},
)
for noun in (
    running, accounts, backup, people, messages, events, webhooks, billing, forms, links, privacy
):  # fmt: skip
    noun.add_to(app)


def main() -> None:
    """The entry point of the `tidings` command."""
    try:
        app()
    except Refused as reason:
        remark(f"error: {reason}")
        sys.exit(1)


def _show_version(asked: bool) -> None:
    if asked:
        say(f"tidings {__version__}")
        raise typer.Exit


@app.callback()
def _tidings(
    _version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    pass


if __name__ == "__main__":
    main()
