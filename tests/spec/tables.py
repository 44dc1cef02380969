"""The specification's tables, read from the TOML files beside this one."""

import tomllib
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent


def table(name: str) -> dict[str, Any]:
    return tomllib.loads((HERE / f"{name}.toml").read_text(encoding="utf-8"))
