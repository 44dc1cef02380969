"""GET /forms and GET /forms/{formId}/results (contract2 D)."""

from datetime import datetime

import msgspec
from msgspec import UNSET, UnsetType

from tidings.context import Context
from tidings.engine.db.tx import Tx
from tidings.engine.http import pagination
from tidings.engine.http.endpoint import Endpoint, Example, Request, Response
from tidings.engine.http.pagination import Cursor, Limit
from tidings.engine.http.response_types import Page
from tidings.features.accounts.lookup import load_accounts

from ..forms import lookup
from ..rules import FeedbackCode
from . import responses
from .results import load_results


class FormsQuery(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    limit: Limit | UnsetType = UNSET
    cursor: Cursor | UnsetType = UNSET


@Endpoint(
    query=FormsQuery,
    data=list[responses.FormSummary],
    extra=Page,
    tag="Feedback",
    example=Example(
        data=[
            {
                "formId": "stay",
                "title": "Your stay",
                "state": "approved",
                "version": 1,
                "sent": 1,
                "answered": 0,
            }
        ],
        extra={"nextCursor": None},
    ),
)
async def get_forms(ctx: Context, request: Request) -> Response:
    """List feedback forms.

    The newest first.
    """
    query: FormsQuery = request.query
    size = pagination.page_size(query.limit)
    before = pagination.page_start(query.cursor, tuple[datetime, str])

    async def read(tx: Tx) -> Response:
        account = (await load_accounts(tx, [request.account.id]))[request.account.id]
        page, following = await lookup.load_page(tx, account, before, size)
        cursor = None if following is None else pagination.encode_cursor(following)
        return Response([responses.form_summary(one) for one in page], extra={"nextCursor": cursor})

    return await ctx.db.report(read)


@Endpoint(
    data=responses.FormResults,
    errors=(FeedbackCode.FORM_NOT_FOUND,),
    tag="Feedback",
    example=Example(
        data={
            "formId": "stay",
            "version": 1,
            "sent": 1,
            "answered": 0,
            "questions": [
                {
                    "questionId": "q1",
                    "question": "How was your stay?",
                    "type": "rating",
                    "answered": 0,
                    "average": None,
                    "counts": {"1": 0, "2": 0, "3": 0, "4": 0, "5": 0},
                },
                {
                    "questionId": "q2",
                    "question": "Anything else?",
                    "type": "comment",
                    "answered": 0,
                    "comments": [],
                },
            ],
        },
        path={"formId": "stay"},
    ),
)
async def get_results(ctx: Context, request: Request) -> Response:
    """Get the results of a form.

    What guests answered, question by question.
    """
    form_id = request.params["formId"]

    async def read(tx: Tx) -> responses.FormResults:
        account = (await load_accounts(tx, [request.account.id]))[request.account.id]
        return responses.form_results(await load_results(tx, account, form_id))

    return Response(await ctx.db.report(read))
