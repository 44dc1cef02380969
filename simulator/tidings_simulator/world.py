"""The simulated platform in memory: its objects, people and messages."""

import hashlib
import secrets
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TypeVar

from tidings import limits
from tidings.clock import Clock
from tidings_simulator.model import (
    Flow,
    MediaFile,
    MessageTemplate,
    Number,
    Person,
    ReceivedMessage,
    SentMessage,
    UploadSession,
    Waba,
)

HISTORY_MAX = 20_000  # messages in each direction; bounds the memory of a benchmark
_FIRST_ID = 4_000_000_000_000_000

Node = Waba | Number | MessageTemplate | Flow | MediaFile | UploadSession
T = TypeVar("T")


class SimulatedClock:
    """A clock that can be moved ahead of another one."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.ahead = timedelta(0)

    def now(self) -> datetime:
        return self._clock.now() + self.ahead

    def monotonic(self) -> float:
        return self._clock.monotonic()


@dataclass(slots=True)
class RefusedMessage:
    """A message that was refused temporarily: its first attempt and their number."""

    first_at: datetime
    attempts: int = 1


class World:
    """Created from a plan (`plan.py`); a reset creates a new one."""

    def __init__(self, clock: Clock, app_id: str) -> None:
        self.clock = clock
        self.app_id = app_id
        self.nodes: dict[str, Node] = {}
        self.tokens: set[str] = set()
        self.people: dict[str, Person] = {}  # people with settings of their own
        self.last_inbound_at: dict[tuple[str, str], datetime] = {}  # (number id, guest)
        self.sent: deque[SentMessage] = deque(maxlen=HISTORY_MAX)
        self.received: deque[ReceivedMessage] = deque(maxlen=HISTORY_MAX)
        self.refused: dict[tuple[str, int], RefusedMessage] = {}  # (recipient, fingerprint)
        self.send_counts: dict[str, tuple[int, int]] = {}  # number id: (second, messages in it)
        self._templates: dict[tuple[str, str, str], MessageTemplate] = {}
        self._users: dict[str, str] = {}  # BSUID: number
        self._run = secrets.token_hex(5)  # ids differ from one run to the next
        self._count = 0
        # Object ids must differ between runs too: a gateway stores them.
        self._id = _FIRST_ID + secrets.randbelow(10**15)

    # New ids

    def new_id(self) -> str:
        self._id += 1
        return str(self._id)

    def token(self) -> str:
        """The token from which a new `wamid` is derived."""
        self._count += 1
        return f"{self._run}.{self._count}"

    def trace(self) -> str:
        self._count += 1
        return f"A{self._run}{self._count:011x}"

    # Objects

    def add(self, node: Node) -> None:
        self.nodes[node.id] = node
        if isinstance(node, Waba):
            self.tokens.add(node.access_token)
        if isinstance(node, MessageTemplate):
            self._templates[node.waba.id, node.name, node.language] = node

    def remove(self, node: Node) -> None:
        self.nodes.pop(node.id, None)
        if isinstance(node, MessageTemplate):
            self._templates.pop((node.waba.id, node.name, node.language), None)

    def find_template(self, waba: Waba, name: str, language: str) -> MessageTemplate | None:
        return self._templates.get((waba.id, name, language))

    def templates(self, waba: Waba | None = None) -> list[MessageTemplate]:
        found = self._templates.values()
        return [one for one in found if waba is None or one.waba is waba]

    def numbers(self, waba: Waba | None = None) -> list[Number]:
        return [n for n in _only(Number, self.nodes) if waba is None or n.waba is waba]

    def wabas(self) -> list[Waba]:
        return list(_only(Waba, self.nodes))

    def flows(self, waba: Waba) -> list[Flow]:
        return [flow for flow in _only(Flow, self.nodes) if flow.waba is waba]

    def find_number(self, digits: str) -> Number | None:
        """By its digits, or by its id."""
        node = self.nodes.get(digits)
        if isinstance(node, Number):
            return node
        return next((n for n in self.numbers() if n.number == digits), None)

    # People

    def person(self, number: str) -> Person:
        return self.people.get(number) or Person(number, number, user_id(number))

    def record_person(self, person: Person) -> None:
        """Record a person, so that the number can be found by the BSUID."""
        self._users[person.user_id] = person.number

    def find_by_user_id(self, user_id: str) -> str | None:
        return self._users.get(user_id)

    # Messages

    def is_window_open(self, number: Number, guest: str, now: datetime) -> bool:
        """Whether the guest wrote to this number in the last 24 hours."""
        heard = self.last_inbound_at.get((number.id, guest))
        return heard is not None and now - heard < limits.CONVERSATION_WINDOW

    def sent_to(self, guest: str) -> Iterator[SentMessage]:
        """Newest first."""
        return (sent for sent in reversed(self.sent) if sent.to == guest)

    def find_sent(self, name: str) -> SentMessage | None:
        """By the platform's id, or by the sender's (biz_opaque_callback_data)."""
        return next((sent for sent in reversed(self.sent) if name in (sent.id, sent.opaque)), None)

    def received_from(self, guest: str) -> Iterator[ReceivedMessage]:
        return (heard for heard in reversed(self.received) if heard.from_ == guest)


def user_id(number: str) -> str:
    """The business-scoped user id of a number; deterministic."""
    digest = hashlib.blake2b(number.encode(), digest_size=7).digest()
    return f"US.{int.from_bytes(digest, 'big')}"


def _only(kind: type[T], nodes: dict[str, Node]) -> Iterable[T]:
    return (node for node in nodes.values() if isinstance(node, kind))
