"""Endpoints 2 and 5 of the specification: GET /readiness and GET /templates.

Readiness also depends on numbers and billing. It is here because this slice may import both.
"""

from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

from tidings.context import Context
from tidings.engine.db.tx import Tx
from tidings.engine.http import pagination
from tidings.engine.http.endpoint import Endpoint, Example, Request, Response
from tidings.engine.http.pagination import Limit
from tidings.engine.http.response_types import Page
from tidings.features.accounts.lookup import load_accounts
from tidings.features.accounts.model import Account

from . import responses, store
from .model import Template
from .ready import load_readiness

Key = tuple[str, str]  # name, language: the sort order
CURSOR_CHARS_MAX = 4096  # a name has up to 512 characters of up to four bytes each


class TemplatesQuery(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    limit: Limit | UnsetType = UNSET
    cursor: (
        Annotated[
            str,
            Meta(
                max_length=CURSOR_CHARS_MAX,
                description="`nextCursor` of the page before; absent: the first page.",
            ),
        ]
        | UnsetType
    ) = UNSET


@Endpoint(
    query=TemplatesQuery,
    data=list[responses.TemplateShape],
    extra=Page,
    tag="Account",
    example=Example(
        data=[
            {
                "name": "code",
                "language": "en",
                "status": "APPROVED",
                "category": "AUTHENTICATION",
                "variables": 1,
                "header": None,
                "body": "{{1}} is your verification code.",
                "buttons": [{"type": "COPY_CODE", "text": "Copy code"}],
                "usable": True,
                "reason": None,
            }
        ],
        query="limit=1",
        extra={"nextCursor": "WyJjb2RlIiwiZW4iXQ"},
    ),
)
async def get_templates(ctx: Context, request: Request) -> Response:
    """List templates.

    By name and language, each with whether it can be used now.
    """
    query: TemplatesQuery = request.query
    after = pagination.page_start(query.cursor, tuple[str, str])
    size = pagination.page_size(query.limit)
    account_id = request.account.id
    every = sorted(await ctx.db.transact(lambda tx: store.load_all(tx, account_id)), key=_key)
    left = [one for one in every if after is None or _key(one) > after]
    page = left[:size]
    following = pagination.encode_cursor(_key(page[-1])) if len(left) > size else None
    return Response([responses.template(one) for one in page], extra={"nextCursor": following})


@Endpoint(
    data=responses.Readiness,
    tag="Account",
    example=Example(
        data={
            "ready": True,
            "reasons": [],
            "invitationTemplate": {
                "name": "invite",
                "language": "en",
                "status": "APPROVED",
                "ready": True,
            },
            "numbers": [{"number": "972555000001", "ready": True, "reason": None}],
        },
    ),
)
async def get_readiness(ctx: Context, request: Request) -> Response:
    """Check readiness.

    Whether an invitation that names no template could be sent now, and if not, why.
    """
    return Response(await ctx.db.transact(lambda tx: _readiness(tx, request.account)))


async def _readiness(tx: Tx, caller: Account) -> responses.Readiness:
    account = (await load_accounts(tx, [caller.id]))[caller.id]
    return await load_readiness(tx, account)


def _key(template: Template) -> Key:
    return template.name, template.language
