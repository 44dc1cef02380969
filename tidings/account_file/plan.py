"""What an account is to be: the file's values, and what it leaves out as it is. Pure.

A setting that the file leaves out is left alone, and removed with `--prune`. A table that it does
not have (numbers, templates, forms, invoices, subscription) is left alone in any case; one that it
has is the whole table (contract2.md, C and E).
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any, TypeVar

from tidings.features.accounts.model import AccountSpec
from tidings.features.senders.model import NumberSpec
from tidings.features.templates.model import Template

from .specs import Wanted

T = TypeVar("T")

SECTIONS = ("subscription", "forms", "invoices")  # kept in `AccountSpec.declared`
TABLES = frozenset({*SECTIONS, "numbers", "templates"})


class Removal(Enum):
    """What to do about entries that a table of the file no longer names."""

    REFUSE = "refuse"
    PRUNE = "prune"  # and settings left out get their defaults
    KEEP = "keep"


@dataclass(frozen=True, slots=True)
class State:
    """One account, present or planned. `templates` is None where the platform says them;
    `invoices` are those that the file names, since invoices are only added and amended."""

    account: AccountSpec
    numbers: list[NumberSpec]
    templates: list[Template] | None
    invoices: Sequence[Any] = ()


def merge(wanted: Wanted, present: State | None, removal: Removal) -> State:
    """The account as it is to be. `removal` REFUSE plans what is then refused."""
    if present is None:
        present = State(AccountSpec(name="", environment=""), [], [])
    return State(
        account=_account(wanted, present.account, removal),
        numbers=_numbers(wanted, present.numbers, removal),
        templates=_templates(wanted, present.templates or [], removal),
        invoices=wanted.account.declared.get("invoices", ()),
    )


def _account(wanted: Wanted, present: AccountSpec, removal: Removal) -> AccountSpec:
    declared = _declared(wanted, present, removal)
    if removal is Removal.PRUNE or not present.name:
        return replace(wanted.account, declared=declared)
    names = wanted.given.fields - TABLES
    return replace(present, declared=declared, **_values(wanted.account, names))


def _values(one: object, names: Iterable[str]) -> dict[str, Any]:
    return {name: getattr(one, name) for name in names}


def _declared(wanted: Wanted, present: AccountSpec, removal: Removal) -> dict[str, Any]:
    """The sections that are kept with the account, each of the file or as it was."""
    file = wanted.account.declared
    sections = {
        name: (file if name in wanted.given.fields else present.declared).get(name)
        for name in SECTIONS
    }
    if "forms" in wanted.given.fields and removal is Removal.KEEP:
        sections["forms"] = _joined(file, present.declared, "forms", "id")
    sections["invoices"] = _joined(file, present.declared, "invoices", "number")
    if removal is Removal.KEEP:
        sections["subscription"] = sections["subscription"] or present.declared.get("subscription")
    return {name: section for name, section in sections.items() if section}


def _joined(
    file: dict[str, Any], present: dict[str, Any], section: str, key: str
) -> list[dict[str, Any]]:
    """The file's entries of a section, and those that it does not name."""
    return _with_others(file.get(section, []), present.get(section, []), lambda one: one[key])


def _with_others(named: Sequence[T], present: Sequence[T], key: Callable[[T], object]) -> list[T]:
    names = {key(one) for one in named}
    return [*named, *(one for one in present if key(one) not in names)]


def _numbers(wanted: Wanted, present: list[NumberSpec], removal: Removal) -> list[NumberSpec]:
    if "numbers" not in wanted.given.fields:
        return present
    known = {one.number: one for one in present}
    planned = [
        replace(known[spec.number], **_values(spec, names))
        if spec.number in known and removal is not Removal.PRUNE
        else spec
        for spec, names in zip(wanted.numbers, wanted.given.numbers, strict=True)
    ]
    if removal is Removal.KEEP:
        return _with_others(planned, present, lambda one: one.number)
    return planned


def _templates(wanted: Wanted, present: list[Template], removal: Removal) -> list[Template] | None:
    if wanted.templates is None:
        return None
    if "templates" not in wanted.given.fields:
        return present
    if removal is Removal.KEEP:
        return _with_others(wanted.templates, present, lambda one: (one.name, one.language))
    return wanted.templates


def find_oddities(state: State) -> list[str]:
    """What may be meant. The account's own templates should exist; readiness reports it too."""
    if state.templates is None:
        return []
    account, found = state.account, []
    names = {template.name for template in state.templates}
    if account.default_template is not None and account.default_template not in names:
        found.append(
            f'{account.name}.defaultTemplate names no template "{account.default_template}"'
        )
    passcodes = {one.name for one in state.templates if one.category == "AUTHENTICATION"}
    if account.otp_template is not None and account.otp_template not in passcodes:
        found.append(
            f'{account.name}.otpTemplate names no AUTHENTICATION template "{account.otp_template}"'
        )
    return found
