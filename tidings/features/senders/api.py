"""Endpoints 3 and 4 of the specification, GET /limits and GET /sender/health, and the sandbox's
POST /sandbox/v1/senders/{number}."""

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from tidings import phone
from tidings.context import Context
from tidings.engine.db.tx import Tx
from tidings.engine.http.endpoint import Auth, Endpoint, Request, Response
from tidings.errors import ApiError, Code
from tidings.features.accounts.model import Account

from . import examples, responses
from .number_selection import SenderCode, require_own
from .platform_feedback import change_health
from .quotas import counter_limits, counter_of
from .report import load_capacities, load_current


@Endpoint(
    data=responses.Capacities,
    tag="Account",
    example=examples.GET_LIMITS,
)
async def get_limits(ctx: Context, request: Request) -> Response:
    """Get the sending limits.

    What the numbers and the account can still send, over a rolling 24 hours.
    """
    return Response(await ctx.db.transact(lambda tx: load_capacities(tx, request.account)))


@Endpoint(
    data=responses.SenderHealth,
    tag="Account",
    example=examples.GET_HEALTH,
)
async def get_health(ctx: Context, request: Request) -> Response:
    """Get the health of the numbers.

    The platform's rating of the account's numbers, and the limits that the account sets itself.
    """
    account, numbers = await ctx.db.transact(lambda tx: load_current(tx, request.account))
    return Response(responses.health(account, numbers))


class SandboxSenderBody(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """POST /sandbox/v1/senders/{number}: one of them, or both."""

    quality: (
        Annotated[Literal["GREEN", "YELLOW", "RED"], Meta(description="Its quality rating.")]
        | UnsetType
    ) = UNSET
    status: (
        Annotated[
            Literal["CONNECTED", "RESTRICTED"],
            Meta(description="A RESTRICTED number sends nothing; its messages wait."),
        ]
        | UnsetType
    ) = UNSET


@Endpoint(
    auth=Auth.SANDBOX,
    body=SandboxSenderBody,
    data=responses.NumberHealth,
    errors=(SenderCode.INVALID_SENDER,),
    tag="Sandbox",
    example=examples.POST_SANDBOX_SENDER,
)
async def post_sandbox_sender(ctx: Context, request: Request) -> Response:
    """Change a number's health.

    As the platform would: its quality, its status, or both.
    """
    body: SandboxSenderBody = request.body
    if body.quality is UNSET and body.status is UNSET:
        raise ApiError(
            Code.VALIDATION_ERROR, "give quality or status: there is nothing to change",
            field="quality",
        )  # fmt: skip
    given = request.params["number"]
    number = phone.find(given) or given  # an invalid number is not one of the account's
    return Response(await ctx.db.transact(lambda tx: _change(tx, request.account, number, body)))


async def _change(
    tx: Tx, caller: Account, requested: str, body: SandboxSenderBody
) -> responses.NumberHealth:
    account, numbers = await load_current(tx, caller)
    require_own(numbers, requested, "number")
    await change_health(
        tx,
        account,
        requested,
        status=None if body.status is UNSET else body.status,
        quality=None if body.quality is UNSET else body.quality,
    )
    _, numbers = await load_current(tx, caller)
    number = next(number for number in numbers if number.number == requested)
    return responses.number_health(number, counter_limits(numbers)[counter_of(number)])
