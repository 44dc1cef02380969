"""`tidings events`, `guests` and `optouts`: who was invited, what they answered, who stopped."""

from enum import StrEnum
from typing import Annotated
from urllib.parse import quote

import typer

from tidings import limits
from tidings.cli.options import (
    INSPECT,
    LIST_LIMIT,
    LOCAL_URL,
    AsCsv,
    AsJson,
    Everything,
    Key,
    Limit,
    ListByDefault,
    Url,
)

events = typer.Typer(cls=ListByDefault, help="Events and what their guests answered: list, show.")
guests = typer.Typer(cls=ListByDefault, help="The guests of an event: list, settle.")
optouts = typer.Typer(cls=ListByDefault, help="Who asked to stop: list, check, remove.")

EventId = Annotated[str, typer.Argument(metavar="EVENT", help="Your id of the event.")]
Number = Annotated[str, typer.Argument(metavar="NUMBER", help="International digits.")]


class Answer(StrEnum):
    YES = "yes"
    NO = "no"


@events.command("list")
def list_events(
    limit: Limit = LIST_LIMIT,
    everything: Everything = False,
    key: Key = None,
    url: Url = LOCAL_URL,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
) -> None:
    """List events with their figures, the newest first."""
    from tidings.cli.listing import Asked, print_list

    from .reading import EVENTS

    print_list(EVENTS, {}, Asked(limit, everything, as_json, as_csv, key, url))


@events.command("show")
def show_event(
    event_id: EventId, key: Key = None, url: Url = LOCAL_URL, as_json: AsJson = False
) -> None:
    """Show one event: its settings and its figures."""
    from tidings.cli.messages.reading import show_one

    show_one(f"/events/{quote(event_id, safe='')}", key=key, url=url, as_json=as_json)


@guests.command("list")
def list_guests(
    event_id: EventId,
    state: Annotated[
        str | None,
        typer.Option(
            help="Only these: invited, delivered, confirmed, declined, unclear, unresolved,"
            " expired, failed or opted_out."
        ),
    ] = None,
    limit: Limit = LIST_LIMIT,
    everything: Everything = False,
    key: Key = None,
    url: Url = LOCAL_URL,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
) -> None:
    """List the guests of an event, the newest invitation first."""
    from tidings.cli.listing import Asked, print_list

    from .reading import guests_of

    asked = Asked(limit, everything, as_json, as_csv, key, url)
    print_list(guests_of(event_id), {"state": state}, asked)


@guests.command("settle")
def settle_guest(
    event_id: EventId,
    number: Number,
    answer: Annotated[Answer, typer.Argument(metavar="yes|no", help="What the guest meant.")],
    party: Annotated[
        int | None,
        typer.Option(
            "--guests",
            min=limits.GUESTS_PER_ANSWER.low,
            max=limits.GUESTS_PER_ANSWER.high,
            help="How many come.",
        ),
    ] = None,
    key: Key = None,
    url: Url = LOCAL_URL,
    as_json: AsJson = False,
) -> None:
    """Settle what a guest meant; it is published like the guest's own answer."""
    from .acting import settle

    settle(event_id, number, answer.value, party, key=key, url=url, as_json=as_json)


@optouts.command("list")
def list_optouts(
    limit: Limit = LIST_LIMIT,
    everything: Everything = False,
    key: Key = None,
    url: Url = LOCAL_URL,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
) -> None:
    """List who asked to stop the account's messages, the latest first."""
    from tidings.cli.listing import Asked, print_list

    from .reading import OPTOUTS

    print_list(OPTOUTS, {}, Asked(limit, everything, as_json, as_csv, key, url))


@optouts.command("check")
def check_optouts(
    numbers: Annotated[list[str], typer.Argument(metavar="NUMBER...", help="At most 500.")],
    key: Key = None,
    url: Url = LOCAL_URL,
    as_json: AsJson = False,
) -> None:
    """Say which of these numbers have opted out, and since when."""
    from .acting import check

    check(numbers, key=key, url=url, as_json=as_json)


@optouts.command("remove")
def remove_optout(
    number: Number, key: Key = None, url: Url = LOCAL_URL, as_json: AsJson = False
) -> None:
    """Remove an opt-out; only at the request of the number's owner."""
    from .acting import remove

    remove(number, key=key, url=url, as_json=as_json)


def add_to(app: typer.Typer) -> None:
    app.add_typer(events, name="events", rich_help_panel=INSPECT)
    app.add_typer(guests, name="guests", rich_help_panel=INSPECT)
    app.add_typer(optouts, name="optouts", rich_help_panel=INSPECT)
