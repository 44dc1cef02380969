"""POST /messages/rich, black box: which buttons it takes (4.4)."""

from typing import Any

import pytest

from tests.support.media import require_refused
from tests.support.names import named
from tests.support.rich import MAYBE, NO, OPEN, YES, require_nothing_left, send
from tests.support.service import TestAccount
from tests.support.text import MISSING


@pytest.mark.parametrize(
    ("buttons", "field"),
    [
        (MISSING, "buttons"),
        (None, "buttons"),
        ([], "buttons"),
        ({"id": "yes", "text": "Yes"}, "buttons"),
        ("Yes", "buttons"),
        ([YES, NO, MAYBE, {"id": "x", "text": "X"}], "buttons"),
        ([OPEN, {"text": "Other", "url": "https://example.com"}], "buttons"),
        ([YES, OPEN], "buttons"),
        ([OPEN, YES], "buttons"),
        ([YES, NO, OPEN], "buttons"),
        ([YES, {"id": "yes", "text": "Sure"}], "buttons"),
        ([YES, {"id": "sure", "text": "Yes"}], "buttons"),
        ([YES, NO, dict(YES)], "buttons"),
        (["Yes"], "buttons[0]"),
        ([YES, None], "buttons[1]"),
        ([[YES]], "buttons[0]"),
        ([{}], "buttons[0].id"),
        ([{"text": "Yes"}], "buttons[0].id"),
        ([YES, {"id": "no"}], "buttons[1].text"),
        ([{"url": "https://example.com"}], "buttons[0].text"),
        ([{"id": "", "text": "Yes"}], "buttons[0].id"),
        ([{"id": "i" * 257, "text": "Yes"}], "buttons[0].id"),
        ([{"id": 1, "text": "Yes"}], "buttons[0].id"),
        ([{"id": None, "text": "Yes"}], "buttons[0].id"),
        ([YES, {"id": "no", "text": "b" * 21}], "buttons[1].text"),
        ([{"id": "yes", "text": ""}], "buttons[0].text"),
        ([{"id": "yes", "text": "  "}], "buttons[0].text"),
        ([{"id": "yes", "text": None}], "buttons[0].text"),
        ([{"id": "yes", "text": True}], "buttons[0].text"),
        ([{"text": "b" * 21, "url": "https://example.com"}], "buttons[0].text"),
        ([{"text": " ", "url": "https://example.com"}], "buttons[0].text"),
        ([{"text": "Open", "url": 5}], "buttons[0].url"),
        ([{"text": "Open", "url": None}], "buttons[0].url"),
        ([YES | {"url": "https://example.com"}], "buttons[0].id"),
        ([YES | {"colour": "red"}], "buttons[0].colour"),
        ([YES, NO | {"payload": "x"}], "buttons[1].payload"),
        ([YES | {"type": "reply"}], "buttons[0].type"),
        ([OPEN | {"type": "url"}], "buttons[0].type"),
        ([YES | {"type": {"call": 1}}], "buttons[0].type"),
        ([YES | {"type": []}], "buttons[0].type"),
        ([YES] * 10_000, "buttons"),
    ],
    ids=lambda value: named(value)[:70],
)
def test_buttons_that_are_not_three_replies_or_one_url_are_refused(
    talking: TestAccount, buttons: Any, field: str
) -> None:
    error = require_refused(send(talking, buttons=buttons), "VALIDATION_ERROR", field)
    assert "reason" not in error
    require_nothing_left(talking)


@pytest.mark.parametrize(
    "button",
    [
        {"type": "call", "text": "Call", "phoneNumber": "972501234567"},
        {"type": "CALL", "text": "Call"},
        {"type": "Call", "id": "call", "text": "Call"},
        {"type": "phone", "text": "Call"},
        {"type": "phone_number", "text": "Call", "phone_number": "+972501234567"},
        {"type": "PHONE_NUMBER", "text": "Call", "phone_number": "+972501234567"},
        {"type": "phoneNumber", "text": "Call"},
        {"text": "Call", "phoneNumber": "972501234567"},
        {"text": "Call", "phone_number": "972501234567"},
        {"text": "Call", "phone": "972501234567"},
        {"text": "Call", "call": "972501234567"},
        {"text": "Call", "url": "https://example.com", "phoneNumber": "972501234567"},
        {"type": "copyCode", "text": "Copy", "copyCode": "SALE"},
        {"type": "copy_code", "text": "Copy", "example": "SALE"},
        {"type": "COPY_CODE", "text": "Copy", "example": "SALE"},
        {"type": "copy-code", "text": "Copy"},
        {"copyCode": "SALE"},
        {"text": "Copy", "copyCode": "SALE"},
        {"text": "Copy", "copy_code": "SALE"},
        {"id": "copy", "text": "Copy", "copyCode": None},
        {"id": "copy", "text": "Copy", "couponCode": "SALE"},
    ],
    ids=lambda value: named(value)[:70],
)
def test_call_and_copy_code_buttons_are_unsupported(
    talking: TestAccount, button: dict[str, Any]
) -> None:
    for place, buttons in ((0, [button]), (1, [YES, button])):
        answer = send(talking, buttons=buttons)
        error = require_refused(answer, "VALIDATION_ERROR", f"buttons[{place}]")
        assert error["reason"] == "unsupported"
    require_nothing_left(talking)


@pytest.mark.parametrize("name", ["copyCode", "call", "callButton"])
def test_call_and_copy_code_beside_the_buttons_are_unsupported_too(
    talking: TestAccount, name: str
) -> None:
    error = require_refused(send(talking, **{name: "SALE"}), "VALIDATION_ERROR", name)
    if name == "copyCode":
        assert error["reason"] == "unsupported"


BAD_URLS = ["http://example.com", "https://localhost/", "https://10.0.0.1/", "ftp://example.com"]
BAD_URLS += ["javascript:alert(1)", "tel:+972501234567", "", "example.com", "https://exa mple.com"]
BAD_URLS += [
    "https://user:secret@example.com/",
    "https://example.com/" + "a" * 2048,
    "https://[::1]/",
]


@pytest.mark.parametrize("url", BAD_URLS, ids=lambda url: named(url[:30]))
def test_a_url_that_is_not_https_on_a_public_host_is_invalid(
    talking: TestAccount, url: str
) -> None:
    answer = send(talking, buttons=[{"text": "Open", "url": url}])
    require_refused(answer, "INVALID_URL", "buttons[0].url")
    require_nothing_left(talking)
