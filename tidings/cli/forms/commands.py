"""`tidings forms`: feedback forms and the answers to them."""

from pathlib import Path
from typing import Annotated

import typer

from tidings.cli.options import INSPECT, LOCAL_URL, Account, AsCsv, AsJson, Key, Url

forms = typer.Typer(
    no_args_is_help=True, help="Feedback forms: list, results, approve, export, forget."
)

Form = Annotated[str, typer.Argument(metavar="FORM", help="The form's id, such as visit.")]
Version = Annotated[str, typer.Argument(metavar="VERSION", help="Such as visit@2.")]


@forms.command("list")
def list_forms(
    account: Annotated[
        str | None, typer.Option("--account", metavar="NAME", help="Of this account only.")
    ] = None,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
) -> None:
    """List every version of every form, its state, and its review status at the platform."""
    from .forms import list_forms as run

    run(account, as_json=as_json, as_csv=as_csv)


@forms.command("results")
def print_results(
    form: Form,
    key: Key = None,
    url: Url = LOCAL_URL,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
) -> None:
    """Print what guests answered, question by question, with the account's key."""
    from .results import print_results as run

    run(form, key=key, url=url, as_json=as_json, as_csv=as_csv)


@forms.command("submitted")
def list_submitted(as_json: AsJson = False) -> None:
    """List the versions of all accounts that wait for approval, the oldest first."""
    from .approval import list_submitted as run

    run(as_json=as_json)


@forms.command("approve")
def approve_form(version: Version, account: Account) -> None:
    """Approve a version that was submitted; a live account's is published with it."""
    from .approval import approve_form as run

    run(account, version)


@forms.command("return")
def send_form_back(
    version: Version,
    account: Account,
    reason: Annotated[str, typer.Option(help="What has to change.")],
) -> None:
    """Return a submitted version to its authors as a draft, with the reason."""
    from .approval import send_form_back as run

    run(account, version, reason)


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
