"""What the operator's page counts: messages by outcome, and how late jobs are."""

from tests.support.batches import cancel, cid, dry_run, item, submit
from tests.support.clock import ManualClock
from tests.support.service import TestAccount, TestService
from tests.support.text import ahead
from tidings import operations

READ, FAILING, UNDELIVERED = "972500001234", "972500009010", "972500009001"


def counted(service: TestService) -> dict[str, float]:
    """`tidings_messages_total` by status."""
    [family] = [f for f in service.ctx.metrics.registry.collect() if f.name == "tidings_messages"]
    return {
        sample.labels["status"]: sample.value
        for sample in family.samples
        if sample.name == "tidings_messages_total"
    }


def accepted(service: TestService) -> float:
    labels = {"kind": "notification", "environment": "sandbox"}
    name = "tidings_messages_accepted_total"
    return service.ctx.metrics.registry.get_sample_value(name, labels) or 0


def send(account: TestAccount, to: str, name: str, **more: str) -> int:
    return account.send(clientMessageId=name, to=to, templateName="plain", **more).status_code


def test_messages_are_counted_by_the_statuses_they_come_to(still_service: TestService) -> None:
    account = still_service.account()
    assert counted(still_service) == {}
    assert send(account, READ, "read-at-last") == 200
    assert counted(still_service) == {"sent": 1}
    assert send(account, READ, "read-at-last") == 200  # a duplicate is no message
    send(account, FAILING, "failing-1")
    send(account, UNDELIVERED, "never-delivered")
    account.advance(seconds=10)
    reached = counted(still_service)
    assert (reached["sent"], reached["delivered"], reached["read"]) == (3, 1, 1)
    assert reached["failed"] == 1
    batch = submit(account, [item(n, scheduledFor=ahead(hours=2)) for n in range(3)])
    cancel(account, batch["batchId"])
    assert account.status(cid(0))["status"] == "cancelled"
    account.advance(days=31)
    reached = counted(still_service)
    assert (reached["cancelled"], reached["expired"], reached["sent"]) == (3, 1, 3)
    assert accepted(still_service) == 6


def test_those_refused_for_an_opt_out_are_counted_as_failed(still_service: TestService) -> None:
    account = still_service.account()
    account.reply(READ, "STOP")
    send(account, READ, "unwanted-1")
    assert counted(still_service) == {"failed": 1}


def test_what_is_only_previewed_is_not_counted(still_service: TestService) -> None:
    account = still_service.account()
    dry_run(account, [item(1), item(2, to=FAILING)])
    assert counted(still_service) == {}
    assert accepted(still_service) == 0


def oldest(service: TestService) -> dict[str, float]:
    """`tidings_jobs_oldest_due_seconds` by pool."""
    page = service.call(lambda: operations.get_metrics.handle(service.ctx, None))
    name = "tidings_jobs_oldest_due_seconds{"
    lines = [line for line in page.body.decode().splitlines() if line.startswith(name)]
    return {line.split('"')[1]: float(line.split()[1]) for line in lines}


def test_a_sandbox_clock_makes_nothing_look_late(still_service: TestService) -> None:
    account = still_service.account(webhookUrl="http://127.0.0.1:9/")
    send(account, READ, "late-one")
    still_service.sql(
        "UPDATE jobs SET clock_ms = 86400000, due_at = due_at - interval '1 day' RETURNING 1"
    )
    assert max(oldest(still_service).values()) < 60


def test_an_emptied_pool_has_no_oldest_job(still_service: TestService, clock: ManualClock) -> None:
    account = still_service.account()
    send(account, READ, "late-one")  # the simulator's callbacks are jobs of the timers' pool
    clock.advance(minutes=5)
    assert oldest(still_service)["timers"] > 200
    still_service.sql("DELETE FROM jobs")
    assert oldest(still_service) == dict.fromkeys(still_service.ctx.pools, 0)
