"""The numbers an account sends from (2.12). Pure."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

CONNECTED = "CONNECTED"
READY_STATUSES = frozenset({CONNECTED, "LINKED"})  # any other status of the platform's: not ready
UNKNOWN = "UNKNOWN"  # ours, not the platform's: it has not confirmed the number yet

BLOCKED = "BLOCKED"  # ours, not the platform's: connected, but its messages are refused


class ReportedHealth(NamedTuple):
    """A number's health as `sender.health` shows it. `blocked`: the platform refuses its sends."""

    status: str
    quality: str
    blocked: bool = False


class NumberChange(NamedTuple):
    """A line of a number's history. `what`: status, quality or limit."""

    number: str
    at: datetime
    what: str
    before: str | None
    after: str | None


def shown_status(status: str, *, blocked: bool) -> str:
    """The platform's status, unless that would hide that it refuses the number's messages."""
    return BLOCKED if blocked and status in READY_STATUSES else status


@dataclass(frozen=True, slots=True)
class Number:
    """One sending number. `position` is its index in the file: the order of preference."""

    number: str
    position: int
    display_name: str
    phone_number_id: str | None
    waba_id: str | None
    portfolio_id: str | None  # numbers of one portfolio share the 24 h limit
    access_token: bytes | None = field(repr=False)  # sealed
    per_second: int
    daily_limit: int | None
    status: str
    quality: str
    # What the platform reported (sync.py); None: nothing.
    platform_per_second: int | None = None
    platform_daily_limit: int | None = None
    platform_portfolio_id: str | None = None
    verified_name: str = ""
    fault: str | None = None  # open circuit: the code of the failure the platform refuses it with
    refusal: str | None = None  # the platform's error instead of a confirmation
    half_open: bool = False  # sends one probe although its circuit is open (never stored)

    @property
    def is_confirmed(self) -> bool:
        return self.status != UNKNOWN

    @property
    def may_send(self) -> bool:
        """Whether messages may be sent from it. An unconfirmed number may: the platform confirms
        it by accepting its first message."""
        connected = self.status in READY_STATUSES or not self.is_confirmed
        return connected and (self.fault is None or self.half_open)

    @property
    def ready(self) -> bool:
        """Whether it is known to be able to send."""
        return self.may_send and self.is_confirmed

    @property
    def reason(self) -> str | None:
        """Why it is not ready; None: it is."""
        if self.ready:
            return None
        if not self.is_confirmed and self.refusal is not None:
            return f"the platform has not confirmed it: {self.refusal}"
        if self.fault is not None:
            return f"the platform takes nothing from it: {self.fault}"
        if self.is_confirmed:
            return f"the platform reports it as {self.status}"
        return "the platform has not confirmed it yet"

    @property
    def shown_status(self) -> str:
        return shown_status(self.status, blocked=self.fault is not None)

    @property
    def name(self) -> str:
        return self.display_name or self.verified_name

    @property
    def portfolio(self) -> str | None:
        """The portfolio whose 24 h limit it shares: the file's, else the platform's."""
        return self.portfolio_id or self.platform_portfolio_id

    @property
    def rate(self) -> int:
        """Messages per second: the smaller of the file's and the platform's."""
        return min(self.per_second, self.platform_per_second or self.per_second)

    @property
    def limit(self) -> int | None:
        """Unique recipients in 24 hours: the smaller of the two. None: unlimited."""
        known = [one for one in (self.daily_limit, self.platform_daily_limit) if one is not None]
        return min(known, default=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberSpec:
    """A number as the file declares it. Its health comes from the platform, never the file."""

    number: str
    display_name: str = ""
    phone_number_id: str | None = None
    waba_id: str | None = None
    portfolio_id: str | None = None
    access_token: str | None = field(default=None, repr=False)
    per_second: int = 80
    daily_limit: int | None = None
