"""What comes back from a guest's phone, whatever it is: answers, or nothing, and never a fault."""

import json
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.rules.form_examples import FORMS, forms
from tests.support.names import named
from tidings.features.feedback.answers import reading
from tidings.features.feedback.answers.export import csv_row, heading
from tidings.features.feedback.answers.receive import decide_send
from tidings.features.feedback.answers.results import Row, summarise
from tidings.features.feedback.model import Form, Send
from tidings.platforms.content import Form as Content
from tidings.platforms.content import Question
from tidings.platforms.sandbox.guest_messages import form_answers
from tidings.platforms.whatsapp.flow_json import option_ids
from tidings.spreadsheets import csv_text

QUESTIONS = FORMS[0].questions
WHOLE = {"q1": 5, "q2": "Fish", "q3": ["Food", "Hall"], "q4": "Thank you"}


def values(given: dict[str, Any], questions: Any = QUESTIONS) -> dict[str, Any]:
    return {answer.question.id: answer.value for answer in reading.read(questions, given)}


def test_texts_as_the_sandbox_brings_them_and_ids_as_the_platform_does() -> None:
    texts = {"q1": "5", "q2": "Fish", "q3": ["Hall", "Food"], "q4": "Thank you"}
    ids = {"q1": "5", "q2": "choice_1", "q3": ["choice_3", "choice_1"], "q4": "Thank you"}
    assert values(texts) == values(ids) == WHOLE


@pytest.mark.parametrize(
    ("question", "given", "value"),
    [
        ("q1", 5, 5), ("q1", "1", 1), ("q1", " 3 ", 3), ("q1", 4.0, 4),
        ("q1", 0, None), ("q1", 6, None), ("q1", "5.0", None), ("q1", True, None),
        ("q1", 4.5, None), ("q1", "", None), ("q1", None, None), ("q1", [5], None),
        ("q1", {"id": "5"}, None), ("q1", "٥", None), ("q1", float("inf"), None),
        ("q2", "fish", "Fish"), ("q2", " Fish ", "Fish"), ("q2", ["Fish"], "Fish"),
        ("q2", "choice_2", "Meat"), ("q2", "choice_3", None), ("q2", "Soup", None),
        ("q2", ["Fish", "Meat"], None), ("q2", 1, None), ("q2", None, None), ("q2", {}, None),
        ("q3", "Food", ["Food"]), ("q3", ["Food", "Food"], ["Food"]), ("q3", [], None),
        ("q3", ["Soup"], None), ("q3", ["Soup", "Hall"], ["Hall"]), ("q3", [None, 7, {}], None),
        ("q3", "Food,Hall", None), ("q3", {"Food": True}, None),
        ("q4", " so so ", "so so"), ("q4", 7, "7"), ("q4", "", None), ("q4", "   ", None),
        ("q4", ["x"], None), ("q4", {"x": 1}, None), ("q4", True, None),
        ("q4", "a\0b", "a\ufffdb"), ("q4", "x" * 5000, "x" * 600),
    ],
    ids=named,
)  # fmt: skip
def test_one_answer(question: str, given: Any, value: Any) -> None:
    assert values({question: given})[question] == value


@pytest.mark.parametrize(
    "text",
    [
        "", "null", "7", '"x"', "[]", "[1]", "true", "{", "not json", '"{"', '"[]"', '{"a":1',
        "\ud800", "{" * 5000, "[" * 200_000, '{"q1":' * 3000,
    ],
    ids=lambda text: text[:12] or "empty",
)  # fmt: skip
def test_what_is_no_object_is_no_form(text: str) -> None:
    assert reading.parse(text) is None


def test_a_form_that_is_wrapped_twice_is_unwrapped() -> None:
    filled = reading.parse(json.dumps(json.dumps({"q1": "5", "flow_token": "snd_x"})))
    assert filled is not None and filled.token == "snd_x"


@pytest.mark.parametrize("token", [None, 7, "", [], {}, True])
def test_a_token_of_another_type_is_none(token: Any) -> None:
    filled = reading.parse(json.dumps({"flow_token": token, "tidings_form": token}))
    assert filled is not None and filled.token is None and filled.form_id is None


@given(st.text() | st.binary().map(lambda raw: raw.decode("latin-1")))
def test_no_text_at_all_makes_it_fail(text: str) -> None:
    filled = reading.parse(text)
    if filled is not None:
        reading.read(QUESTIONS, filled.given)


_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(forms(), st.dictionaries(st.sampled_from([f"q{n}" for n in range(6)]), _json))
def test_whatever_is_given_an_answer_is_sound_or_none(form: Form, given: dict[str, Any]) -> None:
    for answer in reading.read(form.questions, given):
        value, question = answer.value, answer.question
        if value is None:
            continue
        assert json.loads(json.dumps(value)) == value and "\0" not in json.dumps(value)
        if question.type == "rating":
            assert value in (1, 2, 3, 4, 5)
        elif question.type == "single":
            assert value in question.options
        elif question.type == "multi":
            assert value and set(value) <= set(question.options)


@given(forms())
def test_what_the_phone_sends_is_read_whichever_way_it_names_its_choices(form: Form) -> None:
    content = Content("visit", 1, "T", "B", "t", questions=form.questions)
    said = form_answers(content, "5")
    named_by_id = {question.id: _by_id(question, said[question.id]) for question in form.questions}
    assert values(said, form.questions) == values(named_by_id, form.questions)
    assert None not in values(said, form.questions).values()


def _by_id(question: Question, value: Any) -> Any:
    ids = dict(zip(question.options, option_ids(question.options), strict=True))
    if question.type == "single":
        return ids[value]
    return [ids[each] for each in value] if question.type == "multi" else value


def test_an_answer_counts_when_something_was_said_or_nothing_had_to_be() -> None:
    assert reading.counts(reading.read(QUESTIONS, {"q4": "hello"}))
    assert not reading.counts(reading.read(QUESTIONS, {}))
    assert not reading.counts(reading.read(QUESTIONS, {"q1": "nine"}))
    optional = (Question("q1", "comment", "Anything?"),)
    assert reading.counts(reading.read(optional, {}))


# Whose answer it is

AT = datetime(2026, 11, 15, tzinfo=UTC)


def a_send(nth: int, phone: str = "972501234567") -> Send:
    return Send(UUID(int=1), UUID(int=nth), "visit", 1, phone, UUID(int=100 + nth), AT)


def test_the_token_says_whose_answer_it_is_then_the_quotation_then_the_person() -> None:
    guest = "972501234567"
    one, two, three = a_send(1), a_send(2), a_send(3)
    assert decide_send(guest, one, two, three) is one
    assert decide_send(guest, None, two, three) is two
    assert decide_send(guest, None, None, three) is three
    assert decide_send(guest, None, None, None) is None


def test_what_went_to_somebody_else_says_nothing() -> None:
    theirs = a_send(1, "972509999999")
    assert decide_send("972501234567", theirs, None, None) is None
    assert decide_send("972501234567", None, theirs, None) is None
    mine = a_send(2)
    assert decide_send("972501234567", theirs, mine, None) is mine
    # The platform writes some numbers differently: where all agrees, it is the same person.
    assert decide_send("972501234567", theirs, theirs, None) is theirs
    # A guest without a number is known by the token alone.
    assert decide_send("", theirs, None, None) is theirs


# Charts and export


def test_a_chart_has_every_bar() -> None:
    counted = [("q1", 5, 3), ("q1", 2, 1), ("q2", "Meat", 4), ("q3", "Gone", 1), ("q3", "Food", 2)]
    rating, single, multi, comment = (summarise(q, counted, 4, []) for q in QUESTIONS)
    assert [(one.value, one.count) for one in rating.choices] == [
        (1, 0), (2, 1), (3, 0), (4, 0), (5, 3),
    ]  # fmt: skip
    assert rating.average == 4.25
    assert [(one.value, one.count) for one in single.choices] == [("Fish", 0), ("Meat", 4)]
    # An option of an earlier version comes last.
    assert [one.value for one in multi.choices] == ["Food", "Music", "Hall", "Gone"]
    assert (comment.choices, comment.average) == ([], None)
    assert summarise(QUESTIONS[0], [], 0, []).average is None


def test_a_spreadsheet_is_given_text_and_no_formulas() -> None:
    answers = {"q1": 5, "q2": "Fish", "q3": ["Food", "Hall"], "q4": '=HYPERLINK("x"),\n"hi"'}
    row = Row("visit", 1, "972501234567", "+1-cid", "2026-11-15T00:00:00.000Z", "later", answers)
    shown = csv_text([heading(QUESTIONS), csv_row(QUESTIONS, row)])
    assert shown == (
        "version,to,clientMessageId,sentAt,answeredAt,q1,q2,q3,q4\r\n"
        "1,972501234567,'+1-cid,2026-11-15T00:00:00.000Z,later,5,Fish,Food; Hall,"
        '"\'=HYPERLINK(""x""),\n""hi"""\r\n'
    )
