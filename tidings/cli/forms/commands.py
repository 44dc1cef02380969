"""`tidings forms`: feedback forms and the answers to them."""

from pathlib import Path
from typing import Annotated

import typer

from tidings.cli.options import INSPECT, Account, AsJson

forms = typer.Typer(no_args_is_help=True, help="Feedback forms: list, show, export, forget.")

Form = Annotated[str, typer.Argument(metavar="FORM", help="The form's id, such as visit.")]


@forms.command("list")
def list_forms(
    account: Annotated[
        str | None, typer.Option("--account", metavar="NAME", help="Of this account only.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List every version of every form, its state, and its review status at the platform."""
    from .forms import list_forms as run

    run(account, as_json=as_json)


@forms.command("show")
def show_results(form: Form, account: Account, as_json: AsJson = False) -> None:
    """Show the answers to a form, question by question."""
    from .forms import show_results as run

    run(account, form, as_json=as_json)


@forms.command("export")
def export_answers(
    form: Form,
    account: Account,
    format_: Annotated[str, typer.Option("--format", help="csv or json.")] = "csv",
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Absent: print them.")
    ] = None,
) -> None:
    """Export every answered form, oldest first."""
    from .forms import export_answers as run

    run(account, form, format_, output)


@forms.command("preview")
def preview_form(form: Form, account: Account) -> None:
    """Print a page that shows a form (visit) or a version (visit@2) as guests see it."""
    from .forms import preview_form as run

    run(account, form)


@forms.command("forget")
def forget_person(
    phone: Annotated[str, typer.Argument(metavar="PHONE", help="Digits, international format.")],
    account: Account,
) -> None:
    """Delete what a person answered, in every form of the account, for good.

    That a form was answered stays recorded, so that it is neither sent nor counted again.
    """
    from .forms import forget_person as run

    run(account, phone)


def add_to(app: typer.Typer) -> None:
    app.add_typer(forms, name="forms", rich_help_panel=INSPECT)
