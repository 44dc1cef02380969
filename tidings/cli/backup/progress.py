"""The progress of moved bytes: a bar where stderr is a terminal, and nothing otherwise."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from tidings.cli.output import progress_bar


@contextmanager
def shown(what: str, total: int) -> Iterator[Callable[[int], None]]:
    """Yields what is called with the bytes that were just moved."""
    from rich.progress import BarColumn, DownloadColumn, TextColumn, TransferSpeedColumn

    columns = (TextColumn(what), BarColumn(), DownloadColumn(), TransferSpeedColumn())
    with progress_bar(*columns) as bar:
        task = bar.add_task(what, total=max(total, 1))
        yield lambda moved: bar.update(task, advance=moved)
