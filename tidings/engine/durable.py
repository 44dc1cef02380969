"""Files that survive a power cut.

A file's content is durable after fsync of the file, its name only after fsync of its folder.
"""

import os
from pathlib import Path


def sync_folder(folder: Path) -> None:
    """Make the names in this folder durable: after a file was created, renamed or removed."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
