# ruff: noqa: RUF009 - `_setting` calls dataclasses.field and nothing else
"""All settings, read from the environment once (contract.md, "Running it").

One field is one setting; its variable is `TIDINGS_` and the field's name in capitals. `tidings
settings` lists them with the help texts of this file, and a test checks docs/operating.md against
them.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from difflib import get_close_matches
from enum import StrEnum
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit, urlunsplit

from tidings import limits
from tidings.limits import MIB, STORAGE_PER_ACCOUNT_DEFAULT
from tidings.secrets import parse_master_key

PREFIX = "TIDINGS_"
MASK = "********"

Network = IPv4Network | IPv6Network


class BadSetting(Exception):
    """A variable with an invalid value. The text is one sentence for the operator."""


class Rate(StrEnum):
    """Where request rates are counted: in this process, or in the database for all of them."""

    MEMORY = "memory"
    SHARED = "shared"


@dataclass(frozen=True, slots=True)
class Address:
    """Host and port to listen on."""

    host: str
    port: int

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}"


def _text(value: str) -> str:
    return value


def _path(value: str) -> Path:
    return Path(value).expanduser()


def _flag(value: str) -> bool:
    lowered = value.lower()
    if lowered in ("1", "true", "yes", "on"):
        return True
    if lowered in ("0", "false", "no", "off"):
        return False
    raise ValueError("must be true or false")


def _http_url(value: str) -> str:
    parts = urlsplit(value)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError("must be an address such as https://messages.example.com")
    if parts.query or parts.fragment or parts.username is not None:
        raise ValueError("must have no user, query or fragment")
    return value.rstrip("/")


def _database_url(value: str) -> str:
    if urlsplit(value).scheme not in ("postgres", "postgresql"):
        raise ValueError("must be postgresql://user:password@host:5432/name")
    return value


def _objects_url(value: str) -> str:
    if "://" not in value:
        raise ValueError("must be an address such as s3://bucket/prefix or file:///folder")
    return value


def _smtp_url(value: str) -> str:
    parts = urlsplit(value)
    senders = parse_qs(parts.query).get("from", [])
    if parts.scheme not in ("smtp", "smtps") or not parts.hostname or len(senders) != 1:
        raise ValueError("must be smtp://user:password@host:587?from=portal@example.com, or smtps")
    return value


def _graph_version(value: str) -> str:
    if not re.fullmatch(r"v[0-9]{1,3}\.[0-9]{1,2}", value):
        raise ValueError("must be a version such as v25.0")
    return value


def _master_key(value: str) -> str:
    try:
        parse_master_key(value)
    except ValueError as reason:
        raise ValueError(f"cannot be used: {reason}") from None
    return value


def _log_level(value: str) -> str:
    if value.lower() not in ("debug", "info", "warning", "error"):
        raise ValueError("must be debug, info, warning or error")
    return value.lower()


def _rate(value: str) -> Rate | None:
    if value == "auto":
        return None
    if value not in list(Rate):
        raise ValueError("must be memory, shared or auto")
    return Rate(value)


def _size(value: str) -> int | None:
    """Sizes are in binary units."""
    if value == "off":
        return None
    found = re.fullmatch(r"([0-9]{1,6}) ?(MB|GB|TB)", value)
    if found is None or not int(found[1]):
        raise ValueError("must be a number with MB, GB or TB such as 500MB, or off")
    return int(found[1]) * {"MB": MIB, "GB": 1024 * MIB, "TB": 1024 * 1024 * MIB}[found[2]]


def _address(value: str) -> Address | None:
    if value == "off":
        return None
    host, colon, port = value.rpartition(":")
    if not colon or not host or not re.fullmatch("[0-9]{1,5}", port) or int(port) > 65535:
        raise ValueError("must be host:port such as 127.0.0.1:9464, or off")
    return Address(host.removeprefix("[").removesuffix("]"), int(port))


def _number(low: int, high: int) -> Callable[[str], int]:
    def parse(value: str) -> int:
        if not re.fullmatch("[0-9]{1,9}", value) or not low <= int(value) <= high:
            raise ValueError(f"must be a whole number from {low} to {high}")
        return int(value)

    return parse


def _number_or_off(low: int, high: int) -> Callable[[str], int | None]:
    number = _number(low, high)

    def parse(value: str) -> int | None:
        if value == "off":
            return None
        try:
            return number(value)
        except ValueError as reason:
            raise ValueError(f"{reason}, or off") from None

    return parse


def _networks(value: str) -> tuple[Network, ...]:
    found: list[Network] = []
    for part in value.split(","):
        try:
            ip_address(part.strip().partition("/")[0])
        except ValueError:
            raise ValueError(
                "must be addresses or networks such as 10.0.0.0/8, with commas between"
            ) from None
        found.append(
            ip_network(part.strip())
        )  # its error message explains a mask that does not fit
    if any(network.prefixlen == 0 for network in found):
        raise ValueError("must not be everybody: then anyone could say whom they are")
    return tuple(found)


def _setting(
    help_: str, default: str = "", *, parse: Callable[[str], object] = _text, secret: bool = False
) -> Any:
    """A field whose default is given as text, like the variable; "" means absent (None)."""
    value = parse(default) if default else None
    metadata = {"help": help_, "default": default, "parse": parse, "secret": secret}
    return field(default=value, metadata=metadata, repr=not secret and parse is not _database_url)


@dataclass(frozen=True, slots=True)
class Settings:
    """The configuration. Read once at startup and passed down."""

    database_url: str | None = _setting(
        "PostgreSQL 15 or newer to use; absent: an embedded one in TIDINGS_DATA",
        parse=_database_url,
    )
    data: Path = _setting(
        "Folder of the embedded database, the master key and uploaded files", "./data", parse=_path
    )
    public_url: str = _setting(
        "Address customers and guests reach us at; links and media URLs start with it",
        "http://127.0.0.1:8080",
        parse=_http_url,
    )
    graph_url: str = _setting(
        "Address of the messaging platform", "https://graph.facebook.com", parse=_http_url
    )
    graph_version: str = _setting("Version of its API", "v25.0", parse=_graph_version)
    app_secret: str | None = _setting(
        "Secret that signs the platform's callbacks; needed by live accounts", secret=True
    )
    verify_token: str | None = _setting(
        "Token the platform shows when it verifies the callback address", secret=True
    )
    master_key: str | None = _setting(
        "Base64 of 32 bytes that seal secrets at rest; absent: made in TIDINGS_DATA/master.key",
        parse=_master_key,
        secret=True,
    )
    objects_url: str | None = _setting(
        "Where uploaded files are kept, such as s3://bucket; absent: TIDINGS_DATA/objects",
        parse=_objects_url,
    )
    storage_per_account: int | None = _setting(
        "What the uploaded files of one account may take up, such as 500MB or 2GB; off: any amount",
        STORAGE_PER_ACCOUNT_DEFAULT,
        parse=_size,
    )
    bodies_days: int | None = _setting(
        "After how many days the texts of messages and replies are erased; off: with the message",
        "90",
        parse=_number_or_off(1, 3650),
    )
    messages_months: int | None = _setting(
        "For how many months after its end a month of messages is kept; off: for ever",
        "13",
        parse=_number_or_off(1, 120),
    )
    audit_years: int | None = _setting(
        "For how many years the audit log is kept; off: for ever",
        "7",
        parse=_number_or_off(1, 100),
    )
    allow_private_webhooks: bool = _setting(
        "Development only: webhookUrl and callbackUrl may be http and private",
        "false",
        parse=_flag,
    )
    issuer: str = _setting(
        "Who issues invoices: the name, then address, tax and bank details, each after a |",
        "Tidings",
    )
    postgres_user: str | None = _setting(
        "As root: the system user that runs the embedded database; absent: one is chosen"
    )
    operator_address: Address | None = _setting(
        "Listener for /metrics, /livez and /readyz; off: none", "127.0.0.1:9464", parse=_address
    )
    trusted_proxies: tuple[Network, ...] | None = _setting(
        "Our own proxies, such as 10.0.0.0/8,192.0.2.7: their X-Forwarded-For says who asks;"
        " absent: nobody's does",
        parse=_networks,
    )
    rate: Rate | None = _setting(
        "Where request rates are counted: memory, shared (in the database, for several processes),"
        " or auto: memory when the database is embedded",
        "auto",
        parse=_rate,
    )
    lookups: int = _setting(
        "Host names of webhooks that a process looks up at once; an account has at most a quarter"
        " of those that are free",
        str(limits.LOOK_UPS_MAX),
        parse=_number(4, 1024),
    )
    connections_per_address: int = _setting(
        "Connections that one client address may hold of a process",
        "100",
        parse=_number(1, 1000),
    )
    large_bodies_mb: int = _setting(
        "Megabytes of request bodies above 1 MB that a process holds in memory at once",
        "80",
        parse=_number(40, 4096),
    )
    media_streams: int = _setting(
        "Downloads of guests' files that a process passes on at once",
        "32",
        parse=_number(4, 400),
    )
    batches_at_once: int = _setting(
        "Batches, of different accounts, that a process writes at once; each takes one of its ten"
        " database connections",
        "4",
        parse=_number(1, 8),
    )
    sign_up: bool = _setting(
        "Whether newcomers can make an organisation with a sandbox account at /portal/sign-up",
        "on",
        parse=_flag,
    )
    smtp_url: str | None = _setting(
        "Mail server for invitations, smtp://user:password@host:587?from=portal@example.com;"
        " absent: links are shown to be handed over",
        parse=_smtp_url,
        secret=True,
    )
    log_level: str = _setting("debug, info, warning or error", "info", parse=_log_level)

    @classmethod
    def from_env(cls, env: Mapping[str, str]) -> "Settings":
        """Read every setting. An empty variable is treated as absent."""
        values = {}
        for item in fields(cls):
            text = env.get(variable(item.name), "").strip()
            if text:
                values[item.name] = _parsed(item.name, item.metadata, text)
        return cls(**values)

    @property
    def counts_rates_in(self) -> Rate:
        if self.rate is not None:
            return self.rate
        return Rate.MEMORY if self.database_url is None else Rate.SHARED


def _parsed(name: str, metadata: Mapping[str, Any], text: str) -> Any:
    try:
        return metadata["parse"](text)
    except ValueError as reason:
        shown = "" if metadata["secret"] or name == "database_url" else f', not "{text}"'
        raise BadSetting(f"{variable(name)} {reason}{shown}.") from None


def variable(name: str) -> str:
    """The environment variable of a field."""
    return PREFIX + name.upper()


@dataclass(frozen=True, slots=True)
class Listed:
    """One line of `tidings settings`."""

    name: str
    value: str | None  # masked if secret
    default: str | None
    is_set: bool
    help: str


def listed(env: Mapping[str, str]) -> list[Listed]:
    """Every setting with its current value, secrets masked, in declaration order."""
    return [_listed(item.name, item.metadata, env) for item in fields(Settings)]


def _listed(name: str, metadata: Mapping[str, Any], env: Mapping[str, str]) -> Listed:
    given = env.get(variable(name), "").strip()
    value = given or metadata["default"]
    if metadata["secret"] and value:
        value = MASK
    elif name == "database_url":
        value = _without_password(value)
    default = metadata["default"] or None
    return Listed(variable(name), value or None, default, bool(given), metadata["help"])


def unknown(env: Mapping[str, str]) -> dict[str, str | None]:
    """Unknown TIDINGS_ variables, each with the closest known name, if any."""
    known = [variable(item.name) for item in fields(Settings)]
    strangers = sorted(name for name in env if name.startswith(PREFIX) and name not in known)
    return {name: next(iter(get_close_matches(name, known, 1)), None) for name in strangers}


def _without_password(url: str) -> str:
    """Removes the password, which may be before the host or in the query."""
    parts = urlsplit(url)
    user, at, host = parts.netloc.rpartition("@")
    name, colon, _ = user.partition(":")
    netloc = f"{name}:{MASK}@{host}" if colon else f"{name}{at}{host}"
    query = re.sub(r"(?i)((?:^|&)[^=&]*password=)[^&]*", rf"\1{MASK}", parts.query)
    return urlunsplit(parts._replace(netloc=netloc, query=query))
