"""The context that endpoints and job handlers take: settings, clock, database, lanes, clients.

Built once per process by `app.py`, in tests with another clock, platform or network. No globals.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING
from uuid import UUID

from tidings import limits
from tidings.clock import Clock
from tidings.engine.budget import Budget
from tidings.engine.db.pool import Database
from tidings.engine.documents import Documents
from tidings.engine.http.outbound.client import Outbound
from tidings.engine.http.time_slicer import TimeSlicer
from tidings.engine.in_flight import InFlight
from tidings.engine.keyed_semaphore import KeyedSemaphore
from tidings.engine.metrics import Metrics
from tidings.engine.objects import Objects
from tidings.engine.passwords import Passwords
from tidings.engine.peers import Peers
from tidings.engine.queue import JobKind
from tidings.engine.queue.concurrency import ConcurrencyLimiter
from tidings.engine.queue.executor import Executor
from tidings.engine.recent import Recent
from tidings.engine.traces.tracer import Tracer
from tidings.engine.vault import Vault
from tidings.platforms.port import Platform
from tidings.platforms.whatsapp.client import Graph
from tidings.secrets import Sealer
from tidings.settings import Settings

if TYPE_CHECKING:  # the types of members that are built from features above this module
    from tidings.features.links.follow import Follower
    from tidings.features.messages.model import Message
    from tidings.features.replies.second_opinion.reader import OutsideReader
    from tidings.features.webhooks.event_kinds import EventKind
    from tidings.features.webhooks.posting import Deliveries
    from tidings.lanes import Lanes


_UPLOADS_AT_ONCE = 2  # of all accounts: a file takes some 60 MB while it is read


@dataclass(slots=True)
class Context:
    settings: Settings
    clock: Clock
    db: Database
    sealer: Sealer
    outbound: Outbound
    platforms: Mapping[str, Platform]  # by environment: sandbox, live
    graph: Graph  # the live platform's own API, for what is not a message
    metrics: Metrics
    objects: Objects  # uploaded files
    vault: Vault  # secrets that are erased after use
    follower: "Follower"  # resolves redirect links and counts their opens
    reader: "OutsideReader | None" = (
        None  # for replies that stay unclear; None: the operator has none
    )
    passwords: Passwords = field(default_factory=Passwords)  # hashes them
    stopped: set[str] = field(default_factory=set)  # ids (hex) of accounts that may not send now
    called: dict[UUID, datetime] = field(default_factory=dict)  # last recorded callback
    recent_messages: "Recent[tuple[UUID, UUID], Message]" = field(  # as this process wrote them
        default_factory=lambda: Recent(limits.RECENT_MESSAGES_MAX)
    )
    sends: InFlight[UUID] = field(default_factory=InFlight)  # by message, until it is recorded
    tracer: Tracer | None = None  # None: this process does not trace
    peers: Peers = field(default_factory=Peers)  # other processes of this machine, to ask
    documents: Documents = field(default_factory=Documents)  # PDFs
    media_streams: Budget = field(default_factory=lambda: Budget(limits.INBOUND_MEDIA_STREAMS_MAX))
    limiters: Mapping[str, ConcurrencyLimiter] = field(default_factory=dict)  # by pool
    batch_reads: KeyedSemaphore = field(  # batches being read, by account
        default_factory=lambda: KeyedSemaphore(
            limits.CONNECTIONS_MAX, per_key=limits.BATCHES_PER_ACCOUNT
        )
    )
    uploads: KeyedSemaphore = field(  # files being read, by account
        default_factory=lambda: KeyedSemaphore(_UPLOADS_AT_ONCE)
    )
    time_slicer: TimeSlicer = field(default_factory=TimeSlicer)  # parses large requests
    batch_writes: KeyedSemaphore = field(  # batches being written, by account
        default_factory=lambda: KeyedSemaphore(limits.BATCHES_AT_ONCE)
    )
    clock_executor: Executor = field(init=False)  # runs the jobs of sandbox clocks
    deliveries: "Deliveries" = field(init=False)  # webhooks that this process is posting
    lanes: "Lanes" = field(init=False)  # lanes.py: each lane and the function that serves it
    job_kinds: dict[str, JobKind] = field(default_factory=dict)  # by name, from jobs.py
    event_kinds: Mapping[str, "EventKind"] = field(default_factory=dict)  # by name, from routes.py
    pools: tuple[str, ...] = ()  # of workers, from jobs.py
    # Drops what is cached of these accounts' keys.
    accounts_changed: Callable[[Collection[UUID]], None] = lambda _: None
    is_ready: bool = False  # accepting requests: started and not shutting down
