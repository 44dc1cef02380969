"""What a batch draws on in memory: who is unique, what is left, and who gets which error. Pure."""

from typing import Any
from uuid import UUID, uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.rules.test_billing_rules import START, subscription
from tidings.errors import ApiError
from tidings.features.billing import rules
from tidings.features.billing.charging.funding_source import (
    PartnerPool,
    PartnerSource,
    SubscriptionSource,
)
from tidings.features.billing.model import ChargeKind, Term
from tidings.features.partner.model import Capacity

MEMBER = UUID(int=2)
PHONES = st.lists(st.sampled_from(["a", "b", "c", "d"]), max_size=30)


def plan(
    unique: int = 10, followup: int = 5, *, billing_type: str = "PACKAGE", enforced: bool = True,
    reached: tuple[str, ...] = (), **fields: Any,
) -> SubscriptionSource:  # fmt: skip
    one = subscription(billing_type, unique_quota=unique, followup_quota=followup, **fields)
    term = Term(unique, followup)
    return SubscriptionSource(one, rules.span_at(one, START), term, START, enforced, set(reached))


def charge(source: SubscriptionSource | PartnerSource, phone: str) -> str:
    try:
        return source.charge(uuid4(), phone).kind.value
    except ApiError as refusal:
        return refusal.code.name


def test_the_first_to_a_number_is_unique_also_within_a_batch() -> None:
    source = plan(reached=("b",))
    assert [charge(source, phone) for phone in "aabb"] == [
        "UNIQUE", "FOLLOWUP", "FOLLOWUP", "FOLLOWUP",
    ]  # fmt: skip


def test_a_refused_message_takes_nothing_and_leaves_its_number_unique() -> None:
    source = plan(unique=1)
    assert [charge(source, phone) for phone in "abb"] == ["UNIQUE", *["QUOTA_EXHAUSTED"] * 2]
    assert len(source.charges) == source.term.unique_used == 1


def test_quota_that_ends_inside_a_batch_refuses_messages_not_the_account() -> None:
    source = plan(unique=1, followup=0)
    source.charge(uuid4(), "a")
    with pytest.raises(ApiError) as refusal:
        source.charge(uuid4(), "b")
    assert not isinstance(refusal.value, rules.AccountBlocked)


def test_nothing_left_before_the_batch_blocks_the_account() -> None:
    with pytest.raises(rules.AccountBlocked):
        plan(unique=0, followup=0).charge(uuid4(), "a")
    with pytest.raises(ApiError) as refusal:
        plan(unique=0, followup=1).charge(uuid4(), "a")
    assert not isinstance(refusal.value, rules.AccountBlocked)


@given(phones=PHONES, unique=st.integers(0, 5), followup=st.integers(0, 5))
def test_no_more_is_taken_than_there_is(phones: list[str], unique: int, followup: int) -> None:
    source = plan(unique, followup)
    for phone in phones:
        charge(source, phone)
    kinds = [charge.kind for charge in source.charges]
    assert source.term.unique_used == kinds.count(ChargeKind.UNIQUE) <= unique
    assert source.term.followup_used == kinds.count(ChargeKind.FOLLOWUP) <= followup
    assert len(
        {charge.phone for charge in source.charges if charge.kind is ChargeKind.UNIQUE}
    ) == kinds.count(ChargeKind.UNIQUE)


@given(phones=PHONES, limit=st.integers(0, 300))
def test_pay_as_you_go_never_owes_more_than_its_limit(phones: list[str], limit: int) -> None:
    source = plan(0, 0, billing_type="USAGE", credit_limit_minor=limit)
    for phone in phones:
        charge(source, phone)
    assert source.term.owed_micro == sum(charge.price_micro for charge in source.charges)
    assert source.term.owed_micro <= limit * 10_000


@given(phones=PHONES)
def test_where_it_is_not_enforced_everything_is_taken(phones: list[str]) -> None:
    source = plan(0, 0, enforced=False)
    for phone in phones:
        charge(source, phone)
    assert len(source.charges) == len(phones)


def test_accounts_of_a_partner_share_what_is_left() -> None:
    pool = PartnerPool(UUID(int=9), Capacity(5, 3))
    one, other = (PartnerSource(UUID(int=n), pool, START, enforced=True) for n in (2, 3))
    assert [charge(one, "a"), charge(other, "a"), charge(one, "b"), charge(other, "b")] == [
        "CAPACITY", "CAPACITY", *["PARTNER_CAPACITY_EXHAUSTED"] * 2,
    ]  # fmt: skip


def test_where_it_is_not_enforced_what_is_not_there_is_counted_and_not_taken() -> None:
    pool = PartnerPool(UUID(int=9), Capacity(1, 0))
    share = PartnerSource(MEMBER, pool, START, enforced=False)
    charges = [share.charge(uuid4(), "a") for _ in range(3)]
    assert [charge.partner_id for charge in charges] == [UUID(int=9), None, None]


def test_an_agreement_that_ended_gives_nothing() -> None:
    pool = PartnerPool(UUID(int=9), Capacity(5, 0, START))
    assert (
        charge(PartnerSource(MEMBER, pool, START, enforced=True), "a") == "PARTNER_CAPACITY_EXPIRED"
    )
    assert (
        PartnerSource(MEMBER, pool, START, enforced=False).charge(uuid4(), "a").partner_id is None
    )


def test_the_last_of_the_capacity_runs_out_within_the_batch_and_none_before_it() -> None:
    """Used up within a batch, a message is refused; used up before, the account is."""
    within = PartnerSource(MEMBER, PartnerPool(UUID(int=9), Capacity(1, 0)), START, enforced=True)
    within.charge(uuid4(), "a")
    before = PartnerSource(MEMBER, PartnerPool(UUID(int=9), Capacity(1, 1)), START, enforced=True)
    for source, blocks in ((within, False), (before, True)):
        with pytest.raises(ApiError) as refusal:
            source.charge(uuid4(), "b")
        assert isinstance(refusal.value, rules.AccountBlocked) is blocks


def test_whether_anything_can_be_sent_is_asked_only_where_it_is_enforced() -> None:
    plan(unique=0, followup=0, enforced=False).require_any()
    plan(unique=0, followup=1).require_any()
    with pytest.raises(rules.AccountBlocked):
        plan(unique=0, followup=0).require_any()
