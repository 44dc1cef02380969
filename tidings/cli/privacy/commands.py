"""`tidings privacy`: what is kept of a person, its export, and its erasure."""

from typing import Annotated

import typer

from tidings.cli.options import INSPECT, AsJson

privacy = typer.Typer(no_args_is_help=True, help="A person's data: find, export, erase.")

Account = Annotated[str, typer.Argument(metavar="ACCOUNT", help="The account's name.")]
Number = Annotated[str, typer.Argument(metavar="NUMBER", help="International digits.")]


@privacy.command("find")
def find_person(account: Account, number: Number, as_json: AsJson = False) -> None:
    """Show what an account keeps of a person, by kind."""
    from .privacy import find

    find(account, number, as_json=as_json)


@privacy.command("export")
def export_person(account: Account, number: Number) -> None:
    """Print everything that is kept of a person, as JSON."""
    from .privacy import export

    export(account, number)


@privacy.command("erase")
def erase_person(account: Account, number: Number, as_json: AsJson = False) -> None:
    """Erase a person: cannot be undone. An opt-out is remembered."""
    from .privacy import erase

    erase(account, number, as_json=as_json)


def add_to(app: typer.Typer) -> None:
    app.add_typer(privacy, name="privacy", rich_help_panel=INSPECT)
