# ruff: noqa: RUF009 - `setting` calls dataclasses.field and nothing else
"""All settings, read from the environment once (contract.md, "Running it").

One field is one setting; its variable is `TIDINGS_` and the field's name in capitals. `tidings
settings` lists them with the help texts of this file, and a test checks docs/operating/configure.md
against them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path

from tidings import limits
from tidings import setting_values as values
from tidings.limits import STORAGE_PER_ACCOUNT_DEFAULT
from tidings.setting_reading import BadSetting, given_text, parsed, setting, variable
from tidings.setting_values import Address, Network, Rate

__all__ = ["BadSetting", "Settings", "variable"]


@dataclass(frozen=True, slots=True)
class Settings:
    """The configuration. Read once at startup and passed down."""

    database_url: str | None = setting(
        "PostgreSQL 15 or newer to use; absent: an embedded one in TIDINGS_DATA",
        parse=values.database_url,
    )
    direct_database_url: str | None = setting(
        "PostgreSQL itself, where TIDINGS_DATABASE_URL leads to a pooler such as PgBouncer: for"
        " LISTEN, migrations and locks; absent: TIDINGS_DATABASE_URL",
        parse=values.database_url,
    )
    database_connections: int = setting(
        "Database connections that a process opens at most, beside those for reports and two or"
        " three for notifications, its version and periodic tasks",
        "16",
        parse=values.number(4, 500),
        affects="max_connections of the server must allow those of all processes; waiting for one"
        " shows in tidings_database_connection_wait_seconds",
    )
    report_connections: int = setting(
        "Database connections that a process opens at most for figures and results, which read"
        " many rows",
        "3",
        parse=values.number(1, 100),
    )
    data: Path = setting(
        "Folder of the embedded database, the master key and uploaded files",
        "./data",
        parse=values.path,
    )
    public_url: str = setting(
        "Address customers and guests reach us at; links and media URLs start with it",
        "http://127.0.0.1:8080",
        parse=values.http_url,
    )
    graph_url: str = setting(
        "Address of the messaging platform", "https://graph.facebook.com", parse=values.http_url
    )
    graph_version: str = setting("Version of its API", "v25.0", parse=values.graph_version)
    app_secret: str | None = setting(
        "Secret that signs the platform's callbacks; needed by live accounts", secret=True
    )
    verify_token: str | None = setting(
        "Token the platform shows when it verifies the callback address", secret=True
    )
    master_key: str | None = setting(
        "Base64 of 32 bytes that seal secrets at rest; while it is rotated two, the new one first,"
        " separated by a comma; absent: made in TIDINGS_DATA/master.key",
        parse=values.master_key,
        secret=True,
    )
    objects_url: str | None = setting(
        "Where uploaded files are kept, such as s3://bucket; absent: TIDINGS_DATA/objects",
        parse=values.objects_url,
    )
    storage_per_account: int | None = setting(
        "What the uploaded files of one account may take up, such as 500MB or 2GB; off: any amount",
        STORAGE_PER_ACCOUNT_DEFAULT,
        parse=values.size,
        affects="further uploads of the account are refused with 400",
    )
    bodies_days: int | None = setting(
        "After how many days the texts of messages and replies are erased; off: with the message",
        "90",
        parse=values.number_or_off(1, 3650),
        unit="days",
        affects="what pages, exports and the API can still show of a text",
    )
    messages_months: int | None = setting(
        "For how many months after its end a month of messages is kept; off: for ever",
        "13",
        parse=values.number_or_off(1, 120),
        unit="months",
        affects="the size of the database, and how far back lists reach",
    )
    audit_years: int | None = setting(
        "For how many years the audit log is kept; off: for ever",
        "7",
        parse=values.number_or_off(1, 100),
        unit="years",
        affects="how far back the audit log reaches",
    )
    allow_private_webhooks: bool = setting(
        "Development only: webhookUrl and callbackUrl may be http and private",
        "false",
        parse=values.flag,
    )
    issuer: str = setting(
        "Who issues invoices: the name, then address, tax and bank details, each after a |",
        "Tidings",
    )
    postgres_user: str | None = setting(
        "As root: the system user that runs the embedded database; absent: one is chosen"
    )
    operator_address: Address | None = setting(
        "Listener for /metrics, /livez and /readyz; off: none",
        "127.0.0.1:9464",
        parse=values.address,
    )
    trusted_proxies: tuple[Network, ...] | None = setting(
        "Our own proxies, such as 10.0.0.0/8,192.0.2.7: their X-Forwarded-For says who asks;"
        " absent: nobody's does",
        parse=values.networks,
    )
    rate: Rate | None = setting(
        "Where request rates are counted: memory, shared (in the database, for several processes),"
        " or auto: memory when the database is embedded",
        "auto",
        parse=values.rate,
    )
    lookups: int = setting(
        "Host names of webhooks that a process looks up at once; an account has at most a quarter"
        " of those that are free",
        str(limits.LOOK_UPS_MAX),
        parse=values.number(4, 1024),
        affects="a thread each, some 50 KB; raise it where name servers of many accounts hang",
    )
    connections: int = setting(
        "Connections that a process holds at once",
        str(limits.CONNECTIONS_MAX),
        parse=values.number(10, 60_000),
        affects="beyond it clients get 503; each may take a file descriptor and some 100 KB",
    )
    connections_per_address: int = setting(
        "Connections that one client address may hold of a process",
        "100",
        parse=values.number(1, 1000),
        affects="beyond it the address gets 503; proxies belong in TIDINGS_TRUSTED_PROXIES",
    )
    large_bodies_mb: int = setting(
        "Megabytes of request bodies above 1 MB that a process holds in memory at once",
        "80",
        parse=values.number(40, 4096),
        unit="MB",
        affects="memory; further bodies wait 5 s and then get 429",
    )
    media_streams: int = setting(
        "Downloads of guests' files that a process passes on at once",
        "32",
        parse=values.number(4, 400),
        affects="connections to the platform; further downloads wait 5 s and then get 429",
    )
    batches_at_once: int = setting(
        "Batches, of different accounts, that a process writes at once; each takes one of its"
        " TIDINGS_DATABASE_CONNECTIONS, at most half of them",
        "4",
        parse=values.number(1, 8),
        affects="how much of the database batches may take from single sends",
    )
    batches_waiting: int = setting(
        "Batches of one account that may wait for their turn in a process",
        str(limits.BATCHES_WAITING_MAX),
        parse=values.number(1, 1000),
        affects="more are answered 429; a waiting batch holds its connection and its body",
    )
    keep_alive_seconds: int = setting(
        "How long a connection may be idle between two requests",
        str(limits.KEEP_ALIVE.seconds),
        parse=values.number(1, 3600),
        unit="seconds",
        affects="must be longer than a proxy in front keeps idle connections, or it meets closed"
        " ones; idle connections count for TIDINGS_CONNECTIONS",
    )
    body_seconds: int = setting(
        "How long the body of a request may take to arrive",
        str(limits.BODY_TIMEOUT.seconds),
        parse=values.number(5, 600),
        unit="seconds",
        affects="slower clients are answered 400; a long one lets them hold memory for longer",
    )
    unknown_keys_per_minute: int = setting(
        "Requests with unknown keys that one client address may make in a minute",
        str(limits.UNKNOWN_KEYS_PER_MINUTE_MAX),
        parse=values.number(1, 10_000),
        affects="more are answered 429; valid keys from the same address are not affected",
    )
    drain_seconds: int = setting(
        "How long requests and sends under way may take when the service is stopped",
        str(limits.SHUTDOWN_DRAIN.seconds),
        parse=values.number(limits.SHUTDOWN_DRAIN.seconds, 600),
        unit="seconds",
        affects="whoever stops the process must wait ten seconds longer before killing it:"
        " TimeoutStopSec, terminationGracePeriodSeconds, stop_grace_period",
    )
    hung_seconds: int = setting(
        "How long a process of --processes N may be without an answer before it is ended",
        "60",
        parse=values.number(15, 3600),
        unit="seconds",
        affects="another process takes its place; what it was doing is taken up as after a crash",
    )
    webhook_posts: int = setting(
        "Webhooks that a process posts at once; an account has a quarter of them",
        str(limits.WEBHOOK_SLOTS),
        parse=values.number(16, 4096),
        affects="each post under way holds a connection; raise it where slow receivers hold back"
        " others (tidings_jobs_oldest_due_seconds of the pool webhooks)",
    )
    sends_at_once: int = setting(
        "Messages that the workers of a process send at once, passcodes aside; 50 more are for"
        " single messages, which are sent while their request waits",
        str(limits.SEND_SLOTS),
        parse=values.number(10, 4000),
        affects="sends a second are at most this divided by the platform's response time; each"
        " holds a connection",
    )
    platform_seconds: int = setting(
        "How long the platform may take to answer a call",
        str(limits.PLATFORM_RESPONSE_TIMEOUT.seconds),
        parse=values.number(5, limits.PLATFORM_RESPONSE_TIMEOUT.seconds),
        unit="seconds",
        affects="after it the outcome of a send is unknown and a callback must settle it: a short"
        " time makes more of them",
    )
    sync_minutes: int = setting(
        "How often numbers and templates of live accounts are read from the platform",
        str(limits.PLATFORM_SYNC_INTERVAL.seconds // 60),
        parse=values.number(1, 1440),
        unit="minutes",
        affects="calls to the platform; changes that it reports by callback are read at once",
    )
    webhook_feed_days: int = setting(
        "For how many days events can be read again (GET /webhooks/events, failed webhooks)",
        str(limits.WEBHOOK_FEED_KEPT.days),
        parse=values.number(limits.WEBHOOK_FEED_KEPT.days, 365),
        unit="days",
        affects="the size of the table webhooks, some 1 KB an event; 30 days are promised",
    )
    request_log_days: int = setting(
        "For how many days the portal shows API calls",
        str(limits.REQUEST_LOG_KEPT.days),
        parse=values.number(1, 90),
        unit="days",
        affects="the size of the request log: a row for each call",
    )
    parked_callback_days: int = setting(
        "For how many days platform callbacks that could not be read are kept",
        str(limits.CALLBACK_DEAD_LETTERS_KEPT.days),
        parse=values.number(1, 365),
        unit="days",
        affects="how long `tidings callbacks --again` can retry them",
    )
    disk_free_mb: int = setting(
        "Free space of the disk below which uploads to a folder, and copies of them in a backup,"
        " are refused",
        str(limits.DISK_FREE_MIN // limits.MIB),
        parse=values.number(0, 100_000_000),
        unit="MB",
        affects="room for an embedded database on the same disk; uploads get 503",
    )
    passwords_at_once: int = setting(
        "Passwords that a process checks at once",
        str(limits.PASSWORDS_AT_ONCE),
        parse=values.number(1, 64),
        affects="each takes a core and 32 MB for a moment; others wait",
    )
    documents_at_once: int = setting(
        "Invoices that a process typesets at once",
        str(limits.DOCUMENTS_AT_ONCE),
        parse=values.number(1, 64),
        affects="each takes a core for a moment; others wait",
    )
    sign_up: bool = setting(
        "Whether newcomers can make an organisation with a sandbox account at /portal/sign-up",
        "on",
        parse=values.flag,
    )
    smtp_url: str | None = setting(
        "Mail server for invitations, smtp://user:password@host:587?from=portal@example.com;"
        " absent: links are shown to be handed over",
        parse=values.smtp_url,
        secret=True,
    )
    otlp_url: str | None = setting(
        "OpenTelemetry collector for traces, such as http://127.0.0.1:4318 (OTLP over HTTP);"
        " needs tidings[traces]; absent: nothing is traced",
        parse=values.http_url,
    )
    otlp_percent: int = setting(
        "How many of a hundred traces are recorded; a message's is recorded whole or not at all",
        "100",
        parse=values.number(1, 100),
    )
    reader_url: str | None = setting(
        "OpenAI-compatible endpoint for a second opinion on replies that stay unclear, such as"
        " https://api.example.com/v1; only of accounts with secondOpinion; absent: nobody is asked",
        parse=values.http_url,
        affects="the words of such replies, without number or name, go there; the same on every"
        " process",
    )
    reader_model: str | None = setting(
        "Model to ask there; needed with TIDINGS_READER_URL", parse=values.text
    )
    reader_key: str | None = setting(
        "Key of that endpoint, sent as a bearer token; absent: none is sent",
        parse=values.bearer,
        secret=True,
    )
    reader_seconds: int = setting(
        "How long that endpoint may take to answer",
        "10",
        parse=values.number(1, 20),
        unit="seconds",
        affects="how long a guest who was not understood waits to be asked back",
    )
    reader_daily: int = setting(
        "Replies a day (UTC) that are shown to that endpoint at most",
        "1000",
        parse=values.number(0, 10_000_000),
        affects="what it costs; further replies are asked back as without it",
    )
    reader_daily_per_account: int = setting(
        "Replies a day of one account that are shown to that endpoint at most",
        "200",
        parse=values.number(0, 10_000_000),
        affects="as TIDINGS_READER_DAILY",
    )
    log_level: str = setting("debug, info, warning or error", "info", parse=values.log_level)

    @classmethod
    def from_env(cls, env: Mapping[str, str]) -> "Settings":
        """Read every setting. An empty variable is treated as absent."""
        given = {}
        for item in fields(cls):
            if text := given_text(item.name, item.metadata, env):
                given[item.name] = parsed(item.name, item.metadata, text)
        return cls(**given)

    @property
    def counts_rates_in(self) -> Rate:
        if self.rate is not None:
            return self.rate
        return Rate.MEMORY if self.database_url is None else Rate.SHARED

    @property
    def disk_free_bytes(self) -> int:
        return self.disk_free_mb * limits.MIB

    @property
    def batches_written_at_once(self) -> int:
        return min(self.batches_at_once, self.database_connections // 2)
