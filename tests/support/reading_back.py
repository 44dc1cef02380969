"""Lists of the API, read to their end."""

from typing import Any

from tests.support.service import TestAccount


def read_page(account: TestAccount, path: str, **query: object) -> tuple[list[Any], str | None]:
    answer = account.get(path, params={name: str(value) for name, value in query.items()})
    assert answer.status_code == 200, answer.text
    whole = answer.json()
    return whole["data"], whole["nextCursor"]


def read_all(account: TestAccount, path: str, **query: object) -> list[Any]:
    """Every item, page after page."""
    found, cursor = read_page(account, path, **query)
    while cursor is not None:
        page, cursor = read_page(account, path, cursor=cursor, **query)
        found += page
    return found
