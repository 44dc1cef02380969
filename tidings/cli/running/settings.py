"""`tidings settings`: every setting, its current value and its purpose; one in full by its name."""

import os
import shutil
import sys
import textwrap
from dataclasses import asdict

from tidings.cli.output import Refused, Styled, print_json, remark, say
from tidings.cli.runner import load_settings
from tidings.setting_reading import PREFIX

from .setting_list import Listed, listed, unknown


def show_settings(name: str | None, *, as_json: bool) -> None:
    """Print them; an invalid value is refused, as by every command."""
    load_settings()
    found = listed(os.environ)
    if name is not None:
        found = [_named(name, found)]
    if as_json:
        print_json({"settings": [_present(one) for one in found]})
    elif name is not None:
        _print_one(found[0])
    else:
        _print(found)
    for stranger, nearest in unknown(os.environ).items():
        hint = f"; did you mean {nearest}?" if nearest else ""
        remark(f"warning: {stranger} is not a setting{hint}")


def _named(name: str, found: list[Listed]) -> Listed:
    """By its variable, with or without the prefix, in any case."""
    wanted = PREFIX + name.upper().replace("-", "_").removeprefix(PREFIX)
    for one in found:
        if one.name == wanted:
            return one
    nearest = unknown({wanted: ""}).get(wanted)
    hint = f" Did you mean {nearest}?" if nearest else " `tidings settings` lists all."
    raise Refused(f"There is no setting {wanted}.{hint}")


def _print(found: list[Listed]) -> None:
    for one in found:
        say(Styled(one.name, bold=True), "  ", _value(one), "  ", Styled(_range(one), dim=True))
        say(_indented(one.help))
    say("\nSet by environment variables; dim values are not set and show the default.")
    say("`tidings settings SETTING` says what another value changes.")


def _print_one(one: Listed) -> None:
    say(Styled(one.name, bold=True))
    say(_indented(one.help))
    rows = {
        "value": one.value or "not set",
        "default": one.default or "none",
        "accepts": _range(one),
        "or a file": one.file and f"{one.file} names one that holds the value",
        "affects": one.affects,
    }
    for title, text in rows.items():
        if text:
            say(_indented(f"{title:<10}{text}"))


def _value(one: Listed) -> Styled:
    value = "not set" if one.value is None else one.value
    return Styled(value, "green") if one.is_set else Styled(value, dim=True)


def _range(one: Listed) -> str:
    return f"{one.accepts} ({one.unit})" if one.unit else one.accepts


def _indented(text: str) -> str:
    """Wrapped on a terminal; one line in a pipe."""
    if not sys.stdout.isatty():
        return f"    {text}"
    width = max(shutil.get_terminal_size().columns, 40)
    return textwrap.fill(text, width, initial_indent="    ", subsequent_indent="    ")


def _present(one: Listed) -> dict[str, object]:
    values = asdict(one)
    return {"isSet" if name == "is_set" else name: value for name, value in values.items()}
