"""`tidings settings`: every setting, its current value and its purpose."""

import os
import shutil
import sys
import textwrap
from dataclasses import asdict

from tidings.cli.output import Styled, print_json, remark, say
from tidings.cli.runner import load_settings
from tidings.settings import Listed, listed, unknown


def show_settings(*, as_json: bool) -> None:
    """Print them; an invalid value is refused, as by every command."""
    load_settings()
    found = listed(os.environ)
    if as_json:
        print_json({"settings": [_present(one) for one in found]})
    else:
        _print(found)
    for name, nearest in unknown(os.environ).items():
        hint = f"; did you mean {nearest}?" if nearest else ""
        remark(f"warning: {name} is not a setting{hint}")


def _print(found: list[Listed]) -> None:
    for one in found:
        value = "not set" if one.value is None else one.value
        shown = Styled(value, "green") if one.is_set else Styled(value, dim=True)
        say(Styled(one.name, bold=True), "  ", shown)
        say(_indented(one.help))
    say("\nSet by environment variables; dim values are not set and show the default.")


def _indented(text: str) -> str:
    """Wrapped on a terminal; one line in a pipe."""
    if not sys.stdout.isatty():
        return f"    {text}"
    width = max(shutil.get_terminal_size().columns, 40)
    return textwrap.fill(text, width, initial_indent="    ", subsequent_indent="    ")


def _present(one: Listed) -> dict[str, object]:
    values = asdict(one)
    return {"isSet" if name == "is_set" else name: value for name, value in values.items()}
