"""A partner's ledger on the database, against a model in exact fractions (I16, I17)."""

import asyncio
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from functools import partial
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    initialize,
    invariant,
    multiple,
    rule,
    run_state_machine_as_test,
)

from tests.support.clock import ManualClock
from tests.support.database import fresh_database
from tidings.doctor import check
from tidings.engine.db.errors import Conflict
from tidings.engine.db.pool import Database
from tidings.errors import ApiError
from tidings.features.accounts.configure import configure
from tidings.features.accounts.lookup import load_accounts
from tidings.features.accounts.model import AccountSpec, PartnerTerms
from tidings.features.partner import capacity, store
from tidings.features.partner.adjust import adjust
from tidings.features.partner.lookup import load_state
from tidings.features.partner.rules import PartnerCode
from tidings.features.partner.topup import top_up
from tidings.features.partner.transfers import confirm, reject, report
from tidings.money import Money
from tidings.secrets import Sealer

START = datetime(2026, 1, 1, tzinfo=UTC)
RATES = ["0.05", "0.004", "0.0149", "0.333333", "0", "7.5"]
LIMITS = ["0.00", "1.00", "1000.00", "99.99"]
SEALER = Sealer(b"k" * 32)


class World:
    """A database and a loop that outlive the examples; each example has its own partner."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self.clock = ManualClock(START)
        self.db = self.run(Database.open(fresh_database(), self.clock, 4))
        self.partners = 0

    def run(self, work: Any) -> Any:
        return self.loop.run_until_complete(work)

    def transact(self, work: Any) -> Any:
        return self.run(self.db.transact(work))

    def configure(self, name: str, rate: str, limit: str) -> Any:
        terms = PartnerTerms(rate, limit, "ILS", None)
        spec = AccountSpec(name=name, environment="sandbox", partner=terms)
        return self.transact(lambda tx: configure(tx, SEALER, spec)).id


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    made = World()
    yield made
    made.run(made.db.close())
    made.loop.close()


def ils(minor: int) -> Money:
    return Money(minor, "ILS")


class Ledger(RuleBasedStateMachine):
    world: World
    references = Bundle("references")

    @initialize(rate=st.sampled_from(RATES), limit=st.sampled_from(LIMITS))
    def begin(self, rate: str, limit: str) -> None:
        self.world.partners += 1
        self.name = f"partner-{self.world.partners}"
        self.id = self.world.configure(self.name, rate, limit)
        self.rate, self.limit = Fraction(rate), Fraction(limit)
        self.owed = Fraction(0)  # exactly
        self.total = self.used = self.entries = 0
        self.transfers: dict[str, tuple[str, int]] = {}

    def do(self, verb: Any, *args: Any, **kwargs: Any) -> Any:
        async def work(tx: Any) -> Any:
            account = (await load_accounts(tx, [self.id]))[self.id]
            return await verb(tx, account, *args, **kwargs)

        return self.world.transact(work)

    @rule(messages=st.integers(1, 300) | st.sampled_from([10_000, 10_000_000]))
    def buy(self, messages: int) -> None:
        cost = self.rate * messages
        if self.owed + cost > self.limit:
            with pytest.raises(ApiError) as refusal:
                self.do(top_up, messages)
            assert refusal.value.code is PartnerCode.CREDIT_LIMIT_EXCEEDED
            assert refusal.value.extra["maxTopupMessages"] < messages
            return
        self.do(top_up, messages)
        self.owed += cost
        self.total += messages
        self.entries += 1

    @rule()
    def buy_all_that_may_be_had(self) -> None:
        most = self.do(load_state).max_topup_messages
        if most:
            self.buy(most)

    @rule(target=references, amount=st.integers(1, 50_000), known=references | st.none())
    def tell_of_a_transfer(self, amount: int, known: str | None) -> Any:
        if known is not None:
            with pytest.raises(ApiError) as refusal:
                self.do(report, amount=ils(amount), reference=known)
            assert refusal.value.code is PartnerCode.DUPLICATE_REFERENCE
            return multiple()
        reference = f"transfer-{len(self.transfers)}"
        self.do(report, amount=ils(amount), reference=reference)
        self.transfers[reference] = ("REPORTED", amount)
        self.entries += 1
        return reference

    @rule(reference=references, received=st.none() | st.integers(1, 50_000))
    def money_comes(self, reference: str, received: int | None) -> None:
        status, amount = self.transfers[reference]
        wanted = received or amount
        given = None if received is None else ils(received)
        if status == "REPORTED":
            self.do(confirm, reference, given)
            self.transfers[reference] = ("CONFIRMED", wanted)
            self.owed -= Fraction(wanted, 100)
            self.entries += 1
        elif status == "CONFIRMED" and received == amount:
            assert self.do(confirm, reference, given) is None
        elif status == "REJECTED" or (received is not None and received != amount):
            with pytest.raises(ApiError):
                self.do(confirm, reference, given)

    @rule(reference=references)
    def money_does_not_come(self, reference: str) -> None:
        status, amount = self.transfers[reference]
        if status == "CONFIRMED":
            with pytest.raises(ApiError):
                self.do(reject, reference)
            return
        assert (self.do(reject, reference) is None) == (status == "REJECTED")
        self.entries += status == "REPORTED"
        self.transfers[reference] = ("REJECTED", amount)

    @rule(amount=st.integers(-5_000, 5_000), messages=st.integers(-100, 100))
    def correct(self, amount: int, messages: int) -> None:
        impossible = messages < self.used - self.total or not (amount or messages)
        if impossible:
            with pytest.raises(ApiError):
                self.do(adjust, amount=ils(amount), messages=messages, note="x")
            return
        self.do(adjust, amount=ils(amount), messages=messages, note="x")
        self.owed += Fraction(amount, 100)
        self.total += messages
        self.entries += 1

    @rule(messages=st.integers(1, 200))
    def use(self, messages: int) -> None:
        work = partial(capacity.use, messages={self.id: messages})
        if self.used + messages > self.total:
            with pytest.raises(Conflict):
                self.world.transact(work)
            return
        self.world.transact(work)
        self.used += messages

    @rule(share=st.integers(1, 200))
    def refund(self, share: int) -> None:
        messages = min(share, self.used)
        self.world.transact(lambda tx: capacity.release(tx, {self.id: messages}))
        self.used -= messages

    @rule(rate=st.sampled_from(RATES), limit=st.sampled_from(LIMITS))
    def agree_anew(self, rate: str, limit: str) -> None:
        self.world.configure(self.name, rate, limit)
        self.rate, self.limit = Fraction(rate), Fraction(limit)

    @rule(seconds=st.integers(-60, 3600))
    def time_passes(self, seconds: int) -> None:
        self.world.clock.jump(timedelta(seconds=seconds))

    @invariant()
    def the_state_is_the_models(self) -> None:
        state = self.do(load_state)
        assert abs(Fraction(state.debt) - self.owed) <= Fraction(1, 200)
        held = state.capacity
        assert (held.total, held.used, held.remaining) == (
            self.total, self.used, self.total - self.used,
        )  # fmt: skip
        left = max(self.limit - Fraction(state.debt), 0)
        assert Fraction(state.credit_available) == left
        pending = {name for name, (status, _) in self.transfers.items() if status == "REPORTED"}
        assert {one.reference for one in state.pending_transfers} == pending

    @invariant()
    def the_ledger_adds_up(self) -> None:
        entries = self.world.transact(lambda tx: store.load_page(tx, self.id, None, 10_000))
        assert [entry.seq for entry in entries] == list(range(self.entries, 0, -1))
        balance = 0
        for entry in reversed(entries):
            balance += entry.effect.minor
            assert entry.balance_after.minor == balance

    def teardown(self) -> None:
        # No message stands behind what was used here, and doctor would ask for one.
        self.world.transact(lambda tx: capacity.release(tx, {self.id: self.used}))
        assert self.world.run(check(self.world.db)) == []


def test_whatever_happens_the_ledger_records_it_exactly(world: World) -> None:
    Ledger.world = world
    run_state_machine_as_test(
        Ledger,
        settings=settings(
            max_examples=12,
            stateful_step_count=20,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
