"""The command line. Commands are declared here; their work is imported only when one is run."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from tidings import __version__
from tidings.cli.accounts import key_commands
from tidings.cli.billing import commands as money_commands
from tidings.cli.forms import commands as form_commands
from tidings.cli.messages import commands as trying_commands
from tidings.cli.webhooks import commands as webhook_commands

from .output import remark, say
from .refusal import Refused

SETUP, RUNNING, LOOKING = "Set up", "Run", "Look"

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
accounts = typer.Typer(no_args_is_help=True, help="What accounts there are.")
app.add_typer(accounts, name="accounts", rich_help_panel=LOOKING)
app.add_typer(key_commands.keys, name="keys", rich_help_panel=SETUP)
app.add_typer(money_commands.invoices, name="invoices", rich_help_panel=RUNNING)
app.add_typer(money_commands.billing, name="billing", rich_help_panel=LOOKING)
app.add_typer(money_commands.partners, name="partners", rich_help_panel=RUNNING)
app.add_typer(form_commands.forms, name="forms", rich_help_panel=LOOKING)

trying_commands.add_to(app, RUNNING)
webhook_commands.add_to(app, RUNNING)

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


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


@app.command(rich_help_panel=RUNNING)
def serve(
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port to listen on.")] = 8080,
    processes: Annotated[int, typer.Option(min=1, max=256, help="How many processes.")] = 1,
    roles: Annotated[str, typer.Option(help="What they do, with commas.")] = "api,worker,portal",
    demo: Annotated[
        bool, typer.Option(help="Make a sandbox account and show how to send.")
    ] = False,
) -> None:
    """Run the service until it is told to stop."""
    from tidings.cli.running.serve import serve_roles

    serve_roles(host, port, processes=processes, roles=roles, demo=demo)


@app.command(rich_help_panel=RUNNING)
def simulator(
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port to listen on.")] = 8090,
    callback_url: Annotated[
        str, typer.Option(help="Where callbacks are posted; empty: nowhere.")
    ] = "http://127.0.0.1:8080/platform/whatsapp/webhook",
    app_secret: Annotated[
        str | None, typer.Option(envvar="TIDINGS_APP_SECRET", help="Signs the callbacks.")
    ] = None,
    verify_token: Annotated[
        str | None,
        typer.Option(envvar="TIDINGS_VERIFY_TOKEN", help="Verifies the callback address."),
    ] = None,
    file: Annotated[
        Path | None, typer.Option(help="TOML with [\\[numbers]] and [\\[templates]] to begin with.")
    ] = None,
    number: Annotated[
        list[str] | None, typer.Option(help="A sending number, digits; may be repeated.")
    ] = None,
    windows_open: Annotated[
        bool, typer.Option(help="Take free text outside the 24-hour window too.")
    ] = False,
    as_json: AsJson = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Show no traffic.")] = False,
) -> None:
    """Run a simulated messaging platform that live accounts can send to.

    It speaks the platform's own HTTP API, calls back like it, and fails on request. It prints the
    settings and the account that point Tidings at it.
    """
    try:
        from tidings_simulator.command import run_simulator
    except ModuleNotFoundError as missing:
        if missing.name != "tidings_simulator":
            raise
        raise Refused(
            "The simulator is not installed. Run: pip install 'tidings[simulator]'"
        ) from None

    run_simulator(
        host,
        port,
        callback_url=callback_url,
        app_secret=app_secret,
        verify_token=verify_token,
        file=file,
        numbers=number or [],
        windows_open=windows_open,
        as_json=as_json,
        quiet=quiet,
    )


@app.command(rich_help_panel=SETUP)
def apply(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="A TOML file; - reads standard input.")
    ],
    prune: Annotated[
        bool,
        typer.Option("--prune", help="Also remove what the accounts in the file no longer have."),
    ] = False,
    diff: Annotated[
        bool, typer.Option("--diff", help="Only print the changes; exit code 2 if there are any.")
    ] = False,
) -> None:
    """Make the service match a file of accounts, any number of times.

    Prints on stderr what it adds, changes and removes, and on stdout JSON: {accounts: [{name, id,
    environment, apiKey, signingSecret}]}, with secrets only where they are new or given. All of the
    file is applied or nothing of it. Accounts, settings and tables that it does not have are left
    alone; a table that lacks an entry there is, is refused without --prune.
    """
    from tidings.cli.accounts.apply import apply_file

    apply_file(file, prune=prune, diff=diff)


@app.command(rich_help_panel=SETUP)
def migrate() -> None:
    """Bring the database up to date; print the migrations applied."""
    from tidings.cli.running.migrate import migrate_database

    migrate_database()


@app.command(rich_help_panel=RUNNING)
def sync(
    account: Annotated[
        str | None, typer.Option(metavar="NAME", help="One live account; absent: all.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Read numbers and templates of live accounts at the platform, now.

    A running service does so every five minutes, and after callbacks, by itself.
    """
    from tidings.cli.accounts.sync import sync_accounts

    sync_accounts(account, as_json=as_json)


@app.command(rich_help_panel=LOOKING)
def callbacks(
    again: Annotated[
        bool, typer.Option("--again", help="Process them again, as if they had just arrived.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Show callbacks of the platform that could not be read, or are about numbers not ours."""
    from tidings.cli.messages.platform_callbacks import show_callbacks

    show_callbacks(again=again, as_json=as_json)


@accounts.command("list")
def list_accounts(as_json: AsJson = False) -> None:
    """List all accounts."""
    from tidings.cli.accounts.listing import list_accounts as run

    run(as_json=as_json)


@app.command(rich_help_panel=LOOKING)
def settings(as_json: AsJson = False) -> None:
    """List every setting with its present value, secrets masked."""
    from tidings.cli.running.settings import show_settings

    show_settings(as_json=as_json)


@app.command(rich_help_panel=LOOKING)
def doctor() -> None:
    """Check every invariant on the live database.

    Exits 1 and prints the ids where one is broken.
    """
    from tidings.cli.running.doctor import check_invariants

    check_invariants()


if __name__ == "__main__":
    main()
