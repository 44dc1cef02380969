"""Endpoint 11 of the specification: POST /feedback/send."""

from tidings import ids
from tidings.context import Context
from tidings.engine.http.endpoint import Endpoint, Example, Request, Response
from tidings.engine.http.idempotency_key import HEADER as KEY_HEADER
from tidings.errors import Code
from tidings.features.billing.charging.charge import CHARGE_ERRORS
from tidings.features.messages.accept.rules import MessageCode
from tidings.features.messages.request.keyed import apply_key

from ..rules import FeedbackCode
from . import parse, responses


@Endpoint(
    body=parse.FeedbackBody,
    keyed_body=parse.FeedbackBody,
    data=responses.FeedbackResult,
    errors=(
        Code.INVALID_PHONE,
        MessageCode.RECIPIENT_NOT_ALLOWLISTED,
        *FeedbackCode,
        MessageCode.DUPLICATE_CLIENT_MESSAGE_ID,
        *CHARGE_ERRORS,
    ),
    tag="Feedback",
    example=Example(
        data={
            "sendId": "snd_01a1e4035a7399b505c0e4e937dd92",
            "jobId": "job_01a1e4035a7399b505c0e4e937dd92",
            "formId": "stay",
            "version": 1,
            "to": "972501234567",
            "status": "queued",
            "duplicate": False,
        },
        body={"formId": "stay", "to": "972501234567", "clientMessageId": "stay-dana-0001"},
    ),
)
async def post_feedback(ctx: Context, request: Request) -> Response:
    """Send a feedback form.

    The guest fills it in inside the messaging app; the answers arrive as feedback.submitted.
    """
    if KEY_HEADER in request.headers:
        apply_key(request, chars_min=1)
    form_request = parse.feedback(request.account, request.body, ids.new_id())
    accepted = await ctx.lanes.feedback.put(form_request)
    return Response(
        responses.send_result(accepted.send, accepted.message, duplicate=accepted.duplicate)
    )
