"""Endpoint 11 of the specification: POST /feedback/send."""

from tidings import ids
from tidings.context import Context
from tidings.engine.http.messages import Reply, Request
from tidings.errors import ApiError, Code
from tidings.features.messages import preflight

from . import parse, present


async def post_feedback(ctx: Context, request: Request) -> Reply:
    """Send a feedback form."""
    if preflight.is_dry_run(request):  # who asks for a rehearsal must not get the real thing
        problem = "X-Dry-Run is not available for forms; leave it out to send"
        raise ApiError(Code.VALIDATION_ERROR, problem, field="X-Dry-Run")
    asked = parse.feedback(request.account, request.body, ids.new_id())
    taken = await ctx.lanes.feedback.put(asked)
    return Reply(present.send_result(taken.send, taken.message, duplicate=taken.duplicate))
