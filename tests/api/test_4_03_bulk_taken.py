"""POST /messages/bulk, black box: what is taken, how much of it, and for whom (2.4, 4.3)."""

import random
from datetime import timedelta

import pytest

from tests.support.batches import (
    IMAGE,
    bulk,
    cid,
    item,
    named_in,
    require_nothing_stored,
    require_refused,
    row_counts,
    submit,
    timestamp,
    to,
)
from tests.support.media import PDF, encoded
from tests.support.service import TEMPLATES, TestAccount, TestService
from tests.support.text import MISSING, account_now, ahead, phone

RESULT = {
    "batchId", "batchName", "eventId", "total", "accepted", "held", "atRisk", "rejected",
    "duplicates", "estimatedCompletionAt",
}  # fmt: skip


# What is taken


@pytest.mark.quick
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
    assert timestamp(data["estimatedCompletionAt"]) > account_now(account) - timedelta(seconds=5)


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
    uploaded = account.post("/messages/upload", {"mediaBase64": encoded(PDF)})
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
    ("texts", "media", "broken", "cause"),
    [
        (1001, 0, 0, "1000 text messages a batch, got 1001;"),
        (0, 51, 0, "50 media messages a batch, got 51;"),
        (1000, 51, 0, "50 media messages a batch, got 51;"),
        (1001, 50, 0, "1000 text messages a batch, got 1001;"),
        (1001, 51, 0, "1000 text messages a batch, got 1001;"),
        (1050, 0, 0, "1000 text messages a batch, got 1050;"),
        (1051, 0, 0, "1000 text messages a batch, got 1051;"),
        (3, 50, 1, "50 media messages a batch, got 51;"),
        (1000, 50, 1, "50 media messages a batch, got 51;"),
    ],
)
def test_one_more_of_either_is_refused_by_its_own_count_and_nothing_is_stored(
    account: TestAccount, texts: int, media: int, broken: int, cause: str
) -> None:
    pictures = [item(n, mediaBase64=IMAGE, type="image") for n in range(media)]
    pictures += [item(5000 + n, mediaBase64=IMAGE, type="film") for n in range(broken)]
    answer = bulk(account, pictures + [item(n) for n in range(media, media + texts)])
    error = require_refused(answer, "BATCH_TOO_LARGE", "messages")
    assert f"at most {cause}" in error["message"]
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
