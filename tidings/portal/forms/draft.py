"""A form as the builder shows it: read from what was typed, changed by its buttons, stored as a
form of feedback. Pure."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from tidings.features.feedback.model import Form
from tidings.platforms.content import Question
from tidings.portal.form import Form as Posted

TYPES = ("rating", "single", "multi", "comment")
CHOICES = ("single", "multi")
READ_MAX = 100  # questions of one posted form; a form takes fewer
_NUMBERED = re.compile(r"q([0-9]{1,6})")
_FAULT = re.compile(r"questions\[([0-9]+)\]\.([a-z]+)")


@dataclass(slots=True)
class DraftQuestion:
    """`options` as they are typed: one a line."""

    id: str
    type: str
    text: str = ""
    options: str = ""
    required: bool = False


@dataclass(slots=True)
class Draft:
    title: str = ""
    language: str = "en"
    text: str = ""
    button: str = ""
    questions: list[DraftQuestion] = field(default_factory=list)

    def values(self) -> dict[str, object]:
        """The fields of the page."""
        found: dict[str, object] = {
            "title": self.title, "language": self.language, "text": self.text,
            "button": self.button, "questions": len(self.questions),
        }  # fmt: skip
        for number, one in enumerate(self.questions, 1):
            found |= {
                f"q{number}.id": one.id,
                f"q{number}.type": one.type,
                f"q{number}.text": one.text,
                f"q{number}.options": one.options,
                f"q{number}.required": "yes" if one.required else "no",
            }
        return found


def of_form(form: Form) -> Draft:
    questions = [
        DraftQuestion(one.id, one.type, one.text, "\n".join(one.options), one.required)
        for one in form.questions
    ]
    return Draft(form.title, form.language, form.text, form.button, questions)


def read(posted: Posted) -> Draft:
    """What was typed; a question of an unknown type is left out."""
    count = posted["questions"]
    numbers = range(1, min(int(count) if count.isdecimal() else 0, READ_MAX) + 1)
    return Draft(
        posted["title"],
        posted["language"],
        posted["text"],
        posted["button"],
        [_question(posted, f"q{one}.") for one in numbers if posted[f"q{one}.type"] in TYPES],
    )


def _question(posted: Posted, name: str) -> DraftQuestion:
    return DraftQuestion(
        posted[f"{name}id"],
        posted[f"{name}type"],
        posted[f"{name}text"],
        posted[f"{name}options"],
        posted[f"{name}required"] == "yes",
    )


def to_form(draft: Draft) -> Form:
    questions = [
        Question(one.id, one.type, one.text, _options(one), one.required) for one in draft.questions
    ]
    return Form(draft.title, tuple(questions), draft.language, draft.text, draft.button)


def _options(question: DraftQuestion) -> tuple[str, ...]:
    if question.type not in CHOICES:
        return ()
    lines = (line.strip() for line in question.options.splitlines())
    return tuple(line for line in lines if line)


def change(draft: Draft, action: str, taken: Iterable[str]) -> None:
    """Carry out a button of the builder: `add:rating`, `up:2`, `down:2`, `remove:2`. `taken`: ids
    that a new question must not have."""
    what, _, about = action.partition(":")
    if what == "add" and about in TYPES:
        draft.questions.append(DraftQuestion(_new_id(draft, taken), about))
    at = int(about) - 1 if about.isdecimal() and len(about) < 4 else -1
    if not 0 <= at < len(draft.questions):
        return
    if what == "remove":
        del draft.questions[at]
        return
    to = {"up": max(at - 1, 0), "down": min(at + 1, len(draft.questions) - 1)}.get(what, at)
    draft.questions.insert(to, draft.questions.pop(at))


def _new_id(draft: Draft, taken: Iterable[str]) -> str:
    """Never one that was used before: answers are counted by it."""
    known = [*taken, *(one.id for one in draft.questions)]
    used = [int(found[1]) for one in known if (found := _NUMBERED.fullmatch(one))]
    return f"q{max(used, default=0) + 1}"


def field_of(fault: str) -> str:
    """The field of the page that a fault of a form belongs to: `questions[1].text` is `q2.text`."""
    found = _FAULT.match(fault)
    if found is None:
        return fault
    part = "options" if found[2] == "options" else "text"
    return f"q{int(found[1]) + 1}.{part}"
