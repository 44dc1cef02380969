"""The numbers an account sends from (2.12). Pure."""

from dataclasses import dataclass, field

READY_STATUSES = frozenset({"CONNECTED", "LINKED"})  # any other word of the platform's: not ready


@dataclass(frozen=True, slots=True)
class Number:
    """One sending number. `position` is its place in the file: the order of preference."""

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

    @property
    def ready(self) -> bool:
        return self.status in READY_STATUSES


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberSpec:
    """A number as the file declares it. Its health is the platform's to say, never the file's."""

    number: str
    display_name: str = ""
    phone_number_id: str | None = None
    waba_id: str | None = None
    portfolio_id: str | None = None
    access_token: str | None = field(default=None, repr=False)
    per_second: int = 80
    daily_limit: int | None = None
