"""A refusal, and what the caller is shown of it (2.1)."""

from tidings.errors import ApiError, Code
from tidings.features.feedback.rules import FeedbackCode


def test_a_refusal_without_words_says_the_condition() -> None:
    refusal = ApiError(Code.UNAUTHORIZED)
    assert refusal.error() == {
        "code": "UNAUTHORIZED",
        "message": "the x-api-key header is missing",
    }


def test_a_refusal_carries_its_field_and_further_fields_by_their_wire_names() -> None:
    refusal = ApiError(
        FeedbackCode.ALREADY_SENT,
        "sent before",
        field="to",
        previousSendAt="2026-01-01T12:00:00.000Z",
    )
    assert refusal.error() == {
        "code": "ALREADY_SENT",
        "message": "sent before",
        "field": "to",
        "previousSendAt": "2026-01-01T12:00:00.000Z",
    }


def test_the_wait_is_for_the_header_and_not_in_the_body() -> None:
    refusal = ApiError(Code.RATE_LIMIT_EXCEEDED, retry_after=7)
    assert refusal.retry_after == 7
    assert refusal.error().keys() == {"code", "message"}


def test_a_refusal_reads_well_in_a_trace() -> None:
    assert str(ApiError(Code.INVALID_URL, "url must be https")) == "INVALID_URL: url must be https"
