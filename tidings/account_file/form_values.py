"""From the texts of a form to values of the account file, for pages and commands. Pure.

A form's fields are named as in the file, those of a table as `sendWindow.from`. What is no number
or time stays a text: the rules of the file refuse it, in their own words.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict
from decimal import Decimal, InvalidOperation
from typing import Any

from tidings.features.templates.model import Template

from .changes import to_camel
from .declare import Field, ListOf, Rule, Table, fields_of
from .edit import Edit
from .format import AccountEntry, Button, Number, TemplateEntry
from .tables import Problem

BUTTONS = range(10)  # that a template may have

Read = Callable[[str], str]  # the text of a field; empty where nothing was typed
CHECKED = "yes"


def to_edit(read: Read, names: Iterable[str]) -> Edit:
    """The settings of these names; one that is left empty gets its default."""
    wanted = set(names)
    values, cleared = _read_fields(
        [field for field in fields_of(AccountEntry) if field.name in wanted], read, ""
    )
    return Edit(values, frozenset(cleared))


def to_number(read: Read, kept: Mapping[str, Any]) -> dict[str, Any]:
    """A number's entry: what was typed, over what it has; an empty secret stays as it is."""
    values, cleared = _read_fields(fields_of(Number), read, "")
    secrets = {one.name for one in fields_of(Number) if _is_secret(one)}
    others = {name: value for name, value in kept.items() if name not in cleared or name in secrets}
    return others | values


def to_entry(spec: Any) -> dict[str, Any]:
    """A number as the file would declare it, without what it does not have."""
    values = {to_camel(name): value for name, value in asdict(spec).items()}
    return {name: value for name, value in values.items() if value is not None}


def to_template(read: Read) -> dict[str, Any]:
    """A template's entry; its buttons are in rows, `buttons[0].text`, of which some are empty."""
    fields = [one for one in fields_of(TemplateEntry) if one.name != "buttons"]
    values, _ = _read_fields(fields, read, "")
    rows = [_read_fields(fields_of(Button), read, f"buttons[{row}].") for row in filled(read)]
    return values | ({"buttons": [button for button, _ in rows]} if rows else {})


def filled(read: Read) -> list[int]:
    """The rows of buttons in which something was typed; the choice of a type alone is nothing."""
    names = [one.name for one in fields_of(Button) if one.name != "type"]
    return [row for row in BUTTONS if any(read(f"buttons[{row}].{name}").strip() for name in names)]


def to_template_entry(template: Template) -> dict[str, Any]:
    """A template as the file would declare it. That of passcodes adds its button by itself."""
    values = {one.name: getattr(template, one.attribute) for one in fields_of(TemplateEntry)}
    buttons = [
        {one.name: getattr(button, one.attribute) for one in fields_of(Button)}
        for button in template.buttons
        if button.type != "COPY_CODE"
    ]
    return _given(values | {"buttons": [_given(one) for one in buttons]})


def _given(values: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value not in (None, "", [])}


def by_field(problems: Iterable[Problem], table: str = "") -> dict[str, str]:
    """Problems by the names of the form's fields; `table`: that the form shows one entry of."""
    found: dict[str, str] = {}
    for problem in problems:
        name = problem.path
        if table and name.startswith(f"{table}["):
            name = name.partition("].")[2]
        found.setdefault(name, f"{name} {problem.text}")
    return found


def _read_fields(
    fields: Iterable[Field], read: Read, prefix: str
) -> tuple[dict[str, Any], list[str]]:
    values: dict[str, Any] = {}
    cleared = []
    for field in fields:
        value = _read_field(field, read, prefix + field.name)
        if value is None:
            cleared.append(field.name)
        else:
            values[field.name] = value
    return values, cleared


def _read_field(field: Field, read: Read, name: str) -> Any:
    """None: it was left empty."""
    if isinstance(field.shape, type):
        return _read_table(field.shape, read, f"{name}.")
    text = read(name).strip()
    if isinstance(field.shape, ListOf):
        return text.replace(",", " ").split() or None
    if field.shape.schema.get("type") == "boolean":
        return text == CHECKED
    return _read_value(field.shape, text) if text else None


def _read_table(table: type[Table], read: Read, prefix: str) -> dict[str, Any] | None:
    """None where none of its required fields was filled in: the others have defaults."""
    fields = fields_of(table)
    if not any(read(prefix + one.name).strip() for one in fields if one.required):
        return None
    return _read_fields(fields, read, prefix)[0]


def _read_value(rule: Rule, text: str) -> object:
    kind = rule.schema.get("type")
    if kind == "integer" and text.isascii() and text.removeprefix("-").isdigit():
        return int(text)
    if kind == "number":
        try:
            number = Decimal(text)
        except InvalidOperation:
            return text
        return number if number.is_finite() else text
    return text


def _is_secret(field: Field) -> bool:
    return isinstance(field.shape, Rule) and field.shape.secret
