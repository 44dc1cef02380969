"""Which files are kept: none of a refused message, none that nothing refers to (contract2 A, E)."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.support.batches import bulk
from tests.support.clock import ManualClock
from tests.support.database import fresh_database
from tests.support.media import PDF, PICTURED, STRANGER, encoded, png, send, uploaded
from tests.support.service import GUEST, TestAccount, TestService
from tidings.doctor import check
from tidings.features.messages.request import attachments

IMAGE = {"mediaBase64": encoded(png()), "type": "image"}
PICTURE = {"templateName": "picture", "templateParams": ["me"]} | IMAGE
OTHER = {"templateName": "brochure", "mediaBase64": encoded(PDF), "type": "document"}


def on_disk(account: TestAccount) -> list[Path]:
    folder = account.service.settings.data / "objects" / account.id.hex
    return [path for path in folder.rglob("*") if path.is_file()]


def traces(account: TestAccount) -> tuple[int, ...]:
    """Files on disk, and what the database says of the account's files."""
    counts = [len(on_disk(account))]
    for table in ("media", "media_uses"):
        query = f"SELECT count(*) AS n FROM {table} WHERE account_id = $1"
        counts.append(account.service.sql(query, account.id)[0]["n"])
    query = "SELECT coalesce(sum(bytes), 0) AS n FROM media_storage WHERE account_id = $1"
    return (*counts, int(account.service.sql(query, account.id)[0]["n"]))


NOTHING = (0, 0, 0, 0)


def sweep(service: TestService) -> None:
    service.call(lambda: attachments.sweep(service.ctx))


# Refused


def post_rich(account: TestAccount, image: str = IMAGE["mediaBase64"]) -> httpx.Response:
    body = {
        "clientMessageId": "menu-0001",
        "to": STRANGER,
        "message": "Look",
        "buttons": [{"text": "Yes", "id": "yes"}],
        "headerImage": image,
    }
    return account.post("/messages/rich", body)


Ask = Callable[[TestAccount], httpx.Response]
REFUSED: dict[str, tuple[str, dict[str, Any], Ask]] = {
    "window": ("SERVICE_WINDOW_CLOSED", {}, lambda one: send(one, to=STRANGER, **IMAGE)),
    "rich window": ("SERVICE_WINDOW_CLOSED", {}, post_rich),
    "allow-list": (
        "RECIPIENT_NOT_ALLOWLISTED",
        {"allowlist": ["972500000000"]},
        lambda one: send(one, **PICTURE),
    ),
    "no quota": (
        "NO_ACTIVE_SUBSCRIPTION",
        {"billingMode": "ENFORCED"},
        lambda one: send(one, **PICTURE),
    ),
    "template": (
        "VALIDATION_ERROR",
        {},
        lambda one: send(one, **PICTURE | {"templateParams": ["too", "many"]}),
    ),
    "event": ("EVENT_NOT_FOUND", {}, lambda one: send(one, eventId="nowhere", **PICTURE)),
    "sender": ("INVALID_SENDER", {}, lambda one: send(one, sentFrom="972555999999", **PICTURE)),
}


@pytest.mark.parametrize("why", REFUSED)
def test_the_file_of_a_refused_message_is_not_kept(service: TestService, why: str) -> None:
    code, fields, ask = REFUSED[why]
    account = service.account(PICTURED, **fields)
    answer = ask(account)
    assert answer.json()["error"]["code"] == code, answer.text
    assert traces(account) == NOTHING


def test_the_file_of_a_duplicate_is_not_kept(service: TestService) -> None:
    account = service.account(PICTURED)
    assert send(account, **PICTURE).status_code == 200
    first = on_disk(account)
    assert send(account, **OTHER).json()["data"]["duplicate"] is True
    assert on_disk(account) == first and len(first) == 1


def test_the_file_for_a_guest_who_opted_out_is_not_kept(service: TestService) -> None:
    account = service.account(PICTURED)
    account.reply(GUEST, "stop")
    assert send(account, **PICTURE).json()["data"]["status"] == "failed"
    assert traces(account) == NOTHING


def test_of_a_batch_the_files_of_accepted_items_are_kept(service: TestService) -> None:
    account = service.account(PICTURED)
    items = [
        {"clientMessageId": f"item-000{n}", "to": f"97250123456{n}", **fields}
        for n, fields in enumerate([PICTURE, OTHER | {"templateName": "picture"}, PICTURE])
    ]
    answer = bulk(account, items).json()["data"]
    assert (len(answer["accepted"]), len(answer["rejected"])) == (2, 1)
    assert len(on_disk(account)) == 1


def test_of_a_batch_that_is_refused_as_a_whole_no_file_is_kept(service: TestService) -> None:
    account = service.account(PICTURED, billingMode="ENFORCED")
    answer = bulk(account, [{"clientMessageId": "item-0001", "to": GUEST, **PICTURE}])
    assert answer.status_code == 402
    assert traces(account) == NOTHING


def test_a_refusal_leaves_the_same_file_of_another_message(service: TestService) -> None:
    account = service.account(PICTURED)
    waiting = {"clientMessageId": "menu-0002", "scheduledFor": later(service)}
    assert send(account, **PICTURE, **waiting).status_code == 202
    assert send(account, sentFrom="972555999999", **PICTURE).status_code == 400
    assert len(on_disk(account)) == 1
    account.advance(hours=3)
    assert account.status("menu-0002")["status"] == "read"


def later(service: TestService) -> str:
    return (service.clock.now() + timedelta(hours=2)).isoformat()


# Removed


@pytest.fixture
def still(still_service: TestService) -> TestAccount:
    return still_service.account(PICTURED)


def test_a_file_stays_until_its_messages_have_gone(
    still: TestAccount, still_service: TestService
) -> None:
    first = {"clientMessageId": "menu-0001", "scheduledFor": later(still_service)}
    assert send(still, **PICTURE, **first).status_code == 202
    assert send(still, **PICTURE | {"clientMessageId": "menu-0002"}).status_code == 200
    sweep(still_service)
    assert traces(still) == (1, 1, 1, len(png()))
    still.advance(hours=3)
    assert still.status("menu-0001")["status"] == "read"
    sweep(still_service)
    assert traces(still) == NOTHING
    assert still_service.call(lambda: check(still_service.ctx.db)) == []


def test_an_upload_stays_for_90_real_days_from_its_last_use(
    still: TestAccount, still_service: TestService, clock: ManualClock
) -> None:
    ref = uploaded(still, png())
    still.advance(days=400)  # the sandbox's time is not that of files
    sweep(still_service)
    clock.advance(days=80)
    fields = {"templateName": "picture", "templateParams": ["me"], "type": "image", "mediaId": ref}
    assert send(still, **fields).status_code == 200
    for days in (11, 78):
        clock.advance(days=days)
        sweep(still_service)
        assert len(on_disk(still)) == 1
    clock.advance(days=2)
    sweep(still_service)
    assert traces(still) == NOTHING
    refused = send(still, **fields | {"clientMessageId": "menu-0002"})
    assert refused.json()["error"]["field"] == "mediaId"
    assert uploaded(still, png()) != ref


# How much


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestService]:
    settings = {"TIDINGS_STORAGE_PER_ACCOUNT": "1MB"}
    folder = tmp_path_factory.mktemp("small")
    clock = ManualClock()
    with TestService(
        fresh_database(), folder, clock=clock, settings=settings, working=False
    ) as running:
        yield running


def picture(n: int, size: int = 600_000) -> str:
    return encoded(png() + bytes([n]) * size)


def test_an_account_has_so_much_storage_and_is_refused_when_it_is_used_up(
    small: TestService,
) -> None:
    account, neighbour = small.account(PICTURED), small.account(PICTURED)
    assert account.post("/messages/upload", {"mediaBase64": picture(1)}).status_code == 200
    refused = account.post("/messages/upload", {"mediaBase64": picture(2)})
    error = refused.json()["error"]
    assert (refused.status_code, error["code"]) == (400, "VALIDATION_ERROR")
    assert error["field"] == "mediaBase64"
    for word in ("mediaBase64", "1048576", "mediaId", "operator"):
        assert word in error["message"]
    assert post_rich(account, picture(2)).json()["error"]["field"] == "headerImage"
    items = [{"clientMessageId": "item-0001", "to": GUEST, **PICTURE | {"mediaBase64": picture(2)}}]
    (entry,) = bulk(account, items).json()["data"]["rejected"]
    assert "messages[0].mediaBase64" in entry["message"]
    assert len(on_disk(account)) == 1
    again = account.post("/messages/upload", {"mediaBase64": picture(1)})
    assert again.status_code == 200, "content that is there takes no room"
    assert neighbour.post("/messages/upload", {"mediaBase64": picture(2)}).status_code == 200


def test_there_is_room_again_when_messages_have_gone(small: TestService) -> None:
    account = small.account(PICTURED)
    for n in (1, 2):
        fields = PICTURE | {"mediaBase64": picture(n), "clientMessageId": f"menu-000{n}"}
        assert send(account, **fields).status_code == 200, n
        sweep(small)
    assert traces(account) == NOTHING
