"""`tidings simulator`: the messaging platform on a port of this machine, and how to use it."""

import asyncio
import errno
import gc
import os
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec
import uvloop
from rich.console import Console
from rich.markup import escape

from tidings import phone
from tidings.platforms.simulator.graph.plan import DEFAULT, Plan, PlanRefused, read_plan
from tidings.platforms.simulator.graph.simulator import (
    APP_SECRET,
    VERIFY_TOKEN,
    VERSION,
    GraphSimulator,
    Traffic,
)
from tidings.settings import variable

from .refusal import Refused

LISTENING_FAULTS = (errno.EADDRINUSE, errno.EADDRNOTAVAIL, errno.EACCES)
SETTINGS_SHOWN = ("graph_url", "graph_version", "app_secret", "verify_token")


def run_simulator(
    host: str,
    port: int,
    *,
    callback_url: str,
    app_secret: str | None,
    verify_token: str | None,
    file: Path | None,
    numbers: Sequence[str],
    windows_open: bool,
    as_json: bool,
    quiet: bool,
) -> None:
    simulator = GraphSimulator(
        plan=_plan(file, numbers),
        callback_url=callback_url,
        app_secret=app_secret or APP_SECRET,
        verify_token=verify_token or VERIFY_TOKEN,
        windows_open=windows_open,
        watch=None if quiet else _watch(as_json),
    )
    # Short-lived values by the thousand: looking through them for cycles takes a quarter of it.
    gc.set_threshold(50_000, 20, 50)
    try:
        uvloop.run(_serve(simulator, host, port, as_json=as_json))
    except KeyboardInterrupt:
        return
    except OSError as reason:
        if reason.errno not in LISTENING_FAULTS:
            raise
        why = os.strerror(reason.errno)
        raise Refused(f"Cannot listen on {host}:{port}: {why}.") from None


def _plan(file: Path | None, numbers: Sequence[str]) -> Plan:
    try:
        plan = DEFAULT if file is None else read_plan(file.read_text())
    except OSError as reason:
        raise Refused(f"Cannot read {file}: {reason.strerror}.") from None
    except PlanRefused as reason:
        raise Refused(str(reason)) from None
    strangers = [number for number in numbers if not phone.is_phone(number)]
    if strangers:
        raise Refused(f"--number takes digits alone, such as 972555000001; not {strangers[0]}.")
    return plan.with_numbers([phone.require(number) for number in numbers]) if numbers else plan


async def _serve(simulator: GraphSimulator, host: str, port: int, *, as_json: bool) -> None:
    await simulator.start(host, port)
    try:
        _print_start(simulator, as_json=as_json)
        await asyncio.Event().wait()
    finally:
        await simulator.stop()


def settings_of(simulator: GraphSimulator) -> dict[str, str]:
    """The environment that points Tidings at it."""
    values = (simulator.url, VERSION, simulator.app_secret, simulator.verify_token)
    return {variable(name): value for name, value in zip(SETTINGS_SHOWN, values, strict=True)}


def account_of(simulator: GraphSimulator) -> str:
    """A file for `tidings apply`."""
    lines = ["[[accounts]]", 'name = "rehearsal"', 'environment = "live"', 'billingMode = "OFF"']
    for number in simulator.state.world.numbers():
        lines += [
            "[[accounts.numbers]]",
            f'number = "{number.number}"',
            f'displayName = "{number.verified_name}"',
            f'phoneNumberId = "{number.id}"',
            f'wabaId = "{number.waba.id}"',
            f'portfolioId = "{number.waba.portfolio_id}"',
            f'accessToken = "{number.waba.access_token}"',
        ]
    return "\n".join(lines) + "\n"


def _print_start(simulator: GraphSimulator, *, as_json: bool) -> None:
    settings, account = settings_of(simulator), account_of(simulator)
    postman = simulator.state.postman
    if as_json:
        start = {
            "url": simulator.url,
            "control": f"{simulator.url}/simulator",
            "callbackUrl": postman.url,
            "settings": settings,
            "account": account,
        }
        print(msgspec.json.encode(start).decode(), flush=True)
        return
    console = Console(highlight=False)
    console.print(f"[bold]The simulated platform listens on {simulator.url}[/bold]")
    console.print(f"Callbacks go to {postman.url or 'nobody'}; /simulator/... moves its world.\n")
    console.print("[bold]1.[/bold] Point Tidings at it, then start it:\n")
    for name, value in settings.items():
        console.print(f"export {name}={value}", markup=False, soft_wrap=True)
    console.print("\n[bold]2.[/bold] Give it an account (tidings apply rehearsal.toml):\n")
    console.print(account, markup=False, soft_wrap=True)
    templates = sorted({t.name for t in simulator.state.world.templates()})
    console.print(
        f"Templates: {', '.join(templates)}. Stop with Ctrl-C.\n", markup=False, soft_wrap=True
    )


def _watch(as_json: bool) -> Callable[[Traffic], None]:
    if as_json:
        return lambda traffic: print(msgspec.json.encode(_plain(traffic)).decode(), flush=True)
    console = Console(highlight=False)
    return lambda traffic: console.print(_line(traffic), soft_wrap=True)


def _plain(traffic: Traffic) -> dict[str, object]:
    return {
        "direction": "in" if traffic.incoming else "out",
        "method": traffic.method,
        "path": traffic.path,
        "status": traffic.status,
        "to": phone.mask(traffic.to) if traffic.to else None,
        "note": traffic.note or None,
    }


def _line(traffic: Traffic) -> str:
    """`<- 200 POST /v25.0/1055/messages 972*******67`; an arrow to the right is a callback."""
    arrow = "<-" if traffic.incoming else "->"
    good = traffic.status is not None and traffic.status < 400
    status = f"[{'green' if good else 'red'}]{traffic.status or '---'}[/]"
    to = f" {phone.mask(traffic.to)}" if traffic.to else ""
    note = f" [dim]({escape(traffic.note)})[/]" if traffic.note else ""
    return f"{arrow} {status} {traffic.method} {escape(traffic.path)}{to}{note}"
