"""Reads the account file (contract.md, "Running it"). Pure.

TOML text goes in; the declared accounts come out, or every error of the file at once.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from .declare import fields_of
from .format import AccountEntry
from .rules import check_accounts
from .specs import DeclaredAccount, to_specs
from .tables import Diagnostics, Invalid, Problem, read_table


class FileRefused(Exception):
    """The file cannot be applied, because of these errors."""

    def __init__(self, errors: list[str]) -> None:
        self.errors = errors
        super().__init__("\n".join(errors))


class ValuesRefused(Exception):
    """These values of one account cannot be taken."""

    def __init__(self, problems: list[Problem]) -> None:
        self.problems = problems
        super().__init__("\n".join(map(str, problems)))


@dataclass(frozen=True, slots=True)
class Declaration:
    """A whole file, ready to be applied."""

    accounts: list[DeclaredAccount]
    warnings: list[str]


def read_file(content: str, env: Mapping[str, str], *, allow_private: bool) -> Declaration:
    """What the file declares. `env` holds the tokens it refers to as env:NAME."""
    found = Diagnostics()
    tables = _find_tables(_decode(content), found)
    entries = _read_entries(tables, found)
    check_accounts(entries, found, allow_private=allow_private)
    accounts = [
        to_specs(entry, table=tables[path], path=path, env=env, found=found)
        for path, entry in entries.items()
    ]
    if found.errors:
        raise FileRefused(found.errors)
    return Declaration(accounts, found.warnings)


def read_account(
    table: Mapping[str, Any], *, cleared: frozenset[str], allow_private: bool
) -> DeclaredAccount:
    """One account from a table of values, for a form or a command: the rules are the file's.

    `cleared` fields get their defaults; TOML cannot say that. The paths of problems are the fields'
    names alone.
    """
    found = Diagnostics()
    entries = _read_entries({"": table}, found)
    check_accounts(entries, found, allow_private=allow_private)
    declared = [
        to_specs(entry, table=table, path=path, env={}, found=found)
        for path, entry in entries.items()
    ]
    if found.problems:
        raise ValuesRefused(
            [replace(one, path=one.path.removeprefix(".")) for one in found.problems]
        )
    [account] = declared
    names = frozenset(one.attribute for one in fields_of(AccountEntry) if one.name in cleared)
    return replace(account, fields_set=account.fields_set | names)


def _decode(content: str) -> dict[str, object]:
    try:
        # Decimal: a percentage such as 17.1 must not pass through a float.
        return tomllib.loads(content, parse_float=Decimal)
    except tomllib.TOMLDecodeError as reason:
        raise FileRefused([f"the file is not TOML: {reason}"]) from None


def _find_tables(table: dict[str, object], found: Diagnostics) -> dict[str, Any]:
    """The accounts of the file by their paths, unread."""
    for name in table.keys() - {"accounts"}:
        found.unknown_field(name, ["accounts"])
    tables = table.get("accounts")
    if not isinstance(tables, list) or not tables:
        found.error("accounts", "is missing: the file must hold at least one [[accounts]] table")
        return {}
    return {f"accounts[{index}]": one for index, one in enumerate(tables)}


def _read_entries(tables: Mapping[str, Any], found: Diagnostics) -> dict[str, AccountEntry]:
    """The valid accounts: an invalid one must not hide the errors of the others."""
    entries = {}
    for path, table in tables.items():
        try:
            entries[path] = read_table(
                AccountEntry, _without_empty_subscription(table), path, found
            )
        except Invalid:
            continue
    return entries


def _without_empty_subscription(table: object) -> object:
    """An empty `subscription` asks for its removal, and has no fields to read."""
    if isinstance(table, dict) and table.get("subscription") == {}:
        return {name: value for name, value in table.items() if name != "subscription"}
    return table
