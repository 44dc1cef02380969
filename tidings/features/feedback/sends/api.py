"""Endpoint 11 of the specification: POST /feedback/send."""

from tidings import ids
from tidings.context import Context
from tidings.engine.http.messages import Reply, Request

from . import parse, responses


async def post_feedback(ctx: Context, request: Request) -> Reply:
    """Send a feedback form."""
    asked = parse.feedback(request.account, request.body, ids.new_id())
    taken = await ctx.lanes.feedback.put(asked)
    return Reply(responses.send_result(taken.send, taken.message, duplicate=taken.duplicate))
