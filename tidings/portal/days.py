"""Days: the fields of filters that choose one, and the labels of charts by day."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from babel.dates import format_date

from tidings.portal.visit import Visit


def beginning(visit: Visit, name: str, *, after: int = 0) -> datetime | None:
    """When the day of this field begins where the reader is, or the one so many days `after` it;
    None where none is chosen. What is no day is said beside the field."""
    text = visit.form[name]
    if not text:
        return None
    try:
        day = date.fromisoformat(text) + timedelta(days=after)
        return datetime.combine(day, time(), ZoneInfo(visit.zone))
    except (ValueError, OverflowError):
        visit.form.error(name, visit.gettext("Write the day as year-month-day: 2026-11-30."))
        return None


def last_days(today: date, count: int) -> list[date]:
    """So many days, today's the last."""
    return [today - timedelta(days=back) for back in range(count - 1, -1, -1)]


def labels(visit: Visit, days: Sequence[date]) -> list[str]:
    return [format_date(day, "d MMM", locale=visit.language) for day in days]


def over(days: Sequence[date], counts: Mapping[date, int]) -> list[float | None]:
    """The values of a chart: a day without an entry has none of what is counted."""
    return [counts.get(day, 0) for day in days]
