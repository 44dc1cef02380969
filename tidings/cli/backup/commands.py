"""`tidings backup` and `restore`: the database in a folder, and back."""

from pathlib import Path
from typing import Annotated

import typer

from tidings.cli.options import SETUP, AsJson
from tidings.cli.output import Refused


def backup(
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="A folder that does not exist yet.")
    ],
    objects: Annotated[
        bool, typer.Option("--objects", help="Also copy the uploaded files, not only list them.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Write a backup of the database, also while the service runs.

    It is one snapshot: what one transaction wrote is in it as a whole or not at all. The master key
    is not in it, only its fingerprint, and neither are passcodes that wait to be sent.
    """
    from .backup import back_up

    back_up(folder, with_objects=objects, as_json=as_json)


def restore(
    folder: Annotated[Path | None, typer.Argument(metavar="DIR", help="A backup.")] = None,
    after_pitr: Annotated[
        bool,
        typer.Option(
            "--after-pitr",
            help="Only apply the rules, to a database that PostgreSQL restored to a point in time.",
        ),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Restore a backup into an empty database, with all sending held.

    What was being sent when the backup was made has an unknown outcome and is not sent again.
    Nothing is sent until `tidings sending resume`, and requests are accepted meanwhile.
    """
    from .restore import apply_after_pitr
    from .restore import restore as run

    if (folder is None) != after_pitr:
        raise Refused("Name the folder of a backup, or give --after-pitr.")
    if folder is None:
        apply_after_pitr(as_json=as_json)
    else:
        run(folder, as_json=as_json)


def add_to(app: typer.Typer) -> None:
    app.command(rich_help_panel=SETUP)(backup)
    app.command(rich_help_panel=SETUP)(restore)
