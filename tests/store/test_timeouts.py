"""Looking for messages that time out reads what is new, however long an account's history is."""

from datetime import datetime, timedelta
from uuid import UUID

from tests.support.service import GUEST, TestAccount, TestService
from tidings import limits
from tidings.engine.db.tx import Tx
from tidings.engine.queue import Job
from tidings.features.accounts.lookup import load_accounts
from tidings.features.messages.model import Message, Status
from tidings.features.messages.state import timers
from tidings.features.messages.track import timeout_store, timeouts

HISTORY = """
    INSERT INTO messages (account_id, id, client_message_id, kind, recipient, content, status,
                          created_at, times_out_at, charge)
    SELECT $1, gen_random_uuid(), 'old-' || n, 'notification', '972501234567', '{}', $3,
           $2::timestamptz - interval '40 days', $2::timestamptz - n * interval '1 second', NULL
      FROM generate_series(1, $4::int) AS n
"""
JOBS = "SELECT id, due_at, payload FROM jobs WHERE account_id = $1 AND kind = 'messages.timeout'"
READ = "SELECT pg_stat_get_xact_tuples_returned('messages_by_timeout'::regclass)"


def add(account: TestAccount, status: str, count: int, **ago: float) -> None:
    service = account.service
    timestamp = service.clock.now() - timedelta(**ago)

    async def work(tx: Tx) -> None:
        await tx.run("SET LOCAL statement_timeout = 0")
        await tx.run(HISTORY, account.id, timestamp, status, count)

    service.transact(work)


def look(account: TestAccount, until_done: bool = True) -> list[int]:
    """Run the account's job as a worker would; how many index entries each run has read."""
    service = account.service
    job = Job(0, account.id, timers.TIMEOUT, timers.TIMEOUT, 1)
    read: list[int] = []

    async def work(tx: Tx) -> int:
        await tx.run("SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off")
        before: int = await tx.value(READ)
        await timeouts.expire(service.ctx, tx, job)
        after: int = await tx.value(READ)
        return after - before

    while True:
        service.sql("DELETE FROM jobs WHERE account_id = $1", account.id)  # claimed
        read.append(service.transact(work))
        due = [row["due_at"] for row in service.sql(JOBS, account.id)]
        if not until_done or not due or due[0] > service.clock.now():
            return read


def watch(account: TestAccount, **ahead: float) -> None:
    """Insert a message that times out then."""
    service = account.service
    service.transact(lambda tx: schedule(tx, account, tx.now + timedelta(**ahead)))


async def schedule(tx: Tx, account: TestAccount, times_out_at: datetime) -> None:
    accounts = await load_accounts(tx, [account.id])
    sent = (account.id, UUID(int=1), "sent", "notification", GUEST, Status.SENT, tx.now)
    await timers.schedule(tx, accounts, [Message(*sent, times_out_at)])


def statuses(account: TestAccount) -> dict[str, int]:
    query = "SELECT status, count(*) AS n FROM messages WHERE account_id = $1 GROUP BY status"
    return {row["status"]: row["n"] for row in account.service.sql(query, account.id)}


def test_a_history_is_read_once_and_in_bounded_steps(still_service: TestService) -> None:
    account = still_service.account()
    add(account, "delivered", 50_000)
    add(account, "sent", 20, days=3)
    still_service.sql("ANALYZE messages")
    first = look(account)
    assert len(first) > 5
    assert max(first) <= 3 * limits.TIMEOUTS_EXAMINED_MAX
    assert statuses(account) == {"delivered": 50_000, "expired": 20}

    watch(account, days=30)
    add(account, "sent", 3, seconds=-5)
    still_service.clock.advance(seconds=10)
    assert max(look(account)) < 50
    assert statuses(account)["expired"] == 23


def test_many_that_expire_at_one_time_do_not_stop_it(still_service: TestService) -> None:
    account = still_service.account()
    add(account, "delivered", 12_000)
    add(account, "sent", 10)
    timestamp = still_service.clock.now() - timedelta(hours=1)
    still_service.sql("UPDATE messages SET times_out_at = $1", timestamp)
    look(account)
    assert statuses(account) == {"delivered": 12_000, "expired": 10}


def test_what_is_found_to_have_been_sent_late_is_examined_though_its_time_had_passed(
    still_service: TestService,
) -> None:
    """A callback arrives long after: the watermark has passed its time-out."""
    account = still_service.account()
    look(account)
    add(account, "sent", 1, hours=2)
    watch(account, hours=-3)
    look(account)
    assert statuses(account) == {"expired": 1}


def test_a_look_that_ran_beside_it_does_not_pass_it_by(still_service: TestService) -> None:
    """The look has read the watermark and cannot see the message: it must not advance past it."""
    account, db = still_service.account(), still_service.ctx.db
    look(account)

    async def add_earlier(tx: Tx) -> None:
        await schedule(tx, account, tx.now - timedelta(hours=3))

    async def work(tx: Tx) -> None:
        seen = await timeout_store.find_watermark(tx, account.id)
        await db.transact(add_earlier)
        await timeout_store.advance(tx, account.id, seen, tx.now)

    still_service.transact(work)
    add(account, "sent", 1, hours=2)
    look(account)
    assert statuses(account) == {"expired": 1}
