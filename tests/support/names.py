"""Names of parametrised cases: the same in every process of a parallel run."""

import re

_CHANGING = re.compile(r"0x[0-9a-f]{6,}|20[0-9]{2}-[0-9]{2}-[0-9]{2}T[0-9:.]+")


def named(value: object) -> str:
    """repr, without addresses in memory and the present time."""
    return _CHANGING.sub("…", repr(value))
