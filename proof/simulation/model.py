"""What must be true of every history, however badly it went.

The model knows what callers wanted and were told, what the platform took, and what customers got.
From these alone it says how each message must have ended; then the service's own invariants are
checked (`tidings doctor`).
"""

import asyncio
import itertools
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from proof.simulation.arena import KEYS
from proof.simulation.callers import Callers, Request
from proof.simulation.customers import Customers, Post
from proof.simulation.platform import Platform, Taken
from proof.simulation.postgresql import Administrator
from proof.simulation.work import BULK, PASSCODE, messages_of
from proof.simulation.world import World
from tidings import doctor, limits
from tidings.engine.db.pool import Database

WAITING = {"scheduled", "queued", "deferred", "sending"}
REFUNDED = {"failed", "expired", "cancelled"}
LEASE_SECONDS = limits.JOB_LEASE.total_seconds()
RANK = {"sent": 1, "delivered": 2, "read": 3}
# Kept by the clock of each machine: an attempt may be noted half a minute late, the next in time.
BY_ONE_CLOCK = {"time between attempts"}
_MESSAGES = """
    SELECT a.name, m.account_id, m.client_message_id AS cid, m.id, m.kind, m.status, m.platform_id,
           m.refunded_at, m.error, m.attempts, m.timeline, m.charge, m.delivered_at
      FROM messages m JOIN accounts a ON a.id = m.account_id ORDER BY m.id
"""
_CHARGES = "SELECT account_id, message_id, entry FROM charges ORDER BY message_id, entry DESC"
_WEBHOOKS = "SELECT id, type, message_id, body, state FROM webhooks ORDER BY id"

Row = Mapping[str, Any]


@dataclass(slots=True)
class Outcome:
    world: World
    database: Administrator
    callers: Callers
    platform: Platform
    customers: Customers


def examine(outcome: Outcome) -> int:
    """Note everything that must not be; how many messages there were."""
    examination = Examination(outcome)
    examination.examine()
    return len(examination.messages)


class Examination:
    def __init__(self, outcome: Outcome) -> None:
        self._outcome = outcome
        self._world = outcome.world
        self.messages = outcome.database.rows(_MESSAGES)
        self._names = dict(zip(KEYS, ("alpha", "beta"), strict=True))
        self._stored = {(row["name"], row["cid"]): row for row in self.messages}
        self._taken: dict[tuple[str, str], list[Taken]] = defaultdict(list)
        for taken in outcome.platform.taken:
            name = "alpha" if taken.send.sender.number.endswith("1") else "beta"
            self._taken[name, taken.send.client_message_id].append(taken)
        self._posts: dict[str, list[Post]] = defaultdict(list)
        for post in outcome.customers.posts:
            self._posts[post.id].append(post)

    def examine(self) -> None:
        self._every_acknowledgement_holds()
        self._nobody_gets_two()
        for row in self.messages:
            self._has_ended(row)
        self._charged_once()
        self._customers_were_told()
        self._reached()
        for line in asyncio.new_event_loop().run_until_complete(self._doctor()):
            self._problem(f"doctor: {line}")

    def _problem(self, text: str) -> None:
        self._world.problems.append(text)

    def _every_acknowledgement_holds(self) -> None:
        """What was acknowledged exists; all answers to one id are one result."""
        firsts: Counter[tuple[str, str]] = Counter()
        for wanted, body in messages_of(self._outcome.callers.requests):
            key = (self._names[wanted.key], body["clientMessageId"])
            for data in wanted.acknowledged:
                told = _told(wanted, data, key[1])
                if told is None:
                    continue
                firsts[key] += not told["duplicate"]
                row = self._stored.get(key)
                if row is None:
                    self._problem(f"{key} was acknowledged and is lost")
                elif told.get("messageId") not in (None, row["platform_id"]):
                    self._problem(f"{key} was acknowledged as {told['messageId']}")
        for key, count in firsts.items():
            if count > 1:
                self._problem(f"{key} was accepted {count} times")
        counts = Counter((row["name"], row["cid"]) for row in self.messages)
        for key, count in counts.items():
            if count > 1:
                self._problem(f"{key} is stored {count} times")

    def _nobody_gets_two(self) -> None:
        for key, taken in self._taken.items():
            row = self._stored.get(key)
            if row is None:
                self._problem(f"{key} was sent and is unknown to us")
                continue
            # contract.md: a passcode whose outcome is unknown is sent once more while it has time.
            most = 2 if row["kind"] == "otp" else 1
            if len(taken) > most:
                self._problem(f"{key} was sent {len(taken)} times: {row['timeline']}")

    def _has_ended(self, row: Row) -> None:
        key, status = (row["name"], row["cid"]), row["status"]
        taken = self._taken.get(key, [])
        if status in WAITING:
            self._problem(f"{key} still waits as {status}")
        told = {status for one in taken for status in one.told}
        highest = max(told & RANK.keys(), key=RANK.__getitem__, default=None)
        if status in RANK and not taken:
            self._problem(f"{key} is {status}, and the platform never had it")
        if highest and RANK.get(status, 0) < RANK[highest] and highest != "sent":
            self._problem(f"{key} was reported {highest} and is {status}")
        if status == "cancelled" and taken:
            self._problem(f"{key} was sent and is cancelled")
        delivered_late = row["delivered_at"] is not None and row["refunded_at"] is not None
        if (row["refunded_at"] is not None) != (status in REFUNDED) and not delivered_late:
            self._problem(f"{key} is {status}, refunded at {row['refunded_at']}")

    def _charged_once(self) -> None:
        entries: dict[Any, list[str]] = defaultdict(list)
        for row in self._outcome.database.rows(_CHARGES):
            entries[row["account_id"], row["message_id"]].append(row["entry"])
        known = {(row["account_id"], row["id"]): row for row in self.messages}
        for key in entries.keys() - known.keys():
            self._problem(f"a charge without a message: {key}")
        for key, row in known.items():
            found = entries.get(key, [])
            wanted = ["RESERVE"] if row["charge"] else []
            if row["charge"] and row["refunded_at"]:
                wanted.append("REFUND")
            elif row["charge"] and row["delivered_at"]:
                wanted.append("SETTLE")
            if sorted(found) != sorted(wanted):
                self._problem(f"{row['cid']} ({row['status']}) has the charges {found}")

    def _customers_were_told(self) -> None:
        """Each event at least once, with one body, and those of a message first in their order."""
        events: dict[Any, list[Row]] = defaultdict(list)
        for row in self._outcome.database.rows(_WEBHOOKS):
            events[row["message_id"]].append(row)
            posts = self._posts.get(row["id"], [])
            if row["state"] == "pending":
                self._problem(f"{row['id']} is still owed")
            if row["state"] == "delivered" and not any(post.status == 204 for post in posts):
                self._problem(f"{row['id']} is delivered, and nobody took it")
            if {post.body for post in posts} - {row["body"]}:
                self._problem(f"{row['id']} was posted with another body")
        statuses = {row["id"]: row for row in self.messages}
        for message_id, published in events.items():
            if message_id in statuses:
                self._in_order(statuses[message_id], published)

    def _in_order(self, message: Row, published: list[Row]) -> None:
        told = [row for row in published if row["type"] == "message.status"]
        names = [msgspec.json.decode(row["body"])["data"]["status"] for row in told]
        if len(set(names)) != len(names):
            self._problem(f"{message['cid']} was told twice: {names}")
        if message["status"] not in names and message["status"] != "cancelled":
            self._problem(f"{message['cid']} is {message['status']}, told was {names}")
        ranks = [RANK[name] for name in names if name in RANK]
        if ranks != sorted(ranks):
            self._problem(f"{message['cid']} was told in the order {names}")
        # A process that died before it posted has had its attempt: the next event does not wait.
        # Nor does it for one that stood still in the middle, for longer than its lease.
        posts = [self._posts[row["id"]][0] for row in told if self._posts.get(row["id"])]
        first = [
            post.at for post in posts if post.attempt == 1 and post.at < post.began + LEASE_SECONDS
        ]
        if first != sorted(first):
            self._problem(f"{message['cid']} ({names}): first attempts at {first}")

    def _reached(self) -> None:
        """Dangerous states that can only be told at the end."""
        sometimes = self._world.sometimes
        for row in self.messages:
            names = [step["status"] for step in msgspec.json.decode(row["timeline"])]
            attempts = msgspec.json.decode(row["attempts"])
            error = msgspec.json.decode(row["error"]) if row["error"] else {}
            unknown = [one for one in attempts if one.get("outcome") == "unknown"]
            sometimes[f"a message ends {row['status']}"] += 1
            sometimes["unknown, and settled by a callback"] += bool(unknown) and bool(
                row["platform_id"]
            )
            sometimes["unknown, and given up"] += error.get("code") == "UNKNOWN_OUTCOME"
            sometimes["delivered after the refund"] += (
                row["refunded_at"] is not None and row["delivered_at"] is not None
            )
            sometimes["tried again after a refusal"] += len(attempts) > 1
            sometimes["a status overtook the one before"] += any(
                RANK.get(a, 0) > RANK.get(b, 9) for a, b in itertools.pairwise(names)
            )
        for wanted in self._outcome.callers.requests:
            for data in wanted.acknowledged:
                if isinstance(data, dict):
                    sometimes["a repeat got the first answer"] += bool(data.get("duplicate"))
                    sometimes["a repeat found it under way"] += (
                        bool(data.get("duplicate")) and data.get("status") == "sending"
                    )
                    sometimes["a cancellation came too late for some"] += bool(data.get("inFlight"))
                    for item in data.get("rejected", ()):
                        sometimes[f"refused: {item['code']}"] += 1
            for status, error in wanted.answers:
                if status == 402 and error:
                    sometimes[f"refused: {error['code']}"] += 1
        sometimes["a webhook came twice"] += any(
            len([one for one in posts if one.status == 204]) > 1 for posts in self._posts.values()
        )

    async def _doctor(self) -> list[str]:
        process = self._world.processes[0]
        db = await Database.open(process.network.dsn, process.clock, 1)
        try:
            report = await doctor.examine(db)
        finally:
            await db.close()
        jumped = any(one.name == "clock jumps" for one in self._world.faults.happened)
        allowed = BY_ONE_CLOCK if jumped else set[str]()
        return [str(one) for one in report.broken if one.invariant.name not in allowed]


def _told(wanted: Request, data: Any, cid: str) -> dict[str, Any] | None:
    """What an acknowledgement says of one message; None: that it was not accepted."""
    if wanted.path != BULK:
        return {"duplicate": data["duplicate"], "messageId": data.get("messageId")}
    for name, duplicate in (
        ("accepted", False), ("held", False), ("atRisk", False), ("duplicates", True),
    ):  # fmt: skip
        if any(one["clientMessageId"] == cid for one in data[name]):
            return {"duplicate": duplicate}
    return None


assert PASSCODE != BULK
