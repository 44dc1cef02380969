"""`tidings completion SHELL`: what a shell completes after `tidings`.

The scripts are Typer's. On every Tab they start `tidings` with `_TIDINGS_COMPLETE` set, so they
know the commands and options of the installed version.
"""

from enum import StrEnum
from typing import Annotated

import typer

from .options import SETUP
from .output import write_data

PROGRAM = "tidings"
VARIABLE = "_TIDINGS_COMPLETE"


class Shell(StrEnum):
    BASH = "bash"
    ZSH = "zsh"
    FISH = "fish"


def completion(
    shell: Annotated[Shell, typer.Argument(metavar="bash|zsh|fish", help="Your shell.")],
) -> None:
    """Print what makes a shell complete commands and options.

    In ~/.bashrc: source <(tidings completion bash). In ~/.zshrc, after compinit: source <(tidings
    completion zsh). For fish: tidings completion fish > ~/.config/fish/completions/tidings.fish
    """
    from typer.completion import get_completion_script  # type: ignore[attr-defined]

    script = get_completion_script(prog_name=PROGRAM, complete_var=VARIABLE, shell=shell.value)
    write_data(f"{script}\n")


def register_shells() -> None:
    """Let Typer answer the scripts; its own way to do so would add two options to every help."""
    from typer.completion import completion_init  # type: ignore[attr-defined]

    completion_init()


def add_to(app: typer.Typer) -> None:
    app.command(rich_help_panel=SETUP)(completion)
