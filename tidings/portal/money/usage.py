"""Usage: what is left, the trend, the day on which the rest is used up, and the statement."""

from dataclasses import dataclass
from datetime import date
from functools import partial
from uuid import UUID

from babel.dates import format_date
from markupsafe import Markup
from msgspec import UNSET
from starlette.responses import Response

from tidings import limits, times
from tidings.engine.db.tx import Tx
from tidings.engine.http import pagination
from tidings.errors import ApiError
from tidings.features.billing.usage.api import require_days
from tidings.features.billing.usage.balance import load_balance
from tidings.features.billing.usage.report import UsagePeriod, load_usage
from tidings.features.billing.usage.responses import Balance, UsageReport
from tidings.features.messages.read import statement
from tidings.features.messages.read.responses import ChargeShape
from tidings.features.messages.read.statement import Period
from tidings.features.people.roles import Right
from tidings.portal import charts
from tidings.portal.charts import Series
from tidings.portal.download import csv_file
from tidings.portal.money import outlook
from tidings.portal.page import Page
from tidings.portal.paging import paging
from tidings.portal.visit import Visit

DAYS_SHOWN_MAX = 62  # of more, the trend shows months


@dataclass(frozen=True, slots=True)
class Seen:
    balance: Balance
    report: UsageReport
    lines: list[ChargeShape]
    cursor: str | None


async def show(visit: Visit) -> Response:
    """`?from=` and `&to=` are the days of the trend and of the statement, both included."""
    first, last = _days(visit)
    visit.form.fill({"from": first.isoformat(), "to": last.isoformat()})
    seen = await visit.report(partial(_load, visit, first, last))
    plan = outlook.find_plan(seen.balance)
    return visit.page(
        "money/usage.html",
        balance=seen.balance,
        partner=seen.balance.partner or None,
        plan=plan,
        usage=None if plan is None else plan.usage or None,
        meters=outlook.meters(seen.balance),
        lasting=outlook.lasting(seen.report.forecast),
        based_on_days=0 if seen.report.forecast is None else seen.report.forecast.based_on_days,
        report=seen.report,
        trend=_trend(visit, seen.report),
        words=charts.words(visit.gettext, visit.language),
        meter=charts.meter,
        lines=seen.lines,
        at=times.parse,
        period={"from": first.isoformat(), "to": last.isoformat()},
        paging=paging("/usage", visit.query, seen.cursor),
    )


async def _load(visit: Visit, first: date, last: date, tx: Tx) -> Seen:
    account, size = visit.chosen, limits.LIST_LIMIT_DEFAULT
    by_month = (last - first).days >= DAYS_SHOWN_MAX
    cursor = visit.query.get("cursor", "")
    before = pagination.decode_cursor(cursor, UUID) if cursor else None
    found = await statement.load_lines(tx, account, Period(first, last), before, size + 1)
    page = found[:size]
    more = len(found) > size
    return Seen(
        balance=await load_balance(tx, account),
        report=await load_usage(tx, account, UsagePeriod(first, last, by_month)),
        lines=[statement.shown(line) for line in page],
        cursor=pagination.encode_cursor(page[-1].charge.message_id) if more else None,
    )


def _days(visit: Visit) -> tuple[date, date]:
    """The days that were asked for; where they cannot be, the last ones, and what is wrong."""
    today = visit.now.date()
    first, last = (visit.query.get(name) or UNSET for name in ("from", "to"))
    try:
        return require_days(first, last, today)
    except ApiError as refusal:
        visit.form.fill({"from": first or "", "to": last or ""})
        visit.refuse(refusal)
        return require_days(UNSET, UNSET, today)


def _trend(visit: Visit, report: UsageReport) -> Markup:
    _, rows = visit.gettext, report.rows
    shape = "MMM yyyy" if report.group_by == "month" else "d MMM"
    labels = [_label(visit, row.period, shape) for row in rows]
    title = _("Messages by month") if report.group_by == "month" else _("Messages by day")
    if report.totals.unique or report.totals.followup:
        series = [
            Series(_("Unique"), [row.unique for row in rows]),
            Series(_("Follow-up"), [row.followup for row in rows]),
        ]
    else:
        series = [Series(_("Messages"), [row.messages for row in rows])]
    return charts.stacked(title, labels, series, charts.words(_, visit.language))


def _label(visit: Visit, period: str, shape: str) -> str:
    day = date.fromisoformat(period if len(period) > len("2026-11") else f"{period}-01")
    return str(format_date(day, shape, locale=visit.language))


async def give_csv(visit: Visit) -> Response:
    """The whole statement of the days; days that cannot be are refused."""
    first, last = (visit.query.get(name) or UNSET for name in ("from", "to"))
    period = Period(*require_days(first, last, visit.now.date()))
    body = statement.csv_bytes(visit.ctx, visit.chosen, period)
    return csv_file(f"statement-{period.first}-{period.last}", body)


PAGES = [
    Page("/usage", get=show, needs=Right.MONEY_READ),
    Page("/usage/statement.csv", get=give_csv, needs=Right.MONEY_READ),
]
