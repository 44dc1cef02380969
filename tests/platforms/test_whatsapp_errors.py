"""Reading the platform's errors, whatever shape they come in."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tidings.platforms.whatsapp.graph_errors import (
    RETRY_AFTER_HEADER,
    USAGE_HEADER,
    GraphError,
    find_error,
    find_retry_after,
    parse_object,
)

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)

ERRORS = {
    "whole": (
        {"code": 100, "error_subcode": 33, "message": "m", "fbtrace_id": "A1"},
        GraphError(100, 33, "m", "A1"),
    ),
    "details beat the message": (
        {"code": 131030, "message": "m", "error_data": {"details": "not on the list"}},
        GraphError(131030, None, "not on the list"),
    ),
    "error_data as a plain string": (
        {"code": 131008, "error_data": "to is missing"},
        GraphError(131008, None, "to is missing"),
    ),
    "code zero": ({"code": 0, "message": "AuthException"}, GraphError(0, None, "AuthException")),
    "numbers as text": ({"code": "190", "error_subcode": "463"}, GraphError(190, 463)),
    "odd parts": (
        {"code": 1, "error_subcode": None, "message": 5, "error_data": [], "fbtrace_id": {}},
        GraphError(1),
    ),
}


@pytest.mark.parametrize("name", ERRORS)
def test_an_error_is_read(name: str) -> None:
    given_, expected = ERRORS[name]
    assert find_error({"error": given_}) == expected


@pytest.mark.parametrize(
    "answer",
    [None, {}, {"error": None}, {"error": "no"}, {"error": []}, {"error": {}}]
    + [{"error": {"code": code}} for code in (None, "x", True, 1.5, [], "-1", "９")],
    ids=str,
)
def test_without_a_code_it_is_no_error_of_the_platforms(answer: dict[str, object] | None) -> None:
    assert find_error(answer) is None


@given(st.dictionaries(st.sampled_from(["error", "data"]), JSON))
def test_no_json_breaks_the_reader(answer: dict[str, object]) -> None:
    found = find_error(answer)
    assert found is None or isinstance(found.code, int)


@pytest.mark.parametrize("body", [b"[" * 50_000, b'{"a":' * 50_000])
def test_what_is_nested_too_deep_is_no_answer(body: bytes) -> None:
    assert parse_object(body) is None
    assert find_retry_after({USAGE_HEADER: body.decode()}) is None


@given(st.binary())
def test_no_bytes_break_the_parser(body: bytes) -> None:
    assert parse_object(body) is None or isinstance(parse_object(body), dict)


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        *[("17", 17), (" 60 ", 60), ("86400", 86400), ("0", None), ("86401", None), ("-5", None)],
        *[("soon", None), ("", None), ("1e3", None), ("９", None), ("1" * 400, None)],
        ("Wed, 21 Oct 2026 07:28:00 GMT", None),
    ],
)
def test_retry_after_is_taken_when_it_is_sane(header: str, seconds: int | None) -> None:
    wait = None if seconds is None else timedelta(seconds=seconds)
    assert find_retry_after({RETRY_AFTER_HEADER: header}) == wait


def usage(*minutes: object) -> dict[str, str]:
    entries = ",".join(
        f'{{"type":"whatsapp","call_count":100,"estimated_time_to_regain_access":{each}}}'
        for each in minutes
    )
    return {USAGE_HEADER: f'{{"2077":[{entries}]}}'}


def test_the_call_budget_says_when_calls_are_allowed_again() -> None:
    assert find_retry_after(usage(0, 12, 3)) == timedelta(minutes=12)
    assert find_retry_after(usage(0)) is None
    assert find_retry_after({}) is None


@pytest.mark.parametrize("minutes", ["null", '"x"', "-4", "1e9", "99999999", "[]"])
def test_a_budget_that_makes_no_sense_is_passed_over(minutes: str) -> None:
    assert find_retry_after(usage(minutes)) is None


@pytest.mark.parametrize("text", ["[]", "{", '{"a":1}', '{"a":[1]}', '{"a":[{}]}', "\ud800"])
def test_a_usage_header_of_any_shape_is_survived(text: str) -> None:
    assert find_retry_after({USAGE_HEADER: text}) is None


@given(st.dictionaries(st.sampled_from([RETRY_AFTER_HEADER, USAGE_HEADER]), st.text()))
def test_no_header_breaks_the_reader(headers: dict[str, str]) -> None:
    wait = find_retry_after(headers)
    assert wait is None or timedelta(0) < wait <= timedelta(days=1)
