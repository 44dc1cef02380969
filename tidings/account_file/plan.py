"""Plans what an account becomes: the file's values over its current state. Pure.

A setting that the file leaves out stays, and gets its default with `--prune`. A table that it does
not have (numbers, templates, forms, invoices, subscription) stays in any case; one that it has is
the complete table (contract2.md, C and E).
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any, TypeVar
from uuid import UUID

from tidings.features.accounts.model import AccountSpec
from tidings.features.senders.model import NumberSpec
from tidings.features.templates.model import Template

from .specs import DeclaredAccount

T = TypeVar("T")

SECTIONS = ("subscription", "forms", "invoices")  # stored in `AccountSpec.declared`
TABLES = frozenset({*SECTIONS, "numbers", "templates"})


class Removal(Enum):
    """What to do about existing entries that a table of the file leaves out."""

    REFUSE = "refuse"
    PRUNE = "prune"  # settings that are left out get their defaults, too
    KEEP = "keep"


@dataclass(frozen=True, slots=True)
class State:
    """One account, current or planned. `templates` is None for a live account: the platform has
    them. `invoices` are those of the file only, since invoices are only added and amended. `id` is
    that of an account that exists."""

    account: AccountSpec
    numbers: list[NumberSpec]
    templates: list[Template] | None
    invoices: Sequence[Any] = ()
    id: UUID | None = None


def merge(declared: DeclaredAccount, current: State | None, removal: Removal) -> State:
    """The planned account. With `Removal.REFUSE` the plan may remove entries: the caller checks."""
    if current is None:
        current = State(AccountSpec(name="", environment=""), [], [])
    return State(
        account=_account(declared, current.account, removal),
        numbers=_numbers(declared, current.numbers, removal),
        templates=_templates(declared, current.templates or [], removal),
        invoices=declared.account.declared.get("invoices", ()),
    )


def _account(declared: DeclaredAccount, current: AccountSpec, removal: Removal) -> AccountSpec:
    sections = _sections(declared, current, removal)
    if removal is Removal.PRUNE or not current.name:
        # An account always belongs to an organisation: it stays where the file names none.
        organisation = declared.account.organisation or current.organisation
        return replace(declared.account, declared=sections, organisation=organisation)
    names = declared.fields_set - TABLES
    return replace(current, declared=sections, **_values(declared.account, names))


def _values(one: object, names: Iterable[str]) -> dict[str, Any]:
    return {name: getattr(one, name) for name in names}


def _sections(declared: DeclaredAccount, current: AccountSpec, removal: Removal) -> dict[str, Any]:
    """The sections stored with the account: from the file, or as they are."""
    file = declared.account.declared
    sections = {
        name: (file if name in declared.fields_set else current.declared).get(name)
        for name in SECTIONS
    }
    if "forms" in declared.fields_set and removal is Removal.KEEP:
        sections["forms"] = _joined(file, current.declared, "forms", "id")
    sections["invoices"] = _joined(file, current.declared, "invoices", "number")
    if removal is Removal.KEEP:
        sections["subscription"] = sections["subscription"] or current.declared.get("subscription")
    return {name: section for name, section in sections.items() if section}


def _joined(
    file: dict[str, Any], current: dict[str, Any], section: str, key: str
) -> list[dict[str, Any]]:
    """The file's entries of a section, and the current ones that it leaves out."""
    return _with_others(file.get(section, []), current.get(section, []), lambda one: one[key])


def _with_others(named: Sequence[T], current: Sequence[T], key: Callable[[T], object]) -> list[T]:
    names = {key(one) for one in named}
    return [*named, *(one for one in current if key(one) not in names)]


def _numbers(
    declared: DeclaredAccount, current: list[NumberSpec], removal: Removal
) -> list[NumberSpec]:
    if "numbers" not in declared.fields_set:
        return current
    known = {one.number: one for one in current}
    planned = [
        replace(known[spec.number], **_values(spec, names))
        if spec.number in known and removal is not Removal.PRUNE
        else spec
        for spec, names in zip(declared.numbers, declared.number_fields_set, strict=True)
    ]
    if removal is Removal.KEEP:
        return _with_others(planned, current, lambda one: one.number)
    return planned


def _templates(
    declared: DeclaredAccount, current: list[Template], removal: Removal
) -> list[Template] | None:
    if declared.templates is None:
        return None
    if "templates" not in declared.fields_set:
        return current
    if removal is Removal.KEEP:
        return _with_others(declared.templates, current, lambda one: (one.name, one.language))
    return declared.templates


def find_warnings(state: State) -> list[str]:
    """Templates that the account names and does not have; readiness reports them too."""
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
