# ruff: noqa: RUF009 - `_setting` calls dataclasses.field and nothing else
"""All settings, read from the environment once (contract.md, "Running it").

One field is one setting; its variable is `TIDINGS_` and the field's name in capitals. `tidings
settings` lists them with the help texts of this file, and a test checks docs/operating/configure.md
against them.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from tidings import limits
from tidings import setting_values as values
from tidings.limits import STORAGE_PER_ACCOUNT_DEFAULT
from tidings.setting_values import Address, Network, Rate

PREFIX = "TIDINGS_"


class BadSetting(Exception):
    """A variable with an invalid value. The text is one sentence for the operator."""


def _setting(
    help_: str,
    default: str = "",
    *,
    parse: Callable[[str], object] = values.text,
    secret: bool = False,
    unit: str = "",
    affects: str = "",
) -> Any:
    """A field whose default is given as text, like the variable; "" means absent (None).

    `affects` says what another value changes, for `tidings settings NAME`.
    """
    value = parse(default) if default else None
    metadata = {"help": help_, "default": default, "parse": parse, "secret": secret}
    metadata |= {"unit": unit, "affects": affects}
    return field(
        default=value, metadata=metadata, repr=not secret and parse is not values.database_url
    )


@dataclass(frozen=True, slots=True)
class Settings:
    """The configuration. Read once at startup and passed down."""

    database_url: str | None = _setting(
        "PostgreSQL 15 or newer to use; absent: an embedded one in TIDINGS_DATA",
        parse=values.database_url,
    )
    direct_database_url: str | None = _setting(
        "PostgreSQL itself, where TIDINGS_DATABASE_URL leads to a pooler such as PgBouncer: for"
        " LISTEN, migrations and locks; absent: TIDINGS_DATABASE_URL",
        parse=values.database_url,
    )
    database_connections: int = _setting(
        "Database connections that a process opens at most, beside those for reports and one or"
        " two for notifications and periodic tasks",
        "16",
        parse=values.number(4, 500),
    )
    report_connections: int = _setting(
        "Database connections that a process opens at most for figures and results, which read"
        " many rows",
        "3",
        parse=values.number(1, 100),
    )
    data: Path = _setting(
        "Folder of the embedded database, the master key and uploaded files",
        "./data",
        parse=values.path,
    )
    public_url: str = _setting(
        "Address customers and guests reach us at; links and media URLs start with it",
        "http://127.0.0.1:8080",
        parse=values.http_url,
    )
    graph_url: str = _setting(
        "Address of the messaging platform", "https://graph.facebook.com", parse=values.http_url
    )
    graph_version: str = _setting("Version of its API", "v25.0", parse=values.graph_version)
    app_secret: str | None = _setting(
        "Secret that signs the platform's callbacks; needed by live accounts", secret=True
    )
    verify_token: str | None = _setting(
        "Token the platform shows when it verifies the callback address", secret=True
    )
    master_key: str | None = _setting(
        "Base64 of 32 bytes that seal secrets at rest; absent: made in TIDINGS_DATA/master.key",
        parse=values.master_key,
        secret=True,
    )
    objects_url: str | None = _setting(
        "Where uploaded files are kept, such as s3://bucket; absent: TIDINGS_DATA/objects",
        parse=values.objects_url,
    )
    storage_per_account: int | None = _setting(
        "What the uploaded files of one account may take up, such as 500MB or 2GB; off: any amount",
        STORAGE_PER_ACCOUNT_DEFAULT,
        parse=values.size,
    )
    bodies_days: int | None = _setting(
        "After how many days the texts of messages and replies are erased; off: with the message",
        "90",
        parse=values.number_or_off(1, 3650),
    )
    messages_months: int | None = _setting(
        "For how many months after its end a month of messages is kept; off: for ever",
        "13",
        parse=values.number_or_off(1, 120),
    )
    audit_years: int | None = _setting(
        "For how many years the audit log is kept; off: for ever",
        "7",
        parse=values.number_or_off(1, 100),
    )
    allow_private_webhooks: bool = _setting(
        "Development only: webhookUrl and callbackUrl may be http and private",
        "false",
        parse=values.flag,
    )
    issuer: str = _setting(
        "Who issues invoices: the name, then address, tax and bank details, each after a |",
        "Tidings",
    )
    postgres_user: str | None = _setting(
        "As root: the system user that runs the embedded database; absent: one is chosen"
    )
    operator_address: Address | None = _setting(
        "Listener for /metrics, /livez and /readyz; off: none",
        "127.0.0.1:9464",
        parse=values.address,
    )
    trusted_proxies: tuple[Network, ...] | None = _setting(
        "Our own proxies, such as 10.0.0.0/8,192.0.2.7: their X-Forwarded-For says who asks;"
        " absent: nobody's does",
        parse=values.networks,
    )
    rate: Rate | None = _setting(
        "Where request rates are counted: memory, shared (in the database, for several processes),"
        " or auto: memory when the database is embedded",
        "auto",
        parse=values.rate,
    )
    lookups: int = _setting(
        "Host names of webhooks that a process looks up at once; an account has at most a quarter"
        " of those that are free",
        str(limits.LOOK_UPS_MAX),
        parse=values.number(4, 1024),
    )
    connections_per_address: int = _setting(
        "Connections that one client address may hold of a process",
        "100",
        parse=values.number(1, 1000),
    )
    large_bodies_mb: int = _setting(
        "Megabytes of request bodies above 1 MB that a process holds in memory at once",
        "80",
        parse=values.number(40, 4096),
    )
    media_streams: int = _setting(
        "Downloads of guests' files that a process passes on at once",
        "32",
        parse=values.number(4, 400),
    )
    batches_at_once: int = _setting(
        "Batches, of different accounts, that a process writes at once; each takes one of its"
        " TIDINGS_DATABASE_CONNECTIONS, at most half of them",
        "4",
        parse=values.number(1, 8),
    )
    sign_up: bool = _setting(
        "Whether newcomers can make an organisation with a sandbox account at /portal/sign-up",
        "on",
        parse=values.flag,
    )
    smtp_url: str | None = _setting(
        "Mail server for invitations, smtp://user:password@host:587?from=portal@example.com;"
        " absent: links are shown to be handed over",
        parse=values.smtp_url,
        secret=True,
    )
    otlp_url: str | None = _setting(
        "OpenTelemetry collector for traces, such as http://127.0.0.1:4318 (OTLP over HTTP);"
        " needs tidings[traces]; absent: nothing is traced",
        parse=values.http_url,
    )
    otlp_percent: int = _setting(
        "How many of a hundred traces are recorded; a message's is recorded whole or not at all",
        "100",
        parse=values.number(1, 100),
    )
    log_level: str = _setting("debug, info, warning or error", "info", parse=values.log_level)

    @classmethod
    def from_env(cls, env: Mapping[str, str]) -> "Settings":
        """Read every setting. An empty variable is treated as absent."""
        given = {}
        for item in fields(cls):
            if text := given_text(item.name, item.metadata, env):
                given[item.name] = _parsed(item.name, item.metadata, text)
        return cls(**given)

    @property
    def counts_rates_in(self) -> Rate:
        if self.rate is not None:
            return self.rate
        return Rate.MEMORY if self.database_url is None else Rate.SHARED

    @property
    def batches_written_at_once(self) -> int:
        return min(self.batches_at_once, self.database_connections // 2)


def given_text(name: str, metadata: Mapping[str, Any], env: Mapping[str, str]) -> str:
    """What the environment says: the variable, or for a secret the file that NAME_FILE names."""
    text = env.get(variable(name), "").strip()
    file = env.get(file_variable(name), "").strip() if may_be_file(name, metadata) else ""
    if text and file:
        raise BadSetting(f"{variable(name)} and {file_variable(name)} are both set: leave one out.")
    return _read_file(file_variable(name), Path(file)) if file else text


def _read_file(name: str, file: Path) -> str:
    try:
        text = file.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as reason:
        said = reason.strerror if isinstance(reason, OSError) else "it is not text"
        raise BadSetting(f"{name} names {file}, which cannot be read: {said}.") from None
    if not text:
        raise BadSetting(f"{name} names {file}, which is empty.")
    return text


def may_be_file(name: str, metadata: Mapping[str, Any]) -> bool:
    """Secrets, and the database's address, which may hold a password."""
    return bool(metadata["secret"]) or metadata["parse"] is values.database_url


def file_variable(name: str) -> str:
    return f"{variable(name)}_FILE"


def _parsed(name: str, metadata: Mapping[str, Any], text: str) -> Any:
    try:
        return metadata["parse"](text)
    except ValueError as reason:
        shown = "" if may_be_file(name, metadata) else f', not "{text}"'
        raise BadSetting(f"{variable(name)} {reason}{shown}.") from None


def variable(name: str) -> str:
    """The environment variable of a field."""
    return PREFIX + name.upper()
