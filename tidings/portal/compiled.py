"""Compiled templates, kept beside Python's own bytecode.

Compiling all of them takes two seconds of processor time, which visitors would wait for after each
start. Where Python keeps no bytecode, none is kept here.
"""

import sys
from collections.abc import Mapping
from contextlib import suppress
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path

from jinja2.bccache import Bucket, BytecodeCache, FileSystemBytecodeCache


class _BesidePython(FileSystemBytecodeCache):
    """A folder that cannot be written, or a full disk, costs time and never a page."""

    def dump_bytecode(self, bucket: Bucket) -> None:
        with suppress(OSError):
            super().dump_bytecode(bucket)


def cache_for(folder: Path, options: Mapping[str, object]) -> BytecodeCache | None:
    """Of the templates in `folder`; another Jinja or other options never read what is kept."""
    if sys.dont_write_bytecode:
        return None
    made_by = sha256(f"{version('jinja2')} {sorted(options.items())}".encode()).hexdigest()[:8]
    return _BesidePython(str(folder / "__pycache__"), f"template-{made_by}-%s.bytecode")
