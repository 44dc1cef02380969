"""The commands of `tidings forms`; their work is imported when run."""

from pathlib import Path
from typing import Annotated

import typer

forms = typer.Typer(no_args_is_help=True, help="Feedback forms: list, show, export, forget.")

Account = Annotated[str, typer.Option("--account", metavar="NAME", help="The account's name.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Form = Annotated[str, typer.Argument(metavar="FORM", help="The form's id, such as visit.")]


@forms.command("list")
def list_forms(
    account: Annotated[
        str | None, typer.Option("--account", metavar="NAME", help="Of this account only.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List every version of every form: its state, and what a live one waits for there."""
    from .forms import list_forms as work

    work(account, as_json=as_json)


@forms.command("show")
def show_results(form: Form, account: Account, as_json: AsJson = False) -> None:
    """Show what came back of a form, question by question."""
    from .forms import show_results as work

    work(account, form, as_json=as_json)


@forms.command("export")
def export_answers(
    form: Form,
    account: Account,
    format_: Annotated[str, typer.Option("--format", help="csv or json.")] = "csv",
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Absent: print them.")
    ] = None,
) -> None:
    """Write every form that was filled in, the first first."""
    from .forms import export_answers as work

    work(account, form, format_, output)


@forms.command("preview")
def preview_form(form: Form, account: Account) -> None:
    """Print a page that shows a form (visit) or a version (visit@2) as guests see it."""
    from .forms import preview_form as work

    work(account, form)


@forms.command("forget")
def forget_person(
    phone: Annotated[str, typer.Argument(metavar="PHONE", help="Digits, international format.")],
    account: Account,
) -> None:
    """Delete what a person answered, in every form of the account, for good.

    That a form was answered is remembered, so that it neither goes again nor counts again.
    """
    from .forms import forget_person as work

    work(account, phone)
