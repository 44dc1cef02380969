"""`tidings phone` and `tidings clock`: the guest and the time of a sandbox account."""

from datetime import timedelta
from typing import Annotated

import typer

from tidings.cli.options import LOCAL_URL, SANDBOX, AsJson, Key, Url

from .durations import parse_duration

clock = typer.Typer(no_args_is_help=True, help="The clock of a sandbox account: show, advance.")


def _duration(text: str) -> timedelta:
    try:
        return parse_duration(text)
    except ValueError as reason:
        raise typer.BadParameter(f"{reason}, not {text!r}") from None


@clock.command("show")
def show_clock(key: Key = None, url: Url = LOCAL_URL, as_json: AsJson = False) -> None:
    """Show the account's time and how far it is ahead."""
    from .clock import show_clock as show

    show(key=key, url=url, as_json=as_json)


@clock.command("advance")
def advance_clock(
    by: Annotated[
        timedelta,
        typer.Argument(metavar="TIME", parser=_duration, help="Such as 90s, 15m, 2h, 3d or 1h30m."),
    ],
    key: Key = None,
    url: Url = LOCAL_URL,
    as_json: AsJson = False,
) -> None:
    """Move the account's time on: what falls due on the way happens, in order, before this ends.

    Windows close, passcodes and invitations expire, nudges are sent, webhooks are retried, invoices
    become overdue.
    """
    from .clock import advance_clock as advance

    advance(by, key=key, url=url, as_json=as_json)


def phone(
    number: Annotated[str, typer.Argument(metavar="NUMBER", help="The guest's, such as +972….")],
    key: Key = None,
    url: Url = LOCAL_URL,
    as_json: AsJson = False,
) -> None:
    """Be the guest of a sandbox account: read, write, press buttons, say STOP.

    A line that you type is a message; /1 presses button 1, and /help lists what else there is. In a
    pipe each line of the input is one of them.
    """
    from .phone import open_phone

    open_phone(number, key=key, url=url, as_json=as_json)


def add_to(app: typer.Typer) -> None:
    app.command(rich_help_panel=SANDBOX)(phone)
    app.add_typer(clock, name="clock", rich_help_panel=SANDBOX)
