"""Endpoints 18 to 20 of the specification (4.11): delivered numbers and opt-outs.

Also GET /optouts (contract2.md section D).
"""

from datetime import datetime
from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from tidings import limits, phone, times
from tidings.context import Context
from tidings.engine.http import pagination
from tidings.engine.http.endpoint import Endpoint, Example, Request, Response
from tidings.engine.http.pagination import Cursor, Limit
from tidings.engine.http.response_types import Page
from tidings.errors import ApiError, Code

from . import contacts, store

_Number = Annotated[
    str, Meta(extra_json_schema={"pattern": phone.PATTERN, "examples": ["972501234567"]})
]


class NumbersBody(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """POST /numbers/check"""

    numbers: Annotated[
        list[_Number],
        Meta(
            min_length=1,
            description=f"At most {limits.NUMBERS_PER_CHECK_MAX}.",
            extra_json_schema={"maxItems": limits.NUMBERS_PER_CHECK_MAX},
        ),
    ]


class OptOutsBody(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """POST /optouts/check"""

    numbers: Annotated[
        list[_Number],
        Meta(
            min_length=1,
            description=f"At most {limits.OPTOUTS_PER_CHECK_MAX}.",
            extra_json_schema={"maxItems": limits.OPTOUTS_PER_CHECK_MAX},
        ),
    ]


class CheckedNumber(msgspec.Struct, rename="camel"):
    number: str
    delivered: Annotated[
        Literal[True] | None,
        Meta(description="true: a message of yours has reached it. null: none has, so far."),
    ]


class CheckedNumbers(msgspec.Struct, rename="camel"):
    """As asked: in the same order, repeats included."""

    numbers: list[CheckedNumber]


class CheckedOptOut(msgspec.Struct, rename="camel"):
    number: str
    opted_out: bool
    since: Annotated[str | None, Meta(description="Null where the number has not opted out.")]


class CheckedOptOuts(msgspec.Struct, rename="camel"):
    """As asked: in the same order, repeats included."""

    numbers: list[CheckedOptOut]


class RemovedOptOut(msgspec.Struct, rename="camel"):
    number: str
    removed: Annotated[bool, Meta(description="false: there was no opt-out to remove.")]


@Endpoint(
    body=NumbersBody,
    data=CheckedNumbers,
    errors=(Code.INVALID_PHONE, Code.BATCH_TOO_LARGE),
    read_only=True,
    tag="Recipients",
    example=Example(
        data={
            "numbers": [
                {"number": "972501234567", "delivered": True},
                {"number": "972501234599", "delivered": None},
            ]
        },
        body={"numbers": ["972501234567", "972501234599"]},
    ),
)
async def post_numbers_check(ctx: Context, request: Request) -> Response:
    """Check who was reached before.

    Which of these numbers a message of the account has reached.
    """
    body: NumbersBody = request.body
    numbers = _require_numbers(body.numbers, limits.NUMBERS_PER_CHECK_MAX)
    account_id = request.account.id
    reached = await ctx.db.transact(lambda tx: store.find_delivered(tx, account_id, numbers))
    rows = [
        CheckedNumber(given, number in reached or None)
        for given, number in zip(body.numbers, numbers, strict=True)
    ]
    return Response(CheckedNumbers(rows))


@Endpoint(
    body=OptOutsBody,
    data=CheckedOptOuts,
    errors=(Code.INVALID_PHONE, Code.BATCH_TOO_LARGE),
    read_only=True,
    tag="Recipients",
    example=Example(
        data={"numbers": [{"number": "972501234567", "optedOut": False, "since": None}]},
        body={"numbers": ["972501234567"]},
    ),
)
async def post_optouts_check(ctx: Context, request: Request) -> Response:
    """Check for opt-outs.

    Which of these numbers asked to stop the account's messages, and since when.
    """
    body: OptOutsBody = request.body
    numbers = _require_numbers(body.numbers, limits.OPTOUTS_PER_CHECK_MAX)
    account_id = request.account.id
    out = await ctx.db.transact(lambda tx: store.find_opted_out(tx, account_id, numbers))
    since = {number: times.to_wire(at) for number, at in out.items()}
    rows = [
        CheckedOptOut(given, number in since, since.get(number))
        for given, number in zip(body.numbers, numbers, strict=True)
    ]
    return Response(CheckedOptOuts(rows))


@Endpoint(
    data=RemovedOptOut,
    errors=(Code.INVALID_PHONE,),
    tag="Recipients",
    example=Example(
        data={"number": "972501234567", "removed": False},
        path={"phoneNumber": "972501234567"},
    ),
)
async def delete_optout(ctx: Context, request: Request) -> Response:
    """Remove an opt-out.

    Only at the request of the number's owner.
    """
    given = request.params["phoneNumber"]
    key = (request.account.id, phone.require(given, "phoneNumber"))
    newly_in = await ctx.db.transact(lambda tx: contacts.opt_in(tx, [key]))
    return Response(RemovedOptOut(given, removed=key in newly_in))


class OptOutsQuery(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    limit: Limit | UnsetType = UNSET
    cursor: Cursor | UnsetType = UNSET


class OptOut(msgspec.Struct, rename="camel"):
    number: str
    since: Annotated[str, Meta(description="When the person asked to stop.")]
    source: Annotated[
        str, Meta(description="How: in a `reply`, or at the messaging `platform` itself.")
    ]


@Endpoint(
    query=OptOutsQuery,
    data=list[OptOut],
    extra=Page,
    tag="Recipients",
    example=Example(
        data=[{"number": "972501234598", "since": "2026-11-16T11:00:34.128Z", "source": "reply"}],
        query="limit=20",
        extra={"nextCursor": None},
    ),
)
async def get_optouts(ctx: Context, request: Request) -> Response:
    """List opt-outs.

    Everyone who asked to stop the account's messages, the latest first.
    """
    query: OptOutsQuery = request.query
    size, account_id = pagination.page_size(query.limit), request.account.id
    before = pagination.page_start(query.cursor, tuple[datetime, str])
    found = await ctx.db.transact(
        lambda tx: contacts.load_opted_out(tx, account_id, before, size + 1)
    )
    page = found[:size]
    following = None
    if len(found) > size:
        following = pagination.encode_cursor((page[-1].since, page[-1].phone))
    shown = [OptOut(one.phone, times.to_wire(one.since), one.source) for one in page]
    return Response(shown, extra={"nextCursor": following})


def _require_numbers(numbers: list[str], limit: int) -> list[str]:
    """The numbers without international prefix, in the same order."""
    if len(numbers) > limit:
        problem = f"numbers: at most {limit} a request, got {len(numbers)}; ask several times"
        raise ApiError(Code.BATCH_TOO_LARGE, problem, field="numbers")
    return [phone.require(number, f"numbers[{index}]") for index, number in enumerate(numbers)]
