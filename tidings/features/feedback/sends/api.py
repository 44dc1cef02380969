"""Endpoint 11 of the specification: POST /feedback/send."""

from tidings import ids
from tidings.context import Context
from tidings.engine.http.endpoint import Request, Response

from . import parse, responses


async def post_feedback(ctx: Context, request: Request) -> Response:
    """Send a feedback form."""
    requests = parse.feedback(request.account, request.body, ids.new_id())
    taken = await ctx.lanes.feedback.put(requests)
    return Response(responses.send_result(taken.send, taken.message, duplicate=taken.duplicate))
