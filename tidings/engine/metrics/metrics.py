"""Every metric that is counted, declared once. docs/operating/observe.md explains each.

Labels have few values, all of them ours: never an account, a number, or text of another server.
"""

from typing import Self

from prometheus_client import values

from .instruments import Instruments
from .traffic import SharedTraffic, Traffic

_BATCH_ITEMS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
# From when something is due to its start: at once, or after a backlog of hours.
_DELAY_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800, 7200)


class Metrics(Instruments):
    """Other modules may add metrics with `counter`, `gauge` and `distribution`."""

    def __init__(self, *, shared: bool = False) -> None:
        super().__init__(shared=shared)
        self.traffic: Traffic | SharedTraffic
        self.traffic = SharedTraffic(self) if shared else Traffic(self)
        self.refused_bodies = self.counter(
            "http_bodies_refused", "Bodies not taken, by reason.", "reason"
        )
        self.rate_blind = self.counter(
            "rate_blind", "Requests let in because the limiter did not answer in time."
        )
        self._declare_messages()
        self._declare_callbacks()
        self._declare_webhooks()
        self._declare_queue()
        self._declare_lanes()
        self._declare_database()

    @classmethod
    def of_slot(cls, number: int) -> Self:
        """For one of several processes. The library's storage is selected by a global variable."""
        values.ValueClass = values.MultiProcessValue(lambda: number)
        return cls(shared=True)

    def _declare_messages(self) -> None:
        self.messages_accepted = self.counter(
            "messages_accepted", "Messages accepted, by kind.", "kind", "environment"
        )
        self.messages = self.counter(
            "messages",
            "Messages that came to a status (sent, failed and so on), by kind.",
            "status",
            "kind",
            "environment",
        )
        self.dispatch_seconds = self.distribution(
            "dispatch_seconds",
            "From a message's claim to the platform's answer, with the wait for its number's rate.",
            "environment",
            "outcome",
        )
        self.platform_call_seconds = self.distribution(
            "platform_call_seconds", "Calls of the platform to send messages.", "environment"
        )
        self.platform_errors = self.counter(
            "platform_errors",
            "Errors of the platform: answers to a send, and statuses that say failed.",
            "environment",
            "source",
            "code",
            "platform_code",
        )
        self.syncs = self.counter("syncs", "Live accounts read at the platform.", "outcome")

    def _declare_callbacks(self) -> None:
        self.callbacks = self.counter("callbacks", "Platform callbacks, by outcome.", "outcome")
        self.callbacks_forwarded = self.counter(
            "callbacks_forwarded",
            "Statuses offered to the process that sent their messages, by outcome.",
            "outcome",
        )
        self.callback_seconds = self.distribution(
            "callback_seconds", "From a callback of the live platform to its commit."
        )
        self.callback_dead_letters = self.gauge(
            "callback_dead_letters", "Callbacks kept because they could not be processed."
        )
        self.second_opinions = self.counter(
            "second_opinions", "Unclear replies for the reader outside, by outcome.", "outcome"
        )
        for outcome in ("dead_lettered", "refused"):
            self.callbacks.labels(outcome)

    def _declare_webhooks(self) -> None:
        self.webhook_attempts = self.counter(
            "webhook_attempts", "Posts to customers, by outcome.", "outcome"
        )
        self.webhook_post_seconds = self.distribution(
            "webhook_post_seconds", "Posts to customers, by outcome.", "outcome"
        )
        self.webhook_delay_seconds = self.distribution(
            "webhook_delay_seconds",
            "From the transaction of an event to the first post of its webhook.",
            bounds=_DELAY_SECONDS,
        )
        self.webhooks_exhausted = self.counter(
            "webhooks_exhausted", "Webhooks that have run out of attempts."
        )
        self.webhook_accounts_failing = self.counter(
            "webhook_accounts_failing", "Accounts whose first event has run out of attempts."
        )
        self.webhook_destinations_throttled = self.gauge(
            "webhook_destinations_throttled",
            "Webhook destinations that keep failing and are slowed.",
        )
        for outcome in ("success", "failure"):
            self.webhook_attempts.labels(outcome)

    def _declare_queue(self) -> None:
        # Each process sees the whole queue.
        self.jobs_due = self.gauge(
            "jobs_due", "Jobs that are due and wait, by pool.", "pool", merged="livemostrecent"
        )
        self.jobs_due_age = self.gauge(
            "jobs_oldest_due_seconds",
            "Age of the oldest job that is due, by pool.",
            "pool",
            merged="livemostrecent",
        )
        self.jobs_dead = self.gauge(
            "jobs_dead_lettered",
            "Jobs kept for the operator, by pool.",
            "pool",
            merged="livemostrecent",
        )
        self.jobs_running = self.gauge(
            "jobs_running", "Jobs that are being executed, by pool.", "pool", merged="livesum"
        )
        self.job_wait_seconds = self.distribution(
            "job_wait_seconds",
            "From the due time of a job to its start, by pool.",
            "pool",
            bounds=_DELAY_SECONDS,
        )
        self.jobs = self.counter("jobs", "Jobs executed, by kind.", "kind")
        self.job_failures = self.counter("job_failures", "Jobs whose handler raised.", "kind")
        self.job_seconds = self.distribution(
            "job_seconds", "Calls of a job's handler, each for a group of jobs.", "kind"
        )

    def _declare_lanes(self) -> None:
        self.lane_batch_items = self.distribution(
            "lane_batch_items", "Items in a batch of a lane.", "lane", bounds=_BATCH_ITEMS
        )
        self.lane_batch_seconds = self.distribution(
            "lane_batch_seconds", "Processing of a batch, mostly its transaction.", "lane"
        )
        self.lane_item_seconds = self.distribution(
            "lane_item_seconds", "From entering a lane to the end of the batch.", "lane"
        )

    def _declare_database(self) -> None:
        self.database_connections = self.gauge(
            "database_connections",
            "Connections to the database, by pool and state (in_use, idle).",
            "pool",
            "state",
            merged="livesum",
        )
        self.database_connections_max = self.gauge(
            "database_connections_max", "Connections that may be open.", "pool", merged="livesum"
        )
        self.database_waiting = self.gauge(
            "database_connection_waiters", "Who waits for a connection.", "pool", merged="livesum"
        )
        self.database_wait_seconds = self.distribution(
            "database_connection_wait_seconds",
            "Waits for a connection, of those that found none free.",
            "pool",
        )
        self.database_up = self.gauge(
            "database_up", "Whether the database answers: 1 or 0.", merged="livemin"
        )
        self.database_outages = self.counter("database_outages", "Outages of the database.")
        self.database_outage_seconds = self.counter(
            "database_outage_seconds", "How long outages lasted that have ended."
        )
        self.clock_skew = self.gauge(
            "clock_skew_seconds",
            "The database's clock minus that of this machine.",
            merged="livemostrecent",
        )
        self.trace_spans = self.counter(
            "trace_spans", "Spans for the OpenTelemetry collector, by outcome.", "outcome"
        )
