"""Languages with plain replies only: yes, no, coming, not coming, maybe.

They are asked where no large table knows as many of a reply's words; misspelt words are not put
right. A word that means the opposite, or nothing of the kind, in a language as widely written is
left out (Finnish *ei*, Vietnamese *co*): rather unsure than wrong.
"""

from ...table import Table
from . import (
    chinese,
    far_east,
    germanic,
    indic,
    italian,
    japanese,
    nearby,
    slavic,
    turkish,
    ukrainian,
)

SMALL: tuple[Table, ...] = (
    *italian.TABLES, *germanic.TABLES, *slavic.TABLES, *ukrainian.TABLES, *turkish.TABLES,
    *indic.TABLES, *far_east.TABLES, *nearby.TABLES, *chinese.TABLES, *japanese.TABLES,
)  # fmt: skip
