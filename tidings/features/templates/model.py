"""Message templates: what was approved, and how many variables it takes (2.12). Pure."""

import re
from dataclasses import dataclass

VARIABLE = re.compile(r"\{\{([0-9]+)\}\}")


def variable_numbers(text: str) -> set[int]:
    """The numbers of `{{1}}`, `{{2}}` … in a text; a repeated one counts once."""
    return {int(number) for number in VARIABLE.findall(text)}


@dataclass(frozen=True, slots=True)
class TemplateButton:
    """QUICK_REPLY, URL, PHONE_NUMBER, FLOW, or the COPY_CODE of an AUTHENTICATION template."""

    type: str
    text: str
    url: str = ""
    phone: str = ""

    @property
    def has_variable(self) -> bool:
        return self.type == "URL" and bool(VARIABLE.search(self.url))


@dataclass(frozen=True, slots=True)
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

    @property
    def usable(self) -> bool:
        return self.status == "APPROVED"

    @property
    def variables(self) -> int:
        """How many `templateParams` it takes: header text, then body, then URL buttons."""
        texts = len(variable_numbers(self.header_text)) + len(variable_numbers(self.body))
        return texts + sum(button.has_variable for button in self.buttons)
