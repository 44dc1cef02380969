"""The operator's acts: once, audited, and the same whoever does them."""

from datetime import timedelta

import pytest

from tests.support.accounts import COMMAND, apply
from tidings.engine import queue
from tidings.engine.db.order import Order
from tidings.engine.db.pool import Database
from tidings.engine.queue import Job, NewJob
from tidings.engine.queue.dead_letters import load_dead
from tidings.engine.queue.stats import count_due, find_accounts, oldest_due
from tidings.errors import ApiError
from tidings.features.accounts.lookup import find_account
from tidings.features.accounts.model import Account
from tidings.features.accounts.search import search_accounts
from tidings.features.audit.lookup import Filter, load_page
from tidings.features.audit.record import Actor
from tidings.features.operation import money as operator_money
from tidings.features.operation.health import quantile
from tidings.features.operation.parked import discard_job, retry_job
from tidings.features.partner import transfers
from tidings.features.partner.lookup import load_pending_transfers
from tidings.ids import new_id

DANA = Actor("person", "dana@example.com", "192.0.2.1")
PARTNER = """[[accounts]]
name = "acme"
environment = "sandbox"
[accounts.partner]
ratePerMessage = "0.10"
creditLimit = "100.00"
"""
INVOICED = """[[accounts]]
name = "acme"
environment = "sandbox"
[[accounts.invoices]]
number = "I-1"
kind = "PACKAGE"
lines = [ { description = "Package", quantity = 1, unitPrice = "10.00" } ]
issuedAt = 2026-01-01T00:00:00Z
dueAt = 2030-01-01T00:00:00Z
"""


async def log(db: Database, action: str) -> list[tuple[str, str, dict[str, object]]]:
    entries = (await db.transact(lambda tx: load_page(tx, Filter(action=action)))).entries
    return [(entry.actor.name, entry.subject, entry.details) for entry in entries]


async def load(db: Database) -> Account:
    found = await db.transact(lambda tx: find_account(tx, "acme"))
    assert found is not None
    return found


async def report(db: Database, reference: str = "bank-1") -> Account:
    await apply(db, PARTNER)
    partner = await load(db)
    amount = operator_money.read_amount(partner, "95.00")
    await db.transact(lambda tx: transfers.report(tx, partner, amount=amount, reference=reference))
    return partner


@pytest.mark.parametrize("actor", [COMMAND, DANA])
async def test_a_transfer_is_booked_and_audited_once(db: Database, actor: Actor) -> None:
    partner = await report(db)
    [waiting] = await db.transact(lambda tx: load_pending_transfers(tx, 10))
    assert (waiting.account_id, waiting.transfer.reference) == (partner.id, "bank-1")
    received = operator_money.read_amount(partner, "90.00")
    for expected in (True, False):
        entry = await db.transact(
            lambda tx: operator_money.confirm_transfer(tx, actor, partner, "bank-1", received)
        )
        assert (entry is not None) is expected
    details = {"amount": "90.00 ILS", "debt": "0.00 -> -90.00"}
    assert await log(db, "transfer.") == [(actor.name, "bank-1", details)]
    assert await db.transact(lambda tx: load_pending_transfers(tx, 10)) == []


async def test_a_rejected_transfer_cannot_be_confirmed(db: Database) -> None:
    partner = await report(db)
    for _ in range(2):
        await db.transact(
            lambda tx: operator_money.reject_transfer(tx, DANA, partner, "bank-1", "never came")
        )
    with pytest.raises(ApiError, match="was rejected"):
        await db.transact(lambda tx: operator_money.confirm_transfer(tx, DANA, partner, "bank-1"))
    [(_, _, details)] = await log(db, "transfer.")
    assert details["note"] == "never came"


@pytest.mark.parametrize("text", ["", "ten", "1.005", "1,5", "-"])
async def test_an_amount_must_be_one(db: Database, text: str) -> None:
    await apply(db, PARTNER)
    with pytest.raises(ApiError) as refusal:
        operator_money.read_amount(await load(db), text)
    assert refusal.value.field == "amount"


async def test_an_invoice_is_paid_once_and_then_not_void(db: Database) -> None:
    await apply(db, INVOICED)
    account = await load(db)
    for expected in (True, False):
        changed = await db.transact(lambda tx: operator_money.pay_invoice(tx, DANA, account, "I-1"))
        assert changed is expected
    with pytest.raises(ApiError, match="cannot be voided"):
        await db.transact(lambda tx: operator_money.void_invoice(tx, DANA, account, "I-1"))
    details = {"total": "10.00 ILS", "kind": "PACKAGE"}
    assert await log(db, "invoice.") == [(DANA.name, "I-1", details)]


# Parked work


async def park(db: Database, account: Account) -> int:
    async def work(tx):
        job = NewJob(account.id, "send", "message.send", "m1", tx.now)
        [job_id] = await queue.enqueue(tx, [job], returning=True)
        claimed = Job(job_id, account.id, "message.send", "m1", generation=0, crashes=3)
        await queue.dead_letter(tx, [claimed])
        return job_id

    return await db.transact(work)


async def test_a_parked_job_runs_again_or_is_discarded_once(db: Database) -> None:
    await apply(db, INVOICED)
    account = await load(db)
    first, second = await park(db, account), await park(db, account)
    listed = await db.transact(lambda tx: load_dead(tx, size=10))
    assert [job.id for job in listed] == [second, first]
    await db.transact(lambda tx: retry_job(tx, DANA, first))
    assert (await db.transact(lambda tx: count_due(tx, ["send"], 10)))["send"] == 1
    await db.transact(lambda tx: discard_job(tx, DANA, second))
    for act in (retry_job, discard_job):
        for job_id in (first, second, 10**9):
            with pytest.raises(ApiError, match="is parked"):
                await db.transact(lambda tx, act=act, job_id=job_id: act(tx, DANA, job_id))
    assert [subject for _, subject, _ in await log(db, "job.")] == ["message.send m1"] * 2
    assert await db.transact(lambda tx: load_dead(tx, size=10)) == []


# Queues and lists


async def test_accounts_with_waiting_work_are_found_one_by_one(db: Database) -> None:
    ids = sorted(new_id() for _ in range(5))

    async def work(tx):
        jobs = [
            NewJob(account_id, pool, "k", f"{at}", tx.now + timedelta(hours=at))
            for account_id in ids
            for pool in ("send", "otp", "timers")
            for at in range(3)
        ]
        await queue.enqueue(tx, jobs)

    await db.transact(work)
    assert await db.transact(lambda tx: find_accounts(tx, ["send", "otp"])) == ids
    assert await db.transact(lambda tx: find_accounts(tx, ["webhooks"])) == []
    assert (await db.transact(lambda tx: count_due(tx, ["send"], 3)))["send"] == 4
    assert set(await db.transact(lambda tx: oldest_due(tx, ["send", "webhooks"]))) == {"send"}


async def test_accounts_are_listed_by_pages_and_found_by_name(db: Database) -> None:
    names = [f"hotel-{n}" for n in range(5)]
    await apply(
        db, "".join(f'[[accounts]]\nname = "{n}"\nenvironment = "sandbox"\n' for n in names)
    )
    found, after = [], ""
    while True:
        page = await db.transact(
            lambda tx, after=after: search_accounts(tx, "HOTEL", after=after, size=2)
        )
        found += [one.account.name for one in page.accounts]
        if page.next_name is None:
            break
        after = page.next_name
    assert found == names
    page = await db.transact(
        lambda tx: search_accounts(
            tx, "hotel", after="hotel-3", size=2, by="created", order=Order.NEWEST_FIRST
        )
    )
    assert [one.account.name for one in page.accounts] == ["hotel-2", "hotel-1"]
    for search, expected in (("l-3", ["hotel-3"]), ("100%", []), ("_", [])):
        page = await db.transact(
            lambda tx, search=search: search_accounts(tx, search, after="", size=10)
        )
        assert [one.account.name for one in page.accounts] == expected


def test_latency_is_read_from_buckets() -> None:
    inf = float("inf")
    assert quantile({}, 0.5) is None
    assert quantile({0.1: 0, inf: 0}, 0.5) is None
    assert quantile({0.1: 10, 0.2: 20, inf: 20}, 0.5) == pytest.approx(100)
    assert quantile({0.1: 10, 0.2: 20, inf: 20}, 0.75) == pytest.approx(150)
    assert quantile({0.1: 0, inf: 5}, 0.95) == pytest.approx(100)
