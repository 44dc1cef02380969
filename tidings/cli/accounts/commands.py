"""`tidings apply`, `sync`, `accounts` and `keys`: setting accounts up."""

from datetime import timedelta
from pathlib import Path
from typing import Annotated

import typer

from tidings.cli.options import INSPECT, RUN, SETUP, AccountName, AsJson
from tidings.cli.output import Refused, write_data

accounts = typer.Typer(no_args_is_help=True, help="List the accounts.")
keys = typer.Typer(no_args_is_help=True, help="API keys and signing secrets.")

OneKey = Annotated[
    str | None,
    typer.Option(metavar="PREFIX", help="The key that begins so, as keys list shows it."),
]


def _print_schema(asked: bool) -> None:
    if asked:
        from tidings.account_file.schema import schema_text

        write_data(schema_text())
        raise typer.Exit


def _print_reference(asked: bool) -> None:
    if asked:
        from tidings.account_file.reference import page

        write_data(page())
        raise typer.Exit


def apply(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="A TOML file; - reads standard input.")
    ],
    prune: Annotated[
        bool,
        typer.Option("--prune", help="Also remove what the accounts in the file no longer have."),
    ] = False,
    overwrite: Annotated[
        bool,
        typer.Option(
            "--overwrite", help="Also undo what was changed in the portal or by a command."
        ),
    ] = False,
    diff: Annotated[
        bool, typer.Option("--diff", help="Only print the changes; exit code 2 if there are any.")
    ] = False,
    _schema: Annotated[
        bool,
        typer.Option(
            "--schema",
            callback=_print_schema,
            is_eager=True,
            help="Print the file's JSON Schema, for editors.",
        ),
    ] = False,
    _reference: Annotated[
        bool,
        typer.Option(
            "--reference",
            callback=_print_reference,
            is_eager=True,
            help="Print the reference of the file's fields, as Markdown.",
        ),
    ] = False,
) -> None:
    """Make the service match a file of accounts. It can be repeated.

    Prints on stderr what it adds, changes and removes, and on stdout JSON: {accounts: [{name, id,
    environment, apiKey, signingSecret}]}, with secrets only where they are new or given. The whole
    file is applied, or nothing. Accounts, settings and tables that are not in the file stay as they
    are; a table that lacks an existing entry is refused without --prune, and a setting that was
    changed since in the portal or by a command is refused without --overwrite.
    """
    from .apply import apply_file

    apply_file(file, prune=prune, overwrite=overwrite, diff=diff)


def sync(
    account: Annotated[
        str | None, typer.Option(metavar="NAME", help="One live account; absent: all.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Read numbers and templates of live accounts from the platform, now.

    A running service does this every five minutes, and after callbacks, by itself.
    """
    from .sync import sync_accounts

    sync_accounts(account, as_json=as_json)


@accounts.command("list")
def list_accounts(as_json: AsJson = False) -> None:
    """List all accounts."""
    from .listing import list_accounts as run

    run(as_json=as_json)


@keys.command("list")
def list_keys(name: AccountName, as_json: AsJson = False) -> None:
    """List an account's valid keys: name, how each begins and ends, when it was last used."""
    from .keys import list_keys as run

    run(name, as_json=as_json)


@keys.command("issue")
def issue_key(
    name: AccountName,
    key_name: Annotated[
        str, typer.Option("--name", metavar="TEXT", help="What it is for, as keys list shows it.")
    ] = "",
) -> None:
    """Issue one more API key and print it, once; the other keys stay valid."""
    from .keys import issue_api_key

    issue_api_key(name, key_name)


@keys.command("rotate")
def rotate_key(
    name: AccountName,
    key: OneKey = None,
    overlap_hours: Annotated[
        int, typer.Option(min=0, max=168, help="How long the previous keys stay valid.")
    ] = 24,
) -> None:
    """Issue a new API key and print it, once; the previous keys stay valid for a while.

    It replaces all keys of the account, or one.
    """
    from .keys import rotate_api_key

    rotate_api_key(name, key, timedelta(hours=overlap_hours))


@keys.command("revoke")
def revoke_keys(
    name: AccountName,
    key: OneKey = None,
) -> None:
    """Revoke an account's keys at once: all of them, or one."""
    from .keys import revoke_api_keys

    revoke_api_keys(name, key)


@keys.command("secret")
def rotate_secret(name: AccountName) -> None:
    """Issue a new signing secret and print it; for 24 hours webhooks carry both signatures."""
    from .keys import rotate_signing_secret

    rotate_signing_secret(name)


@keys.command("master")
def master_key(
    rotate: Annotated[
        bool, typer.Option("--rotate", help="Seal everything under a new master key.")
    ] = False,
    forget: Annotated[
        bool, typer.Option("--forget", help="Remove the keys that were rotated out.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Show which master keys seal what; rotate the master key.

    A rotation runs beside the service, and can be interrupted and repeated. Meanwhile both keys are
    accepted. Keys are named by their fingerprints and never printed.
    """
    from . import master

    if rotate and forget:
        raise Refused("First --rotate, then --forget.")
    act = master.rotate if rotate else master.forget if forget else master.show
    act(as_json=as_json)


def add_to(app: typer.Typer) -> None:
    app.command(rich_help_panel=SETUP)(apply)
    app.command(rich_help_panel=RUN)(sync)
    app.add_typer(accounts, name="accounts", rich_help_panel=INSPECT)
    app.add_typer(keys, name="keys", rich_help_panel=SETUP)
