"""The commands of `tidings keys`; their work is imported when run."""

from datetime import timedelta
from typing import Annotated

import typer

keys = typer.Typer(no_args_is_help=True, help="API keys and signing secrets.")

AccountName = Annotated[str, typer.Argument(metavar="NAME", help="The account's name.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@keys.command("list")
def list_keys(name: AccountName, as_json: AsJson = False) -> None:
    """List an account's keys that work: how they begin and end, never the whole of one."""
    from .keys import list_keys as work

    work(name, as_json=as_json)


@keys.command("issue")
def issue_key(name: AccountName) -> None:
    """Issue one more API key and print it, once; the others work on."""
    from .keys import issue_api_key

    issue_api_key(name)


@keys.command("rotate")
def rotate_key(
    name: AccountName,
    overlap_hours: Annotated[
        int, typer.Option(min=0, max=168, help="How long the keys before it work on.")
    ] = 24,
) -> None:
    """Issue a new API key and print it, once; those before it work on for a while."""
    from .keys import rotate_api_key

    rotate_api_key(name, timedelta(hours=overlap_hours))


@keys.command("revoke")
def revoke_keys(
    name: AccountName,
    key: Annotated[
        str | None,
        typer.Option(metavar="PREFIX", help="The one that begins so, as keys list shows it."),
    ] = None,
) -> None:
    """End an account's keys at once: all of them, or one."""
    from .keys import revoke_api_keys

    revoke_api_keys(name, key)


@keys.command("secret")
def rotate_secret(name: AccountName) -> None:
    """Issue a new signing secret and print it; for 24 hours webhooks carry both signatures."""
    from .keys import rotate_signing_secret

    rotate_signing_secret(name)
