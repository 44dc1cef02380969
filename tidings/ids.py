"""Identifiers: uuid7 internally, with a prefix in the API.

A uuid7 begins with its timestamp, so rows created together are adjacent in an index. Link codes are
fully random, since they are public and must not be guessable. docs/decisions/0002-times-and-ids.md
"""

import re
import secrets
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any, Literal, NamedTuple
from uuid import UUID

from asyncpg.pgproto.pgproto import UUID as DriverUUID
from uuid_utils import uuid7

from tidings.limits import LINK_CODE_CHARS

Prefix = Literal["acc_", "bat_", "led_", "med_", "whk_"]

_HEX = re.compile(r"[0-9a-f]{32}")
_BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
FIRST_ID, LAST_ID = UUID(int=0), UUID(int=2**128 - 1)  # before and after every id of ours


_ahead = 0  # milliseconds; see `shift_time`
_make: Callable[[], Any] = uuid7  # see `make_by`


def new_id() -> UUID:
    """Returns asyncpg's UUID type, which is four times as fast to create and encode."""
    made: UUID = DriverUUID(_make().bytes)
    if _ahead:
        made = DriverUUID((made.int + (_ahead << 80)).to_bytes(16))
    return made


def make_by(source: Callable[[], Any] = uuid7) -> None:
    """From now on ids come from there: in a simulation they follow from its seed and its time. Each
    must be later than the one before."""
    global _make
    _make = source


def shift_time(ahead: timedelta) -> None:
    """From now on ids have a time that is so far ahead of this machine's: that of the database."""
    global _ahead
    _ahead = round(ahead.total_seconds() * 1000)


def first_id(timestamp: datetime) -> UUID:
    """The smallest possible id of this time; no later id is smaller."""
    milliseconds = int(timestamp.timestamp() * 1000)
    return UUID(int=max(milliseconds, 0) << 80)


def time_of(made: UUID) -> datetime:
    """When an id was made, by the clock of the database."""
    return datetime.fromtimestamp((made.int >> 80) / 1000, UTC)


class Month(NamedTuple):
    """A calendar month in UTC."""

    year: int
    month: int

    @classmethod
    def of(cls, timestamp: datetime) -> "Month":
        utc = timestamp.astimezone(UTC)
        return cls(utc.year, utc.month)

    def later(self, months: int) -> "Month":
        year, month = divmod(self.year * 12 + self.month - 1 + months, 12)
        return Month(year, month + 1)

    @property
    def begins_at(self) -> datetime:
        return datetime(self.year, self.month, 1, tzinfo=UTC)

    @property
    def ends_at(self) -> datetime:
        return self.later(1).begins_at

    @property
    def ids(self) -> tuple[UUID, UUID]:
        """Its first id, and the first of the next month."""
        return first_id(self.begins_at), first_id(self.ends_at)


def webhook_id() -> str:
    """The X-Webhook-Id of a new webhook (6.1)."""
    return "whk_" + new_id().hex


def first_webhook_id(timestamp: datetime) -> str:
    """The smallest of those that are made at this time."""
    return "whk_" + first_id(timestamp).hex


def time_of_webhook(webhook_id: str) -> datetime:
    return time_of(UUID(hex=webhook_id.removeprefix("whk_")))


def account_ref(account_id: UUID) -> str:
    return "acc_" + account_id.hex


def batch_ref(batch_id: UUID) -> str:
    return "bat_" + batch_id.hex


def media_ref(media_id: UUID) -> str:
    """The mediaId of an upload (2.5)."""
    return "med_" + media_id.hex


def ledger_ref(entry_id: UUID) -> str:
    """The id of an entry of a partner's ledger (2.11)."""
    return "led_" + entry_id.hex


def parse_ref(prefix: Prefix, text: str) -> UUID | None:
    """The id in a reference, or None if it is not one of ours. Case-sensitive."""
    head, body = text[: len(prefix)], text[len(prefix) :]
    if head != prefix or not _HEX.fullmatch(body):
        return None
    return UUID(hex=body)


def short_code() -> str:
    """The code of a redirect link: 12 letters and digits."""
    return base62(secrets.randbelow(62**LINK_CODE_CHARS), LINK_CODE_CHARS)


def base62(number: int, width: int) -> str:
    """`number` in base 62, padded to `width`."""
    digits = []
    for _ in range(width):
        number, rest = divmod(number, 62)
        digits.append(_BASE62[rest])
    assert number == 0, "the number is too large for its width"
    return "".join(reversed(digits))
