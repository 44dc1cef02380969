"""The changes from an account's current state to its plan, as lines for the operator. Pure.

No line shows a secret: of keys, signing secrets and access tokens it says only that they changed,
and the query string of a URL is left out.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, is_dataclass
from datetime import datetime, time
from enum import Enum
from typing import Any

from msgspec.json import encode

from tidings import times
from tidings.features.accounts.model import AccountSpec

from .plan import State

Values = Mapping[str, Any]

SECRETS = frozenset({"accessToken"})
NOT_SETTINGS = frozenset({"name", "environment", "declared", "api_key", "signing_secret"})
RENAMED = {"opens": "from", "closes": "to"}  # of a send window
ACCOUNT = "account"  # what a new account's first change is called
SHOWN_MAX = 60
BRIEF = ("template", "form", "invoice")  # only the names of their changed fields are listed


class Op(Enum):
    ADD = "+"
    CHANGE = "~"
    REMOVE = "-"


@dataclass(frozen=True, slots=True)
class Change:
    """`what` is a setting, or an entry of a table such as `number 972555000001` (`is_entry`)."""

    op: Op
    account: str
    what: str
    detail: str = ""
    is_entry: bool = False

    @property
    def summary(self) -> str:
        """Before and after on one short line, without `what`."""
        word = {Op.ADD: "added", Op.CHANGE: "changed", Op.REMOVE: "removed"}[self.op]
        if self.is_entry or self.op is not Op.CHANGE:
            return f"{word} {self.detail}".rstrip()
        return self.detail

    def __str__(self) -> str:
        return " ".join(part for part in (f"{self.account}:", self.what, self.detail) if part)


def compare(before: State | None, after: State) -> list[Change]:
    """Every difference, none where the plan equals the current state."""
    name, environment = after.account.name, after.account.environment
    found: list[Change] = []
    if before is None:
        found.append(Change(Op.ADD, name, ACCOUNT, f"({environment})", is_entry=True))
    was = before or State(AccountSpec(name=name, environment=environment), [], [])
    found += _settings(name, _flat(was.account), _flat(after.account), is_new=before is None)
    found += _order(name, was, after)
    return found + _entries(name, _tables(was), _tables(after))


def find_removed(changes: Iterable[Change]) -> list[Change]:
    """Removed entries of tables, which need `--prune`."""
    return [one for one in changes if one.op is Op.REMOVE and one.is_entry]


def _settings(name: str, before: Values, after: Values, *, is_new: bool) -> list[Change]:
    found = []
    for setting in sorted(before.keys() | after.keys()):
        old, new = before.get(setting), after.get(setting)
        if old == new:
            continue
        op = _op(None if is_new else old, new)
        found.append(Change(op, name, setting, _detail(setting, old, new, op)))
    return found


def _op(old: object, new: object) -> Op:
    return Op.ADD if old is None else Op.REMOVE if new is None else Op.CHANGE


def _detail(field: str, old: object, new: object, op: Op) -> str:
    if field in SECRETS:
        return {Op.ADD: "set", Op.CHANGE: "changed", Op.REMOVE: "removed"}[op]
    if op is Op.ADD:
        return shown(new)
    if op is Op.REMOVE:
        return f"(was {shown(old)})"
    if shown(old) == shown(new):
        return "changed"
    return f"{shown(old)} -> {shown(new)}"


def _order(name: str, before: State, after: State) -> list[Change]:
    """The order of numbers is their order of preference."""
    old, new = [[one.number for one in state.numbers] for state in (before, after)]
    kept_old, kept_new = [one for one in old if one in new], [one for one in new if one in old]
    if kept_old == kept_new:
        return []
    detail = f"{', '.join(kept_old)} -> {', '.join(kept_new)}"
    return [Change(Op.CHANGE, name, "order of numbers", detail)]


def _entries(name: str, before: Mapping[str, Values], after: Mapping[str, Values]) -> list[Change]:
    found = [Change(Op.ADD, name, label, is_entry=True) for label in after if label not in before]
    for label in (one for one in after if one in before):
        found += _fields(name, label, before[label], after[label])
    gone = (label for label in before if label not in after)
    return found + [Change(Op.REMOVE, name, label, is_entry=True) for label in gone]


def _fields(name: str, label: str, before: Values, after: Values) -> list[Change]:
    changed = {
        field: (before.get(field), after.get(field))
        for field in [*after, *(one for one in before if one not in after)]
        if before.get(field) != after.get(field)
    }
    if not changed:
        return []
    if label.startswith(BRIEF):
        return [Change(Op.CHANGE, name, label, f"({', '.join(changed)})")]
    return [
        Change(_op(*pair), name, f"{label} {field}", _detail(field, *pair, _op(*pair)))
        for field, pair in changed.items()
    ]


def _flat(account: AccountSpec) -> dict[str, Any]:
    """The settings by their names in the file; nested ones as `partner.creditLimit`."""
    flat: dict[str, Any] = {}
    for field in fields(account):
        value = getattr(account, field.name)
        if field.name in NOT_SETTINGS:
            continue
        if is_dataclass(value) and not isinstance(value, type):
            parts = _named(asdict(value))
            flat |= {f"{to_camel(field.name)}.{part}": each for part, each in parts.items()}
        else:
            flat[to_camel(field.name)] = value
    return flat


def _tables(state: State) -> dict[str, dict[str, Any]]:
    """Every entry of every table, by its label."""
    declared = state.account.declared
    tables = {f"number {one.number}": _named(asdict(one)) for one in state.numbers}
    for template in state.templates or ():
        label = f"template {template.name} ({template.language})"
        tables[label] = _named(asdict(template))
    tables |= {f"form {one['id']}": one for one in declared.get("forms", ())}
    tables |= {f"invoice {one['number']}": one for one in declared.get("invoices", ())}
    if "subscription" in declared:
        tables["subscription"] = declared["subscription"]
    return tables


def _named(values: Mapping[str, Any]) -> dict[str, Any]:
    return {to_camel(name): value for name, value in values.items()}


def to_camel(name: str) -> str:
    first, *others = name.split("_")
    return RENAMED.get(name) or first + "".join(part.capitalize() for part in others)


def shown(value: object) -> str:
    """A value on one short line. Of a list only the length: an allowlist holds people's numbers."""
    if isinstance(value, bool):
        return str(value).lower()
    if value is None or value == "":
        return "none"
    if isinstance(value, datetime):
        return times.to_wire(value)
    if isinstance(value, time):
        return value.strftime("%H:%M")
    if isinstance(value, Sequence | frozenset) and not isinstance(value, str):
        return f"{len(value)} entries" if len(value) != 1 else "1 entry"
    text = value if isinstance(value, str) else encode(value).decode()
    return _shortened(text)


def _shortened(text: str) -> str:
    address, mark, _ = text.partition("?")
    if "://" in address and mark:
        text = f"{address}?…"
    return text if len(text) <= SHOWN_MAX else f"{text[: SHOWN_MAX - 1]}…"
