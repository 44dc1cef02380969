"""The parameters `$1`, `$2`, ... of statements that become parts of one statement."""

import re

_PARAMETER = re.compile(r"\$([0-9]+)")


def count_parameters(sql: str) -> int:
    return max((int(found) for found in _PARAMETER.findall(sql)), default=0)


def shift_parameters(sql: str, by: int) -> str:
    """Numbered so that they follow `by` parameters of other parts."""
    return _PARAMETER.sub(lambda found: f"${int(found[1]) + by}", sql) if by else sql
