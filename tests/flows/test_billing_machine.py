"""Whatever happens in whatever order, the books are right: a state machine over the whole service.

Before each message the history says what it must be charged as, or why it must be refused; after
each step every invariant of `tidings doctor` holds, and every charge is accounted for. Nothing runs
beside the steps: what falls due is played when the clock is moved.
"""

from collections.abc import Iterator
from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from tests.support.batches import bulk, cancel
from tests.support.billing import (
    FAILS,
    REFUSED,
    SENT_ONLY,
    TERMS,
    at,
    balance,
    invoices,
    phone,
    send,
    subscription,
)
from tests.support.database import fresh_database
from tests.support.service import TestAccount, TestService, account_toml, faults
from tests.support.text import account_now

PEOPLE = [phone(1), phone(2), REFUSED, FAILS, SENT_ONLY]
PRICES = {"UNIQUE": Decimal("0.20"), "FOLLOWUP": Decimal("0.10"), "CAPACITY": Decimal(0)}
TYPES = ["PACKAGE", "MONTHLY", "USAGE", "PARTNER"]
LATER = {"days": 2}

people = st.sampled_from(PEOPLE)


class Books(RuleBasedStateMachine):
    service: TestService
    type: str

    @initialize(quota=st.integers(0, 4))
    def open_account(self, quota: int) -> None:
        self.mode, self.quota = "ENFORCED", quota
        self.starts_at = at(days=-20)
        self.messages = 0
        self.inherited = self.faults()  # of an example that failed before
        self.batches: list[str] = []
        self.transfers = 0
        made = self.service.apply(self._file(None))
        self.account = TestAccount(self.service, made[0])
        [row] = self.service.sql("SELECT name FROM accounts WHERE id = $1", self.account.id)
        self.name = row["name"]

    def _file(self, name: str | None) -> str:
        named = {} if name is None else {"name": name}
        if self.type == "PARTNER":
            return account_toml(billingMode=self.mode, partner=TERMS, **named)
        terms = subscription(
            billingType=self.type, unique=self.quota, followup=self.quota, monthlyPrice="5.00",
            pricePerUnique="0.20", pricePerFollowup="0.10", creditLimit="1.00",
            startsAt=self.starts_at,
        )  # fmt: skip
        return account_toml(terms, billingMode=self.mode, **named)

    # What happens

    @rule(to=people, scheduled=st.booleans())
    def message(self, to: str, scheduled: bool) -> None:
        expected = self.expected(to)
        self.messages += 1
        when = {"scheduledFor": self.later()} if scheduled else {}
        answer = send(self.account, self.messages, to, **when)
        if answer.status_code == 402:
            assert answer.json()["error"]["code"] == expected
        else:
            assert answer.status_code in (200, 202), answer.text
            assert self.charged_as(f"order-{self.messages:05}") == expected

    @rule(recipients=st.lists(people, min_size=1, max_size=5))
    def batch(self, recipients: list[str]) -> None:
        self.messages += 1
        items = [
            {"clientMessageId": f"batch-{self.messages:05}-{n}", "to": to, "templateName": "plain",
             "scheduledFor": self.later()}
            for n, to in enumerate(recipients)
        ]  # fmt: skip
        first = self.expected(recipients[0])
        answer = bulk(self.account, items)
        if answer.status_code == 402:
            assert answer.json()["error"]["code"] == first
            return
        data = answer.json()["data"]
        self.batches.append(data["batchId"])
        assert len(data["accepted"]) + len(data["rejected"]) == len(recipients)
        rejected = [entry["index"] for entry in data["rejected"]]
        assert (0 in rejected) == (first not in (*PRICES, None))

    @precondition(lambda self: self.messages)
    @rule(data=st.data())
    def repeat(self, data: Any) -> None:
        n = data.draw(st.integers(1, self.messages))
        before = self.charges()
        answer = send(self.account, n, PEOPLE[0], templateName="hello", templateParams=["x"])
        known = f"order-{n:05}" in {row["clientMessageId"] for row in before}
        if known and answer.json().get("data", {}).get("duplicate"):
            assert len(self.charges()) == len(before)

    @precondition(lambda self: self.batches)
    @rule(data=st.data())
    def cancel(self, data: Any) -> None:
        cancel(self.account, data.draw(st.sampled_from(self.batches)))

    @rule(step=st.sampled_from([{"seconds": 5}, {"days": 3}, {"days": 16}]))
    def time_passes(self, step: dict[str, int]) -> None:
        self.account.advance(**step)

    @rule(to=people)
    def a_month_later_all_is_paid_and_one_writes_again(self, to: str) -> None:
        self.message(to, scheduled=False)
        self.account.advance(days=31)
        self.pay()
        self.message(to, scheduled=False)

    @rule()
    def pay(self) -> None:
        for invoice in balance(self.account)["invoices"]:
            self.account.post(f"/sandbox/v1/invoices/{invoice['number']}/pay")

    @rule(quota=st.integers(0, 6))
    def agree_on_another_quota(self, quota: int) -> None:
        self.quota = quota
        self.service.apply(self._file(self.name))

    @rule(mode=st.sampled_from(["ENFORCED", "ENFORCED", "REPORT_ONLY", "OFF"]))
    def bill_otherwise(self, mode: str) -> None:
        self.mode = mode
        self.service.apply(self._file(self.name))

    @precondition(lambda self: self.type == "PARTNER")
    @rule(messages=st.integers(1, 5))
    def top_up(self, messages: int) -> None:
        answer = self.account.post("/partner/topups", {"messages": messages})
        assert answer.status_code == 200, answer.text

    @precondition(lambda self: self.type == "PARTNER")
    @rule()
    def transfer(self) -> None:
        self.transfers += 1
        body = {"amount": 1.25, "reference": f"transfer-{self.transfers}"}
        assert self.account.post("/partner/transfers", body).status_code == 200

    # What must be so

    def expected(self, to: str) -> str | None:
        """What a message to this number will be charged as, or refused with."""
        if self.mode == "OFF":
            return None
        shown = balance(self.account)
        enforced = self.mode == "ENFORCED"
        if enforced and any(one["status"] == "OVERDUE" for one in shown["invoices"]):
            return "INVOICE_OVERDUE"
        if self.type == "PARTNER":
            left = shown["capacity"]["remaining"]
            return "CAPACITY" if left or not enforced else "PARTNER_CAPACITY_EXHAUSTED"
        reached = any(
            row["to"] == to and row["kind"] == "UNIQUE" and row["state"] != "REFUNDED"
            for row in self.charges()
        )
        kind = "FOLLOWUP" if reached else "UNIQUE"
        plan = shown["subscription"]
        if self.type == "USAGE":
            fits = PRICES[kind] <= Decimal("1.00") - Decimal(plan["usage"]["accrued"])
            return kind if fits or not enforced else "USAGE_CREDIT_LIMIT"
        if plan[kind.lower()]["remaining"] or not enforced:
            return kind
        return "QUOTA_EXHAUSTED" if kind == "UNIQUE" else "FOLLOWUP_QUOTA_EXHAUSTED"

    @invariant()
    def every_invariant_holds(self) -> None:
        assert self.faults() == self.inherited

    def faults(self) -> list[str]:
        return faults(self.service)

    @invariant()
    def every_charge_is_accounted_for(self) -> None:
        shown = balance(self.account)
        kept = [row for row in self.charges() if row["state"] != "REFUNDED"]
        if self.type == "PARTNER":
            assert shown["capacity"]["remaining"] >= 0
            assert shown["capacity"]["used"] <= len(kept)
            return
        plan = shown["subscription"]
        if self.type == "USAGE":
            billed = sum(Decimal(one["subtotal"]) for one in invoices(self.account))
            accrued = Decimal(plan["usage"]["accrued"])
            assert billed + accrued == sum(Decimal(row["price"]) for row in kept)
            return
        since = self.month_began() if self.type == "MONTHLY" else ""
        for kind in ("unique", "followup"):
            mine = [r for r in kept if r["kind"] == kind.upper() and r["chargedAt"] >= since]
            assert plan[kind]["used"] == len(mine)

    def charges(self) -> list[dict[str, Any]]:
        rows: list[dict[str, Any]] = self.account.get("/charges?limit=200").json()["data"]
        return rows

    def charged_as(self, cid: str) -> str | None:
        kinds = [row["kind"] for row in self.charges() if row["clientMessageId"] == cid]
        return kinds[0] if kinds else None

    def month_began(self) -> str:
        query = """
            SELECT to_char(max(starts_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS at
              FROM subscription_terms WHERE account_id = $1 AND closed_at IS NULL
        """
        return self.service.sql(query, self.account.id)[0]["at"] or "9999"

    def later(self) -> str:
        timestamp = account_now(self.account) + timedelta(**LATER)
        return timestamp.isoformat(timespec="milliseconds")


@pytest.fixture(scope="module")
def quiet(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestService]:
    folder = Path(tmp_path_factory.mktemp("data"))
    with TestService(fresh_database(), folder, working=False) as service:
        yield service


@pytest.mark.parametrize("billing_type", TYPES)
def test_whatever_happens_the_books_are_right(quiet: TestService, billing_type: str) -> None:
    Books.service, Books.type = quiet, billing_type
    run_state_machine_as_test(
        Books,
        settings=settings(
            max_examples=6,
            stateful_step_count=16,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
