"""docs/account-file.md: the reference page of the account file. Pure.

The tables are generated from `format.py`; a test keeps the page in step.
"""

from collections.abc import Iterator

import msgspec

from .declare import Field, ListOf, Rule, Table, fields_of
from .format import AccountEntry

INTRODUCTION = """\
# The account file

`tidings apply accounts.toml` makes the service match a TOML file of accounts. This page lists its
fields; [Accounts](operating/accounts.md#accounts-in-a-file) explains what `apply` adds and removes.

This page and [its JSON Schema](account-file.schema.json) are generated from the code:

```sh
tidings apply --reference > docs/account-file.md
tidings apply --schema > docs/account-file.schema.json
```

## In an editor

Editors with a TOML language server (Taplo, Even Better TOML) complete, describe and check the
fields. Save the schema beside the file, and name it in the first line:

```toml
#:schema ./account-file.schema.json

[[accounts]]
name = "acme"
environment = "sandbox"

[[accounts.numbers]]
number = "972555000001"
```

The schema covers each field on its own. `tidings apply accounts.toml --diff` checks everything,
such as names that must be unique, and changes nothing.
"""


def page() -> str:
    return INTRODUCTION + "".join(_sections(AccountEntry, "accounts", is_list=True))


def _sections(table: type[Table], path: str, *, is_list: bool) -> Iterator[str]:
    """The section of a table, then those of the tables in it."""
    fields = fields_of(table)
    yield "\n".join(
        [
            f"\n## `{f'[[{path}]]' if is_list else f'[{path}]'}`",
            f"\n{table.__doc__}",
            "\n| field | value | default | |",
            "|---|---|---|---|",
            *(_row(one, path) for one in fields),
            "",
        ]
    )
    for one in fields:
        shape = one.shape.items if isinstance(one.shape, ListOf) else one.shape
        if not isinstance(shape, Rule):
            is_inner_list = isinstance(one.shape, ListOf)
            yield from _sections(shape, f"{path}.{one.name}", is_list=is_inner_list)


def _row(field: Field, path: str) -> str:
    cells = f"`{field.name}`", _value(field, path), _default(field), field.description
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _value(field: Field, path: str) -> str:
    is_list = isinstance(field.shape, ListOf)
    shape = field.shape.items if isinstance(field.shape, ListOf) else field.shape
    if isinstance(shape, Rule):
        if "enum" in shape.schema:
            return ", ".join(f"`{choice}`" for choice in shape.schema["enum"])
        return f"a list, each {shape.says}" if is_list else shape.says
    anchor = f"{path}.{field.name}".replace(".", "").lower()
    return f"[{'a list of tables' if is_list else 'a table'}](#{anchor})"


def _default(field: Field) -> str:
    if field.required:
        return "required"
    if field.default in (None, [], ""):
        return ""
    return f"`{msgspec.json.encode(field.default).decode()}`".replace('"', "")
