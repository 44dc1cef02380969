"""`tidings people`: who may sign in to the portal."""

from typing import Annotated

import typer

from tidings.cli.options import SETUP, AsJson

people = typer.Typer(no_args_is_help=True, help="People who sign in to the portal.")

Email = Annotated[str, typer.Argument(metavar="EMAIL", help="The person's e-mail address.")]
OfAccount = Annotated[
    str | None, typer.Option("--account", metavar="NAME", help="An account of the organisation.")
]


@people.command("invite")
def invite_person(
    email: Email,
    account: OfAccount = None,
    role: Annotated[
        str | None,
        typer.Option("--role", metavar="ROLE", help="owner, developer, sender, billing or viewer."),
    ] = None,
    operator: Annotated[
        bool, typer.Option("--operator", help="As operator of the installation.")
    ] = False,
) -> None:
    """Print a welcome link, good once and for seven days, to hand over.

    Give --account and --role for a member of the account's organisation, or --operator.
    """
    from .people import invite

    invite(email, account=account, role=role, operator=operator)


@people.command("list")
def list_people(account: OfAccount = None, as_json: AsJson = False) -> None:
    """List everybody, or the people of an account's organisation."""
    from .people import list_people as run

    run(account, as_json=as_json)


@people.command("remove")
def remove_person(email: Email, account: OfAccount = None) -> None:
    """Take somebody out of an account's organisation; without --account, out of everything."""
    from .people import remove

    remove(email, account)


@people.command("reset")
def reset_person(
    email: Email,
    second_factor: Annotated[
        bool, typer.Option("--second-factor", help="Also turn the second factor off.")
    ] = False,
) -> None:
    """Print a link with which somebody who has forgotten the password chooses another."""
    from .people import reset

    reset(email, second_factor=second_factor)


def add_to(app: typer.Typer) -> None:
    app.add_typer(people, name="people", rich_help_panel=SETUP)
