"""The page that shows a form as guests see it."""

from datetime import UTC, datetime
from uuid import UUID

from hypothesis import given

from tests.rules.form_examples import FORMS, forms
from tidings.features.feedback.forms.preview import page
from tidings.features.feedback.forms.states import State
from tidings.features.feedback.model import Form, Version
from tidings.platforms.content import Question


def shown(form: Form) -> str:
    now = datetime(2026, 11, 15, tzinfo=UTC)
    return page(Version(UUID(int=1), "visit", 1, State.PUBLISHED, form, now))


def test_every_question_and_option_is_on_it() -> None:
    english = shown(FORMS[0])
    for words in ("Your visit", "How was it?", "Fish", "Music", "Anything else?", "Send"):
        assert words in english
    assert 'lang="en" dir="ltr"' in english


def test_right_to_left_where_the_language_runs_so() -> None:
    hebrew = shown(FORMS[1])
    assert 'lang="he" dir="rtl"' in hebrew and "שליחה" in hebrew and "למשוב" in hebrew


def test_what_somebody_writes_stays_text() -> None:
    question = Question("q1", "single", "<b>Why?</b>", ("<script>", "&"), required=True)
    html = shown(Form('"><script>alert(1)</script>', (question,)))
    assert "<script" not in html and "<b>" not in html


@given(forms())
def test_any_sound_form_can_be_shown(form: Form) -> None:
    assert shown(form).startswith("<!doctype html>")
