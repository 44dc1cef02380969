"""Refusals of the API in the reader's language."""

import pytest

from tests.support.portal import signed_in
from tests.support.service import TestAccount
from tidings.errors import ApiError, Code, ErrorCode
from tidings.features.billing.rules import BillingCode
from tidings.portal.explanations import explain

HEBREW = "א", "ת"


def is_hebrew(text: str) -> bool:
    return any(HEBREW[0] <= sign <= HEBREW[1] for sign in text)


@pytest.mark.parametrize(
    ("code", "field"),
    [
        (Code.INVALID_PHONE, "to"),
        (Code.INVALID_URL, "webhookUrl"),
        (BillingCode.QUOTA_EXHAUSTED, None),
        (Code.VALIDATION_ERROR, "overlap"),
    ],
)
def test_a_refusal_is_explained_in_hebrew(code: ErrorCode, field: str | None) -> None:
    refusal = ApiError(code, 'must be another, got "this"', field=field)
    assert explain(refusal, "en") == 'must be another, got "this"'
    assert is_hebrew(explain(refusal, "he"))


def test_what_has_no_words_is_said_in_english() -> None:
    refusal = ApiError(Code.VALIDATION_ERROR, "pages must be odd", field="pages")
    assert explain(refusal, "he") == "pages must be odd"


def test_a_refused_form_speaks_the_language_of_its_page(account: TestAccount) -> None:
    visitor = signed_in(account)
    visitor.get(visitor.get("/keys").links()["עברית"])
    page = visitor.submit(visitor.get("/keys"), "יצירת מפתח", raw={"name": "x" * 300})
    assert page.status == 422
    assert page.errors and all(is_hebrew(error) for error in page.errors)
