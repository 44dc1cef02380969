"""Endpoints 27 to 30 of the specification, only for partner accounts (4.15)."""

from datetime import date
from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, UnsetType

from tidings import limits, times
from tidings.context import Context
from tidings.engine.db.tx import Tx
from tidings.engine.http import pagination
from tidings.engine.http.endpoint import Auth, Endpoint, Request, Response
from tidings.engine.http.pagination import Cursor, Limit
from tidings.engine.http.response_types import Page
from tidings.errors import ApiError, Code
from tidings.features.accounts.lookup import load_accounts
from tidings.features.accounts.model import Account
from tidings.money import Money
from tidings.wording import quote

from . import examples, responses, rules, store
from .lookup import load_state
from .model import Transfer
from .rules import PartnerCode
from .topup import TopupResult, top_up
from .transfers import report

SEQ_MAX = 2**63 - 1


class TopupBody(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """POST /partner/topups"""

    messages: Annotated[
        Any,
        Meta(
            extra={
                "code": PartnerCode.INVALID_QUANTITY,
                "rule": "a whole number from 1 to 10,000,000",
            },
            extra_json_schema={
                "type": "integer",
                "minimum": limits.TOPUP_MESSAGES.low,
                "maximum": limits.TOPUP_MESSAGES.high,
            },
        ),
    ]


class TransferBody(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """POST /partner/transfers"""

    amount: Annotated[
        msgspec.Raw,
        Meta(
            description="Above zero, at most two decimal places.",
            extra={"code": PartnerCode.INVALID_AMOUNT, "rule": "a number such as 95.00"},
            extra_json_schema={"type": "number", "exclusiveMinimum": 0, "multipleOf": 0.01},
        ),
    ]
    reference: Annotated[
        str,
        Meta(
            description="Of the bank transfer; each is reported once.",
            extra={"code": PartnerCode.REFERENCE_REQUIRED, "rule": "the reference of the transfer"},
            extra_json_schema={"minLength": 1, "maxLength": limits.REFERENCE_CHARS_MAX},
        ),
    ]
    transfer_date: (
        Annotated[
            str,
            Meta(description="YYYY-MM-DD.", extra_json_schema={"format": "date"}),
        ]
        | UnsetType
    ) = UNSET
    note: Annotated[str, Meta(max_length=limits.NOTE_CHARS_MAX)] | UnsetType = UNSET


class LedgerQuery(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    limit: Limit | UnsetType = UNSET
    cursor: Cursor | UnsetType = UNSET


@Endpoint(
    auth=Auth.PARTNER,
    data=responses.PartnerAccount,
    tag="Partner",
    example=examples.GET_ACCOUNT,
)
async def get_account(ctx: Context, request: Request) -> Response:
    """Get the partner account.

    Its capacity, debt and credit.
    """
    return Response(await ctx.db.transact(lambda tx: _account(tx, request.account)))


@Endpoint(
    auth=Auth.PARTNER,
    body=TopupBody,
    data=responses.Topup,
    errors=(
        PartnerCode.INVALID_QUANTITY,
        PartnerCode.CREDIT_LIMIT_EXCEEDED,
        PartnerCode.PARTNER_CAPACITY_EXPIRED,
    ),
    tag="Partner",
    example=examples.POST_TOPUP,
)
async def post_topup(ctx: Context, request: Request) -> Response:
    """Buy capacity.

    It is active at once while the balance owed stays within the credit limit.
    """
    messages = rules.require_quantity(request.body.messages)

    async def work(tx: Tx) -> TopupResult:
        return await top_up(tx, await _load(tx, request.account), messages)

    return Response(responses.topup(await ctx.db.transact(work)))


@Endpoint(
    auth=Auth.PARTNER,
    body=TransferBody,
    data=responses.ReportedTransfer,
    errors=(
        PartnerCode.REFERENCE_REQUIRED,
        PartnerCode.INVALID_AMOUNT,
        PartnerCode.DUPLICATE_REFERENCE,
    ),
    tag="Partner",
    example=examples.POST_TRANSFER,
)
async def post_transfer(ctx: Context, request: Request) -> Response:
    """Report a transfer.

    The balance stays as it is until the operator confirms the receipt.
    """
    body: TransferBody = request.body
    amount = rules.require_amount(bytes(body.amount).decode().strip(), _currency(request.account))
    reference = rules.require_reference(body.reference)
    day = None if body.transfer_date is UNSET else _day(body.transfer_date)
    note = None if body.note is UNSET else body.note

    async def work(tx: Tx) -> Transfer:
        account = await _load(tx, request.account)
        reported = Money(amount.minor, _currency(account))
        return await report(
            tx, account, amount=reported, reference=reference, transfer_date=day, note=note
        )

    return Response(responses.reported(await ctx.db.transact(work)))


@Endpoint(
    auth=Auth.PARTNER,
    query=LedgerQuery,
    data=list[responses.LedgerEntry],
    extra=Page,
    tag="Partner",
    example=examples.GET_LEDGER,
)
async def get_ledger(ctx: Context, request: Request) -> Response:
    """List the ledger.

    Every entry with the balance owed after it, the newest first.
    """
    query: LedgerQuery = request.query
    before = None if query.cursor is UNSET else _before(query.cursor)
    size = pagination.page_size(query.limit)
    entries = await ctx.db.transact(
        lambda tx: store.load_page(tx, request.account.id, before, size + 1)
    )
    page = entries[:size]
    next_cursor = pagination.encode_cursor(page[-1].seq) if len(entries) > size else None
    return Response([responses.entry(one) for one in page], extra={"nextCursor": next_cursor})


async def _account(tx: Tx, caller: Account) -> responses.PartnerAccount:
    return await load_state(tx, await _load(tx, caller))


async def _load(tx: Tx, caller: Account) -> Account:
    """Reload the account: its terms may have changed since its key was authenticated."""
    account = (await load_accounts(tx, [caller.id]))[caller.id]
    if not account.is_partner:
        raise ApiError(Code.NOT_A_PARTNER)
    return account


def _currency(account: Account) -> str:
    assert account.partner is not None
    return account.partner.currency


def _day(value: str) -> date:
    try:
        return times.parse_date(value)
    except ValueError as reason:
        problem = f"transferDate {reason}, got {quote(value)}"
        raise ApiError(Code.VALIDATION_ERROR, problem, field="transferDate") from None


def _before(cursor: str) -> int:
    seq = pagination.decode_cursor(cursor, int)
    return min(max(seq, 0), SEQ_MAX)
