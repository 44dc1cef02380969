"""Documents as PDF, typeset by typst: a page in a `.typ` file, its data as JSON in `sys.inputs`;
`document.typ` comes before every page.

The fonts bundled with typst cover Latin, Greek, Cyrillic and Hebrew; other scripts use the system
fonts. Right-to-left text is set and aligned from the right. What comes as data is only ever text.
"""

import asyncio
import unicodedata
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from tidings import limits
from tidings.engine.keyed_semaphore import KeyedSemaphore
from tidings.money import Money, to_wire

if TYPE_CHECKING:
    import typst

Form = Literal["pdf", "png"]

ISSUER_SEPARATOR = "|"  # between the parts of TIDINGS_ISSUER
RIGHT_TO_LEFT = ("R", "AL")
MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip


class Documents:
    """Typesets in threads, few at once and one for each account."""

    def __init__(self, at_once: int = limits.DOCUMENTS_AT_ONCE) -> None:
        self._slots = KeyedSemaphore(at_once)
        # Of their own: those of the loop are few on a small machine, and uploads need them too.
        self._threads = ThreadPoolExecutor(at_once, "document")

    async def make(self, key: Hashable, render: Callable[[], bytes]) -> bytes:
        """`render` calls `typeset`; `key` is the account that waits for it."""
        async with self._slots.acquire(key):
            return await asyncio.get_running_loop().run_in_executor(self._threads, render)


def typeset(page: bytes, data: object, *, at: datetime, form: Form = "pdf") -> bytes:
    """The document; as an image, its first page. CPU-bound: call it in a thread."""
    import typst

    # A Compiler is not thread-safe, so each call makes one; the font search is cached.
    output = typst.Compiler(_shared() + page, font_paths=_fonts()).compile(
        format=form,
        sys_inputs={"data": msgspec.json.encode(data).decode()},
        timestamp=int(at.timestamp()),
    )
    assert output is not None
    return output if isinstance(output, bytes) else output[0]


@cache
def _shared() -> bytes:
    return files(__package__).joinpath("document.typ").read_bytes()


@cache
def _fonts() -> "typst.Fonts":
    import typst

    return typst.Fonts()


# Words of documents


def issuer_parts(issuer: str) -> list[dict[str, Any]]:
    return [directed(part.strip()) for part in issuer.split(ISSUER_SEPARATOR)]


def directed(text: str) -> dict[str, Any]:
    """The first strong character sets the direction (Unicode Bidirectional Algorithm)."""
    classes = (unicodedata.bidirectional(letter) for letter in text)
    first = next((one for one in classes if one in ("L", *RIGHT_TO_LEFT)), "L")
    return {"text": text, "rtl": first in RIGHT_TO_LEFT}


def day(timestamp: datetime) -> str:
    return f"{timestamp.day} {MONTHS[timestamp.month - 1]} {timestamp.year}"


def amount(money: Money) -> str:
    whole, _, cents = to_wire(money).partition(".")
    return f"{int(whole):,}.{cents}" if int(whole) else f"{whole}.{cents}"


def with_currency(money: Money) -> str:
    return f"{amount(money)} {money.currency}"
