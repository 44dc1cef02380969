"""What an answer must be."""

from typing import Any

import httpx


def refused(answer: httpx.Response, status: int, code: str, **more: Any) -> dict[str, Any]:
    """The error of an answer, which has this code and more: `field="to"`; `field=None` is none."""
    assert answer.status_code == status, answer.text
    error: dict[str, Any] = answer.json()["error"]
    expected = {"code": code, **more}
    assert {name: error.get(name) for name in expected} == expected, error
    return error
