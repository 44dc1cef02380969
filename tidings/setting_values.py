"""How the text of a setting becomes its value. A ValueError ends the sentence `TIDINGS_X ...`."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from tidings.limits import MIB
from tidings.secrets import parse_master_keys

Network = IPv4Network | IPv6Network


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


def text(value: str) -> str:
    return value


def path(value: str) -> Path:
    return Path(value).expanduser()


def flag(value: str) -> bool:
    lowered = value.lower()
    if lowered in ("1", "true", "yes", "on"):
        return True
    if lowered in ("0", "false", "no", "off"):
        return False
    raise ValueError("must be true or false")


def http_url(value: str) -> str:
    parts = urlsplit(value)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError("must be an address such as https://messages.example.com")
    if parts.query or parts.fragment or parts.username is not None:
        raise ValueError("must have no user, query or fragment")
    return value.rstrip("/")


def database_url(value: str) -> str:
    if urlsplit(value).scheme not in ("postgres", "postgresql"):
        raise ValueError("must be postgresql://user:password@host:5432/name")
    return value


def objects_url(value: str) -> str:
    if "://" not in value:
        raise ValueError("must be an address such as s3://bucket/prefix or file:///folder")
    return value


def smtp_url(value: str) -> str:
    parts = urlsplit(value)
    senders = parse_qs(parts.query).get("from", [])
    if parts.scheme not in ("smtp", "smtps") or not parts.hostname or len(senders) != 1:
        raise ValueError("must be smtp://user:password@host:587?from=portal@example.com, or smtps")
    return value


def graph_version(value: str) -> str:
    if not re.fullmatch(r"v[0-9]{1,3}\.[0-9]{1,2}", value):
        raise ValueError("must be a version such as v25.0")
    return value


def master_key(value: str) -> str:
    try:
        parse_master_keys(value)
    except ValueError as reason:
        raise ValueError(f"cannot be used: {reason}") from None
    return value


def bearer(value: str) -> str:
    if not re.fullmatch("[!-~]{1,4096}", value):
        raise ValueError("must be one word of ASCII characters")
    return value


def log_level(value: str) -> str:
    if value.lower() not in ("debug", "info", "warning", "error"):
        raise ValueError("must be debug, info, warning or error")
    return value.lower()


def rate(value: str) -> Rate | None:
    if value == "auto":
        return None
    if value not in list(Rate):
        raise ValueError("must be memory, shared or auto")
    return Rate(value)


def size(value: str) -> int | None:
    """Sizes are in binary units."""
    if value == "off":
        return None
    found = re.fullmatch(r"([0-9]{1,6}) ?(MB|GB|TB)", value)
    if found is None or not int(found[1]):
        raise ValueError("must be a number with MB, GB or TB such as 500MB, or off")
    return int(found[1]) * {"MB": MIB, "GB": 1024 * MIB, "TB": 1024 * 1024 * MIB}[found[2]]


def address(value: str) -> Address | None:
    if value == "off":
        return None
    host, colon, port = value.rpartition(":")
    if not colon or not host or not re.fullmatch("[0-9]{1,5}", port) or int(port) > 65535:
        raise ValueError("must be host:port such as 127.0.0.1:9464, or off")
    return Address(host.removeprefix("[").removesuffix("]"), int(port))


@dataclass(frozen=True, slots=True)
class Number:
    """Reads a whole number within bounds; "off" becomes None where it is allowed."""

    low: int
    high: int
    may_be_off: bool = False

    def __call__(self, value: str) -> int | None:
        if self.may_be_off and value == "off":
            return None
        if not re.fullmatch("[0-9]{1,9}", value) or not self.low <= int(value) <= self.high:
            raise ValueError(f"must be a whole number from {self}")
        return int(value)

    def __str__(self) -> str:
        return f"{self.low} to {self.high}{', or off' if self.may_be_off else ''}"


def number(low: int, high: int) -> Number:
    return Number(low, high)


def number_or_off(low: int, high: int) -> Number:
    return Number(low, high, may_be_off=True)


def networks(value: str) -> tuple[Network, ...]:
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
        raise ValueError("must not be everybody: then anyone could say who they are")
    return tuple(found)


ACCEPTED: dict[Callable[[str], object], str] = {
    text: "any text",
    path: "a folder",
    flag: "true or false",
    http_url: "an http or https address",
    database_url: "a postgresql:// address",
    objects_url: "an address such as s3://bucket/prefix or file:///folder",
    smtp_url: "an smtp:// or smtps:// address with ?from=",
    graph_version: "a version such as v25.0",
    master_key: "base64 of 32 bytes",
    bearer: "one word of ASCII characters",
    log_level: "debug, info, warning or error",
    rate: "memory, shared or auto",
    size: "a number with MB, GB or TB, or off",
    address: "host:port, or off",
    networks: "addresses and networks, with commas between",
}


def accepted(parse: Callable[[str], object]) -> str:
    """What a setting takes: for numbers their bounds."""
    return str(parse) if isinstance(parse, Number) else ACCEPTED.get(parse, "text")
