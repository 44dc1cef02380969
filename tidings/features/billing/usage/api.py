"""Endpoint 24 of the specification, GET /balance (4.14), and GET /usage."""

from datetime import date, timedelta
from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from tidings import limits, times
from tidings.context import Context
from tidings.engine.db.tx import Tx
from tidings.engine.http.endpoint import Endpoint, Request, Response
from tidings.errors import ApiError, Code
from tidings.features.accounts.lookup import load_accounts
from tidings.features.accounts.model import Account
from tidings.wording import quote

from . import examples, responses
from .balance import load_balance
from .report import UsagePeriod, load_usage

DayText = Annotated[str, Meta(extra_json_schema={"format": "date"}, description="YYYY-MM-DD, UTC.")]


class UsageQuery(
    msgspec.Struct, forbid_unknown_fields=True, rename={"from_": "from", "group_by": "groupBy"}
):
    from_: DayText | UnsetType = UNSET
    to: DayText | UnsetType = UNSET
    group_by: Literal["day", "month"] | UnsetType = UNSET


@Endpoint(
    data=responses.Balance,
    tag="Billing",
    example=examples.GET_BALANCE,
)
async def get_balance(ctx: Context, request: Request) -> Response:
    """Get the balance.

    What is left of the subscription or the capacity, and what is still to be paid.
    """

    async def work(tx: Tx) -> responses.Balance:
        return await load_balance(tx, await _load(tx, request.account))

    return Response(await ctx.db.transact(work))


@Endpoint(
    query=UsageQuery,
    data=responses.UsageReport,
    tag="Billing",
    example=examples.GET_USAGE,
)
async def get_usage(ctx: Context, request: Request) -> Response:
    """Get the usage.

    Messages charged and refunded by day or month, and when the rest will be used up.
    """
    query: UsageQuery = request.query

    async def work(tx: Tx) -> responses.UsageReport:
        account = await _load(tx, request.account)
        first, last = require_days(query.from_, query.to, account.now(tx.now).date())
        period = UsagePeriod(first, last, by_month=query.group_by == "month")
        return await load_usage(tx, account, period)

    return Response(await ctx.db.report(work))


def require_days(from_: str | UnsetType, to: str | UnsetType, today: date) -> tuple[date, date]:
    """The first and last day, both inclusive; by default the most recent days up to today."""
    last = today if to is UNSET else require_day(to, "to")
    default = last - timedelta(days=limits.USAGE_DAYS_DEFAULT - 1)
    first = default if from_ is UNSET else require_day(from_, "from")
    if first > last:
        raise ApiError(Code.VALIDATION_ERROR, "from must not be after to", field="from")
    if (last - first).days >= limits.USAGE_DAYS_MAX:
        problem = f"from and to must be at most {limits.USAGE_DAYS_MAX} days apart; ask in parts"
        raise ApiError(Code.VALIDATION_ERROR, problem, field="from")
    return first, last


def require_day(text: str, field: str) -> date:
    try:
        return times.parse_date(text)
    except ValueError as reason:
        problem = f"{field} {reason}, got {quote(text)}"
        raise ApiError(Code.VALIDATION_ERROR, problem, field=field) from None


async def _load(tx: Tx, caller: Account) -> Account:
    """Reload the account for its current clock."""
    return (await load_accounts(tx, [caller.id]))[caller.id]
