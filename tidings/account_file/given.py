"""What a file gives; what it leaves out is left alone (contract2.md, C and E). Pure."""

from dataclasses import dataclass

from .fields import given_fields
from .format import AccountEntry, Number


@dataclass(frozen=True, slots=True)
class Given:
    """Names of the fields that an account's table has, and those of each of its numbers."""

    fields: frozenset[str]
    numbers: tuple[frozenset[str], ...]


def read_given(table: object) -> Given:
    """Of a table that was read without a fault."""
    assert isinstance(table, dict)
    numbers = table.get("numbers", [])
    return Given(
        given_fields(AccountEntry, table),
        tuple(given_fields(Number, number) for number in numbers),
    )


def without_empty(table: object) -> object:
    """The table without an empty `subscription`, which asks for its removal and has no fields."""
    if isinstance(table, dict) and table.get("subscription") == {}:
        return {name: value for name, value in table.items() if name != "subscription"}
    return table
