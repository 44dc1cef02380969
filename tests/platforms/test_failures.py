"""Every platform error code: what it asks of us, in which words, and how long to wait."""

import re
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tidings.platforms.failure_table import TABLE
from tidings.platforms.failures import (
    PLATFORM_UNREACHABLE,
    RECIPIENT_OPTED_OUT,
    RETRY_AFTER_MAX,
    UNDELIVERED,
    UNKNOWN_OUTCOME,
    deferral_reason,
    explain,
    wait_before_retry,
)
from tidings.platforms.port import Failure, FailureKind

# contract.md, Sending: what the platform answers decides.
CONTRACT = {
    FailureKind.NUMBER_LIMIT: {130429, 131048, 131056, 132069, 133016},
    FailureKind.ACCOUNT_LIMIT: {4, 80007, 131064},
    FailureKind.UNAVAILABLE: {1, 2, 131000, 131016, 131057, 133004},
    FailureKind.ACCOUNT_FAULT: {0, 3, 10, 190, *range(200, 300), 368, 131005, 131031, 131037}
    | {131042, 131045, 131063, 133010},
}
WAITING = {code: kind for kind, codes in CONTRACT.items() for code in codes}

# platform.md, section 7: the codes that are final, for the message or for its recipient.
FINAL = {
    FailureKind.REFUSED: {33, 100, 131008, 131009, 131021, 131047, 131051, 131052, 131053}
    | {132000, 132001, 132005, 132007, 132008, 132012, 132015, 132016, 132068, 135000}
    | {2388019, 2388023, 2388040, 2388047, 2388072, 2388073, 2388293, 2388299},
    FailureKind.RECIPIENT: {130472, 130497, 131026, 131030, 131049, 131050, 131062, 137000},
}

KNOWN = [code for rows in TABLE.values() for code in rows]
OURS = [UNKNOWN_OUTCOME, RECIPIENT_OPTED_OUT, PLATFORM_UNREACHABLE, UNDELIVERED]
failures = st.sampled_from([*map(explain, KNOWN), *OURS])


@pytest.mark.parametrize("kind", CONTRACT)
def test_the_contract_decides_what_waits_and_why(kind: FailureKind) -> None:
    assert {explain(code).kind for code in CONTRACT[kind]} == {kind}
    assert set(TABLE[kind]) == CONTRACT[kind]


@pytest.mark.parametrize("kind", FINAL)
def test_every_other_code_is_final(kind: FailureKind) -> None:
    assert {explain(code).kind for code in FINAL[kind]} == {kind}
    assert {explain(code).code for code in FINAL[kind]} & {"PLATFORM_ERROR"} == set()


@given(st.integers())
def test_no_code_waits_that_the_contract_does_not_name(code: int) -> None:
    kind = explain(code).kind
    assert kind == WAITING.get(code, kind)
    assert (deferral_reason(kind) is not None) == (code in WAITING)


def test_no_code_stands_in_two_groups() -> None:
    assert len(KNOWN) == len(set(KNOWN))


@given(failures)
def test_a_failure_has_a_stable_word_an_explanation_and_an_action(failure: Failure) -> None:
    assert re.fullmatch(r"[A-Z]+(_[A-Z]+)*", failure.code)
    for text in (failure.explanation, failure.action):
        assert text[0].isupper() and text.endswith(".") and len(text) <= 100


def test_one_word_always_means_one_kind_of_failure() -> None:
    kinds: dict[str, set[FailureKind]] = {}
    for code in KNOWN:
        failure = explain(code)
        kinds.setdefault(failure.code, set()).add(failure.kind)
    shared = {word: found for word, found in kinds.items() if len(found) > 1}
    assert shared == {}


@pytest.mark.parametrize(
    ("code", "word"),
    [
        (131026, "RECIPIENT_UNREACHABLE"),
        (131049, "WITHHELD_BY_PLATFORM"),
        (131050, "RECIPIENT_STOPPED_MARKETING"),
        (131047, "SERVICE_WINDOW_CLOSED"),
        (131053, "MEDIA_REJECTED"),
        (132000, "TEMPLATE_PARAMS_MISMATCH"),
        (132015, "TEMPLATE_PAUSED"),
        (190, "ACCESS_TOKEN_INVALID"),
        (130429, "THROUGHPUT_LIMIT"),
        (131056, "PAIR_LIMIT"),
    ],
)
def test_words_that_customers_branch_on_stay(code: int, word: str) -> None:
    assert (explain(code).code, explain(code).platform_code) == (word, code)


def test_an_unknown_code_is_refused_and_named() -> None:
    failure = explain(987654)
    assert (failure.code, failure.kind) == ("PLATFORM_ERROR", FailureKind.REFUSED)
    assert "987654" in failure.explanation


def test_a_missing_number_is_the_accounts_own_fault() -> None:
    failure = explain(100, subcode=33)
    assert (failure.code, failure.platform_code) == ("NUMBER_NOT_FOUND", 100)
    assert failure.kind is FailureKind.ACCOUNT_FAULT
    assert explain(100).kind is FailureKind.REFUSED
    assert explain(100, subcode=190).kind is FailureKind.REFUSED


def test_a_subcode_says_what_is_wrong_with_a_template() -> None:
    failure = explain(100, subcode=2388299)
    assert (failure.code, failure.platform_code) == ("TEMPLATE_VARIABLE_AT_EDGE", 100)


def test_the_platforms_own_text_follows_ours_in_one_line_of_bounded_length() -> None:
    failure = explain(132000, details="body: expected 2\n\tgot 1")
    assert failure.explanation.endswith(" The platform says: body: expected 2 got 1")
    assert len(explain(132000, details="x" * 10_000).explanation) < 500


@pytest.mark.parametrize(
    ("code", "seconds"),
    [
        (130429, [4, 16, 64, 256, 300, 300]),
        (131056, [6, 12, 18, 24, 30, 36]),
        (131057, [60, 60, 60, 60, 60, 60]),
        (131016, [5, 15, 60, 300, 900, 900]),
        (131048, [3600, 7200, 14400, 21600, 21600, 21600]),
        (4, [60, 300, 900, 3600, 3600, 3600]),
        (80007, [300, 900, 3600, 3600, 3600, 3600]),
        (132069, [3600] * 6),
    ],
)
def test_waits_grow_to_a_limit(code: int, seconds: list[int]) -> None:
    waits = [wait_before_retry(explain(code), attempt) for attempt in range(1, 7)]
    assert waits == [timedelta(seconds=each) for each in seconds]


def test_no_connection_waits_as_an_outage_does() -> None:
    assert wait_before_retry(PLATFORM_UNREACHABLE, 1) == timedelta(seconds=5)


@pytest.mark.parametrize("code", [190, 131042, 131026, 132000, 987654])
def test_no_time_is_known_where_a_person_must_act_or_nothing_will_help(code: int) -> None:
    assert wait_before_retry(explain(code), 1, timedelta(seconds=5)) is None


def test_the_platforms_own_wait_is_honoured_within_reason() -> None:
    throttled = explain(130429)
    assert wait_before_retry(throttled, 1, timedelta(seconds=90)) == timedelta(seconds=90)
    assert wait_before_retry(throttled, 1, timedelta(seconds=1)) == timedelta(seconds=4)
    assert wait_before_retry(throttled, 1, timedelta(days=4000)) == RETRY_AFTER_MAX


@given(failures, st.integers(min_value=-1, max_value=10**9))
def test_a_wait_never_shrinks_with_the_attempts_and_stays_within_a_day(
    failure: Failure, attempt: int
) -> None:
    wait, longer = (wait_before_retry(failure, n) for n in (attempt, attempt + 1))
    if wait is None or longer is None:
        assert wait is longer
    else:
        assert timedelta(0) < wait <= longer <= timedelta(days=1)


def test_the_words_of_message_deferred() -> None:
    assert {kind: deferral_reason(kind) for kind in FailureKind} == {
        FailureKind.NUMBER_LIMIT: "NUMBER_LIMIT",
        FailureKind.ACCOUNT_LIMIT: "ACCOUNT_LIMIT",
        FailureKind.UNAVAILABLE: "PLATFORM_UNAVAILABLE",
        FailureKind.ACCOUNT_FAULT: "NUMBER_UNHEALTHY",
        FailureKind.REFUSED: None,
        FailureKind.RECIPIENT: None,
    }
