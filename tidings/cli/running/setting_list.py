"""Every setting with its value, bounds and purpose, as `tidings settings` shows them."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from difflib import get_close_matches
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from tidings.setting_reading import PREFIX, file_variable, given_text, may_be_file, variable
from tidings.setting_values import accepted
from tidings.settings import Settings

MASK = "********"
OF_COMMANDS = ("TIDINGS_API_KEY",)  # a variable of ours that is no setting of the service


@dataclass(frozen=True, slots=True)
class Listed:
    """One setting."""

    name: str
    value: str | None  # masked if secret
    default: str | None
    is_set: bool
    accepts: str
    unit: str | None
    file: str | None  # the variable that may name a file with the value
    help: str
    affects: str | None


def listed(env: Mapping[str, str]) -> list[Listed]:
    """Every setting with its current value, secrets masked, in declaration order."""
    return [_listed(item.name, item.metadata, env) for item in fields(Settings)]


def _listed(name: str, metadata: Mapping[str, Any], env: Mapping[str, str]) -> Listed:
    given = given_text(name, metadata, env)
    value = given or metadata["default"]
    if metadata["secret"] and value:
        value = MASK
    elif may_be_file(name, metadata):
        value = _without_password(value)
    return Listed(
        name=variable(name),
        value=value or None,
        default=metadata["default"] or None,
        is_set=bool(given),
        accepts=accepted(metadata["parse"]),
        unit=metadata["unit"] or None,
        file=file_variable(name) if may_be_file(name, metadata) else None,
        help=metadata["help"],
        affects=metadata["affects"] or None,
    )


def unknown(env: Mapping[str, str]) -> dict[str, str | None]:
    """Unknown TIDINGS_ variables, each with the closest known name, if any."""
    known = [variable(item.name) for item in fields(Settings)]
    files = [file_variable(item.name) for item in fields(Settings) if _may_be_file(item)]
    strangers = (name for name in env if name.startswith(PREFIX))
    return {
        name: next(iter(get_close_matches(name, known, 1)), None)
        for name in sorted(strangers)
        if name not in (*known, *files, *OF_COMMANDS)
    }


def _may_be_file(item: Any) -> bool:
    return may_be_file(item.name, item.metadata)


def _without_password(url: str) -> str:
    """Removes the password, which may be before the host or in the query."""
    parts = urlsplit(url)
    user, at, host = parts.netloc.rpartition("@")
    name, colon, _ = user.partition(":")
    netloc = f"{name}:{MASK}@{host}" if colon else f"{name}{at}{host}"
    query = re.sub(r"(?i)((?:^|&)[^=&]*password=)[^&]*", rf"\1{MASK}", parts.query)
    return urlunsplit(parts._replace(netloc=netloc, query=query))
