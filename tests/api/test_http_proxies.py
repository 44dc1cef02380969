"""TIDINGS_TRUSTED_PROXIES over real sockets: caps by the client's address, behind a proxy."""

import contextlib
import socket
import time
from collections.abc import Iterator
from itertools import repeat

import pytest

from tests.support.database import fresh_database
from tests.support.service import TestService
from tests.support.shell import Answer, Client, request
from tidings import limits

PROXY, STRANGER = "127.0.0.1", "127.0.0.2"  # where the connection comes from
MOST = limits.UNKNOWN_KEYS_PER_MINUTE_MAX


class From(Client):
    """A connection from one of this machine's many addresses."""

    def __init__(self, port: int, source: str) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), 30, (source, 0))
        self.file = self.socket.makefile("rb")

    def ask(self, forwarded: str | None = None, key: str = "td_sandbox_unknown") -> Answer:
        headers = [] if forwarded is None else [f"X-Forwarded-For: {forwarded}"]
        self.send(request("GET", "/api/v1/balance", key=key, headers=headers))
        answer = self.read()
        assert answer is not None
        return answer


@pytest.fixture(scope="module")
def behind(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestService]:
    settings = {"TIDINGS_TRUSTED_PROXIES": f"{PROXY}, 10.0.0.0/8"}
    folder = tmp_path_factory.mktemp("data")
    with TestService(fresh_database(), folder, settings=settings, working=False) as running:
        yield running


def port_of(service: TestService) -> int:
    return int(service.url.rpartition(":")[2])


def use_up(client: From, forwarded: Iterator[str]) -> Answer:
    """Ask until refused. Each second gives one more try, and a busy machine takes seconds."""
    started = time.monotonic()
    tries = 0
    while (answer := client.ask(next(forwarded))).status == 401:
        tries += 1
        assert tries <= MOST + (time.monotonic() - started) + 1
    assert tries >= MOST
    return answer


def test_each_client_of_a_proxy_has_unknown_keys_of_its_own(behind: TestService) -> None:
    with From(port_of(behind), PROXY) as proxy:
        refused = use_up(proxy, repeat("198.51.100.1"))
        assert (refused.status, refused.code) == (429, "RATE_LIMIT_EXCEEDED")
        forged = "1.2.3.4, 198.51.100.1, 10.7.7.7"
        assert {proxy.ask(forged).status for _ in range(9)} >= {429}, "what it forges is moot"
        assert proxy.ask("198.51.100.2").status == 401, "its neighbour is not at fault"
        assert proxy.ask().status == 401, "nor is the proxy itself"


def test_who_is_no_proxy_of_ours_is_not_believed(behind: TestService) -> None:
    with From(port_of(behind), STRANGER) as stranger:
        addresses = (f"203.0.113.{place}" for place in range(255))
        assert use_up(stranger, addresses).status == 429
    with From(port_of(behind), PROXY) as proxy:
        assert proxy.ask("203.0.113.5").status == 401, "whom it named has tried nothing"


def test_without_the_setting_all_who_come_through_a_proxy_are_one(service: TestService) -> None:
    source = "127.0.0.3"
    with From(port_of(service), source) as proxy:
        addresses = (f"198.51.100.{place}" for place in range(255))
        assert use_up(proxy, addresses).status == 429


def test_a_proxy_may_hold_more_connections_than_one_address_may(behind: TestService) -> None:
    most = limits.CONNECTIONS_PER_ADDRESS_MAX
    account = behind.account()
    with contextlib.ExitStack() as stack:
        for _ in range(most + 1):
            last = stack.enter_context(From(port_of(behind), PROXY))
        assert last.ask(key=account.key).status == 200
    with contextlib.ExitStack() as stack:
        for _ in range(most + 1):
            last = stack.enter_context(From(port_of(behind), STRANGER))
        assert last.read().status == 503, "a stranger's limit stands"
