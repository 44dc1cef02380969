"""Rules of templates: what the platform would refuse is refused here first. Pure."""

import re
from collections import Counter

from tidings.features.templates.model import VARIABLE, variable_numbers
from tidings.wording import counted

from .format import AccountEntry, Button, TemplateEntry
from .tables import Diagnostics

BUTTONS_MAX = {"QUICK_REPLY": 10, "URL": 2, "PHONE_NUMBER": 1, "FLOW": 1}
ALL_BUTTONS_MAX = 10
_ADDRESS = re.compile(r"https?://[^/?#\s{}]+(?:[/?#]|\Z)")
_BRACES = re.compile(r"\{\{|\}\}")


def check_templates(entry: AccountEntry, path: str, found: Diagnostics) -> None:
    if entry.environment == "live":
        if entry.templates:
            found.warn(
                f"{path}.templates", "are ignored: a live account reads its own from the platform"
            )
        return
    versions = Counter((template.name, template.language) for template in entry.templates)
    for (name, language), count in versions.items():
        if count > 1:
            found.error(f"{path}.templates", f'name "{name}" in {language} twice; remove one')
    for index, template in enumerate(entry.templates):
        _check_template(template, f"{path}.templates[{index}]", found)


def _check_template(template: TemplateEntry, path: str, found: Diagnostics) -> None:
    if template.header == "TEXT" and template.header_text is None:
        found.error(f"{path}.headerText", "is required with a TEXT header")
    if template.header != "TEXT" and template.header_text is not None:
        found.error(f"{path}.headerText", 'needs header = "TEXT"')
    _check_variables(template.header_text or "", f"{path}.headerText", found, count_max=1)
    _check_variables(template.body or "", f"{path}.body", found)
    if template.category == "AUTHENTICATION":
        if template.buttons:
            found.error(
                f"{path}.buttons",
                "must be left out: an AUTHENTICATION template has its copy-code button by itself",
            )
        return
    if template.body is None:
        found.error(f"{path}.body", "is required")
    _check_buttons(template.buttons, f"{path}.buttons", found)


def _check_variables(
    text: str, path: str, found: Diagnostics, *, count_max: int | None = None
) -> None:
    """Variables are {{1}}, {{2}} … without a gap: they are filled in order, not by name."""
    if _BRACES.search(VARIABLE.sub("", text)):
        found.error(path, "must write its variables as {{1}}, {{2}} and so on")
        return
    numbers = variable_numbers(text)
    if numbers != set(range(1, len(numbers) + 1)):
        gap = min(set(range(1, len(numbers) + 2)) - numbers)
        found.error(path, f"skips {{{{{gap}}}}}: variables are numbered from 1 without a gap")
    elif count_max is not None and len(numbers) > count_max:
        found.error(path, f"must have at most {counted(count_max, 'variable')}")


def _check_buttons(buttons: list[Button], path: str, found: Diagnostics) -> None:
    if len(buttons) > ALL_BUTTONS_MAX:
        found.error(path, f"must be at most {ALL_BUTTONS_MAX}")
    for kind, count in Counter(button.type for button in buttons).items():
        if count > BUTTONS_MAX[kind]:
            found.error(path, f"must hold at most {BUTTONS_MAX[kind]} of type {kind}")
    for index, button in enumerate(buttons):
        _check_button(button, f"{path}[{index}]", found)


def _check_button(button: Button, path: str, found: Diagnostics) -> None:
    if button.phone is not None and button.type != "PHONE_NUMBER":
        found.error(f"{path}.phone", "is for a PHONE_NUMBER button only")
    if button.type != "URL":
        if button.url is not None:
            found.error(f"{path}.url", "is of a URL button only")
        return
    if button.url is None:
        found.error(f"{path}.url", "is required for a URL button")
        return
    # Not `urls.require_public`: in development, our own links are http and on private hosts.
    if not _ADDRESS.match(button.url):
        found.error(f"{path}.url", "must be an address such as https://example.com/r/{{1}}")
    _check_variables(button.url, f"{path}.url", found, count_max=1)
    if "{{1}}" in button.url.removesuffix("{{1}}"):
        found.error(f"{path}.url", "must have its variable at the end")
