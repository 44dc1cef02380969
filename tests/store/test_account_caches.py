"""What processes cache of accounts is never outdated, and one account's change is not another's."""

import asyncio
from collections.abc import Coroutine
from dataclasses import replace
from datetime import timedelta
from types import SimpleNamespace
from typing import Any
from uuid import UUID

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    precondition,
    rule,
    run_state_machine_as_test,
)

from tests.support.accounts import SEALER
from tests.support.clock import ManualClock
from tests.support.database import fresh_database
from tidings.engine.db.pool import Database, Transaction
from tidings.engine.db.tx import Tx
from tidings.engine.metrics import Metrics
from tidings.engine.recent import Recent
from tidings.features.accounts import changes
from tidings.features.accounts.configure import configure
from tidings.features.accounts.lookup import load_accounts, recall_accounts
from tidings.features.accounts.model import AccountSpec
from tidings.features.accounts.pause import set_pause
from tidings.features.messages.track.status_callbacks import StatusCallback, record_statuses
from tidings.features.senders.callback_routing import NumberOwner, find_number_owners
from tidings.features.senders.configure import configure as configure_numbers
from tidings.features.senders.lookup import load_numbers
from tidings.features.senders.model import NumberSpec
from tidings.features.templates.lookup import configure as configure_templates
from tidings.features.templates.lookup import load_templates
from tidings.features.templates.model import Template
from tidings.platforms.port import StatusKind, StatusUpdate

NAMES = ["a", "b", "c"]
NUMBER = NumberSpec(number="972555000001", phone_number_id="1055")
MARK = """
    INSERT INTO callback_channels (account_id, last_at) VALUES ($1, $2)
    ON CONFLICT (account_id) DO UPDATE SET last_at = excluded.last_at
"""
LIMITS = "limits"
TEMPLATES = "templates"

names = st.sampled_from(NAMES)
processes = st.integers(0, 1)


class Caches(RuleBasedStateMachine):
    """Two processes on one database. Every value is a number that only rises, so that a row older
    than the version a transaction has read is a smaller number than was committed by then."""

    runner: asyncio.Runner

    @initialize()
    def open(self) -> None:
        dsn = fresh_database()
        self.databases = [self.run(Database.open(dsn, ManualClock(), size=12)) for _ in range(2)]
        self.specs = {name: AccountSpec(name=name, environment="live") for name in NAMES}
        self.ids = {
            name: self.transact(0, self.declaring(spec)) for name, spec in self.specs.items()
        }
        self.committed = {(kind, name): 0 for kind in (LIMITS, TEMPLATES) for name in NAMES}
        self.paused = False
        self.owner: str | None = None
        self.last = 0
        self.changers: dict[str, tuple[Transaction, int]] = {}
        self.readers: list[tuple[Transaction, Tx, str, dict[tuple[str, str], int]]] = []

    @rule(process=processes, name=names)
    def start_reading(self, process: int, name: str) -> None:
        transaction = self.databases[process].transaction()
        tx = self.run(transaction.__aenter__())
        accounts = self.run(load_accounts(tx, [self.ids[name]]))
        assert accounts[self.ids[name]].all_paused == self.paused
        if len(self.readers) == 6:
            self.run(self.readers.pop(0)[0].__aexit__(None, None, None))
        self.readers.append((transaction, tx, name, dict(self.committed)))

    @precondition(lambda self: self.readers)
    @rule(data=st.data())
    def read_on(self, data: st.DataObject) -> None:
        """A transaction that began some time ago."""
        _, tx, name, before = data.draw(st.sampled_from(self.readers))
        for kind, found in self.run(self.reading(tx, name)).items():
            assert before[kind, name] <= found <= self.committed[kind, name]

    @rule(process=processes, name=names)
    def read(self, process: int, name: str) -> None:
        found = self.transact(process, lambda tx: self.reading(tx, name))
        assert found == {kind: self.committed[kind, name] for kind in (LIMITS, TEMPLATES)}

    @rule(process=processes)
    def route(self, process: int) -> None:
        async def work(tx: Tx) -> dict[str, NumberOwner]:
            found = await find_number_owners(tx, ["1055"])
            await tx.write(MARK, self.ids["a"], tx.now)
            return found

        found = self.transact(process, work)
        expected = NumberOwner(self.ids[self.owner], NUMBER.number) if self.owner else None
        assert found.get("1055") == expected

    @rule(process=processes, name=names)
    def write(self, process: int, name: str) -> None:
        """What a transaction decides on accounts from memory is not committed if they changed."""

        async def work(tx: Tx) -> tuple[dict[str, int], bool]:
            account = (await recall_accounts(tx, [self.ids[name]]))[self.ids[name]]
            found = await self.reading(tx, name)
            await tx.write(MARK, self.ids[name], tx.now)
            return found, account.all_paused

        expected = {kind: self.committed[kind, name] for kind in (LIMITS, TEMPLATES)}
        assert self.transact(process, work) == (expected, self.paused)

    @precondition(lambda self: len(self.changers) < len(NAMES))
    @rule(process=processes, data=st.data())
    def start_changing(self, process: int, data: st.DataObject) -> None:
        """Others change other accounts meanwhile; this one is read before and after it is written,
        as it is only for this transaction."""
        name = data.draw(st.sampled_from([one for one in NAMES if one not in self.changers]))
        transaction = self.databases[process].transaction()
        tx = self.run(transaction.__aenter__())
        assert self.run(self.reading(tx, name))[TEMPLATES] == self.committed[TEMPLATES, name]
        self.last += 1
        self.run(configure_templates(tx, self.ids[name], [_template(self.last)]))
        assert self.run(self.reading(tx, name))[TEMPLATES] == self.last
        self.changers[name] = transaction, self.last

    @precondition(lambda self: self.changers)
    @rule(data=st.data(), commit=st.booleans())
    def end_changing(self, data: st.DataObject, commit: bool) -> None:
        name = data.draw(st.sampled_from(sorted(self.changers)))
        transaction, value = self.changers.pop(name)
        if commit:
            self.run(transaction.__aexit__(None, None, None))
            self.committed[TEMPLATES, name] = value
        else:
            self.run(transaction.__aexit__(KeyError, KeyError(), None))

    @precondition(lambda self: not self.changers)
    @rule(process=processes, name=names)
    def declare(self, process: int, name: str) -> None:
        self.last += 1
        self.transact(process, self.declaring(replace(self.specs[name], daily_limit=self.last)))
        self.committed[LIMITS, name] = self.last

    @precondition(lambda self: not self.changers)
    @rule(process=processes, name=names)
    def move_number(self, process: int, name: str) -> None:
        async def work(tx: Tx) -> None:
            if self.owner is not None:
                await configure_numbers(tx, SEALER, self.ids[self.owner], [])
            await configure_numbers(tx, SEALER, self.ids[name], [NUMBER])

        self.transact(process, work)
        self.owner = name

    @precondition(lambda self: not self.changers)
    @rule(process=processes)
    def pause_or_resume(self, process: int) -> None:
        by = None if self.paused else "operator"
        assert self.transact(process, lambda tx: set_pause(tx, by))
        self.paused = not self.paused

    def teardown(self) -> None:
        open_transactions = [one[0] for one in (*self.readers, *self.changers.values())]
        for transaction in open_transactions:
            self.run(transaction.__aexit__(None, None, None))
        for db in self.databases:
            self.run(db.close())

    async def reading(self, tx: Tx, name: str) -> dict[str, int]:
        account_id = self.ids[name]
        account = (await load_accounts(tx, [account_id]))[account_id]
        templates = (await load_templates(tx, [account_id]))[account_id]
        await load_numbers(tx, [account_id])
        bodies = [int(version.body) for versions in templates.values() for version in versions]
        return {LIMITS: account.daily_limit or 0, TEMPLATES: sum(bodies)}

    def declaring(self, spec: AccountSpec) -> Any:
        async def work(tx: Tx) -> UUID:
            return (await configure(tx, SEALER, spec)).id

        return work

    def transact(self, process: int, work: Any) -> Any:
        return self.run(self.databases[process].transact(work))

    def run(self, work: Coroutine[Any, Any, Any]) -> Any:
        return self.runner.run(work)


def _template(value: int) -> Template:
    return Template("count", "en", "UTILITY", "APPROVED", body=str(value))


def test_no_process_ever_uses_an_outdated_row() -> None:
    with asyncio.Runner() as Caches.runner:
        run_state_machine_as_test(
            Caches,
            settings=settings(
                max_examples=12,
                stateful_step_count=30,
                deadline=None,
                suppress_health_check=list(HealthCheck),
            ),
        )


async def test_accounts_that_were_read_before_cost_no_query(db: Database) -> None:
    spec = AccountSpec(name="live", environment="live")
    key = (await db.transact(lambda tx: configure(tx, SEALER, spec))).id
    before = await db.transact(lambda tx: load_accounts(tx, [key]))
    async with db.transaction() as tx:
        sent: list[str] = []
        tx.connection.add_query_logger(lambda logged: sent.append(logged.query))
        assert await recall_accounts(tx, [key]) == before
        await tx.write(MARK, key, tx.now)
    await asyncio.sleep(0)
    [statement] = sent
    assert "account_versions" in statement and "callback_channels" in statement


async def test_a_transaction_may_change_an_account_that_it_has_recalled(db: Database) -> None:
    """Its own new version is not taken for a change by somebody else."""
    spec = AccountSpec(name="live", environment="live")
    key = (await db.transact(lambda tx: configure(tx, SEALER, spec))).id
    await db.transact(lambda tx: load_accounts(tx, [key]))
    async with db.transaction() as tx:
        await recall_accounts(tx, [key])
        await changes.begin(tx, [key])
        await changes.announce(tx, key)
        await tx.write(MARK, key, tx.now)


async def test_a_status_of_no_message_is_routed_to_the_present_owner_of_its_number(
    db: Database,
) -> None:
    """It is answered, and does not come again: it was routed right though nothing is written."""
    specs = [AccountSpec(name=name, environment="live") for name in NAMES[:2]]
    before, after = [
        (await db.transact(lambda tx, s=s: configure(tx, SEALER, s))).id for s in specs
    ]
    ctx: Any = SimpleNamespace(recent_messages=Recent(10), tracer=None, metrics=Metrics())

    async def configure_owner(tx: Tx, owner: UUID, other: UUID) -> None:
        await configure_numbers(tx, SEALER, other, [])
        await configure_numbers(tx, SEALER, owner, [NUMBER])

    async def receive(tx: Tx) -> UUID:
        account_id = (await find_number_owners(tx, ["1055"]))["1055"].account_id
        status = StatusUpdate("wamid.1", None, StatusKind.DELIVERED, tx.now, "972501234567")
        await record_statuses(ctx, tx, [StatusCallback(account_id, status)])
        return account_id

    await db.transact(lambda tx: configure_owner(tx, before, after))
    assert [await db.transact(receive) for _ in range(2)] == [before, before]
    await db.transact(lambda tx: configure_owner(tx, after, before))
    assert await db.transact(receive) == after


async def test_a_sandbox_whose_clock_moves_is_read(db: Database) -> None:
    spec = AccountSpec(name="sandbox", environment="sandbox")
    key = (await db.transact(lambda tx: configure(tx, SEALER, spec))).id
    await db.transact(lambda tx: load_accounts(tx, [key]))
    await db.rows("UPDATE accounts SET clock_ms = 5 WHERE id = $1", key)
    async with db.transaction() as tx:
        assert (await recall_accounts(tx, [key]))[key].clock == timedelta(milliseconds=5)
