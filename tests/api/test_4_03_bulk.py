"""POST /messages/bulk, black box: what is taken, refused, repeated, held and at risk (2.4, 4.3)."""

import base64
import random
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import httpx
import pytest

from tests.rules.test_media_rules import PDF, png
from tests.support.batches import (
    SLOW,
    bulk,
    cid,
    item,
    moment,
    named_in,
    row_counts,
    statuses,
    submit,
    to,
    told,
)
from tests.support.names import named
from tests.support.service import NUMBER, TEMPLATES, TestAccount, TestService
from tests.support.text import MISSING, account_now, ahead, phone, traces, wire

RESULT = {
    "batchId", "batchName", "eventId", "total", "accepted", "held", "atRisk", "rejected",
    "duplicates", "estimatedCompletionAt",
}  # fmt: skip
OTHER = "972555000002"
IMAGE = base64.b64encode(png()).decode()


def numbers(*fields: str) -> str:
    """TOML of numbers, each with the lines given for it."""
    given = zip((NUMBER, OTHER), fields, strict=False)
    return "".join(f'[[accounts.numbers]]\nnumber = "{n}"\n{more}\n' for n, more in given)


def require_refused(
    answer: httpx.Response, code: str, field: str, *, status: int = 400
) -> dict[str, Any]:
    assert answer.status_code == status, answer.text
    error: dict[str, Any] = answer.json()["error"]
    assert (error["code"], error["field"]) == (code, field), answer.text
    assert field in error["message"]
    return error


def require_nothing_stored(account: TestAccount) -> None:
    assert not any(traces(account).values()), traces(account)
    for table in ("batches", "media", "links"):
        query = f"SELECT count(*) AS n FROM {table} WHERE account_id = $1"
        assert account.service.sql(query, account.id) == [{"n": 0}], table


# What is taken


def test_a_batch_answers_202_with_the_ten_fields_of_the_bulk_result(account: TestAccount) -> None:
    answer = bulk(account, [item(1), item(2)], batchName="spring")
    assert answer.status_code == 202, answer.text
    assert set(answer.json()) == {"success", "environment", "data"}
    data = answer.json()["data"]
    assert set(data) == RESULT
    assert data["batchId"].startswith("bat_")
    assert (data["batchName"], data["eventId"], data["total"]) == ("spring", None, 2)
    assert data["accepted"] == [{"clientMessageId": cid(1)}, {"clientMessageId": cid(2)}]
    assert data["held"] == data["atRisk"] == data["rejected"] == data["duplicates"] == []
    assert moment(data["estimatedCompletionAt"]) > account_now(account) - timedelta(seconds=5)


def test_a_batch_without_a_name_has_an_empty_one(account: TestAccount) -> None:
    assert submit(account, [item(1)])["batchName"] == ""


def test_every_message_is_sent_and_names_its_batch(account: TestAccount) -> None:
    account.reply(to(3), "hello?")
    data = submit(
        account,
        [
            item(1, templateName="hello", templateParams=["Dana"], meta={"seat": 4}),
            item(2, kind="invitation", templateName="plain", expiresAt=ahead(days=2)),
            item(3, templateName=MISSING, message="in conversation"),
        ],
    )
    assert len(data["accepted"]) == 3, data
    account.advance(seconds=5)
    for n in (1, 2, 3):
        status = account.status(cid(n))
        assert (status["status"], status["batchId"]) == ("read", data["batchId"])
    assert account.status(cid(1))["meta"] == {"seat": 4}
    assert phone(account, to(1))[0]["text"] == "Hello Dana"
    assert phone(account, to(3))[-1]["text"] == "in conversation"


def test_media_goes_in_a_batch_by_id_and_by_content(account: TestAccount) -> None:
    uploaded = account.post("/messages/upload", {"mediaBase64": base64.b64encode(PDF).decode()})
    media_id = uploaded.json()["data"]["mediaId"]
    for n in (1, 2):
        account.reply(to(n), "hello?")
    free = {"templateName": MISSING}
    data = submit(
        account,
        [
            item(1, mediaId=media_id, type="document", **free),
            item(2, mediaBase64=IMAGE, type="image", message="look", **free),
            item(3, mediaId="med_unknown", type="image", **free),
            item(4, mediaBase64="R0lGODlhAQABAAAAACw=", type="image", **free),
            item(5, mediaBase64=IMAGE, type="document", **free),
            item(6, mediaBase64=IMAGE, type="image", **free),
        ],
    )
    assert named_in(data["accepted"]) == [cid(1), cid(2)]
    assert [(r["index"], r["code"]) for r in data["rejected"]] == [
        (2, "VALIDATION_ERROR"),
        (3, "INVALID_MEDIA"),
        (4, "INVALID_MEDIA"),
        (5, "SERVICE_WINDOW_CLOSED"),
    ]
    account.advance(seconds=5)
    assert phone(account, to(1))[-1]["type"] == "document"
    assert phone(account, to(2))[-1]["media"]


def test_the_order_of_the_request_is_kept(account: TestAccount) -> None:
    order = random.Random(7).sample(range(60), 60)
    messages = [item(n, to="bad" if n % 3 == 0 else to(n)) for n in order]
    data = submit(account, messages)
    assert named_in(data["accepted"]) == [cid(n) for n in order if n % 3]
    assert named_in(data["rejected"]) == [cid(n) for n in order if n % 3 == 0]
    assert [r["index"] for r in data["rejected"]] == [i for i, n in enumerate(order) if n % 3 == 0]
    query = "SELECT client_message_id AS c FROM messages WHERE account_id = $1 ORDER BY planned_at"
    planned = [row["c"] for row in account.service.sql(query, account.id)]
    assert planned == [cid(n) for n in order if n % 3], "and it is the order of their turns"


# How large


def test_a_thousand_texts_and_fifty_media_messages_pass(account: TestAccount) -> None:
    # Without an open window media is refused item by item: only the size is looked at here.
    media = [item(n, templateName=MISSING, mediaBase64=IMAGE, type="image") for n in range(50)]
    data = submit(account, media + [item(n) for n in range(50, 1050)])
    assert data["total"] == 1050
    assert len(data["accepted"]) == 1000
    assert {r["code"] for r in data["rejected"]} == {"SERVICE_WINDOW_CLOSED"}


@pytest.mark.parametrize(
    ("texts", "media", "broken"),
    [
        (1001, 0, 0),
        (0, 51, 0),
        (1000, 51, 0),
        (1001, 50, 0),
        (1050, 0, 0),
        (1051, 0, 0),
        (3, 50, 1),
    ],
)
def test_one_more_of_either_is_refused_and_nothing_is_stored(
    account: TestAccount, texts: int, media: int, broken: int
) -> None:
    pictures = [item(n, mediaBase64=IMAGE, type="image") for n in range(media)]
    pictures += [item(5000 + n, mediaBase64=IMAGE, type="film") for n in range(broken)]
    answer = bulk(account, pictures + [item(n) for n in range(media, media + texts)])
    error = require_refused(answer, "BATCH_TOO_LARGE", "messages")
    assert "1000 text" in error["message"] or "50 media" in error["message"]
    require_nothing_stored(account)


def test_a_media_message_that_is_refused_still_counts_as_media(account: TestAccount) -> None:
    spoilt = [{"mediaId": 7}, {"mediaBase64": "%", "to": "1"}, {"mediaId": "x", "type": "film"}]
    media = [item(n, **spoilt[n % 3]) for n in range(50)]
    data = submit(account, media + [item(n) for n in range(50, 1050)])
    assert (len(data["accepted"]), len(data["rejected"])) == (1000, 50)


def test_what_is_no_message_at_all_counts_as_a_text(account: TestAccount) -> None:
    answer = bulk(account, [item(1), *[None] * 1000])
    require_refused(answer, "BATCH_TOO_LARGE", "messages")
    require_nothing_stored(account)


# The envelope

ON_MESSAGES_ONLY = {
    "clientMessageId": "order-0001", "to": "972501234567", "templateName": "plain",
    "templateLang": "en", "templateParams": [], "message": "hello", "kind": "notification",
    "expiresAt": "2030-01-01T00:00:00Z", "scheduledFor": "2030-01-01T00:00:00Z",
    "deadline": "2030-01-01T00:00:00Z", "mediaBase64": IMAGE, "mediaId": "med_1", "type": "image",
    "sentFrom": NUMBER, "meta": {}, "buttonUrl": "https://example.com/", "buttonPayloads": ["a"],
}  # fmt: skip


@pytest.mark.parametrize("field", ON_MESSAGES_ONLY)
def test_a_message_field_on_the_envelope_is_refused(account: TestAccount, field: str) -> None:
    for value in (ON_MESSAGES_ONLY[field], None):
        answer = bulk(account, [item(1)], **{field: value})
        require_refused(answer, "FIELD_NOT_ALLOWED_IN_BULK", field)
    require_nothing_stored(account)


@pytest.mark.parametrize("value", ["Prefer", "any", "", None, 1, True, [], ["strict"], {}])
def test_a_bad_policy_on_the_envelope_is_refused(account: TestAccount, value: Any) -> None:
    require_refused(bulk(account, [item(1)], fromPolicy=value), "INVALID_FROM_POLICY", "fromPolicy")
    require_nothing_stored(account)


@pytest.mark.parametrize("value", [None, {}, [], "x", 5, True, MISSING], ids=named)
def test_messages_must_be_a_list_with_something_in_it(account: TestAccount, value: Any) -> None:
    body = {} if value is MISSING else {"messages": value}
    require_refused(account.post("/messages/bulk", body), "VALIDATION_ERROR", "messages")
    require_nothing_stored(account)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("batchName", ""), ("batchName", "x" * 129), ("batchName", 5), ("batchName", None),
        ("batchName", ["a"]), ("eventId", 5), ("eventId", None), ("eventId", []),
        ("batchname", "x"), ("items", []), ("dryRun", True), ("title", "x"),
    ],
)  # fmt: skip
def test_a_bad_or_unknown_field_of_the_envelope_is_named(
    account: TestAccount, field: str, value: Any
) -> None:
    error = require_refused(bulk(account, [item(1)], **{field: value}), "VALIDATION_ERROR", field)
    if field == "batchname":
        assert "batchName" in error["message"]
    require_nothing_stored(account)


def test_a_name_of_128_characters_passes(account: TestAccount) -> None:
    name = "😀" * 128
    assert submit(account, [item(1)], batchName=name)["batchName"] == name


def test_an_unknown_event_on_the_envelope_refuses_the_whole_batch(account: TestAccount) -> None:
    picture = item(2, mediaBase64=IMAGE, type="image")
    answer = bulk(account, [item(1), picture], eventId="no-such-event")
    require_refused(answer, "EVENT_NOT_FOUND", "eventId", status=404)
    require_nothing_stored(account)


def test_an_unknown_event_of_one_message_refuses_that_message(account: TestAccount) -> None:
    data = submit(account, [item(1), item(2, eventId="no-such-event")])
    assert named_in(data["accepted"]) == [cid(1)]
    assert [(r["index"], r["code"]) for r in data["rejected"]] == [(1, "EVENT_NOT_FOUND")]


def test_the_policy_of_the_envelope_is_the_default_of_its_messages(service: TestService) -> None:
    account = service.account(numbers("", ""))
    asked = {"sentFrom": OTHER}
    data = submit(
        account,
        [item(1, **asked), item(2, **asked, fromPolicy="strict"), item(3, sentFrom="972555000009")],
        fromPolicy="auto",
    )
    assert [r["code"] for r in data["rejected"]] == ["INVALID_SENDER"]
    account.advance(seconds=5)
    assert account.status(cid(1))["sentFrom"] == NUMBER
    assert account.status(cid(2))["sentFrom"] == OTHER


def test_a_strict_policy_waits_for_the_number_that_was_asked_for(service: TestService) -> None:
    account = service.account(numbers("", ""))
    account.post(f"/sandbox/v1/senders/{OTHER}", {"status": "RESTRICTED"})
    messages = [item(1, sentFrom=OTHER), item(2, sentFrom=OTHER, fromPolicy="prefer")]
    data = submit(account, messages, fromPolicy="strict")
    assert [(h["clientMessageId"], h["reason"], h["until"]) for h in data["held"]] == [
        (cid(1), "NUMBER_UNHEALTHY", None)
    ]
    assert data["estimatedCompletionAt"] is None, "nobody knows when the number is well again"
    account.advance(seconds=5)
    assert account.status(cid(2))["sentFrom"] == NUMBER


def test_a_broken_body_stores_nothing(account: TestAccount) -> None:
    for content in (b"", b"{", b"[]", b'{"messages": [{]}', b'{"messages": [NaN]}', b"\xff"):
        headers = account.headers | {"content-type": "application/json"}
        answer = account.service.http.post(
            "/api/v1/messages/bulk", content=content, headers=headers
        )
        assert answer.status_code == 400, answer.text
        assert answer.json()["error"]["code"] == "VALIDATION_ERROR"
    require_nothing_stored(account)


# What is rejected item by item


@pytest.mark.parametrize(
    ("changes", "code", "field"),
    [
        ({"to": "abc"}, "INVALID_PHONE", "to"),
        ({"to": "+972501234567"}, "INVALID_PHONE", "to"),
        ({"to": MISSING}, "VALIDATION_ERROR", "to"),
        ({"to": 972501234567}, "VALIDATION_ERROR", "to"),
        ({"templateName": "nope"}, "VALIDATION_ERROR", "templateName"),
        ({"templateName": MISSING}, "VALIDATION_ERROR", "templateName"),
        ({"templateName": "hello"}, "VALIDATION_ERROR", "templateParams"),
        ({"templateLang": "xx"}, "VALIDATION_ERROR", "templateLang"),
        ({"templateName": MISSING, "message": "hi"}, "SERVICE_WINDOW_CLOSED", "message"),
        ({"kind": "party"}, "VALIDATION_ERROR", "kind"),
        ({"kind": "invitation"}, "VALIDATION_ERROR", "expiresAt"),
        (
            {"kind": "invitation", "templateName": MISSING, "expiresAt": ahead(days=1)},
            "TEMPLATE_REQUIRED",
            "templateName",
        ),
        ({"eventId": "no-such-event"}, "EVENT_NOT_FOUND", "eventId"),
        ({"scheduledFor": "tomorrow"}, "VALIDATION_ERROR", "scheduledFor"),
        ({"scheduledFor": ahead(days=366)}, "VALIDATION_ERROR", "scheduledFor"),
        ({"deadline": "2020-01-01T00:00:00Z"}, "VALIDATION_ERROR", "deadline"),
        ({"sentFrom": "972555009999"}, "INVALID_SENDER", "sentFrom"),
        ({"fromPolicy": "maybe"}, "INVALID_FROM_POLICY", "fromPolicy"),
        ({"fromPolicy": None}, "INVALID_FROM_POLICY", "fromPolicy"),
        ({"meta": []}, "VALIDATION_ERROR", "meta"),
        ({"meta": {"a": "x" * 4096}}, "VALIDATION_ERROR", "meta"),
        ({"buttonUrl": "http://example.com"}, "INVALID_URL", "buttonUrl"),
        ({"buttonUrl": "https://example.com/"}, "BUTTON_URL_UNSUPPORTED", "buttonUrl"),
        ({"buttonPayloads": []}, "INVALID_BUTTON_PAYLOAD", "buttonPayloads"),
        ({"mediaId": "med_x", "type": "image"}, "VALIDATION_ERROR", "mediaId"),
        ({"mediaBase64": "%", "type": "image"}, "INVALID_MEDIA", "mediaBase64"),
        ({"mediaBase64": IMAGE}, "VALIDATION_ERROR", "type"),
        ({"batchName": "x"}, "VALIDATION_ERROR", "batchName"),
        ({"tmplateName": "x"}, "VALIDATION_ERROR", "tmplateName"),
    ],
    ids=lambda value: named(value)[:50],
)
def test_a_rejected_item_names_its_index_id_code_and_field(
    account: TestAccount, changes: dict[str, Any], code: str, field: str
) -> None:
    data = submit(account, [item(1), item(2, **changes), item(3)])
    assert data["total"] == 3
    assert named_in(data["accepted"]) == [cid(1), cid(3)]
    rejected = data["rejected"][0]
    assert set(rejected) == {"index", "clientMessageId", "code", "message"}
    assert (rejected["index"], rejected["clientMessageId"], rejected["code"]) == (1, cid(2), code)
    assert f"messages[1].{field}" in rejected["message"], rejected["message"]
    assert account.get(f"/messages/{cid(2)}").status_code == 404


@pytest.mark.parametrize("junk", [None, 5, True, "text", [], [[]], 1.5], ids=named)
def test_what_is_no_object_is_rejected_and_the_rest_goes(account: TestAccount, junk: Any) -> None:
    data = submit(account, [junk, item(2)])
    assert (data["total"], named_in(data["accepted"])) == (2, [cid(2)])
    rejected = data["rejected"][0]
    assert (rejected["index"], rejected["clientMessageId"]) == (0, None)
    assert rejected["code"] == "VALIDATION_ERROR"
    assert "messages[0]" in rejected["message"]


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (MISSING, None), (None, None), (12345678, None), ("short", "short"),
        ("x" * 129, "x" * 129), ("        ", "        "), ("tab\tseparated", "tab\tseparated"),
    ],
    ids=named,
)  # fmt: skip
def test_a_bad_client_message_id_is_shown_where_it_is_text(
    account: TestAccount, value: Any, shown: str | None
) -> None:
    data = submit(account, [item(1, clientMessageId=value)])
    rejected = data["rejected"][0]
    assert (rejected["clientMessageId"], rejected["code"]) == (shown, "VALIDATION_ERROR")
    assert "messages[0].clientMessageId" in rejected["message"]


def test_a_recipient_who_is_not_allowed_is_rejected(service: TestService) -> None:
    account = service.account(allowlist=[to(1)])
    data = submit(account, [item(1), item(2)])
    assert named_in(data["accepted"]) == [cid(1)]
    assert data["rejected"][0]["code"] == "RECIPIENT_NOT_ALLOWLISTED"
    assert "messages[1].to" in data["rejected"][0]["message"]


def test_who_opted_out_is_rejected_and_not_written_to(account: TestAccount) -> None:
    submit(account, [item(1)])
    account.advance(seconds=5)
    opt_out(account, to(1))
    data = submit(account, [item(2, to=to(1)), item(3)])
    assert named_in(data["accepted"]) == [cid(3)]
    rejected = data["rejected"][0]
    assert (rejected["index"], rejected["code"]) == (0, "RECIPIENT_OPTED_OUT")
    assert account.get(f"/messages/{cid(2)}").status_code == 404
    again = submit(account, [item(2, to=to(1))])
    assert again["duplicates"] == [], "what was rejected left no trace"


def opt_out(account: TestAccount, number: str) -> None:
    query = (
        "UPDATE contacts SET opted_out_at = now() WHERE account_id = $1 AND phone = $2 RETURNING 1"
    )
    assert account.service.sql(query, account.id, number)


def test_a_batch_of_which_nothing_is_taken_is_a_batch(account: TestAccount) -> None:
    data = submit(account, [None, item(2, to="x")])
    assert (data["total"], data["accepted"], len(data["rejected"])) == (2, [], 2)
    assert data["batchId"].startswith("bat_")
    assert told(account, "batch.completed", data["batchId"])[0]["total"] == 0


# Repeats


def test_the_second_of_one_id_in_a_request_is_a_duplicate(account: TestAccount) -> None:
    data = submit(account, [item(1), item(1, to=to(9)), item(2), item(1)])
    assert named_in(data["accepted"]) == [cid(1), cid(2)]
    assert data["duplicates"] == [{"clientMessageId": cid(1)}] * 2
    assert data["total"] == 4
    account.advance(seconds=5)
    assert len(phone(account, to(1))) == 1 and phone(account, to(9)) == []


def test_a_rejected_item_does_not_use_its_id_up(account: TestAccount) -> None:
    data = submit(account, [item(1, to="x"), item(1), item(1)])
    assert [r["index"] for r in data["rejected"]] == [0]
    assert named_in(data["accepted"]) == named_in(data["duplicates"]) == [cid(1)]


def test_a_repeated_batch_is_all_duplicates_for_48_hours(account: TestAccount) -> None:
    messages = [item(n) for n in range(20)]
    first = submit(account, messages)
    again = submit(account, messages)
    assert again["accepted"] == again["rejected"] == []
    assert named_in(again["duplicates"]) == [cid(n) for n in range(20)]
    assert again["batchId"] != first["batchId"]
    assert account.status(cid(1))["batchId"] == first["batchId"]
    account.advance(hours=48)
    assert len(submit(account, messages)["accepted"]) == 20


def test_ids_are_shared_with_single_messages(account: TestAccount) -> None:
    account.send(**item(1))
    assert named_in(submit(account, [item(1), item(2)])["duplicates"]) == [cid(1)]
    answer = account.send(**item(2))
    assert answer.json()["data"]["duplicate"] is True


def test_two_equal_batches_at_the_same_instant_are_taken_once(account: TestAccount) -> None:
    messages = [item(n) for n in range(100)]
    with ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(lambda _: bulk(account, messages), range(6)))
    assert [answer.status_code for answer in answers] == [202] * 6
    results = [answer.json()["data"] for answer in answers]
    assert sorted(len(data["accepted"]) for data in results) == [0] * 5 + [100]
    assert sorted(len(data["duplicates"]) for data in results) == [0] + [100] * 5
    account.advance(seconds=5)
    assert statuses(account) == {"read": 100}


def test_many_batches_of_one_account_at_once_are_all_taken(account: TestAccount) -> None:
    batches = [[item(100 * b + n) for n in range(100)] for b in range(8)]
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda messages: bulk(account, messages), batches))
    assert [answer.status_code for answer in answers] == [202] * 8
    assert [len(answer.json()["data"]["accepted"]) for answer in answers] == [100] * 8


# What is held


def held(data: dict[str, Any]) -> list[tuple[str, str]]:
    assert all(set(entry) == {"clientMessageId", "reason", "until"} for entry in data["held"])
    return [(entry["clientMessageId"], entry["reason"]) for entry in data["held"]]


def test_a_paused_account_takes_the_batch_and_holds_it(service: TestService) -> None:
    account = service.account(paused=True)
    data = submit(account, [item(1), item(2)])
    assert named_in(data["accepted"]) == [cid(1), cid(2)]
    assert held(data) == [(cid(1), "SENDING_PAUSED"), (cid(2), "SENDING_PAUSED")]
    assert [entry["until"] for entry in data["held"]] == [None, None]
    assert data["estimatedCompletionAt"] is None
    deferred = [event["data"] for event in account.events("message.deferred")]
    assert [event["batchId"] for event in deferred] == [data["batchId"]] * 2


def test_what_is_scheduled_in_a_paused_account_has_no_known_end(service: TestService) -> None:
    account = service.account(paused=True)
    data = submit(account, [item(1, scheduledFor=ahead(hours=1))])
    assert data["held"] == []
    assert data["estimatedCompletionAt"] is None


def test_a_closed_send_window_holds_the_batch_until_it_opens(service: TestService) -> None:
    now = account_now(service.account())
    opens = (now + timedelta(hours=3)).replace(second=0, microsecond=0)
    window = {
        "from": opens.strftime("%H:%M"),
        "to": (opens + timedelta(hours=2)).strftime("%H:%M"),
        "timezone": "UTC",
    }
    account = service.account(sendWindow=window)
    data = submit(account, [item(1), item(2)])
    assert held(data) == [(cid(1), "SEND_WINDOW"), (cid(2), "SEND_WINDOW")]
    assert {moment(entry["until"]) for entry in data["held"]} == {opens}
    assert opens < moment(data["estimatedCompletionAt"]) < opens + timedelta(minutes=5)


def test_the_account_limit_holds_what_is_too_much_for_today(service: TestService) -> None:
    account = service.account(dailyLimit=3)
    start = account_now(account)
    data = submit(account, [item(n) for n in range(5)])
    assert len(data["accepted"]) == 5
    assert held(data) == [(cid(3), "ACCOUNT_LIMIT"), (cid(4), "ACCOUNT_LIMIT")]
    day = timedelta(days=1)
    for entry in data["held"]:
        assert day <= moment(entry["until"]) - start < day + timedelta(minutes=2)
    assert moment(data["estimatedCompletionAt"]) >= moment(data["held"][-1]["until"])


def test_the_limit_of_a_number_counts_people_and_holds_the_rest(service: TestService) -> None:
    account = service.account(numbers("dailyLimit = 2"))
    people = [1, 1, 2, 3, 2, 4]
    data = submit(account, [item(n, to=to(person)) for n, person in enumerate(people)])
    assert held(data) == [(cid(3), "NUMBER_LIMIT"), (cid(5), "NUMBER_LIMIT")]


def test_numbers_of_one_portfolio_share_their_places(service: TestService) -> None:
    shared = 'portfolioId = "p1"\ndailyLimit = 3'
    account = service.account(numbers(shared, shared))
    asked = [item(n, sentFrom=(NUMBER, OTHER)[n % 2], fromPolicy="strict") for n in range(6)]
    data = submit(account, asked)
    assert held(data) == [(cid(n), "NUMBER_LIMIT") for n in (3, 4, 5)]
    used = account.get("/limits").json()["data"]["total"]["used"]
    assert used == 3


def test_a_full_number_leaves_the_rest_to_another(service: TestService) -> None:
    account = service.account(numbers("dailyLimit = 2", "dailyLimit = 2"))
    data = submit(account, [item(n) for n in range(5)])
    assert held(data) == [(cid(4), "NUMBER_LIMIT")]
    account.advance(seconds=5)
    senders = sorted(account.status(cid(n))["sentFrom"] for n in range(4))
    assert senders == sorted([NUMBER] * 2 + [OTHER] * 2)


def test_a_limit_of_nothing_holds_everything_for_no_known_time(service: TestService) -> None:
    account = service.account(dailyLimit=0)
    data = submit(account, [item(1)])
    assert held(data) == [(cid(1), "ACCOUNT_LIMIT")]
    assert (data["held"][0]["until"], data["estimatedCompletionAt"]) == (None, None)


def test_a_batch_that_only_waits_for_its_turn_is_not_held(service: TestService) -> None:
    account = service.account(SLOW)
    data = submit(account, [item(n) for n in range(50)])
    assert data["held"] == []
    assert account.events("message.deferred") == []


# What is at risk


def at_risk(data: dict[str, Any]) -> list[str]:
    fields = {"clientMessageId", "reason", "estimatedAt", "deadline"}
    assert all(set(entry) == fields for entry in data["atRisk"])
    return named_in(data["atRisk"])


def test_a_deadline_before_the_turn_is_at_risk(service: TestService) -> None:
    account = service.account(SLOW)
    deadline = wire(account_now(account) + timedelta(minutes=5))
    data = submit(account, [item(n, deadline=deadline) for n in range(400)])
    assert len(data["accepted"]) == 400 and data["held"] == []
    risky = at_risk(data)
    assert set(risky) >= {cid(n) for n in range(300, 400)}, "these come up after the deadline"
    assert cid(0) not in risky
    last = data["atRisk"][-1]
    assert last["reason"] == "NUMBER_LIMIT", "one of the known reasons: the number's rate"
    assert moment(last["deadline"]) == moment(deadline.split(".")[0] + "Z").replace(
        microsecond=moment(last["deadline"]).microsecond
    )
    assert moment(last["estimatedAt"]) > moment(last["deadline"])


def test_a_held_message_is_at_risk_when_its_deadline_comes_first(service: TestService) -> None:
    account = service.account(dailyLimit=1)
    soon, late = ahead(hours=2), ahead(hours=30)
    data = submit(account, [item(1), item(2, deadline=soon), item(3, deadline=late), item(4)])
    assert at_risk(data) == [cid(2), cid(3)], "a place a day: tomorrow, and the day after"
    assert data["atRisk"][0]["reason"] == "ACCOUNT_LIMIT"
    account.advance(hours=3)
    assert account.status(cid(2))["status"] == "expired"


def test_nobody_knows_when_a_paused_account_sends_so_every_deadline_is_at_risk(
    service: TestService,
) -> None:
    account = service.account(paused=True)
    data = submit(account, [item(1, deadline=ahead(days=3)), item(2)])
    assert at_risk(data) == [cid(1)]
    assert data["atRisk"][0]["estimatedAt"] is None
    assert data["atRisk"][0]["reason"] == "SENDING_PAUSED"


def test_a_scheduled_message_is_not_at_risk_for_being_scheduled(account: TestAccount) -> None:
    times = {"scheduledFor": ahead(days=2), "deadline": ahead(days=2, minutes=10)}
    data = submit(account, [item(n, **times) for n in range(100)])
    assert data["atRisk"] == []


def test_a_comfortable_deadline_is_not_at_risk(account: TestAccount) -> None:
    assert submit(account, [item(1, deadline=ahead(minutes=10))])["atRisk"] == []


# Tenants


def test_batches_of_two_accounts_do_not_know_each_other(service: TestService) -> None:
    one, two = service.account(), service.account()
    submit(one, [item(1)])
    data = submit(two, [item(1)])
    assert named_in(data["accepted"]) == [cid(1)]
    assert one.post(f"/batches/{data['batchId']}/cancel").status_code == 404
    assert row_counts(one)["batches"] == row_counts(two)["batches"] == 1


def test_every_kind_of_template_that_single_messages_know(service: TestService) -> None:
    account = service.account(TEMPLATES, defaultTemplate="invite")
    data = submit(
        account,
        [item(1, templateName=MISSING, kind="invitation", templateParams=["Dana", "Friday"],
              expiresAt=ahead(days=1), buttonPayloads=["yes", "no"])],
    )  # fmt: skip
    assert data["rejected"] == []
    account.advance(seconds=5)
    shown = phone(account, to(1))[0]
    assert [button["payload"] for button in shown["buttons"]] == ["yes", "no"]
