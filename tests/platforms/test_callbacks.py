"""Reading the platform's callbacks: every piece alone, in every shape it may have."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support import callbacks as payload
from tests.support.callbacks import PERSON, PHONE_NUMBER_ID, SECONDS, WABA
from tidings.platforms.port import InboundMessage, StatusKind, StatusUpdate
from tidings.platforms.whatsapp.callbacks import (
    Ignored,
    MarketingPreference,
    MessageCallback,
    Unparsable,
    read,
)

AT = datetime.fromtimestamp(SECONDS, UTC)


def pieces(*changes: dict[str, Any]) -> list[Any]:
    return read(payload.raw(payload.body(*changes)))


def status_of(found: dict[str, Any]) -> Any:
    (piece,) = pieces(payload.change(statuses=[found]))
    return piece.callback if isinstance(piece, MessageCallback) else piece


def inbound_of(found: dict[str, Any], **around: Any) -> Any:
    (piece,) = pieces(payload.change(messages=[found], **around))
    return piece.callback if isinstance(piece, MessageCallback) else piece


def test_a_status_names_the_message_by_both_ids() -> None:
    found = status_of(payload.status("delivered", "wamid.1", biz_opaque_callback_data="abc.1"))
    assert found == StatusUpdate("wamid.1", "abc.1", StatusKind.DELIVERED, AT, PERSON)


@pytest.mark.parametrize(
    ("word", "kind"),
    [("sent", StatusKind.SENT), ("delivered", StatusKind.DELIVERED), ("read", StatusKind.READ),
     ("played", StatusKind.READ)],
)  # fmt: skip
def test_every_status_of_ours_is_known(word: str, kind: StatusKind) -> None:
    assert status_of(payload.status(word, "wamid.1")).status is kind


def test_the_timestamp_may_be_a_number() -> None:
    assert status_of(payload.status("read", "wamid.1") | {"timestamp": SECONDS}).at == AT


def test_a_failure_is_explained_with_the_platforms_details() -> None:
    error = {"code": 131053, "title": "Media upload error", "error_data": {"details": "404"}}
    found = status_of(payload.status("failed", "wamid.1", errors=[error]))
    assert found.failure.platform_code == 131053
    assert found.failure.explanation.endswith("The platform says: 404")


@pytest.mark.parametrize("error", [
    {"code": 131014, "title": "Request for url failed"},
    {"code": "131026", "error_data": "text"},
    {"code": 131026, "error_data": None},
    {},
    {"code": -1},
    {"code": [7], "title": {}, "error_data": [None]},
    7,
])  # fmt: skip
def test_an_error_may_be_reported_in_fewer_words(error: Any) -> None:
    found = status_of(payload.status("failed", "wamid.1", errors=[error]))
    assert found.status is StatusKind.FAILED and found.failure is not None


@pytest.mark.parametrize("errors", ["no list", {}, [[]], 7, None])
def test_a_failure_is_one_whatever_its_reasons_look_like(errors: Any) -> None:
    found = status_of(payload.status("failed", "wamid.1") | {"errors": errors})
    assert found.failure.code == "PLATFORM_UNKNOWN_ERROR"


def test_a_failure_without_a_reason_is_still_one() -> None:
    assert status_of(payload.status("failed", "wamid.1")).failure.code == "PLATFORM_UNKNOWN_ERROR"


def test_details_that_may_quote_a_passcode_are_left_out() -> None:
    error = {"code": 132000, "error_data": {"details": "body: 123456 is too many"}}
    found = status_of(payload.status("failed", "wamid.1", errors=[error]))
    assert "123456" not in found.failure.explanation


@pytest.mark.parametrize("word", ["deleted", "warning", "pending"])
def test_a_status_that_changes_nothing_is_ignored(word: str) -> None:
    assert status_of(payload.status(word, "wamid.1")) == Ignored("statuses")


def test_the_status_of_a_payment_is_none_of_a_message() -> None:
    assert status_of(payload.status("failed", "wamid.1", type="payment")) == Ignored("statuses")


@pytest.mark.parametrize(
    ("type_", "part", "expected"),
    [
        ("text", {"body": "Yes"}, {"text": "Yes"}),
        ("text", {"body": ""}, {"text": None}),
        ("text", "Yes", {"text": None}),
        ("button", {"payload": "c1", "text": "No"}, {"payload": "c1", "text": "No"}),
        ("interactive", {"type": "button_reply", "button_reply": {"id": "b", "title": "Yes"}},
         {"payload": "b", "text": "Yes"}),
        ("interactive", {"type": "list_reply", "list_reply": {"id": "r", "title": "Two"}},
         {"payload": "r", "text": "Two"}),
        ("interactive", {"type": "nfm_reply", "nfm_reply": {"response_json": '{"q":1}'}},
         {"form": '{"q":1}', "text": None}),
        ("interactive", {"type": "call_permission_reply"}, {"payload": None}),
        ("interactive", None, {"payload": None}),
        ("image", {"id": "7", "mime_type": "image/jpeg", "caption": "us"},
         {"media_id": "7", "media_type": "image/jpeg", "text": "us"}),
        ("video", {"id": "7", "mime_type": "video/mp4"}, {"media_id": "7", "text": None}),
        ("document", {"id": 7, "mime_type": "application/pdf", "filename": "a.pdf"},
         {"media_id": "7", "media_type": "application/pdf"}),
        ("audio", {"id": "7", "mime_type": "audio/ogg; codecs=opus", "voice": True},
         {"media_type": "audio/ogg; codecs=opus"}),
        ("sticker", {"id": "7", "mime_type": "image/webp"}, {"media_id": "7"}),
        ("location", {"latitude": 1.5, "longitude": 2}, {"text": None}),
        ("contacts", [{"name": {"formatted_name": "Noa"}}], {"text": "Noa"}),
        ("reaction", {"message_id": "wamid.9", "emoji": "👍"}, {"text": "👍", "quoted": "wamid.9"}),
        ("reaction", {"message_id": "wamid.9", "emoji": ""}, {"text": None, "quoted": "wamid.9"}),
        ("reaction", {"message_id": "wamid.9"}, {"text": None}),
        ("order", {"text": "soon", "product_items": []}, {"text": "soon"}),
        ("system", {"type": "user_changed_number", "body": "moved"}, {"text": "moved"}),
        ("edit", {"original_message_id": "m", "message": {"type": "text", "text": {"body": "No"}}},
         {"text": "No"}),
        ("revoke", {"original_message_id": "m"}, {"text": None}),
        ("unsupported", {"type": "poll"}, {"text": None}),
        ("hologram", {"deep": [1]}, {"text": None}),
    ],
)  # fmt: skip
def test_every_type_is_read_as_far_as_it_can_be(
    type_: str, part: Any, expected: dict[str, Any]
) -> None:
    found = inbound_of(payload.message(type_, part))
    assert (found.type, found.from_, found.at) == (type_, PERSON, AT)
    assert {name: getattr(found, name) for name in expected} == expected


def test_what_the_guest_sent_is_kept_verbatim() -> None:
    odd = b'{"from" : "972501234567","id":"wamid.1", "timestamp":"1763200000",  "type":"text",'
    odd += b'"text":{"body":"\\u05db\\u05df"},"unheard_of":1.50}'
    whole = payload.raw(payload.body(payload.change(messages=["HERE"]))).replace(b'"HERE"', odd)
    (piece,) = read(whole)
    assert isinstance(piece, MessageCallback) and isinstance(piece.callback, InboundMessage)
    assert piece.callback.raw == odd
    assert piece.callback.text == "כן"


def test_a_message_beyond_all_bounds_is_cut_and_not_refused() -> None:
    text = {"body": "x" * 1_500_000}
    found = inbound_of(payload.message("text", text, id_="wamid.2"))
    assert found.text == "x" * 65_536
    kept = json.loads(found.raw)
    assert (kept["id"], kept["type"], kept["truncated"]) == ("wamid.2", "text", True)
    assert len(found.raw) < 1000


def test_a_reply_quotes_the_message_it_answers() -> None:
    found = inbound_of(
        payload.message("text", {"body": "a"}, context={"from": "1", "id": "wamid.q"})
    )
    assert found.quoted == "wamid.q"


def test_a_message_without_a_type_has_the_type_of_its_part() -> None:
    found = payload.message("location", {"latitude": 1, "longitude": 2})
    del found["type"]
    assert inbound_of(found).type == "location"


@pytest.mark.parametrize("given", ["US.1349", None])
def test_a_guest_without_a_number_is_known_by_the_platforms_id(given: str | None) -> None:
    found = payload.message("text", {"body": "hi"}, from_user_id="US.1349")
    found["from"] = given
    read_ = inbound_of(found)
    assert (read_.from_, read_.user_id) == ("", "US.1349")


def test_the_id_may_stand_in_the_contact_alone() -> None:
    found = payload.message("text", {"body": "hi"})
    read_ = inbound_of(found, contacts=[{"wa_id": PERSON, "user_id": "US.1"}])
    assert (read_.from_, read_.user_id) == (PERSON, "US.1")


def test_the_number_may_stand_in_the_contact_alone() -> None:
    found = payload.message("text", {"body": "hi"})
    del found["from"]
    assert inbound_of(found, contacts=[{"wa_id": PERSON}]).from_ == PERSON


def test_of_several_contacts_the_senders_own_counts() -> None:
    several = [{"wa_id": "111111", "user_id": "US.1"}, {"wa_id": PERSON, "user_id": "US.2"}]
    assert inbound_of(payload.message("text", {"body": "a"}), contacts=several).user_id == "US.2"


def test_a_guest_without_a_number_is_not_given_anothers() -> None:
    found = payload.message("text", {"body": "hi"}, from_user_id="US.2")
    del found["from"]
    several = [{"wa_id": "111111", "user_id": "US.1"}, {"user_id": "US.2"}]
    for contacts in (several, several[:1]):
        read_ = inbound_of(found, contacts=contacts)
        assert (read_.from_, read_.user_id) == ("", "US.2")


def test_a_group_is_not_a_conversation_with_us() -> None:
    found = payload.message("text", {"body": "a"}, group_id="g1")
    assert inbound_of(found) == Ignored("messages")


def test_a_nul_is_replaced_because_no_text_column_takes_it() -> None:
    assert inbound_of(payload.message("text", {"body": "a\0b"})).text == "a\ufffdb"


@pytest.mark.parametrize("wrong", [
    {"id": None}, {"id": ""}, {"id": "x" * 600}, {"id": "a\0b"}, {"id": {}}, {"timestamp": "soon"},
    {"timestamp": None}, {"timestamp": -1}, {"timestamp": "99999999999999"}, {"timestamp": True},
    {"from": None}, {"from": ""},
])  # fmt: skip
def test_a_message_that_is_none_is_put_aside(wrong: dict[str, Any]) -> None:
    assert isinstance(inbound_of(payload.message("text", {"body": "a"}) | wrong), Unparsable)


@pytest.mark.parametrize("wrong", [
    {"id": None}, {"status": None}, {"status": ""}, {"timestamp": "x"}, {"status": ["failed"]},
])  # fmt: skip
def test_a_status_that_is_none_is_put_aside(wrong: dict[str, Any]) -> None:
    assert isinstance(status_of(payload.status("failed", "wamid.1") | wrong), Unparsable)


def test_neighbours_of_a_broken_piece_are_read() -> None:
    found = pieces(
        payload.change(statuses=[payload.status("sent", "a"), 7, payload.status("read", "b")]),
        {"value": {}},
        {"field": "messages", "value": {"metadata": {}}},
        payload.change(messages=["x", payload.message("text", {"body": "c"})]),
    )
    assert [type(piece) for piece in found] == [
        MessageCallback,
        Unparsable,
        MessageCallback,
        Unparsable,
        Unparsable,
        Unparsable,
        MessageCallback,
    ]


def test_several_entries_are_read() -> None:
    one = payload.body(payload.change(statuses=[payload.status("sent", "a")]))
    one["entry"] += [
        7,
        *payload.body(payload.change(statuses=[payload.status("sent", "b")]))["entry"],
    ]
    found = read(payload.raw(one))
    assert [type(piece) for piece in found] == [MessageCallback, Unparsable, MessageCallback]


def test_what_is_put_aside_can_be_read_again() -> None:
    whole = payload.change(
        statuses=[payload.status("sent", "a")],
        messages=[payload.message("text", {"body": "b"})],
        contacts=[{"wa_id": PERSON, "user_id": "US.1"}],
    )
    for piece in pieces(whole, payload.preference("stop")):
        assert read(piece.raw) == [piece]


def test_a_change_of_mind_about_marketing_is_a_preference() -> None:
    stop, resume = pieces(payload.preference("stop"), payload.preference("resume"))
    assert isinstance(stop, MarketingPreference) and isinstance(resume, MarketingPreference)
    assert (stop.phone_number_id, stop.person, stop.wanted) == (PHONE_NUMBER_ID, PERSON, False)
    assert (resume.wanted, resume.at) == (True, AT)


@pytest.mark.parametrize("found", [
    payload.preference("signup"), payload.preference("stop", person="US.1"), payload.news("calls"),
    payload.news("flows", event="FLOW_STATUS_CHANGE"), payload.news("smb_message_echoes"),
])  # fmt: skip
def test_what_changes_nothing_for_us_is_ignored(found: dict[str, Any]) -> None:
    (piece,) = pieces(found)
    assert isinstance(piece, Ignored)


@pytest.mark.parametrize("data", [
    b"", b"{", b"[]", b"null", b"\xff\xfe", b'{"entry":7}', b'{"entry":{}}', b"[" * 5000,
    b'{"entry":[{"id":"1"}]}', b'{"entry":[{"changes":[{"field":"messages"}]}]}',
    b'{"entry":[{"changes":[{"field":"messages","value":{"metadata":{"phone_number_id":"1"},'
    b'"statuses":[{"id":"\\ud800","status":"sent","timestamp":"1"}]}}]}]}',
])  # fmt: skip
def test_bodies_that_are_none_are_put_aside_whole_or_in_part(data: bytes) -> None:
    found = read(data)
    assert [type(piece) for piece in found] == [Unparsable]


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=10,
)
FIELDS = st.sampled_from(
    ["messages", "user_preferences", "account_update", "message_template_status_update",
     "business_capability_update", "phone_number_quality_update", "template_category_update", "x"]
)  # fmt: skip
KEYS = st.sampled_from(
    ["id", "from", "timestamp", "type", "text", "image", "interactive", "context", "status",
     "errors", "contacts", "edit", "group_id", "wa_id", "value", "category"]
)  # fmt: skip
ITEM = JSON | st.dictionaries(KEYS, JSON, max_size=6)


@given(st.binary(max_size=200))
def test_no_bytes_are_too_odd_to_be_read(data: bytes) -> None:
    assert isinstance(read(data), list)


@given(FIELDS, st.dictionaries(
    st.sampled_from(["metadata", "statuses", "messages", "contacts", "errors", "event",
                     "user_preferences", "ban_info", "waba_info", "message_template_name",
                     "message_template_language", "new_category",
                     "max_daily_conversations_per_business"]),
    JSON | st.lists(ITEM, max_size=3), max_size=5,
))  # fmt: skip
def test_no_change_is_too_odd_to_be_read(field: str, value: dict[str, Any]) -> None:
    value.setdefault("metadata", {"phone_number_id": "1"})
    good = payload.change(statuses=[payload.status("sent", "wamid.good")])
    found = read(json.dumps(payload.body({"field": field, "value": value}, good)).encode())
    last = found[-1]
    assert isinstance(last, MessageCallback) and last.callback.platform_id == "wamid.good"


def test_the_business_account_of_an_entry_may_be_a_number() -> None:
    whole = payload.body(payload.news("account_alerts"))
    whole["entry"][0]["id"] = int(WABA)
    (piece,) = read(payload.raw(whole))
    assert piece.owners == (WABA,)
