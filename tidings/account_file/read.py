"""Reads the file of `tidings apply` (contract.md, "Running it"). Pure.

A TOML text goes in; what the service is to be comes out, or every fault of the file at once.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from .fields import Faults, Faulty, note_unknown, read_struct
from .format import AccountEntry
from .given import read_given, without_empty
from .rules import check_accounts
from .specs import Wanted, read_wanted


class FileRefused(Exception):
    """The file cannot be applied. `errors` names every fault."""

    def __init__(self, errors: list[str]) -> None:
        self.errors = errors
        super().__init__("\n".join(errors))


@dataclass(frozen=True, slots=True)
class Declaration:
    """A whole file, ready to be applied."""

    accounts: list[Wanted]
    warnings: list[str]


def read_file(content: str, env: Mapping[str, str], *, allow_private: bool) -> Declaration:
    """What the file asks for. `env` holds the tokens it refers to as env:NAME."""
    faults = Faults()
    tables = _find_tables(_decode(content), faults)
    entries = _read_entries(tables, faults)
    given = {path: read_given(tables[path]) for path in entries}
    check_accounts(entries, faults, allow_private=allow_private)
    accounts = [
        read_wanted(entry, given[path], path, env, faults) for path, entry in entries.items()
    ]
    if faults.errors:
        raise FileRefused(faults.errors)
    return Declaration(accounts, faults.warnings)


def _decode(content: str) -> dict[str, object]:
    try:
        # Decimal: a percentage such as 17.1 must not pass through a float.
        return tomllib.loads(content, parse_float=Decimal)
    except tomllib.TOMLDecodeError as reason:
        raise FileRefused([f"the file is not TOML: {reason}"]) from None


def _find_tables(table: dict[str, object], faults: Faults) -> dict[str, object]:
    """The accounts of the file by their paths, unread."""
    for name in table.keys() - {"accounts"}:
        note_unknown(name, "", ["accounts"], faults)
    tables = table.get("accounts")
    if not isinstance(tables, list) or not tables:
        faults.add("accounts", "is missing: the file must hold at least one [[accounts]] table")
        return {}
    return {f"accounts[{index}]": one for index, one in enumerate(tables)}


def _read_entries(tables: dict[str, object], faults: Faults) -> dict[str, AccountEntry]:
    """The sound accounts: a faulty one must not hide what is wrong with its neighbours."""
    entries = {}
    for path, table in tables.items():
        try:
            entries[path] = read_struct(AccountEntry, without_empty(table), path, faults)
        except Faulty:
            continue
    return entries
