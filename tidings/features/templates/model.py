"""Message templates: what was approved, and how many variables it takes (2.12). Pure."""

import re
from dataclasses import dataclass
from functools import cached_property

VARIABLE = re.compile(r"\{\{([0-9]+)\}\}")


def variable_numbers(text: str) -> set[int]:
    """The numbers of `{{1}}`, `{{2}}` … in a text; a repeated one counts once."""
    return {int(number) for number in VARIABLE.findall(text)}


def as_format(text: str) -> str:
    """The same text for `str.format`: `{{1}}` becomes `{0}`, any other brace stays a brace."""
    pieces = VARIABLE.split(text)  # text and variable numbers alternate
    pieces[::2] = [words.replace("{", "{{").replace("}", "}}") for words in pieces[::2]]
    pieces[1::2] = [f"{{{int(number) - 1}}}" for number in pieces[1::2]]
    return "".join(pieces)


@dataclass(frozen=True, slots=True)
class TemplateButton:
    """QUICK_REPLY, URL, PHONE_NUMBER, FLOW, or the COPY_CODE of an AUTHENTICATION template."""

    type: str
    text: str
    url: str = ""
    phone: str = ""
    flow_id: str = ""

    @property
    def has_variable(self) -> bool:
        return self.type == "URL" and bool(VARIABLE.search(self.url))


@dataclass(frozen=True)
class Template:
    """One language version of a template."""

    name: str
    language: str
    category: str
    status: str
    header: str | None = None  # TEXT, IMAGE, DOCUMENT
    header_text: str = ""
    body: str = ""
    footer: str = ""
    buttons: tuple[TemplateButton, ...] = ()
    problem: str = ""  # why it cannot be sent although it may be approved
    names: tuple[str, ...] = ()  # of named variables, the header's first

    # Computed once: templates are cached, and filled in thousands of times a second.

    @cached_property
    def usable(self) -> bool:
        return self.status == "APPROVED" and not self.problem

    @cached_property
    def is_plain(self) -> bool:
        """No header and no buttons, as in most templates."""
        return self.header is None and not self.header_text and not self.buttons

    @cached_property
    def header_format(self) -> str:
        return as_format(self.header_text)

    @cached_property
    def body_format(self) -> str:
        return as_format(self.body)

    @cached_property
    def replies(self) -> int:
        """The number of quick-reply buttons, each of which takes a payload."""
        return sum(button.type == "QUICK_REPLY" for button in self.buttons)

    @cached_property
    def header_variables(self) -> int:
        return len(variable_numbers(self.header_text))

    @cached_property
    def body_variables(self) -> int:
        return len(variable_numbers(self.body))

    @cached_property
    def variables(self) -> int:
        """How many `templateParams` it takes: header text, then body, then URL buttons."""
        texts = self.header_variables + self.body_variables
        return texts + sum(button.has_variable for button in self.buttons)
