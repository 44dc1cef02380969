"""TIDINGS_TRUSTED_PROXIES over real sockets: caps by the client's address, behind a proxy."""

import contextlib
import socket
from collections.abc import Iterator

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


def statuses(client: From, count: int, forwarded: str | None) -> list[int]:
    return [client.ask(forwarded).status for _ in range(count)]


def test_each_client_of_a_proxy_has_unknown_keys_of_its_own(behind: TestService) -> None:
    with From(port_of(behind), PROXY) as proxy:
        assert statuses(proxy, MOST, "198.51.100.1") == [401] * MOST
        refused = proxy.ask("198.51.100.1")
        assert (refused.status, refused.code) == (429, "RATE_LIMIT_EXCEEDED")
        assert proxy.ask("1.2.3.4, 198.51.100.1, 10.7.7.7").status == 429, "what it forges is moot"
        assert proxy.ask("198.51.100.2").status == 401, "its neighbour is not at fault"
        assert proxy.ask().status == 401, "nor is the proxy itself"


def test_who_is_no_proxy_of_ours_is_not_believed(behind: TestService) -> None:
    with From(port_of(behind), STRANGER) as stranger:
        for place in range(MOST):
            assert stranger.ask(f"203.0.113.{place}").status == 401
        assert stranger.ask("203.0.113.99").status == 429
    with From(port_of(behind), PROXY) as proxy:
        assert proxy.ask("203.0.113.5").status == 401, "whom it named has tried nothing"


def test_without_the_setting_all_who_come_through_a_proxy_are_one(service: TestService) -> None:
    source = "127.0.0.3"
    with From(port_of(service), source) as proxy:
        for place in range(MOST):
            assert proxy.ask(f"198.51.100.{place}").status == 401
        assert proxy.ask("198.51.100.99").status == 429


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
