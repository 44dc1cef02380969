"""A feedback form as a WhatsApp Flow: its JSON, and the names of its answers. Pure.

One screen and no endpoint: the phone sends the answers when the guest presses the `complete` button
(platform.md, section 5). The layout follows Meta's survey example, the limits are Meta's.
docs/decisions/0023-feedback.md
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from tidings import limits
from tidings.platforms.content import FORM_SCREEN, Question
from tidings.platforms.form_labels import FormLabels, form_labels

VERSION = "7.0"
TITLE_CHARS_MAX = 80  # of TextHeading and TextSubheading; longer text is a TextBody
SCREEN_TITLE_CHARS_MAX = 60
OPTION_CHARS_MAX = 30  # a longer option is shown in full in its description
RADIO_OPTIONS_MAX = 20  # more options are shown as a drop-down
RATINGS = ("1", "2", "3", "4", "5")
STAR, NO_STAR = "★", "☆"
ELLIPSIS = "…"

# Constants in the response that identify the form; the platform does not name it.
FORM_KEY, VERSION_KEY, TOKEN_KEY = "tidings_form", "tidings_version", "flow_token"
RESERVED = frozenset({FORM_KEY, VERSION_KEY, TOKEN_KEY})

_NAME = re.compile("[A-Za-z][A-Za-z0-9_]*")

Json = dict[str, Any]


def flow_json(
    form_id: str, version: int, title: str, language: str, questions: Sequence[Question]
) -> Json:
    """The flow of one version. A published flow is immutable, so each version is a flow."""
    labels = form_labels(language)
    names = answer_names(questions)
    children = [_text("TextHeading", title)]
    for name, question in zip(names, questions, strict=True):
        children += [_text("TextSubheading", question.text), _input(name, question, labels)]
    children.append(_footer(labels.send, _payload(form_id, version, names)))
    form = {"type": "Form", "name": "form", "children": children}
    screen = {
        "id": FORM_SCREEN,
        "title": _cut(title, SCREEN_TITLE_CHARS_MAX),
        "terminal": True,
        "success": True,
        "data": {},
        "layout": {"type": "SingleColumnLayout", "children": [form]},
    }
    return {"version": VERSION, "screens": [screen]}


def answer_names(questions: Sequence[Question]) -> list[str]:
    """The names of the answers in the response: a question's id if it is a valid identifier."""
    taken = {question.id for question in questions} | RESERVED
    names = []
    for index, question in enumerate(questions, start=1):
        name = question.id
        if not _NAME.fullmatch(name):
            name = f"question_{index}"
            while name in taken:
                name += "_"
        names.append(name)
    return names


def option_ids(options: Sequence[str]) -> list[str]:
    """The ids of the options in the response; none equals the text of an option."""
    prefix = "choice_"
    while any(option.startswith(prefix) for option in options):
        prefix += "_"
    return [f"{prefix}{index}" for index in range(1, len(options) + 1)]


def _input(name: str, question: Question, labels: FormLabels) -> Json:
    part: Json = {"name": name, "required": question.required}
    if question.type == "rating":
        return {
            "type": "RadioButtonsGroup",
            "label": labels.rate,
            **part,
            "data-source": _ratings(),
        }
    if question.type == "comment":
        most = limits.FORM_COMMENT_CHARS_MAX
        return {"type": "TextArea", "label": labels.comment, **part, "max-length": most}
    source = _options(question.options)
    if question.type == "multi":
        group = {"type": "CheckboxGroup", "label": labels.choose_any, **part}
        if question.required:
            group["min-selected-items"] = 1
        return {**group, "max-selected-items": len(source), "data-source": source}
    kind = "RadioButtonsGroup" if len(source) <= RADIO_OPTIONS_MAX else "Dropdown"
    return {"type": kind, "label": labels.choose_one, **part, "data-source": source}


def _ratings() -> list[Json]:
    last = len(RATINGS)
    return [
        {"id": rating, "title": f"{rating} {STAR * int(rating)}{NO_STAR * (last - int(rating))}"}
        for rating in RATINGS
    ]


def _options(options: Sequence[str]) -> list[Json]:
    return [_option(id_, text) for id_, text in zip(option_ids(options), options, strict=True)]


def _option(id_: str, text: str) -> Json:
    if len(text) <= OPTION_CHARS_MAX:
        return {"id": id_, "title": text}
    return {"id": id_, "title": _cut(text, OPTION_CHARS_MAX), "description": text}


def _text(kind: str, text: str) -> Json:
    return {"type": kind if len(text) <= TITLE_CHARS_MAX else "TextBody", "text": text}


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1].rstrip() + ELLIPSIS


def _payload(form_id: str, version: int, names: Sequence[str]) -> dict[str, str]:
    answers = {name: f"${{form.{name}}}" for name in names}
    return {**answers, FORM_KEY: form_id, VERSION_KEY: str(version)}


def _footer(label: str, payload: Mapping[str, str]) -> Json:
    action = {"name": "complete", "payload": payload}
    return {"type": "Footer", "label": label, "on-click-action": action}
