"""Look-ups of host names: names without an answer use up only the share of their own tenant."""

import asyncio
import threading
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import timedelta

import pytest

from tests.engine.test_outbound import BODY, SOON, client
from tests.support.receiver import Receiver
from tests.support.waiting import until
from tidings import limits
from tidings.engine.http.outbound.client import Outbound
from tidings.engine.http.outbound.resolver import FAILURES_MAX, Resolver, may_begin

BRIEF = timedelta(milliseconds=50)
LONG = timedelta(hours=1)  # outlasts thousands of look-ups, also on a slow machine


class Names:
    """A resolver that hangs on names of dead.example, knows none of gone.example, finds no
    address in nothing.example, and everything else on this machine."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.threads: list[threading.Thread] = []
        self.released = threading.Event()

    def __call__(self, host: str) -> list[str]:
        self.asked.append(host)
        self.threads.append(threading.current_thread())
        if host.endswith("nothing.example"):
            return []
        if host.endswith("dead.example"):
            self.released.wait()
        if host.endswith("gone.example"):
            raise OSError("unknown")
        return ["127.0.0.1"]


@pytest.fixture
def names() -> Iterator[Names]:
    made = Names()
    yield made
    made.released.set()


async def hang(outbound: Outbound, names: Names, tenant: str, hosts: int) -> list[asyncio.Task]:
    """Posts of a tenant to so many names without an answer, once some are looked up."""
    before = len(names.asked)
    posts = [
        outbound.post(f"http://{tenant}-{n}.dead.example/", BODY, {}, timeout=SOON, tenant=tenant)
        for n in range(hosts)
    ]
    tasks = [asyncio.create_task(post) for post in posts]
    await until(lambda: len(names.asked) > before)
    return tasks


@pytest.mark.parametrize("tenants", [1, 12])
async def test_names_that_never_answer_delay_no_other_tenant(
    names: Names, receiver: Receiver, tenants: int
) -> None:
    """150 of them, with 64 look-ups at once: another tenant's post goes out at its first try."""

    async with client(resolve=names, lookups_max=64) as outbound:
        each = 150 // tenants
        dead = [await hang(outbound, names, f"dead{n}", each) for n in range(tenants)]
        url = receiver.url_at("hooks.example.com")
        posted = await outbound.post(url, BODY, {}, timeout=SOON, tenant="good")
        waiting = [task for tasks in dead for task in tasks if not task.done()]
        for task in waiting:
            task.cancel()
    assert posted.status == 200
    assert waiting, "others still waited for their names"
    assert len(names.asked) <= 64


def test_a_tenant_has_a_quarter_of_the_free_threads_and_always_one() -> None:
    assert may_begin(held=15, free=64) and not may_begin(held=16, free=64)
    assert may_begin(held=0, free=1) and not may_begin(held=1, free=7)
    assert not may_begin(held=0, free=0)


async def test_a_tenant_goes_on_when_one_of_its_look_ups_ends(names: Names) -> None:
    resolver = Resolver(names, concurrency=4)
    asking = [asyncio.create_task(resolver.find(f"{n}.dead.example", 1)) for n in range(3)]
    await until(lambda: names.asked)
    await asyncio.sleep(0)
    assert names.asked == ["0.dead.example"]
    names.released.set()
    await asyncio.gather(*asking)
    assert sorted(names.asked) == ["0.dead.example", "1.dead.example", "2.dead.example"]


async def ask(resolver: Resolver, names: Names, hosts: int, tenant: str) -> list[asyncio.Task]:
    """For names that do not answer, until no more of them are looked up."""
    asking = [asyncio.create_task(resolver.find(f"{n}.dead.example", tenant)) for n in range(hosts)]
    await until(lambda: names.asked)
    for _ in range(10):
        await asyncio.sleep(0.001)
    return asking


@pytest.mark.parametrize("first", ["ends before", "ends meanwhile"])
async def test_what_has_ended_counts_no_more_and_what_goes_on_still_does(
    names: Names, first: str
) -> None:
    """Of sixteen threads a tenant gets three: each leaves fewer free to take a quarter of."""
    resolver = Resolver(names, concurrency=16)
    before = [] if first == "ends before" else await ask(resolver, names, 2, "tenant")
    assert await resolver.find("live.example", "tenant") == ["127.0.0.1"]
    asking = [*before, *(await ask(resolver, names, 9, "tenant"))]
    dead = {host for host in names.asked if host.endswith("dead.example")}
    names.released.set()
    await asyncio.gather(*asking)
    assert len(dead) == 3


async def test_a_name_without_an_address_is_remembered_as_one_that_failed(names: Names) -> None:
    resolver = Resolver(names)
    assert await resolver.find("a.nothing.example", "tenant") == []
    with pytest.raises(OSError, match="a moment ago"):
        await resolver.find("a.nothing.example", "tenant")


async def test_so_many_failures_are_remembered_and_the_oldest_is_forgotten(names: Names) -> None:
    resolver = Resolver(names, failure_kept=LONG)
    for n in range(FAILURES_MAX + 1):
        with suppress(OSError):
            await resolver.find(f"{n}.gone.example", "tenant")
    asked = len(names.asked)
    with pytest.raises(OSError, match="a moment ago"):
        await resolver.find("1.gone.example", "tenant")
    assert len(names.asked) == asked
    with pytest.raises(OSError, match=r"no address$"):
        await resolver.find("0.gone.example", "tenant")
    assert len(names.asked) == asked + 1
    assert FAILURES_MAX == 4096


async def test_a_look_up_that_hangs_does_not_keep_the_process_from_ending(names: Names) -> None:
    await Resolver(names).find("live.example", "tenant")
    assert all(thread.daemon for thread in names.threads)


async def test_a_name_that_many_ask_for_is_looked_up_once(names: Names) -> None:
    resolver = Resolver(names)
    asking = [asyncio.create_task(resolver.find("a.dead.example", n)) for n in range(5)]
    await until(lambda: names.asked)
    names.released.set()
    assert await asyncio.gather(*asking) == [["127.0.0.1"]] * 5
    assert names.asked == ["a.dead.example"]


async def test_a_name_that_failed_is_not_asked_for_again_for_a_while(names: Names) -> None:
    lasting, brief = Resolver(names), Resolver(names, failure_kept=BRIEF)
    for resolver in (lasting, lasting, brief):
        with pytest.raises(OSError):
            await resolver.find("a.gone.example", "tenant")
    assert names.asked == ["a.gone.example"] * 2
    await asyncio.sleep(2 * BRIEF.total_seconds())
    with pytest.raises(OSError):
        await brief.find("a.gone.example", "tenant")
    assert names.asked == ["a.gone.example"] * 3
    assert limits.WEBHOOK_ATTEMPT_WAITS[1] > limits.LOOK_UP_FAILURE_KEPT


async def test_a_name_that_hangs_is_not_waited_for_twice(names: Names) -> None:
    resolver = Resolver(names, timeout=BRIEF)
    with pytest.raises(TimeoutError):
        await resolver.find("a.dead.example", "tenant")
    await asyncio.sleep(BRIEF.total_seconds())
    with pytest.raises(TimeoutError, match="not been answered"):
        await resolver.find("a.dead.example", "other")
    names.released.set()
    assert await found_at_last(resolver, "a.dead.example") == ["127.0.0.1"]


async def found_at_last(resolver: Resolver, host: str) -> Sequence[str]:
    """As soon as the look-up that hung has ended."""
    for _ in range(1000):
        with suppress(TimeoutError):
            return await resolver.find(host, "tenant")
        await asyncio.sleep(0.01)
    raise AssertionError("it never ended")
