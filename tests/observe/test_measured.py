"""What is measured when the page is read: connections, jobs, dead letters, clocks."""

import asyncio
from datetime import timedelta

from tests.support.clock import ManualClock
from tests.support.service import TestService
from tests.support.waiting import eventually
from tidings import operations
from tidings.clock import DatabaseClock
from tidings.engine.db import skew


def read(service: TestService) -> dict[str, float]:
    """The page: each series as it is written there."""
    page = service.call(lambda: operations.get_metrics.handle(service.ctx, None))
    return series(page.body.decode())


def series(page: str) -> dict[str, float]:
    lines = (line.rpartition(" ") for line in page.splitlines() if not line.startswith("#"))
    return {series: float(value) for series, _, value in lines}


def test_who_waits_for_a_connection_is_counted(still_service: TestService) -> None:
    connections = still_service.ctx.db.connections
    count = 'tidings_database_connection_wait_seconds_count{pool="main"}'
    before = read(still_service)[count]

    async def exhaust() -> None:
        held = [await connections.take() for _ in range(connections.size)]
        assert connections.in_use == connections.size
        waiting = asyncio.create_task(still_service.ctx.db.ping())
        await asyncio.sleep(0)
        assert connections.waiting >= 1
        for connection in held:
            connections.give(connection)
        await waiting

    still_service.call(exhaust)
    found = read(still_service)
    assert found[count] >= before + 1
    assert found['tidings_database_connections_max{pool="main"}'] == connections.size
    assert found['tidings_database_connection_waiters{pool="main"}'] == 0


def test_the_page_does_not_wait_for_the_database(still_service: TestService) -> None:
    ctx = still_service.ctx
    in_use, up = 'tidings_database_connections{pool="main",state="in_use"}', "tidings_database_up"

    async def read_while_exhausted() -> str:
        held = [await ctx.db.connections.take() for _ in range(ctx.db.connections.size)]
        asking = asyncio.create_task(operations.get_metrics.handle(ctx, None))
        while not ctx.db.connections.waiting:
            await asyncio.sleep(0)
        measured = series(ctx.metrics.render().decode())
        assert measured[in_use] == ctx.db.connections.size, "what needs no database comes first"
        page = await asking
        for connection in held:
            ctx.db.connections.give(connection)
        return page.body.decode()

    found = series(still_service.call(read_while_exhausted))
    assert found[in_use] == ctx.db.connections.size
    assert found[up] == 1
    # What was being asked has ended, and left no connection behind.
    eventually(lambda: ctx.db.connections.in_use == 0)
    eventually(lambda: read(still_service)[in_use] == 0)


def test_dead_letters_are_counted(still_service: TestService) -> None:
    account = still_service.account()
    account.send(clientMessageId="one-message", to="972500001234", templateName="plain")
    still_service.sql("UPDATE jobs SET dead_lettered_at = now(), leased = false RETURNING 1")
    still_service.sql(
        "INSERT INTO callback_dead_letters (received_at, reason, body)"
        " VALUES (now(), 'unreadable', '') RETURNING 1"
    )
    eventually(lambda: read(still_service)['tidings_jobs_dead_lettered{pool="timers"}'] >= 1)
    assert read(still_service)["tidings_callback_dead_letters"] == 1


def test_due_jobs_are_counted_by_pool(still_service: TestService, clock: ManualClock) -> None:
    account = still_service.account()
    account.send(clientMessageId="one-message", to="972500001234", templateName="plain")
    clock.advance(minutes=5)  # the simulated callbacks are due, and nobody works
    eventually(lambda: read(still_service)['tidings_jobs_due{pool="timers"}'] >= 1)
    assert read(still_service)['tidings_jobs_due{pool="otp"}'] == 0


def test_a_single_process_shows_itself_with_its_roles(still_service: TestService) -> None:
    found = read(still_service)
    of = '{process="1",roles="api,portal"}'
    assert found[f"tidings_process_up{of}"] == 1
    assert found[f"process_resident_memory_bytes{of}"] > 0
    assert found[f"process_start_time_seconds{of}"] > 0


def test_the_database_clock_is_compared(still_service: TestService, clock: ManualClock) -> None:
    skew = read(still_service)["tidings_clock_skew_seconds"]
    clock.advance(minutes=5)  # ours; the database's is real
    eventually(lambda: read(still_service)["tidings_clock_skew_seconds"] < skew - 200)


def test_a_corrected_clock_is_still_called_wrong(still_service: TestService) -> None:
    async def measure() -> timedelta:
        corrected = DatabaseClock()
        corrected.ahead = timedelta(minutes=5)  # as if this machine were late
        return await still_service.ctx.db.transact(lambda tx: skew.measure(corrected, tx.value))

    # It is not: the database runs on this machine.
    assert abs(still_service.call(measure)) < timedelta(minutes=1)


def test_faults_are_shown_before_they_happen(still_service: TestService) -> None:
    """Prometheus sees an increase only between two values, and there may be only one fault."""
    found = read(still_service)
    for source in ("dispatch", "status"):
        labels = f'environment="live",platform_code="190",source="{source}"'
        assert found[f'tidings_platform_errors_total{{code="ACCESS_TOKEN_INVALID",{labels}}}'] == 0
    labels = '{environment="live",outcome="unknown"}'
    assert found[f"tidings_dispatch_seconds_count{labels}"] == 0
