"""How a setting is declared, and how its value is found: a variable, or a file that one names."""

from collections.abc import Callable, Mapping
from dataclasses import field
from pathlib import Path
from typing import Any

from tidings import setting_values as values

PREFIX = "TIDINGS_"


class BadSetting(Exception):
    """A variable with an invalid value. The text is one sentence for the operator."""


def setting(
    help_: str,
    default: str = "",
    *,
    parse: Callable[[str], object] = values.text,
    secret: bool = False,
    unit: str = "",
    affects: str = "",
) -> Any:
    """A field whose default is given as text, like the variable; "" means absent (None).

    `affects` says what another value changes, for `tidings settings SETTING`.
    """
    value = parse(default) if default else None
    metadata = {"help": help_, "default": default, "parse": parse, "secret": secret}
    metadata |= {"unit": unit, "affects": affects}
    return field(
        default=value, metadata=metadata, repr=not secret and parse is not values.database_url
    )


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


def parsed(name: str, metadata: Mapping[str, Any], text: str) -> Any:
    try:
        return metadata["parse"](text)
    except ValueError as reason:
        shown = "" if may_be_file(name, metadata) else f', not "{text}"'
        raise BadSetting(f"{variable(name)} {reason}{shown}.") from None


def variable(name: str) -> str:
    """The environment variable of a field."""
    return PREFIX + name.upper()
