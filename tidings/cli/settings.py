"""`tidings settings`: every setting, its present value and what it is for."""

import os
import sys
from dataclasses import asdict

import msgspec
from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from tidings.settings import Listed, listed, unknown

from .running import load_settings


def show_settings(*, as_json: bool) -> None:
    """Refused, as by every command, where a value cannot be used."""
    load_settings()
    found = listed(os.environ)
    if as_json:
        answer = msgspec.json.encode({"settings": [_presented(one) for one in found]})
        print(msgspec.json.format(answer, indent=2).decode())
    else:
        _print(found)
    for name, meant in unknown(os.environ).items():
        hint = f"; did you mean {meant}?" if meant else ""
        print(f"warning: {name} is not a setting{hint}", file=sys.stderr)


def _print(found: list[Listed]) -> None:
    console = Console(highlight=False)
    for one in found:
        value = Text("not set" if one.value is None else one.value)
        value.stylize("green" if one.is_set else "dim")
        console.print(Text(one.name, style="bold"), value, sep="  ", soft_wrap=True)
        console.print(Padding(Text(one.help), (0, 0, 0, 4)))
    console.print("\nSet by environment variables; what is dim was not set and is the default.")


def _presented(one: Listed) -> dict[str, object]:
    values = asdict(one)
    return {"isSet" if name == "is_set" else name: value for name, value in values.items()}
