"""Replies, their doubles, the end and statuses, in any order, leave one consistent state."""

import asyncio
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.database import fresh_database
from tests.support.inbound import ingest, now, said, status
from tests.support.invitations import (
    TEXTS,
    guest_events,
    invite,
    kinds,
    later,
    register,
    reply,
    state,
    texts,
)
from tests.support.platform import FakePlatform
from tests.support.service import GUEST, TestAccount, TestService, require_sound
from tests.support.waiting import eventually
from tests.support.webhooks import require_described
from tidings.platforms.port import StatusKind

UNCLEAR = "who is this?"
SILENT = "972500009001"  # no callbacks of its own
MINUTE = timedelta(minutes=1)
END = 90  # minutes after the beginning

in_time = st.tuples(st.sampled_from(["yes", "no", UNCLEAR]), st.integers(1, 50))
late = st.tuples(st.sampled_from(["yes", "no", UNCLEAR]), st.integers(END + 1, END + 25))
cases = st.fixed_dictionaries(
    {
        "replies": st.lists(in_time, max_size=4, unique_by=lambda reply: reply[1]),
        "late": st.lists(late, max_size=2, unique_by=lambda reply: reply[1]),
        "heard_late": st.lists(st.integers(0, 3), max_size=2, unique=True),
        "statuses": st.lists(st.sampled_from(list(StatusKind)), max_size=4),
        "shuffle": st.randoms(use_true_random=False),
    }
)


@settings(max_examples=25, deadline=None)
@given(case=cases)
def test_any_order_leaves_one_invitation_and_one_event_a_reply(
    service: TestService, case: dict[str, Any]
) -> None:
    account = service.account()
    register(account, defaults={"expiresAt": later(minutes=END)})
    sent = invite(account, to=SILENT)["messageId"]
    began = now(account)
    account.advance(minutes=55)

    # Words alone are no reply to what never arrived; whoever quotes it has it in hand.
    quoting = {"quoted": sent} if StatusKind.FAILED in case["statuses"] else {}

    def heard(place: int, words: str, minute: int) -> Any:
        at = {"from_": SILENT, "at": began + minute * MINUTE}
        return said(account, words, id_=f"{account.id}-{place}", **at, **quoting)

    replies = [heard(n, *one) for n, one in enumerate(case["replies"])]
    slow = [one for n, one in enumerate(replies) if n in case["heard_late"]]
    before = [one for one in replies if one not in slow]
    before += [status(account, sent, kind) for kind in case["statuses"]]
    after = [*slow, *(heard(10 + n, *one) for n, one in enumerate(case["late"]))]
    deliver(account, before, case["shuffle"])
    account.advance(minutes=60)
    deliver(account, after, case["shuffle"])
    account.advance(minutes=1)
    judge(account, case, began)


def deliver(account: TestAccount, callbacks: list[Any], random: Any) -> None:
    """Each of them, some twice, in any order, one by one or together."""
    doubled = callbacks + [one for one in callbacks if random.random() < 0.3]
    random.shuffle(doubled)
    while doubled:
        size = random.randint(1, len(doubled))
        ingest(account, *doubled[:size])
        doubled = doubled[size:]


def judge(account: TestAccount, case: dict[str, Any], began: datetime) -> None:
    events = guest_events(account)
    by_reply = Counter(one["replyId"] for one in events if one["event"] != "guest.unresolved")
    heard = len(case["replies"]) + len(case["late"])
    assert (len(by_reply), set(by_reply.values()) - {1}) == (heard, set())
    answers = [(minute, words) for words, minute in case["replies"] if words != UNCLEAR]
    message = account.status("invite-0001")
    shown = message["invitation"]
    if answers:
        minute, words = max(answers)
        assert (shown["state"], shown["answer"]) == (
            {"yes": "confirmed", "no": "declined"}[words], words,
        )  # fmt: skip
        assert datetime.fromisoformat(shown["answeredAt"]) == began + minute * MINUTE
    else:
        ended = "failed" if message["status"] == "failed" else "expired"
        assert (shown["state"], shown["answer"]) == (ended, None)
    unresolved = [one for one in events if one["event"] == "guest.unresolved"]
    assert len(unresolved) <= 1
    if "guest.replied_invalid" in kinds(account) and not answers:
        assert len(unresolved) == 1
    said_to_guest = texts(account, SILENT)
    assert len(said_to_guest) == len(set(said_to_guest))
    statuses = [event["data"]["status"] for event in account.events("message.status")]
    assert len(statuses) == len(set(statuses))
    require_described(account.events())


def test_the_invariants_hold(service: TestService) -> None:
    require_sound(service)


# Races


@pytest.fixture
def slow(tmp_path: Path) -> Any:
    platform = FakePlatform()
    with TestService(fresh_database(), tmp_path, platforms={"sandbox": platform}) as running:
        yield running, platform


def test_a_reply_overtakes_the_platforms_own_answer(slow: Any) -> None:
    service, platform = slow
    account = service.account()
    register(account)
    with ThreadPoolExecutor(1) as pool, platform.holding(GUEST):
        sending = pool.submit(invite, account)
        eventually(lambda: platform.sends)
        assert account.status("invite-0001")["status"] == "sending"
        ingest(account, said(account, "yes", id_="r1"))
        press = {"type_": "button", "payload": "invite-0001", "quoted": "wamid.unknown.yet"}
        ingest(account, said(account, "No", id_="r2", **press))
        assert kinds(account) == ["guest.confirmed", "guest.declined"]
        assert guest_events(account)[1]["slotMatch"] == "button"
        assert not sending.done()
    sending.result()
    assert state(account) == "declined"
    assert account.get("/events/wedding").json()["data"]["sentInvitations"] == 1


def test_many_replies_of_one_guest_at_once_are_published_one_by_one(service: TestService) -> None:
    account = service.account()
    register(account)
    invite(account)
    barrier = threading.Barrier(8)

    def one(place: int) -> None:
        barrier.wait()
        reply(account, text=["yes", "no", UNCLEAR, "STOP"][place % 4])

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(one, range(8)))
    assert len(guest_events(account)) == 8
    assert texts(account).count(TEXTS["invalidReply"]) <= 1


def test_statuses_and_replies_of_the_same_guests_do_not_stand_in_each_others_way(
    service: TestService,
) -> None:
    """Two who work in opposite orders: both get through, and nothing is published twice."""
    account = service.account()
    register(account)
    guests = [f"97250123{n:04}" for n in range(9200, 9212)]
    sent = {guest: invite(account, f"invite-{guest}", guest)["messageId"] for guest in guests}
    batches = []
    for n in range(12):
        one, other = guests[n % 12], guests[(n * 5 + 3) % 12]
        batches.append(
            [
                status(account, sent[one], StatusKind.FAILED if n % 3 else StatusKind.READ),
                said(account, UNCLEAR, id_=f"{account.id}-{n}", from_=other),
            ]
        )

    async def all_at_once() -> None:
        from tidings.features.callbacks.ingest import apply

        ctx = service.ctx
        works = [
            ctx.db.transact(
                lambda tx, batch=batch: apply(ctx, tx, [(account.id, c) for c in batch])
            )
            for batch in batches
        ]
        await asyncio.gather(*works)

    service.call(all_at_once)
    assert len([kind for kind in kinds(account) if kind != "guest.opted_out"]) == 12
