"""The header Content-Disposition, whatever the name of the file is (RFC 6266). Pure."""

import re
from typing import Literal
from urllib.parse import quote

_UNUSUAL = re.compile(r"[^A-Za-z0-9 ._()-]")


def disposition(kind: Literal["attachment", "inline"], name: str) -> bytes:
    plain = _UNUSUAL.sub("_", name)
    return f"{kind}; filename=\"{plain}\"; filename*=UTF-8''{quote(name, safe='')}".encode()
