"""Values and counts in the texts of refusals: quoted, shortened, harmless."""

from typing import Annotated

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Meta, inspect

from tests.rules.test_template_rules import template
from tidings import times, urls
from tidings.engine.http.rules import rule_of
from tidings.errors import ApiError
from tidings.features.messages.request.fields import require_id, require_payloads
from tidings.features.partner.rules import require_amount, require_quantity
from tidings.features.senders.number_selection import require_own, require_policy
from tidings.features.templates.rules import require_params
from tidings.wording import SHOWN_CHARS_MAX, counted, quote


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("+972 50", '"+972 50"'),
        ("", '""'),
        ("שלום", '"שלום"'),
        ('a"b\\c', '"a\\"b\\\\c"'),
        ("a\r\nb\x00\x1b[31m", '"a\\r\\nb\\x00\\x1b[31m"'),
        ("\u202egnp.exe\u200b", '"\\u202egnp.exe\\u200b"'),
        ("x" * 41, '"' + "x" * 40 + '…" (41 characters)'),
        ("x" * 5000, '"' + "x" * 40 + '…" (5,000 characters)'),
    ],
)
def test_a_value_is_quoted(text: str, shown: str) -> None:
    assert quote(text) == shown


@given(st.text())
def test_a_quoted_value_is_short_and_printable(text: str) -> None:
    assert quote(text).isprintable()
    assert len(quote(text)) <= SHOWN_CHARS_MAX * 10 + 30


def test_one_is_singular() -> None:
    words = [counted(number, "variable") for number in (0, 1, 2, 1000)]
    assert words == ["0 variables", "1 variable", "2 variables", "1,000 variables"]


@pytest.mark.parametrize(
    ("meta", "rule"),
    [
        (Meta(max_length=1), "at most 1 character"),
        (Meta(min_length=1), "at least 1 character"),
        (Meta(min_length=1, max_length=1), "of 1 character"),
        (Meta(min_length=1, max_length=2), "1 to 2 characters"),
        (Meta(min_length=2), "at least 2 characters"),
    ],
)
def test_the_rule_of_a_field_counts_alike(meta: Meta, rule: str) -> None:
    assert rule_of(inspect.type_info(Annotated[str, meta])).endswith(rule)


def test_a_template_of_one_variable_takes_1_variable() -> None:
    with pytest.raises(ApiError, match="takes 1 variable, got 2"):
        require_params(template(body="Hello {{1}}"), ["a", "b"])


@pytest.mark.parametrize(
    ("refuse", "got"),
    [
        (lambda: require_policy("strictly"), '"strictly"'),
        (lambda: require_own([], "972555000009"), '"972555000009"'),
        (lambda: require_id("a\tb-00001"), '"a\\tb-00001"'),
        (lambda: require_payloads(["x" * 129], "buttonPayloads"), "(129 characters)"),
        (lambda: require_payloads(["x"] * 11, "buttonPayloads"), "11"),
        (lambda: times.require("tomorrow", "deadline"), '"tomorrow"'),
        (lambda: urls.require_public("http://a.example/x", "url"), '"http://a.example/x"'),
        (lambda: require_quantity(0), "0"),
        (lambda: require_quantity("ten"), '"ten"'),
        (lambda: require_amount("1.234", "ILS"), '"1.234"'),
    ],
)
def test_a_refusal_quotes_what_came(refuse, got: str) -> None:
    with pytest.raises(ApiError) as refusal:
        refuse()
    assert refusal.value.message.partition(", got ")[2].endswith(got)


@pytest.mark.parametrize(
    "url",
    [
        "https://dana:hunter2@example.com/x", "https:dana:hunter2@example.com",
        "https://dana:hun/hunter2@example.com", "dana:hunter2@example.com",
        "http://example.com/x?token=hunter2", "https://dana:\nhunter2@example.com",
    ],
)  # fmt: skip
def test_a_refused_url_is_quoted_without_what_may_be_secret(url: str) -> None:
    with pytest.raises(ApiError) as refusal:
        urls.require_public(url, "url")
    assert "hunter2" not in refusal.value.message
    assert "example.com" in refusal.value.message
