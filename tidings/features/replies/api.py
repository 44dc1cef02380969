"""POST /events/{eventId}/guests/{to}/answer (contract2.md D): a person settles an answer."""

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from tidings import limits, phone
from tidings.context import Context
from tidings.engine.http.endpoint import Endpoint, Example, Request, Response
from tidings.errors import ApiError, Code
from tidings.features.events import examples, responses
from tidings.features.events.rules import EventCode

from .settle import Answer, settle


class AnswerBody(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """POST /events/{eventId}/guests/{to}/answer"""

    answer: Annotated[Literal["yes", "no"], Meta(description="What the guest meant.")]
    guests: (
        Annotated[
            int,
            Meta(
                ge=limits.GUESTS_PER_ANSWER.low,
                le=limits.GUESTS_PER_ANSWER.high,
                description="How many come; only with `yes`. Absent: not known, counted as one.",
            ),
        ]
        | UnsetType
    ) = UNSET


@Endpoint(
    body=AnswerBody,
    data=responses.GuestShape,
    errors=(Code.INVALID_PHONE, Code.NOT_FOUND, EventCode.EVENT_NOT_FOUND),
    tag="Events",
    example=Example(
        body={"answer": "yes", "guests": 3},
        data=examples.GUEST
        | {
            "state": "confirmed",
            "answer": "yes",
            "guests": 3,
            "matchConfidence": 1.0,
            "answeredAt": "2026-11-16T11:04:10.001Z",
        },
        path={"eventId": "gala-2036", "to": "972501234567"},
    ),
)
async def post_answer(ctx: Context, request: Request) -> Response:
    """Settle a guest's answer.

    A person decides what the guest meant, also after the invitation has ended. It is published
    as guest.confirmed or guest.declined, with `slotMatch` `settled`. The guest may still change
    it by a reply. The same answer again changes nothing.
    """
    to, event_id = request.params["to"], request.params["eventId"]
    number, given = phone.require(to, "to"), _answer(request.body)
    account_id = request.account.id
    guest = await ctx.db.transact(lambda tx: settle(tx, account_id, event_id, number, given))
    return Response(responses.guest(guest))


def _answer(body: AnswerBody) -> Answer:
    if body.guests is UNSET:
        return Answer(body.answer)
    if body.answer == "no":
        problem = "guests goes with the answer yes; leave it out where nobody comes"
        raise ApiError(Code.VALIDATION_ERROR, problem, field="guests")
    return Answer(body.answer, body.guests)
