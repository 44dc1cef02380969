"""Folders of synthetic migrations, and a database to apply them to."""

from collections.abc import Callable
from pathlib import Path

Write = Callable[..., Path]

NUMBERS = "CREATE TABLE numbers (n integer PRIMARY KEY); INSERT INTO numbers VALUES (1);"
MANY = (
    "CREATE TABLE numbers (n integer PRIMARY KEY, square bigint);"
    "INSERT INTO numbers SELECT generate_series(1, 5000);"
)
SQUARES = (
    "-- compatible\n-- data change over numbers by n\n"
    "UPDATE numbers SET square = page.n::bigint * page.n FROM page"
    " WHERE numbers.n = page.n AND square IS NULL;"
)
FILLED = (
    "-- needs programs from 0.3.0\n-- after data change 0002_squares.sql\n"
    "ALTER TABLE numbers ALTER square SET NOT NULL;"
)


def writer(folder: Path) -> Write:
    """`write(m0001_numbers=SQL)` writes 0001_numbers.sql and returns the folder."""

    def write(**files: str) -> Path:
        for name, sql in files.items():
            (folder / f"{name.removeprefix('m')}.sql").write_text(sql)
        return folder

    return write
