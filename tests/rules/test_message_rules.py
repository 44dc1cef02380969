"""What is sent and when (4.1, contract.md "Sending")."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from msgspec.structs import replace

from tests.rules.test_message_numbers import NUMBERS, number
from tests.support.accounts import OURS, account
from tidings import limits
from tidings.errors import ApiError, Code
from tidings.features.messages.accept import rules
from tidings.features.messages.accept.rules import GiveUp, MessageCode, SendAgain, Wait
from tidings.features.messages.model import MessageKind, MessageRequest, TemplateRequest
from tidings.features.templates.model import Template as Version
from tidings.features.templates.model import TemplateButton
from tidings.features.templates.rules import Link
from tidings.platforms.content import Form, Passcode, Template, Text

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
SECOND = timedelta(seconds=1)
DAY = timedelta(days=1)
GUEST = "972501234567"
HELLO = Text("Hello")


def wanted(**fields: Any) -> MessageRequest:
    return MessageRequest(OURS, "order-0001", GUEST, **fields)


def refusal(of: Any) -> ApiError:
    with pytest.raises(ApiError) as caught:
        of()
    return caught.value


# Who may be written to


def test_without_a_list_everyone_may_be_written_to() -> None:
    rules.require_allowed(account(), GUEST)


def test_with_a_list_only_those_on_it() -> None:
    rules.require_allowed(account(allowlist=frozenset({GUEST})), GUEST)
    for listed in (frozenset[str](), frozenset({"972509999999"})):
        found = refusal(
            lambda listed=listed: rules.require_allowed(account(allowlist=listed), GUEST)
        )
        assert (found.code, found.field) == (MessageCode.RECIPIENT_NOT_ALLOWLISTED, "to")
        assert GUEST not in found.message, "numbers stay out of messages and logs"


def test_only_a_passcode_is_not_stopped_by_an_opt_out() -> None:
    assert [kind.value for kind in MessageKind if not rules.heeds_opt_out(kind)] == ["otp"]


# Times


@pytest.mark.parametrize(
    ("fields", "field", "words"),
    [
        ({"scheduled_for": NOON + 365 * DAY + SECOND}, "scheduledFor", "one year"),
        ({"deadline": NOON - SECOND}, "deadline", "future"),
        ({"deadline": NOON}, "deadline", "future"),
        ({"deadline": NOON + DAY, "scheduled_for": NOON + 2 * DAY}, "deadline", "scheduledFor"),
        ({"deadline": NOON + DAY, "scheduled_for": NOON + DAY}, "deadline", "scheduledFor"),
        ({"expires_at": NOON - SECOND}, "expiresAt", "future"),
        ({"expires_at": NOON}, "expiresAt", "future"),
    ],
)
def test_times_that_cannot_be_kept_are_refused(fields, field: str, words: str) -> None:
    found = refusal(lambda: rules.require_times(wanted(**fields), NOON))
    assert (found.code, found.field) == (Code.VALIDATION_ERROR, field)
    assert found.message.startswith(field)
    assert words in found.message


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"scheduled_for": NOON - DAY},
        {"scheduled_for": NOON + 365 * DAY},
        {"deadline": NOON + SECOND},
        {"deadline": NOON + SECOND, "scheduled_for": NOON - DAY},
        {"deadline": NOON + 2 * DAY, "scheduled_for": NOON + DAY, "expires_at": NOON + 3 * DAY},
    ],
)
def test_times_that_can_be_kept_are_taken(fields) -> None:
    rules.require_times(wanted(**fields), NOON)


# The conversation window


@pytest.mark.parametrize(
    ("heard", "is_open"),
    [(None, False), (NOON, True), (NOON - DAY + SECOND, True), (NOON - DAY, False)],
)
def test_the_window_is_open_for_24_hours(heard: datetime | None, is_open: bool) -> None:
    assert rules.is_window_open(heard, NOON) is is_open


def test_the_number_in_conversation_is_the_one_that_heard_last() -> None:
    heard = {"1": NOON - 2 * DAY, "2": NOON - 3 * SECOND, "3": NOON - 5 * SECOND}
    assert rules.number_in_conversation(heard, NOON) == "2"
    assert rules.number_in_conversation({"1": NOON - DAY}, NOON) is None
    assert rules.number_in_conversation({}, NOON) is None


# What is said


def version(body: str = "Hi {{1}}", **fields: Any) -> Version:
    return Version("invite", "en", "UTILITY", "APPROVED", body=body, **fields)


WISH = TemplateRequest("invite", params=("Dana",))


def test_a_template_that_is_named_is_meant() -> None:
    assert rules.decide_template(wanted(template=WISH), account(default_template="x")) is WISH


def test_without_a_template_there_is_none_to_decide() -> None:
    assert rules.decide_template(wanted(free=HELLO), account(default_template="x")) is None


def test_an_invitation_without_a_name_takes_the_accounts_template_and_its_own_params() -> None:
    nameless = wanted(template=TemplateRequest("", "he", ("Dana",)), kind=MessageKind.INVITATION)
    found = rules.decide_template(nameless, account(default_template="invite"))
    assert found == TemplateRequest("invite", "he", ("Dana",))


def test_an_invitation_needs_a_template_from_somewhere() -> None:
    nameless = wanted(template=TemplateRequest(""), kind=MessageKind.INVITATION)
    found = refusal(lambda: rules.decide_template(nameless, account()))
    assert (found.code, found.field) == (MessageCode.TEMPLATE_REQUIRED, "templateName")


def compose(asked: MessageRequest, *, window_open: bool, **fields: Any) -> rules.Composed:
    return rules.compose(asked, asked.template, [version()], window_open=window_open, **fields)


def test_inside_the_window_the_free_text_goes() -> None:
    for template in (None, WISH):
        found = compose(wanted(free=HELLO, template=template), window_open=True)
        assert (found.content, found.fell_back) == (HELLO, False)


def test_outside_the_window_the_template_goes_in_place_of_the_free_text() -> None:
    found = compose(wanted(free=HELLO, template=WISH), window_open=False)
    assert isinstance(found.content, Template)
    assert (found.content.rendered, found.fell_back) == ("Hi Dana", True)


def test_a_template_stands_by_for_when_the_window_has_closed() -> None:
    both = compose(wanted(free=HELLO, template=WISH), window_open=True)
    assert isinstance(both.fallback, Template)
    assert both.fallback.rendered == "Hi Dana"
    assert compose(wanted(free=HELLO), window_open=True).fallback is None


@pytest.mark.parametrize("window_open", [True, False])
def test_a_template_alone_goes_at_any_time(window_open: bool) -> None:
    found = compose(wanted(template=WISH), window_open=window_open)
    assert isinstance(found.content, Template)
    assert not found.fell_back


def test_free_text_alone_outside_the_window_is_refused() -> None:
    found = refusal(lambda: compose(wanted(free=HELLO), window_open=False))
    assert (found.code, found.field) == (MessageCode.SERVICE_WINDOW_CLOSED, "message")
    assert "templateName" in found.message


def test_a_bad_template_is_refused_even_where_the_free_text_would_go() -> None:
    asked = wanted(free=HELLO, template=TemplateRequest("invite"))
    found = refusal(lambda: compose(asked, window_open=True))
    assert (found.code, found.field) == (Code.VALIDATION_ERROR, "templateParams")


def test_a_quick_reply_brings_back_the_client_message_id() -> None:
    asked = wanted(template=TemplateRequest("invite"))
    yes = version("Hi", buttons=(TemplateButton("QUICK_REPLY", "Yes"),))
    found = rules.compose(asked, asked.template, [yes], window_open=False)
    assert isinstance(found.content, Template)
    assert found.content.buttons[0].payload == "order-0001"


def test_a_counted_link_serves_the_templates_button() -> None:
    button = TemplateButton("URL", "See", url="https://tidings.example/r/{{1}}")
    link = Link("a1B2c3D4e5F6", "https://tidings.example")
    asked = wanted(template=WISH)
    found = rules.compose(
        asked, WISH, [version(buttons=(button,))], window_open=False, link=link
    )  # fmt: skip
    assert isinstance(found.content, Template)
    assert found.content.buttons[0].url == "https://tidings.example/r/a1B2c3D4e5F6"


# The platform was called, and no answer came


def unknown(**fields: Any) -> Wait | SendAgain | GiveUp:
    values = {
        "kind": MessageKind.NOTIFICATION, "channel_alive": True, "may_resend": False, "resends": 0,
        "waited_for": NOON - limits.UNKNOWN_GRACE, "deadline": None, "now": NOON,
    }  # fmt: skip
    return rules.decide_unknown(**values | fields)


def test_a_callback_is_given_its_time() -> None:
    since = NOON - limits.UNKNOWN_GRACE + SECOND
    for kind in MessageKind:
        assert unknown(kind=kind, waited_for=since, may_resend=True) == Wait()


def test_a_passcode_with_time_left_is_sent_once_more() -> None:
    left = limits.OTP_RESEND_TTL_LEFT_MIN
    assert unknown(kind=MessageKind.PASSCODE, deadline=NOON + left) == SendAgain()
    assert unknown(kind=MessageKind.PASSCODE, deadline=NOON + left - SECOND) == GiveUp()
    assert unknown(kind=MessageKind.PASSCODE, deadline=NOON - SECOND) == GiveUp()
    assert unknown(kind=MessageKind.PASSCODE, deadline=NOON + DAY, resends=1) == GiveUp()


@pytest.mark.parametrize(
    "kind", [MessageKind.NOTIFICATION, MessageKind.INVITATION, MessageKind.FEEDBACK]
)
def test_anything_else_is_given_up_unless_the_account_chose_otherwise(kind: MessageKind) -> None:
    assert unknown(kind=kind) == GiveUp()
    assert unknown(kind=kind, may_resend=True) == SendAgain()
    assert unknown(kind=kind, may_resend=True, resends=1) == GiveUp()
    assert unknown(kind=kind, may_resend=True, deadline=NOON) == GiveUp()


def test_with_the_callback_channel_dead_silence_means_nothing_for_a_day() -> None:
    for kind in MessageKind:
        assert unknown(kind=kind, channel_alive=False, may_resend=True) == Wait()
    long_ago = NOON - limits.UNKNOWN_MAX
    assert unknown(channel_alive=False, waited_for=long_ago + SECOND) == Wait()
    assert unknown(channel_alive=False, waited_for=long_ago) == GiveUp()


def is_alive(environment: str, called_at: datetime | None, since: datetime = NOON) -> bool:
    found = account(environment=environment)
    return rules.is_channel_alive(found, called_at=called_at, since=since, now=NOON)


def test_the_sandbox_always_calls_back() -> None:
    assert is_alive("sandbox", None)


def test_a_live_channel_is_alive_where_callbacks_came_lately_or_since_the_send() -> None:
    assert not is_alive("live", None)
    assert is_alive("live", NOON - limits.CALLBACK_SILENCE_MAX)
    assert not is_alive("live", NOON - limits.CALLBACK_SILENCE_MAX - SECOND)
    an_hour_ago = NOON - 60 * 60 * SECOND
    assert is_alive("live", an_hour_ago, since=an_hour_ago)
    assert not is_alive("live", an_hour_ago - SECOND, since=an_hour_ago)


def test_a_message_of_unknown_outcome_is_looked_at_less_and_less_often() -> None:
    waits = [rules.decide_next_look(n * SECOND) for n in (0, 120, 240, 24 * 3600)]
    assert waits == [SECOND, 15 * SECOND, 30 * SECOND, 60 * SECOND]


def test_a_year_is_one_of_the_calendar() -> None:
    before_a_leap_day = datetime(2027, 3, 1, 12, tzinfo=UTC)
    leap_day = datetime(2028, 2, 29, 12, tzinfo=UTC)
    for now, latest in (
        (before_a_leap_day, datetime(2028, 3, 1, 12, tzinfo=UTC)),
        (leap_day, datetime(2029, 3, 1, 12, tzinfo=UTC)),
    ):
        rules.require_times(wanted(scheduled_for=latest), now)
        with pytest.raises(ApiError):
            rules.require_times(wanted(scheduled_for=latest + SECOND), now)


# Which number, until when


WINDOWS = {"972555000002": NOON - SECOND}


@pytest.mark.parametrize(
    ("policy", "inbound", "kept"),
    [
        (None, WINDOWS, [1]),
        ("prefer", WINDOWS, [1]),
        ("auto", WINDOWS, [1]),
        ("strict", WINDOWS, [0, 1, 2]),
        (None, {}, [0, 1, 2]),
        (None, {"972555000002": NOON - DAY}, [0, 1, 2]),
    ],
)
def test_free_content_is_carried_by_the_numbers_in_conversation(
    policy: str | None, inbound: dict[str, datetime], kept: list[int]
) -> None:
    numbers = [number(digits, place, "CONNECTED") for place, digits in enumerate(NUMBERS)]
    found = rules.decide_carriers(numbers, policy, inbound, NOON)
    assert [one.position for one in found] == kept


@pytest.mark.parametrize(
    ("kind", "expires_at", "takes"),
    [
        (MessageKind.INVITATION, None, True),
        (MessageKind.INVITATION, NOON, False),
        (MessageKind.NOTIFICATION, None, False),
        (MessageKind.NOTIFICATION, NOON, False),
    ],
)
def test_an_invitation_without_an_end_takes_that_of_its_event(
    kind: MessageKind, expires_at: datetime | None, takes: bool
) -> None:
    assert rules.takes_end_from_event(wanted(kind=kind, expires_at=expires_at)) is takes


def test_a_passcode_ends_after_its_time_and_another_message_at_its_deadline() -> None:
    assert rules.decide_deadline(wanted(), NOON) is None
    assert rules.decide_deadline(wanted(deadline=NOON + DAY), NOON) == NOON + DAY
    assert rules.decide_deadline(wanted(ttl=5 * SECOND), NOON) == NOON + 5 * SECOND


def test_free_content_needs_a_conversation_and_a_template_none() -> None:
    assert rules.needs_window(HELLO)
    flow = Form("form-1", 1, "Your visit", "Answer", "token")
    assert rules.needs_window(flow)
    assert not rules.needs_window(replace(flow, template="visit"))
    assert not rules.needs_window(Passcode("code", "en"))
