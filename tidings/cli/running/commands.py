"""`tidings serve`, `simulator`, `sending`, `migrate`, `settings`, `doctor`, `open`: running a
service."""

import gc
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from tidings.cli.options import INSPECT, LOCAL_URL, RUN, SETUP, AsJson, Url
from tidings.cli.output import Refused

sending = typer.Typer(no_args_is_help=True, help="Pause and resume the sending of all accounts.")

jobs = typer.Typer(no_args_is_help=True, help="Parked jobs, which crashed too often.")
JobId = Annotated[int, typer.Argument(metavar="ID", help="As jobs list shows it.")]
Reason = Annotated[str, typer.Option(metavar="TEXT", help="Why, for other operators.")]


class Place(StrEnum):
    """What `tidings open` opens."""

    PORTAL = "portal"
    MESSAGES = "messages"
    BATCHES = "batches"
    EVENTS = "events"
    PHONE = "phone"
    WEBHOOKS = "webhooks"
    REQUESTS = "requests"
    KEYS = "keys"
    USAGE = "usage"
    DOCS = "docs"
    GUIDE = "guide"


def serve(
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port to listen on.")] = 8080,
    processes: Annotated[int, typer.Option(min=1, max=256, help="Number of processes.")] = 1,
    roles: Annotated[
        str, typer.Option(help="What they run, separated by commas.")
    ] = "api,worker,portal",
    demo: Annotated[
        bool, typer.Option(help="Create a sandbox account and show how to send.")
    ] = False,
) -> None:
    """Run the service until SIGTERM or Ctrl-C."""
    gc.disable()  # nothing that is imported is garbage: looking for some takes a tenth of the time
    from .serve import serve_roles

    gc.enable()
    serve_roles(host, port, processes=processes, roles=roles, demo=demo)


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
        Path | None, typer.Option(help="TOML with [\\[numbers]] and [\\[templates]] to start with.")
    ] = None,
    number: Annotated[
        list[str] | None, typer.Option(help="A sending number, digits; may be repeated.")
    ] = None,
    windows_open: Annotated[
        bool, typer.Option(help="Accept free text outside the 24-hour window too.")
    ] = False,
    as_json: AsJson = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Show no traffic.")] = False,
) -> None:
    """Run a simulated messaging platform that live accounts can send to.

    It implements the platform's HTTP API, posts callbacks like it, and fails on request. It prints
    the settings and the account that point Tidings at it.
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


def migrate(
    plan: Annotated[
        bool, typer.Option("--plan", help="Only show what would be done, and which locks it takes.")
    ] = False,
    status: Annotated[
        bool, typer.Option("--status", help="Only show what was done, what waits, and why.")
    ] = False,
    wait: Annotated[
        bool, typer.Option("--wait", help="Go on until nothing is left: data changes, too.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Bring the database up to date; print the migrations applied."""
    if plan + status + wait > 1:
        raise Refused("--plan, --status and --wait exclude each other.")
    from . import migration

    if plan:
        migration.show_plan(as_json=as_json)
    elif status:
        migration.show_status(as_json=as_json)
    else:
        migration.migrate_database(wait=wait, as_json=as_json)


def settings(
    name: Annotated[str | None, typer.Argument(metavar="SETTING", help="Only this one.")] = None,
    as_json: AsJson = False,
) -> None:
    """List every setting with its present value, secrets masked.

    With a name: what it accepts, and what another value changes.
    """
    from .settings import show_settings

    show_settings(name, as_json=as_json)


def health(
    live: Annotated[
        bool, typer.Option("--live", help="Only whether the processes answer (/livez).")
    ] = False,
) -> None:
    """Ask the service on this machine whether it is ready; exit code 1 if it is not.

    For health checks of containers and load balancers.
    """
    from .health import ask

    ask("/livez" if live else "/readyz")


def open_browser(
    page: Annotated[
        Place, typer.Argument(metavar="PAGE", help=f"One of {', '.join(Place)}.")
    ] = Place.PORTAL,
    url: Url = LOCAL_URL,
) -> None:
    """Open the portal in the browser; in a pipe, or without one, print its address."""
    from .opening import open_page

    open_page(page.value, url)


def doctor(
    as_json: AsJson = False,
    timings: Annotated[
        bool, typer.Option("--timings", help="Print what each query took, on stderr.")
    ] = False,
    repair: Annotated[
        bool,
        typer.Option(
            "--repair", help="Repair first what can be repaired safely, then check again."
        ),
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="With --repair: only print what would be repaired.")
    ] = False,
) -> None:
    """Check every invariant on the live database.

    Exits 1 and prints the ids where one is broken. Sending need not stop meanwhile, also for
    --repair; docs/operating/invariants.md explains each invariant.
    """
    from .maintenance import check_invariants

    check_invariants(as_json=as_json, timings=timings, mending=repair, dry_run=dry_run)


@sending.command("pause")
def pause_sending(reason: Reason = "") -> None:
    """Pause the sending of all accounts: what waits is held, and requests are still accepted."""
    from .sending import pause

    pause(reason)


@sending.command("resume")
def resume_sending(reason: Reason = "") -> None:
    """Go on sending; held messages leave within seconds."""
    from .sending import resume

    resume(reason)


@sending.command("status")
def show_sending(as_json: AsJson = False) -> None:
    """Show whether all sending is paused, since when and by whom."""
    from .sending import show

    show(as_json=as_json)


@jobs.command("list")
def list_jobs(as_json: AsJson = False) -> None:
    """List the jobs that crashed their workers too often, the newest first."""
    from .jobs import list_jobs as run

    run(as_json=as_json)


@jobs.command("retry")
def retry_job(job: JobId) -> None:
    """Run a parked job once more. What it is about may be settled: then it has no effect."""
    from .jobs import retry

    retry(job)


@jobs.command("discard")
def discard_job(job: JobId) -> None:
    """Delete a parked job for good."""
    from .jobs import discard

    discard(job)


def add_to(app: typer.Typer) -> None:
    app.command(rich_help_panel=RUN)(serve)
    app.command(rich_help_panel=RUN)(simulator)
    app.add_typer(sending, name="sending", rich_help_panel=RUN)
    app.add_typer(jobs, name="jobs", rich_help_panel=INSPECT)
    app.command(rich_help_panel=SETUP)(migrate)
    app.command(rich_help_panel=INSPECT)(settings)
    app.command(rich_help_panel=INSPECT)(health)
    app.command(rich_help_panel=INSPECT)(doctor)
    app.command("open", rich_help_panel=RUN)(open_browser)
