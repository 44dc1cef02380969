"""Every magic recipient of the contract, row by row, and what holds for all of them."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tidings.platforms.content import (
    Button,
    Content,
    Form,
    Media,
    MediaRef,
    Passcode,
    Question,
    Rich,
    Template,
    Text,
)
from tidings.platforms.port import (
    Accepted,
    DispatchResult,
    InboundMessage,
    Rejected,
    Send,
    Sender,
    StatusUpdate,
    UnknownOutcome,
)
from tidings.platforms.sandbox.behaviour import MAGIC, simulate_send

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
OURS = "972555000001"
YES_NO = (Button("reply", "Coming", "cid-1:yes"), Button("reply", "Sorry", "cid-1:no"))
INVITATION = Template(
    "invite", "en", "Hi Dana", buttons=(Button("url", "Map", url="https://x.test"), *YES_NO)
)
RICH = Rich("Coming?", YES_NO)
FORM = Form("visit", 1, "Your visit", "Rate us", token="tok-1")
QUESTIONS = (
    Question("q1", "rating"),
    Question("q2", "single", options=("a", "b")),
    Question("q3", "multi", options=("a", "b", "c")),
    Question("q4", "comment"),
)
CONTENTS: list[Content] = [
    Text("hello"),
    INVITATION,
    RICH,
    FORM,
    Media("image", MediaRef("med_1", "image/png")),
    Passcode("code", "en"),
]


def send(last_four: str, content: Content = CONTENTS[0], **fields: Any) -> Send:
    values = {"created_at": NOON, "at": NOON, **fields}
    to = "9725012" + last_four
    return Send("0199-aa.1", "acc", Sender(OURS), to, content, "cid-1", **values)


def statuses(result: DispatchResult) -> list[tuple[str, float]]:
    reported = [
        (p.callback, p.after) for p in result.callbacks if isinstance(p.callback, StatusUpdate)
    ]
    return [(callback.status.value, after.total_seconds()) for callback, after in reported]


def replies(result: DispatchResult) -> list[tuple[float, InboundMessage]]:
    planned = result.callbacks
    return [
        (p.after.total_seconds(), p.callback)
        for p in planned
        if isinstance(p.callback, InboundMessage)
    ]


@pytest.mark.parametrize(
    ("last_four", "reported"),
    [
        ("4567", [("delivered", 1), ("read", 2)]),
        ("9001", []),
        ("9002", [("delivered", 1)]),
        ("9003", [("read", 2)]),
        ("9004", [("read", 2), ("read", 2), ("delivered", 3), ("delivered", 3), ("sent", 4)]),
        ("9010", [("failed", 1)]),
        ("9011", [("failed", 1)]),
        ("9012", [("failed", 1)]),
        ("9015", [("failed", 1)]),
        ("9101", [("delivered", 1), ("read", 2)]),
    ],
)
def test_accepted_and_then_reported(last_four: str, reported: list[tuple[str, float]]) -> None:
    result = simulate_send(send(last_four))
    assert isinstance(result.outcome, Accepted)
    assert statuses(result) == reported


def test_statuses_in_reverse_still_tell_when_they_happened() -> None:
    planned = simulate_send(send("9004")).callbacks
    happened = [(p.callback.at - NOON).total_seconds() for p in planned]
    assert happened == [2, 2, 1, 1, 0]


@pytest.mark.parametrize(
    ("last_four", "code"), [("9010", 131026), ("9011", 131049), ("9012", 131050), ("9015", 131053)]
)
def test_accepted_and_then_failed(last_four: str, code: int) -> None:
    (planned,) = simulate_send(send(last_four)).callbacks
    assert isinstance(planned.callback, StatusUpdate)
    assert planned.callback.failure is not None
    assert planned.callback.failure.platform_code == code


@pytest.mark.parametrize(
    ("last_four", "code"),
    [
        ("9013", 132015),
        ("9014", 132000),
        ("9020", 130429),
        ("9021", 131056),
        ("9022", 131016),
        ("9030", 190),
    ],
)
def test_refused_in_the_answer(last_four: str, code: int) -> None:
    result = simulate_send(send(last_four))
    assert isinstance(result.outcome, Rejected)
    assert result.outcome.failure.platform_code == code
    assert result.callbacks == ()


@pytest.mark.parametrize("last_four", ["9013", "9014"])
def test_refused_for_ever(last_four: str) -> None:
    later = send(last_four, attempt=9, at=NOON + timedelta(days=9))
    assert isinstance(simulate_send(later).outcome, Rejected)


@pytest.mark.parametrize("last_four", ["9020", "9021"])
def test_throttled_once_and_then_sent(last_four: str) -> None:
    result = simulate_send(send(last_four, attempt=2))
    assert isinstance(result.outcome, Accepted)
    assert statuses(result) == [("delivered", 1), ("read", 2)]


@pytest.mark.parametrize(("last_four", "seconds"), [("9022", 60), ("9030", 3600)])
def test_down_or_at_fault_until_the_message_is_old_enough(last_four: str, seconds: int) -> None:
    almost = send(last_four, attempt=7, at=NOON + timedelta(seconds=seconds - 0.001))
    then = send(last_four, attempt=8, at=NOON + timedelta(seconds=seconds))
    assert isinstance(simulate_send(almost).outcome, Rejected)
    assert isinstance(simulate_send(then).outcome, Accepted)


def test_no_answer_but_callbacks_that_carry_our_id() -> None:
    result = simulate_send(send("9023"))
    assert result.outcome == UnknownOutcome()
    assert statuses(result) == [("sent", 0), ("delivered", 1), ("read", 2)]
    assert {p.callback.send_id for p in result.callbacks} == {"0199-aa.1"}


def test_no_answer_and_no_callback() -> None:
    result = simulate_send(send("9024"))
    assert (result.outcome, result.callbacks) == (UnknownOutcome(), ())


@pytest.mark.parametrize(
    ("last_four", "text"),
    [
        ("9101", "Yes"),
        ("9102", "No"),
        ("9103", "Who is this?"),
        ("9104", "Yes, we will be 4"),
        ("9106", "STOP"),
    ],
)
def test_a_guest_types_where_there_is_nothing_to_press(last_four: str, text: str) -> None:
    ((after, reply),) = replies(simulate_send(send(last_four)))
    assert (after, reply.type, reply.text, reply.quoted) == (6, "text", text, None)
    assert (reply.from_, reply.sender) == ("9725012" + last_four, OURS)
    assert json.loads(reply.raw) == {
        "from": "9725012" + last_four,
        "id": reply.platform_id,
        "timestamp": "1767268806",
        "type": "text",
        "text": {"body": text},
    }


@pytest.mark.parametrize(("last_four", "button"), [("9101", YES_NO[0]), ("9102", YES_NO[1])])
def test_a_guest_presses_a_templates_button(last_four: str, button: Button) -> None:
    result = simulate_send(send(last_four, INVITATION))
    ((_, reply),) = replies(result)
    raw = json.loads(reply.raw)
    assert (reply.type, reply.text, reply.payload) == ("button", button.text, button.payload)
    assert raw["button"] == {"payload": button.payload, "text": button.text}
    assert raw["context"] == {"from": OURS, "id": result.outcome.platform_id}
    assert reply.quoted == result.outcome.platform_id


def test_a_button_of_a_rich_message_comes_back_as_interactive() -> None:
    ((_, reply),) = replies(simulate_send(send("9102", RICH)))
    assert (reply.type, reply.text, reply.payload) == ("interactive", "Sorry", "cid-1:no")
    assert json.loads(reply.raw)["interactive"] == {
        "type": "button_reply",
        "button_reply": {"id": "cid-1:no", "title": "Sorry"},
    }


def test_a_button_without_a_payload_sends_its_label_back() -> None:
    content = Template("invite", "en", "Hi", buttons=(Button("reply", "Coming"),))
    ((_, reply),) = replies(simulate_send(send("9101", content)))
    assert reply.payload == "Coming"
    ((_, typed),) = replies(simulate_send(send("9102", content)))
    assert (typed.type, typed.text) == ("text", "No")


@pytest.mark.parametrize("last_four", ["9103", "9104", "9106"])
def test_what_no_button_says_is_typed(last_four: str) -> None:
    ((_, reply),) = replies(simulate_send(send(last_four, INVITATION)))
    assert (reply.type, reply.quoted) == ("text", None)


def test_yes_only_after_the_invitation_expired() -> None:
    expiry = NOON + timedelta(days=2)
    ((after, reply),) = replies(simulate_send(send("9105", INVITATION, expires_at=expiry)))
    assert after == 2 * 86400 + 60
    assert (reply.payload, reply.at) == ("cid-1:yes", expiry + timedelta(minutes=1))
    assert replies(simulate_send(send("9105", INVITATION))) == []


def test_an_answer_to_a_long_expired_invitation_still_follows_delivery() -> None:
    expired = send("9105", INVITATION, expires_at=NOON - timedelta(days=1))
    ((after, _),) = replies(simulate_send(expired))
    assert after == 6


def test_a_photo() -> None:
    ((after, reply),) = replies(simulate_send(send("9107", INVITATION)))
    image = json.loads(reply.raw)["image"]
    assert (after, reply.type, reply.media_type) == (6, "image", "image/jpeg")
    assert image["id"] == reply.media_id and image["id"].isdigit()
    assert set(image) == {"id", "mime_type", "sha256"}


@pytest.mark.parametrize(("last_four", "rating"), [("9108", "5"), ("9109", "1")])
def test_a_form_is_filled_in(last_four: str, rating: str) -> None:
    result = simulate_send(send(last_four, FORM))
    ((after, reply),) = replies(result)
    raw = json.loads(reply.raw)
    nfm = raw["interactive"]["nfm_reply"]
    assert (after, reply.type, raw["interactive"]["type"]) == (6, "interactive", "nfm_reply")
    assert (nfm["name"], nfm["body"], nfm["response_json"]) == ("flow", "Sent", reply.form)
    assert json.loads(reply.form) == {"rating": rating, "flow_token": "tok-1"}
    assert raw["context"]["id"] == result.outcome.platform_id


def test_every_question_of_a_form_is_answered_in_its_own_shape() -> None:
    form = Form("visit", 1, "Your visit", "Rate us", token="tok-1", questions=QUESTIONS)
    ((_, reply),) = replies(simulate_send(send("9109", form)))
    answers = json.loads(reply.form)
    assert (answers["q1"], answers["q2"], answers["q3"]) == ("1", "a", ["a", "b"])
    assert isinstance(answers["q4"], str) and answers["flow_token"] == "tok-1"


def test_nobody_fills_in_a_form_that_was_not_sent() -> None:
    assert replies(simulate_send(send("9108", INVITATION))) == []


def test_yes_and_a_minute_later_no() -> None:
    (first, yes), (second, no) = replies(simulate_send(send("9110", INVITATION)))
    assert (first, second) == (6, 66)
    assert (yes.payload, no.payload) == ("cid-1:yes", "cid-1:no")
    assert yes.platform_id != no.platform_id


def test_the_table_has_exactly_the_contracts_rows() -> None:
    rows = [range(9001, 9005), range(9010, 9016), range(9020, 9025), [9030], range(9101, 9111)]
    assert sorted(MAGIC) == [str(number) for row in rows for number in row]


def test_ids_are_the_same_for_a_repeat_and_differ_between_sends() -> None:
    first = simulate_send(send("4567"))
    assert first == simulate_send(send("4567"))
    assert first.outcome.platform_id.startswith("wamid.")


recipients = st.one_of(st.sampled_from(sorted(MAGIC)), st.from_regex(r"\A[0-9]{4}\Z"))
timestamps = st.none() | st.datetimes(datetime(2020, 1, 1), datetime(2030, 1, 1)).map(
    lambda timestamp: timestamp.replace(tzinfo=UTC)
)


@given(recipients, st.sampled_from(CONTENTS), st.integers(1, 9), timestamps, timestamps)
def test_no_callback_comes_before_the_send_nor_before_it_happened(
    last_four: str,
    content: Content,
    attempt: int,
    created_at: datetime | None,
    expires_at: datetime | None,
) -> None:
    fields = {"attempt": attempt, "created_at": created_at, "expires_at": expires_at}
    message = send(last_four, content, **fields)
    for planned in simulate_send(message).callbacks:
        assert planned.after >= timedelta(0)
        assert message.at <= planned.callback.at <= message.at + planned.after
        if isinstance(planned.callback, InboundMessage):
            require_platform_shape(planned.callback)


def require_platform_shape(inbound: InboundMessage) -> None:
    """platform.md, section 6: what every message has, and its body under its type's name."""
    raw = json.loads(inbound.raw)
    assert (raw["from"], raw["id"], raw["type"]) == (
        inbound.from_,
        inbound.platform_id,
        inbound.type,
    )
    assert raw["timestamp"] == str(int(inbound.at.timestamp()))
    assert isinstance(raw[inbound.type], dict)
    assert raw.get("context", {}).get("id") == inbound.quoted
    assert set(raw) <= {"from", "id", "timestamp", "type", "context", inbound.type}
