"""A progress bar on stderr where that is a terminal, and nothing otherwise."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def shown(what: str, total: int) -> Iterator[Callable[[int], None]]:
    """Yields what is called with the bytes that were just moved."""
    if not sys.stderr.isatty():
        yield lambda _moved: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TransferSpeedColumn

    columns = (TextColumn(what), BarColumn(), DownloadColumn(), TransferSpeedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=max(total, 1))
        yield lambda moved: bar.update(task, advance=moved)
