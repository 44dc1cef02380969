"""The flow that a form becomes: Meta's documented rules, its own survey example, and two other
readers of flows (the simulator, and a client that others maintain)."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.rules.form_examples import FORMS, forms
from tests.support.names import named
from tidings.features.feedback.forms.faults import find_faults
from tidings.features.feedback.model import Form
from tidings.platforms.content import FORM_SCREEN, Question
from tidings.platforms.content import Form as Content
from tidings.platforms.form_labels import _LABELS, form_labels, is_right_to_left
from tidings.platforms.port import Send, Sender
from tidings.platforms.whatsapp.flow_json import answer_names, flow_json, option_ids
from tidings.platforms.whatsapp.payloads import request_body
from tidings_simulator.graph.flow_json import check_flow, constants_of, questions_of

SURVEY = json.loads((Path(__file__).parent / "survey_shape.json").read_text())
# https://developers.facebook.com/docs/whatsapp/flows/reference/components, as of 2026
TEXT_CHARS = {"TextHeading": 80, "TextSubheading": 80, "TextBody": 4096}
LABEL_CHARS = {
    "RadioButtonsGroup": 30, "CheckboxGroup": 30, "Dropdown": 20, "TextArea": 20, "Footer": 35,
}  # fmt: skip
OPTIONS = {"RadioButtonsGroup": 20, "CheckboxGroup": 20, "Dropdown": 200}
INPUTS = {*OPTIONS, "TextArea"}


def made(form: Form, version: int = 3) -> dict[str, Any]:
    return flow_json("visit", version, form.title, form.language, form.questions)


def parts(flow: dict[str, Any]) -> list[dict[str, Any]]:
    (screen,) = flow["screens"]
    (inner,) = screen["layout"]["children"]
    children: list[dict[str, Any]] = inner["children"]
    return children


def breaches(flow: dict[str, Any]) -> Iterator[str]:
    """Meta's rules, one by one."""
    (screen,) = flow["screens"]
    children = parts(flow)
    if screen["id"] == "SUCCESS" or not screen["id"].replace("_", "").isalpha():
        yield "screen id"
    if len(children) + 1 > 50:
        yield "at most 50 components on a screen"
    if [part["type"] for part in children].count("Footer") != 1 or not screen["terminal"]:
        yield "a terminal screen has one footer"
    for part in children:
        yield from _breaches(part)
    names = [part["name"] for part in children if part["type"] in INPUTS]
    if len(set(names)) != len(names):
        yield "names are unique"
    payload = children[-1]["on-click-action"]["payload"]
    if {payload.get(name) for name in names} != {f"${{form.{name}}}" for name in names}:
        yield "every answer is sent back"


def _breaches(part: dict[str, Any]) -> Iterator[str]:
    kind = part["type"]
    text, label = part.get("text", ""), part.get("label", "")
    if any("_" in key for key in part):
        yield "kebab-case"
    if kind in TEXT_CHARS and not (text.strip() and len(text) <= TEXT_CHARS[kind]):
        yield f"{kind} text"
    if kind in LABEL_CHARS and not 1 <= len(label) <= LABEL_CHARS[kind]:
        yield f"{kind} label"
    if kind not in {*TEXT_CHARS, *LABEL_CHARS}:
        yield f"unknown {kind}"
    if "${" in text + label or text.lstrip().startswith("`"):
        yield "an expression in a text"
    source = part.get("data-source", [])
    if kind in OPTIONS and not 1 <= len(source) <= OPTIONS[kind]:
        yield f"{kind} options"
    if len({option["id"] for option in source}) != len(source):
        yield "ids of options are unique"
    for option in source:
        if not 1 <= len(option["title"]) <= 30 or len(option.get("description", "")) > 300:
            yield "title or description of an option"


@given(forms())
def test_any_sound_form_becomes_a_flow_that_keeps_the_rules(form: Form) -> None:
    assert list(find_faults("visit", form)) == []
    flow = made(form)
    assert list(breaches(flow)) == []
    assert check_flow(json.dumps(flow).encode()) == []
    assert flow == made(form)  # the same again


@pytest.mark.parametrize("form", FORMS, ids=lambda form: f"{form.language} {form.title}")
def test_the_examples_keep_the_rules(form: Form) -> None:
    assert list(breaches(made(form))) == []


def test_the_shape_is_that_of_metas_survey() -> None:
    """Their nesting, their components, their way to send the answers back; what newer versions ask
    for (a label of a group, success of a screen) is added."""
    flow = made(FORMS[0])
    (screen,) = flow["screens"]
    assert set(SURVEY["screen"]) <= set(screen)
    assert screen["layout"]["type"] == SURVEY["layout"]
    (inner,) = screen["layout"]["children"]
    assert (inner["type"], inner["name"]) == (SURVEY["form"]["type"], SURVEY["form"]["name"])
    by_type = {part["type"]: part for part in inner["children"]}
    for kind, keys in SURVEY["components"].items():
        if kind in by_type:
            assert set(keys) <= set(by_type[kind]), kind
    assert {"TextHeading", "TextSubheading", "RadioButtonsGroup", "Footer"} <= set(by_type)
    action = by_type["Footer"]["on-click-action"]
    assert set(action) == set(SURVEY["action"]) and action["name"] == "complete"
    answers = [value for value in action["payload"].values() if value.startswith("${")]
    assert all(value.startswith(SURVEY["reference"]) for value in answers)


def test_a_rating_a_choice_several_and_a_comment() -> None:
    rating, single, multi, comment = (p for p in parts(made(FORMS[0])) if p["type"] in INPUTS)
    assert [option["id"] for option in rating["data-source"]] == ["1", "2", "3", "4", "5"]
    assert rating["data-source"][3]["title"] == "4 ★★★★☆"
    assert (rating["type"], rating["required"]) == ("RadioButtonsGroup", True)
    assert (single["type"], single["required"]) == ("RadioButtonsGroup", True)
    assert (multi["type"], multi["required"]) == ("CheckboxGroup", False)
    assert multi["max-selected-items"] == len(multi["data-source"])
    assert (comment["type"], comment["max-length"]) == ("TextArea", 600)


def test_what_is_too_long_for_its_place_is_shown_whole_elsewhere() -> None:
    long_text, long_option = "Why? " * 40, "An option of more than thirty characters"
    question = Question("q1", "single", long_text, (long_option, "short"), required=True)
    heading, text, group, _footer = parts(made(Form("T" * 81, (question,))))
    assert heading == {"type": "TextBody", "text": "T" * 81}
    assert text == {"type": "TextBody", "text": long_text}
    first, second = group["data-source"]
    assert (len(first["title"]), first["description"]) == (30, long_option)
    assert "description" not in second


def test_many_options_make_a_drop_down() -> None:
    options = tuple(f"Table {n}" for n in range(1, 22))
    form = Form("Tables", (Question("q1", "single", "Which?", options),))
    assert parts(made(form))[2]["type"] == "Dropdown"


def test_names_that_cannot_stand_in_an_expression_are_replaced() -> None:
    ids = ("food-quality", "question_1", "q 3", "4", "ok")
    questions = [Question(id_, "comment", "?") for id_ in ids]
    assert answer_names(questions) == [
        "question_1_",
        "question_1",
        "question_3",
        "question_4",
        "ok",
    ]


@given(st.lists(st.text(max_size=12), max_size=20, unique=True))
def test_ids_of_options_are_no_options(options: list[str]) -> None:
    assert not set(option_ids(options)) & set(options)


def test_the_simulator_reads_the_questions_it_was_given() -> None:
    body = json.dumps(made(FORMS[0])).encode()
    assert [(q.id, q.type) for q in questions_of(body)] == [
        ("q1", "rating"), ("q2", "single"), ("q3", "multi"), ("q4", "comment"),
    ]  # fmt: skip
    assert constants_of(body) == {"tidings_form": "visit", "tidings_version": "3"}


def test_another_client_knows_every_component_we_use() -> None:
    flows = pytest.importorskip("pywa.types.flows")
    flow = made(FORMS[0])
    known = {str(member.value) for member in flows.FlowComponentType}
    assert {part["type"] for part in parts(flow)} | {"Form"} <= known
    for part in parts(flow):
        kind = getattr(flows, part["type"])
        fields = {name.replace("_", "-") for name in kind.__dataclass_fields__}
        assert set(part) <= fields, part["type"]


@pytest.mark.parametrize("language", sorted(_LABELS), ids=named)
def test_our_own_words_fit_their_places(language: str) -> None:
    words = form_labels(language)
    assert len(words.open) <= 20 and len(words.send) <= 35
    assert all(1 <= len(word) <= 20 for word in words[2:])


def test_languages_and_their_direction() -> None:
    assert form_labels("he").send == "שליחה" and form_labels("en_US") == form_labels("en")
    assert form_labels("nl") == form_labels("en")  # unknown to us
    assert [is_right_to_left(code) for code in ("he", "ar_EG", "fa", "en", "ru")] == [
        True, True, True, False, False,
    ]  # fmt: skip
    assert made(FORMS[1])["screens"][0]["id"] == FORM_SCREEN
    assert parts(made(FORMS[1]))[-1]["label"] == "שליחה"


def test_a_number_sends_the_flow_of_its_own_business_account() -> None:
    form = Content("visit", 1, "T", "Open", "snd_1", "11", flows={"w1": "11", "w2": "22"})
    for waba_id, flow_id in (("w1", "11"), ("w2", "22"), ("w3", "11")):
        sender = Sender("972555000001", "1055", waba_id)
        now = datetime(2026, 11, 15, tzinfo=UTC)
        body = request_body(Send("x.1", "a", sender, "972501234567", form, "cid", now))
        assert body["interactive"]["action"]["parameters"]["flow_id"] == flow_id
