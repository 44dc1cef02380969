"""The customer's journal, the API, the database, the platform's record and the receiver's compared.

Nothing here trusts one of them: whatever one knows must agree with all others.
"""

import asyncio
from collections import Counter
from typing import Any
from uuid import UUID

import msgspec

from proof.torture.customer import journalled, recipient
from proof.torture.promises import Promise, none_of
from proof.torture.world import World
from tests.support.database import opened_database
from tidings.clock import SystemClock
from tidings.doctor import examine

MESSAGES = """
    SELECT m.id::text, m.client_message_id AS cid, m.kind, m.status, m.platform_id, m.resends,
           m.error->>'code' AS error, m.refunded_at IS NOT NULL AS refunded,
           extract(epoch FROM m.deadline)::float AS deadline,
           (SELECT array_agg(c.entry ORDER BY c.entry) FROM charges c
             WHERE c.account_id = m.account_id AND c.message_id = m.id) AS charges
      FROM messages m
"""
EVIDENCE = "SELECT to_jsonb(m)::text AS row FROM messages m"
WEBHOOK_EVIDENCE = "SELECT id, type, state, cycle, attempts::text FROM webhooks"
WEBHOOKS = "SELECT id, state FROM webhooks"
OVERDUE = "SELECT count(*) FROM jobs WHERE leased AND due_at < now() - interval '60 seconds'"
DEAD = "SELECT kind, subject FROM jobs WHERE dead_lettered_at IS NOT NULL"
# reliability.md 2.2: a refund that a late delivery finds stays; more than these are an alarm.
LATE_SHARE_MAX = 0.001
MOVED = {"time between attempts"}  # invariants of times that `settle` moves by hand
ENDED = {"read", "failed", "expired"}
ORDER = ["sent", "delivered", "read"]
PAGE = 200
GRID_SECONDS = 0.001

Rows = list[dict[str, Any]]


def judge(
    world: World, began_unclean: int = 0, late_share_max: float = LATE_SHARE_MAX
) -> list[Promise]:
    """`began_unclean`: how many processes or databases were made to end without warning."""
    rows = world.postgres.rows(MESSAGES)
    got = world.platform.got()
    promises = [
        *_durable(world, rows),
        *_once(rows, got),
        *_ends(rows, got, began_unclean, _dead(world)),
        _given_up(rows, got, late_share_max),
        *_money(world, rows),
        *_webhooks(world, rows),
        _jobs(world),
        asyncio.run(_doctor(world)),
    ]
    if not all(promise.kept for promise in promises):
        world.is_broken = True
        for name, query in (("messages", EVIDENCE), ("webhooks", WEBHOOK_EVIDENCE)):
            lines = (msgspec.json.encode(row) for row in world.postgres.rows(query))
            (world.folder / f"{name}.jsonl").write_bytes(b"\n".join(lines))
    return promises


def _durable(world: World, rows: Rows) -> list[Promise]:
    acknowledged = journalled(world.journal)
    count = f"{len(acknowledged):,} acknowledged"
    stored = {row["cid"]: row for row in rows}
    listed = _listed(world)
    lost = [cid for cid in acknowledged if cid not in stored]
    unseen = [cid for cid in acknowledged if cid not in listed]
    changed = [
        cid
        for cid, platform_id in acknowledged.items()
        if platform_id and cid in stored and stored[cid]["platform_id"] != platform_id
    ]
    customer = world.customer
    assert customer is not None
    unasked = [cid for cid in stored if cid not in customer.asked]
    unanswered = [cid for cid in customer.asked if cid not in acknowledged]
    return [
        none_of("P1 acknowledged messages that the database does not have", lost, count),
        none_of("P1 acknowledged messages that the API does not list", unseen, count),
        none_of("P1 messages whose answered id differs from the stored one", changed, count),
        none_of("P1 stored messages that nobody asked for", unasked, f"{len(rows):,} stored"),
        none_of("P1 messages that were never acknowledged", unanswered, f"{len(customer.asked):,}"),
        none_of(
            "P2 answers other than 200, 202, or 429 and 503 with Retry-After; repeats that differ",
            customer.wrong,
            f"{customer.statuses.total():,} answers",
            1,
        ),
    ]


def _listed(world: World) -> set[str]:
    """As the customer reads it back."""
    found: set[str] = set()
    query: dict[str, Any] = {"limit": PAGE}
    with world.reads() as http:
        while True:
            answer = http.get("/api/v1/messages", params=query)
            assert answer.status_code == 200, answer.text
            page = answer.json()
            found |= {row["clientMessageId"] for row in page["data"]}
            if page.get("nextCursor") is None:
                return found
            query["cursor"] = page["nextCursor"]


def _once(rows: Rows, got: dict[str, list[float]]) -> list[Promise]:
    stored = Counter(row["cid"] for row in rows)
    resent = {recipient(row["cid"]) for row in rows if row["kind"] == "otp" and row["resends"]}
    doubled = [to for to, times in got.items() if len(times) > 1 and to not in resent]
    strangers = [to for to in got if to not in {recipient(cid) for cid in stored}]
    twice = sum(len(got.get(to, ())) > 1 for to in resent)
    late = [
        row["cid"]
        for row in rows
        if row["kind"] == "otp"
        and any(at > row["deadline"] + GRID_SECONDS for at in got.get(recipient(row["cid"]), ()))
    ]
    passcodes = sum(row["kind"] == "otp" for row in rows)
    return [
        none_of(
            "P2 messages stored twice", [c for c, n in stored.items() if n > 1], f"{len(rows):,}"
        ),
        none_of("P3 guests who got a message twice", doubled, f"{len(got):,} guests"),
        none_of("P3 messages on the platform that are not stored", strangers, f"{len(got):,}"),
        Promise(
            "P3 passcodes sent again after their outcome stayed unknown",
            f"{len(resent)} of {passcodes:,}, {twice} guests got both",
        ),
        none_of("P9 passcodes that the platform took after their time", late, f"{passcodes:,}"),
    ]


def _dead(world: World) -> set[str]:
    """Messages whose job three crashes in a row have ended (reliability.md 2.3, rule 9)."""
    return {
        str(UUID(row["subject"]))
        for row in world.postgres.rows(DEAD)
        if row["kind"] == "message.send"
    }


def _ends(rows: Rows, got: dict[str, list[float]], unclean: int, dead: set[str]) -> list[Promise]:
    unended = [f"{row['cid']} {row['status']}" for row in rows if row["status"] not in ENDED]
    unlike = [
        f"{row['cid']} {row['status']} {row['error']}"
        for row in rows
        if row["status"] in ENDED
        and (row["status"] == "read") != (recipient(row["cid"]) in got)
        and not _says_it_may_have_arrived(row)
    ]
    unknown = [row for row in rows if row["error"] == "UNKNOWN_OUTCOME"]
    unrefunded = [row["cid"] for row in unknown if not row["refunded"]]
    poisoned = [row for row in rows if row["error"] == "NOT_SENDABLE" and row["id"] in dead]
    others = [
        f"{row['cid']} {row['status']} {row['error']}"
        for row in rows
        if row["status"] in ("failed", "expired")
        and not (row["error"] == "UNKNOWN_OUTCOME" or row["kind"] == "otp" or row in poisoned)
    ]
    of = f"{len(rows):,} messages"
    return [
        none_of("P4 messages without an end", unended, of),
        none_of("P3 messages whose end is not what the platform did", unlike, of),
        none_of("P3 messages that failed for no reason of their own", others, of),
        none_of(
            "P4 messages that three crashes in a row ended, and that were not refunded",
            [row["cid"] for row in poisoned if not row["refunded"]],
            f"{len(poisoned):,} such ends",
        ),
        none_of(
            "P3 messages that ended failed/UNKNOWN_OUTCOME and were not refunded",
            unrefunded,
            f"{len(unknown):,} such ends, after {unclean:,} violent ends of a process",
        ),
    ]


def _says_it_may_have_arrived(row: dict[str, Any]) -> bool:
    return row["error"] == "UNKNOWN_OUTCOME" and row["refunded"]


def _given_up(rows: Rows, got: dict[str, list[float]], share_max: float) -> Promise:
    """The platform's word of them came too late, or never: the guest has it, nobody pays."""
    given_up = [row for row in rows if row["refunded"]]
    late = sum(row["status"] == "read" for row in given_up)
    never = sum(
        _says_it_may_have_arrived(row) and row["status"] != "read" and recipient(row["cid"]) in got
        for row in given_up
    )
    return Promise(
        "P3 messages that arrived although they had been given up (the refund stays)",
        f"{late + never} of {len(given_up):,} refunds and {len(rows):,} messages",
        late + never <= max(1, share_max * len(rows)),
    )


def _money(world: World, rows: Rows) -> list[Promise]:
    wrong = []
    for row in rows:
        kept = row["status"] in ("delivered", "read") and not row["refunded"]
        resolved = "SETTLE" if kept else "REFUND"
        if row["status"] in ENDED and row["charges"] != sorted(["RESERVE", resolved]):
            wrong.append(f"{row['cid']} {row['status']} {row['charges']}")
    with world.reads() as http:
        shown = http.get("/api/v1/balance").json()["data"]["subscription"]
    used = shown["unique"]["used"] + shown["followup"]["used"]
    paid = sum(not row["refunded"] for row in rows)
    refunds = len(rows) - paid
    return [
        none_of(
            "P8 messages not charged once, or not settled or refunded once",
            wrong,
            f"{len(rows):,} charges, {refunds:,} refunds",
        ),
        Promise("P8 messages used of the subscription", f"{used:,} for {paid:,}", used == paid),
    ]


def _webhooks(world: World, rows: Rows) -> list[Promise]:
    stored = {row["id"]: row["state"] for row in world.postgres.rows(WEBHOOKS)}
    came, statuses = world.receiver.bodies, world.receiver.statuses
    count = f"{len(stored):,} webhooks, {world.receiver.posts - len(came):,} repeated"
    missing = [f"{id_} {state}" for id_, state in stored.items() if id_ not in came]
    changed = [id_ for id_, bodies in came.items() if len(bodies) > 1]
    untold = []
    for row in rows:
        told = statuses.get(row["cid"], {})
        if row["status"] in ENDED and row["status"] not in told:
            untold.append(f"{row['cid']} {row['status']} {list(told)}")
    disorder = [f"{cid} {told}" for cid, told in statuses.items() if not _in_order(told)]
    return [
        none_of("P6 webhooks that were never delivered", missing, count),
        none_of("P6 webhooks that nobody stored", [i for i in came if i not in stored], count),
        none_of("P6 webhook ids with two bodies", changed, count),
        none_of("P6 messages whose end was not told", untold, f"{len(rows):,}"),
        none_of("P6 messages told out of order by first attempts", disorder, f"{len(statuses):,}"),
    ]


def _in_order(told: dict[str, int]) -> bool:
    """Only first attempts wait for earlier webhooks; one that was cut off counts as the first."""
    first = [status for status, attempt in told.items() if status in ORDER and attempt == 1]
    return first == sorted(first, key=ORDER.index) or max(told.values()) > 1


def _jobs(world: World) -> Promise:
    overdue = world.postgres.value(OVERDUE)
    dead = [f"{row['kind']} {row['subject']}" for row in world.postgres.rows(DEAD)]
    figure = f"{overdue} held too long, {len(dead)} dead-lettered {dead[:3] or ''}".strip()
    return Promise("P4 jobs that a dead process held, or that were given up", figure, not overdue)


async def _doctor(world: World) -> Promise:
    async with opened_database(world.postgres.dsn, SystemClock(), size=1) as db:
        report = await examine(db)
    broken = [str(one) for one in report.broken if one.invariant.name not in MOVED]
    return Promise("tidings doctor", "; ".join(broken) or "finds nothing", not broken)
