"""The `tidings` command: every noun's commands in one application.

The `commands.py` of each folder declares options and help; a command's work is imported only when
the command runs, so that `tidings --help` loads neither the database driver nor the service.
"""

import os
import sys
from typing import Annotated

import typer

from tidings import __version__

from . import completion
from .accounts import commands as accounts
from .assistants import commands as assistants
from .backup import commands as backup
from .billing import commands as billing
from .events import commands as events
from .forms import commands as forms
from .links import commands as links
from .messages import commands as messages
from .output import Refused, Styled, escape_unknown_letters, remark, say
from .people import commands as people
from .privacy import commands as privacy
from .readings import commands as readings
from .requests import commands as requests
from .running import commands as running
from .sandbox import commands as sandbox
from .webhooks import commands as webhooks

ERROR = Styled("error:", "red")

app = typer.Typer(
    name=completion.PROGRAM,
    help="A business messaging gateway: one JSON API over an official messaging platform.",
    epilog="Settings are environment variables; `tidings settings` lists them all.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,  # its frames would show keys and messages
    context_settings={"help_option_names": ["-h", "--help"]},
)
for noun in (
    running, accounts, backup, people, messages, events, webhooks, billing, forms, links, privacy,
    readings, assistants, requests, sandbox, completion,
):  # fmt: skip
    noun.add_to(app)


def main() -> None:
    """The entry point of the `tidings` command."""
    escape_unknown_letters()
    if completion.VARIABLE in os.environ:
        completion.register_shells()
    try:
        code = app(prog_name=completion.PROGRAM, standalone_mode=False)
    except Refused as reason:
        remark(ERROR, f" {reason}")
        code = 1
    except typer.TyperException as wrong:
        _explain(wrong)
        code = wrong.exit_code
    except typer.Abort:  # the end of the input, where an answer was asked for
        remark(ERROR, " Nothing was answered.")
        code = 1
    sys.exit(code if isinstance(code, int) else 0)


def _explain(wrong: typer.TyperException) -> None:
    """Say how a command was called wrongly. Without a message its help has just been shown."""
    message = wrong.format_message().strip()
    nearest = getattr(wrong, "possibilities", None)  # of a misspelt option
    if nearest:
        names = ", ".join(f"'{name}'" for name in sorted(nearest))
        message = f"{wrong.message}. Did you mean {names}?"
    if not message:
        return
    remark(ERROR, f" {message}")
    context = getattr(wrong, "ctx", None)
    if context is not None:
        remark(f"{context.command_path} --help explains it.")


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
