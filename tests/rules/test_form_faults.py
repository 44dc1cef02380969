"""What is wrong with a form is said with its place and its question."""

from typing import Any

import pytest
from msgspec.structs import replace

from tests.rules.form_examples import FORMS
from tests.support.forms import form_toml
from tests.support.names import named
from tests.support.service import account_toml
from tidings.account_file.read import FileRefused, read_file
from tidings.features.feedback.forms.declare import read
from tidings.features.feedback.forms.faults import find_faults
from tidings.features.feedback.model import Form
from tidings.platforms.content import Question

FORM = FORMS[0]
RATING, SINGLE, MULTI, COMMENT = FORM.questions


def with_question(place: int, **changes: Any) -> Form:
    questions = list(FORM.questions)
    questions[place] = replace(questions[place], **changes)
    return replace(FORM, questions=tuple(questions))


CASES = [
    (replace(FORM, title="  "), "title", "must not be blank"),
    (replace(FORM, title="${data.x}"), "title", "must not hold"),
    (replace(FORM, title="`1 + 1`"), "title", "must not hold"),
    (replace(FORM, text="x" * 1025), "text", "at most 1024"),
    (replace(FORM, text=" "), "text", "must not be blank"),
    (replace(FORM, button="x" * 21), "button", "at most 20"),
    (replace(FORM, button="Rate us 🎉"), "button", "without emoji"),
    (replace(FORM, language="English"), "language", "must be a code"),
    (replace(FORM, language="EN"), "language", "must be a code"),
    (replace(FORM, questions=()), "questions", "at least one question"),
    (
        replace(FORM, questions=tuple(replace(RATING, id=f"q{n}") for n in range(21))),
        "questions",
        "at most 20",
    ),
    (replace(FORM, questions=(RATING, RATING)), "questions", '"q1" twice'),
    (with_question(0, id="q@1"), "questions[0].id", "without @"),
    (with_question(0, id=" q1"), "questions[0].id", "without @"),
    (with_question(0, id="flow_token"), "questions[0].id", "choose another"),
    (with_question(0, text=""), "questions[0].text", '(question "q1")'),
    (with_question(0, text="Price: ${x}"), "questions[0].text", "must not hold"),
    (with_question(0, options=("a",)), "questions[0].options", "left out of a rating"),
    (with_question(1, options=()), "questions[1].options", "required for a single"),
    (with_question(2, options=()), "questions[2].options", "required for a multi"),
    (
        with_question(2, options=tuple(f"o{n}" for n in range(21))),
        "questions[2].options",
        "at most 20 in a multi",
    ),
    (
        with_question(1, options=tuple(f"o{n}" for n in range(201))),
        "questions[1].options",
        "at most 200 in a single",
    ),
    (with_question(1, options=("Fish", "fish ")), "questions[1].options", '"fish" twice'),
    (with_question(1, options=("Fish", " ")), "questions[1].options[1]", "must not be blank"),
    (with_question(3, options=("a",)), "questions[3].options", "left out of a comment"),
]


@pytest.mark.parametrize(("form", "where", "says"), CASES, ids=named)
def test_a_fault_is_named(form: Form, where: str, says: str) -> None:
    found = list(find_faults("visit", form))
    assert [place for place, _ in found] == [where], found
    assert says in found[0][1]
    if where.startswith("questions["):
        assert "(question " in found[0][1]


@pytest.mark.parametrize("form_id", ["a@b", " a", "a\n", "${a}", "`a`"])
def test_an_id_that_would_not_do(form_id: str) -> None:
    assert [where for where, _ in find_faults(form_id, FORM)] == ["id"]


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.language)
def test_sound_forms_have_no_faults(form: Form) -> None:
    assert list(find_faults("visit", form)) == []


def test_the_file_names_the_form_and_the_question() -> None:
    questions = (
        '{ id = "q1", type = "rating", text = "x", options = ["a"] }, '
        '{ id = "q2", type = "single", text = " " }'
    )
    more = 'language = "Hebrew"\nbutton = "🎉"'
    with pytest.raises(FileRefused) as refused:
        read_file(
            account_toml(form_toml() + form_toml("bad", questions=questions, more=more)),
            {},
            allow_private=True,
        )
    assert [fault.split(" ")[0] for fault in refused.value.errors] == [
        "accounts[0].forms[1].button",
        "accounts[0].forms[1].language",
        "accounts[0].forms[1].questions[0].options",
        "accounts[0].forms[1].questions[1].text",
        "accounts[0].forms[1].questions[1].options",
    ]


def test_what_the_file_leaves_out() -> None:
    declaration = read_file(account_toml(form_toml()), {}, allow_private=True)
    (table,) = declaration.accounts[0].account.declared["forms"]
    form = read(table).form
    assert (form.language, form.message, form.button_label) == ("en", "Your visit", "Give feedback")
    assert [question.required for question in form.questions] == [True, True, False, False]


def test_a_question_may_say_whether_it_must_be_answered() -> None:
    questions = (
        '{ id = "q1", type = "rating", text = "x", required = false }, '
        '{ id = "q2", type = "comment", text = "y", required = true }'
    )
    declaration = read_file(account_toml(form_toml(questions=questions)), {}, allow_private=True)
    (table,) = declaration.accounts[0].account.declared["forms"]
    assert [q.required for q in read(table).form.questions] == [False, True]
    assert isinstance(read(table).form.questions[0], Question)
