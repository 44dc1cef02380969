"""Five hosts and a customer: three run PostgreSQL under Patroni, two run Tidings."""

import os
from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass

import pytest

from tests.cluster.gateways import KEY, PORT, Gateway, Load, WayIn
from tests.cluster.hosts import Host, Switch, missing_programs
from tests.cluster.postgresql import PostgresCluster
from tests.support.database import reachable_folder
from tests.support.receiver import Receiver
from tests.support.service import account_toml
from tests.support.simulator import RunningSimulator
from tests.support.waiting import eventually
from tidings_simulator.plan import DEFAULT, NumberSpec, Plan

CUSTOMER = 1  # the last part of its address
WRONG_CLOCK = "+300s"  # of one of the hosts that run Tidings
PER_SECOND = 4.0  # bounded: what is tried is loss, not speed


@dataclass(frozen=True)
class World:
    postgres: PostgresCluster
    gateways: list[Gateway]
    simulator: RunningSimulator
    receiver: Receiver
    load: Load


@pytest.fixture
def world() -> Iterator[World]:
    if os.geteuid() != 0 or (missing := missing_programs()):
        pytest.skip(f"needs root and: {', '.join(missing) if os.geteuid() == 0 else ''}")
    with ExitStack() as stack:
        switch, folder = Switch(), reachable_folder()
        stack.callback(switch.close)

        def host(name: str, number: int) -> Host:
            made = Host(name, number, switch, folder)
            stack.callback(made.kill)
            return made

        databases = [host(f"db{n}", 10 + n) for n in (1, 2, 3)]
        fronts = [host(f"app{n}", 20 + n) for n in (1, 2)]
        customer = host("customer", CUSTOMER)
        stack.enter_context(customer.entered())
        yield _start(stack, customer, databases, fronts)


def _start(stack: ExitStack, customer: Host, databases: list[Host], fronts: list[Host]) -> World:
    postgres = PostgresCluster(databases)
    plan = Plan(
        numbers=[NumberSpec(number="972555000001", throughput="HIGH")],
        templates=DEFAULT.templates,
    )
    simulator = stack.enter_context(
        RunningSimulator(host=customer.address, plan=plan, post_concurrency=8)
    )
    receiver = stack.enter_context(Receiver(host=customer.address))
    way_in = stack.enter_context(closing(WayIn(fronts)))
    simulator.call_back(f"{way_in.url}/platform/whatsapp/webhook")
    env = simulator.settings | {"TIDINGS_PUBLIC_URL": f"http://{fronts[0].address}:{PORT}"}
    clocks = ("", WRONG_CLOCK)
    gateways = [
        Gateway(front, postgres.url(), env, clock)
        for front, clock in zip(fronts, clocks, strict=True)
    ]
    number = simulator.numbers_toml + "perSecond = 1000\n# accounts.templates\n"
    fields = {"environment": "live", "apiKey": KEY, "webhookUrl": receiver.url}
    gateways[0].command("apply", "-", text=account_toml(number, name="acme", **fields))
    for gateway in gateways:
        gateway.start()
    eventually(lambda: _has_templates(gateways[0]))
    load = stack.enter_context(closing(Load(gateways, PER_SECOND)))
    return World(postgres, gateways, simulator, receiver, load)


def _has_templates(gateway: Gateway) -> bool:
    return bool(gateway.get("/api/v1/templates")["data"])
