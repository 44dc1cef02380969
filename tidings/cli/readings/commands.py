"""`tidings readings`: what people settled, of accounts that keep it (`keepReadings`)."""

from typing import Annotated

import typer

from tidings.cli.options import INSPECT, AsJson

readings = typer.Typer(
    no_args_is_help=True, help="Replies that people settled, kept with their answer."
)


@readings.command("export")
def export_readings(
    account: Annotated[str, typer.Argument(metavar="ACCOUNT", help="The account's name.")],
    as_json: AsJson = False,
) -> None:
    """Print them as labelled lines: text, answer and guests, separated by tabs."""
    from .readings import export

    export(account, as_json=as_json)


def add_to(app: typer.Typer) -> None:
    app.add_typer(readings, name="readings", rich_help_panel=INSPECT)
