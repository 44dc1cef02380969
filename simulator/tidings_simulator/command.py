"""`tidings simulator`: runs the simulator and prints how to connect Tidings to it."""

import asyncio
import errno
import gc
import os
from collections.abc import Callable, Sequence
from pathlib import Path

import uvloop

from tidings import phone
from tidings.cli.output import Refused, Styled, print_json, say, visible
from tidings.settings import variable
from tidings_simulator.plan import DEFAULT, InvalidPlan, Plan, read_plan
from tidings_simulator.simulator import (
    APP_SECRET,
    VERIFY_TOKEN,
    VERSION,
    GraphSimulator,
    Traffic,
)

LISTENING_ERRORS = (errno.EADDRINUSE, errno.EADDRNOTAVAIL, errno.EACCES)
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
        on_traffic=None if quiet else _traffic_printer(as_json),
    )
    # Frequent collections took a quarter of the time: requests create many short-lived values.
    gc.set_threshold(50_000, 20, 50)
    try:
        uvloop.run(_serve(simulator, host, port, as_json=as_json))
    except KeyboardInterrupt:
        return
    except OSError as reason:
        if reason.errno not in LISTENING_ERRORS:
            raise
        why = os.strerror(reason.errno)
        raise Refused(f"Cannot listen on {host}:{port}: {why}.") from None


def _plan(file: Path | None, numbers: Sequence[str]) -> Plan:
    try:
        plan = DEFAULT if file is None else read_plan(file.read_text())
    except OSError as reason:
        raise Refused(f"Cannot read {file}: {reason.strerror}.") from None
    except InvalidPlan as reason:
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
    """The environment variables that connect Tidings to it."""
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
    callback_sender = simulator.state.callback_sender
    if as_json:
        start = {
            "url": simulator.url,
            "control": f"{simulator.url}/simulator",
            "callbackUrl": callback_sender.url,
            "settings": settings,
            "account": account,
        }
        print_json(start, indent=-1)
        return
    say(Styled(f"The simulated platform listens on {simulator.url}", bold=True))
    say(f"Callbacks go to {callback_sender.url or 'nobody'}; /simulator/... moves its world.\n")
    say(Styled("1.", bold=True), " Point Tidings at it, then start it:\n")
    for name, value in settings.items():
        say(f"export {name}={value}")
    say("\n", Styled("2.", bold=True), " Give it an account (tidings apply rehearsal.toml):\n")
    say(account)
    templates = sorted({t.name for t in simulator.state.world.templates()})
    say(f"Templates: {', '.join(templates)}. Stop with Ctrl-C.\n")


def _traffic_printer(as_json: bool) -> Callable[[Traffic], None]:
    if as_json:
        return lambda traffic: print_json(_plain(traffic), indent=-1)
    return lambda traffic: say(*_line(traffic))


def _plain(traffic: Traffic) -> dict[str, object]:
    return {
        "direction": "in" if traffic.incoming else "out",
        "method": traffic.method,
        "path": traffic.path,
        "status": traffic.status,
        "to": phone.mask(traffic.to) if traffic.to else None,
        "note": traffic.note or None,
    }


def _line(traffic: Traffic) -> list[str | Styled]:
    """`<- 200 POST /v25.0/1055/messages 972*******67`; an arrow to the right is a callback."""
    good = traffic.status is not None and traffic.status < 400
    status = Styled(str(traffic.status or "---"), "green" if good else "red")
    to = f" {phone.mask(traffic.to)}" if traffic.to else ""
    note = [Styled(f" ({traffic.note})", dim=True)] if traffic.note else []
    arrow = "<-" if traffic.incoming else "->"
    return [f"{arrow} ", status, visible(f" {traffic.method} {traffic.path}{to}"), *note]
