"""The event of a form: feedback.submitted (6.2). Pure."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated

from msgspec import Meta

from tidings import times
from tidings.engine.http.response_types import Timestamp
from tidings.features.messages.model import Message
from tidings.features.messages.state.events import EXAMPLE, AboutMessage, about
from tidings.features.webhooks.event_kinds import EXAMPLE_TIME, EventData, EventKind

from ..forms import names
from ..model import Answer, Send


class AnswerData(EventData, kw_only=True):
    question_id: str
    question: Annotated[str, Meta(description="Its text, as it was when the form was sent.")]
    type: Annotated[str, Meta(extra_json_schema={"enum": ["rating", "single", "multi", "comment"]})]
    value: Annotated[
        int | str | list[str] | None, Meta(description="1 to 5 of a rating; null: not answered.")
    ]


class FeedbackSubmittedData(AboutMessage, kw_only=True):
    """A guest has filled in a form: the first answer only."""

    send_id: str
    form_id: str
    version: int
    answers: list[AnswerData]
    at: Timestamp


def submitted_data(
    send: Send, message: Message, answers: Sequence[Answer], at: datetime
) -> FeedbackSubmittedData:
    """Every question of the version; the value is null where it was not answered."""
    return FeedbackSubmittedData(
        **about(message),
        send_id=names.send_ref(send.id),
        form_id=send.form_id,
        version=send.version,
        answers=[
            AnswerData(
                question_id=answer.question.id,
                question=answer.question.text,
                type=answer.question.type,
                value=answer.value,
            )
            for answer in answers
        ],
        at=times.to_wire(at),
    )


SUBMITTED = EventKind(
    "feedback.submitted",
    "A guest's first answer to a form.",
    FeedbackSubmittedData,
    FeedbackSubmittedData(
        **EXAMPLE,
        send_id="example-send",
        form_id="visit",
        version=1,
        answers=[
            AnswerData(question_id="q1", question="How was your visit?", type="rating", value=5),
            AnswerData(question_id="q2", question="Anything else?", type="comment", value=None),
        ],
        at=EXAMPLE_TIME,
    ),
)
KINDS = (SUBMITTED,)
