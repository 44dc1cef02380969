"""The responses of GET /forms and GET /forms/{formId}/results (contract2 D). Pure."""

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from tidings import times
from tidings.engine.http.response_types import Timestamp

from ..forms.lookup import ListedForm
from ..forms.states import State
from .results import QuestionResult, Results

Total = Annotated[int, Meta(description="Of all versions together.")]
FormState = Literal["draft", "approved", "published"]
_STATES: dict[State, FormState] = {State.APPROVED: "approved", State.PUBLISHED: "published"}


class FormSummary(msgspec.Struct, rename="camel"):
    """A form; `state`, `version` and `title` are those of the version that is sent, or, while none
    may be, of the latest."""

    form_id: str
    title: Annotated[str, Meta(description="Shown above the questions.")]
    state: Annotated[
        FormState, Meta(description="`draft` until an operator has approved the form.")
    ]
    version: int
    sent: Annotated[int, Meta(description="Of all versions together; failed ones do not count.")]
    answered: Total


class CommentText(msgspec.Struct):
    text: Annotated[str, Meta(description="What the guest wrote.")]
    at: Timestamp


class QuestionFigures(msgspec.Struct, rename="camel"):
    """What the answers to one question come to."""

    question_id: str
    question: Annotated[str, Meta(description="Its text, as in the latest version that has it.")]
    type: Annotated[str, Meta(extra_json_schema={"enum": ["rating", "single", "multi", "comment"]})]
    answered: Annotated[int, Meta(description="People who answered this question.")]
    average: (
        Annotated[float | None, Meta(description="Of a rating, 1 to 5; null: no answer yet.")]
        | UnsetType
    ) = UNSET
    counts: (
        Annotated[
            dict[str, int],
            Meta(description="Of a rating `1` to `5`, of a choice each option: how many chose it."),
        ]
        | UnsetType
    ) = UNSET
    comments: (
        Annotated[list[CommentText], Meta(description="The newest 200, the newest first.")]
        | UnsetType
    ) = UNSET


class FormResults(msgspec.Struct, rename="camel"):
    """The answers to all versions of a form; questions of earlier versions come last."""

    form_id: str
    version: int
    sent: Annotated[int, Meta(description="Failed ones do not count.")]
    answered: Annotated[int, Meta(description="How many guests filled it in.")]
    questions: Annotated[list[QuestionFigures], Meta(description="In the form's order.")]


def form_summary(form: ListedForm) -> FormSummary:
    shown = form.version
    return FormSummary(
        form_id=shown.form_id,
        title=shown.form.title,
        state=_STATES.get(shown.state, "draft"),
        version=shown.version,
        sent=form.sent,
        answered=form.answered,
    )


def form_results(found: Results) -> FormResults:
    return FormResults(
        form_id=found.form_id,
        version=found.version,
        sent=found.sent,
        answered=found.answered,
        questions=[_figures(one) for one in found.questions],
    )


def _figures(found: QuestionResult) -> QuestionFigures:
    figures = QuestionFigures(found.question_id, found.question, found.type, found.answered)
    if found.type == "comment":
        figures.comments = [CommentText(one.text, times.to_wire(one.at)) for one in found.comments]
        return figures
    figures.counts = {str(one.value): one.count for one in found.choices}
    if found.type == "rating":
        figures.average = found.average
    return figures
