"""Every language that replies are read in. Adding one is adding its table here."""

from ..table import Table
from . import ar, de, en, es, fr, he, pt, ru, spelled
from .small import SMALL

TABLES: tuple[Table, ...] = (
    en.TABLE, he.TABLE, ar.TABLE, ru.TABLE, es.TABLE, fr.TABLE, de.TABLE, pt.TABLE, spelled.TABLE,
    *SMALL,
)  # fmt: skip
