"""POST /messages/upload, black box: what is taken, every refusal, and that content is kept once."""

import hashlib
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.rules.test_media_rules import OTHERS
from tests.support.database import fresh_database
from tests.support.media import PDF, encoded, jpeg, png
from tests.support.names import named
from tests.support.s3 import S3Server, variables
from tests.support.service import TestAccount, TestService
from tests.support.waiting import patiently
from tidings.errors import ApiError, Code
from tidings.features.accounts.lookup import load_accounts
from tidings.features.media import attach as lookup
from tidings.features.media.model import MediaFile
from tidings.features.media.rules import MediaCode
from tidings.platforms.content import MediaRef

MOST = 5 * 1024 * 1024


def upload(account: TestAccount, data: bytes = PDF, **fields: Any) -> httpx.Response:
    return account.post("/messages/upload", {"mediaBase64": encoded(data)} | fields)


def media_id(account: TestAccount, data: bytes = PDF, **fields: Any) -> str:
    answer = patiently(lambda: upload(account, data, **fields))
    assert answer.status_code == 200, answer.text
    found: str = answer.json()["data"]["mediaId"]
    return found


def require_refused(answer: httpx.Response, code: str, field: str) -> dict[str, Any]:
    assert answer.status_code == 400, answer.text
    error: dict[str, Any] = answer.json()["error"]
    assert (error["code"], error["field"]) == (code, field), answer.text
    assert field in error["message"]
    return error


def rows(account: TestAccount) -> list[dict[str, Any]]:
    return account.service.sql("SELECT * FROM media WHERE account_id = $1", account.id)


def kept(account: TestAccount, ref: str) -> MediaFile:
    ctx, key = account.service.ctx, (account.id, ref)
    found = account.service.call(lambda: ctx.db.transact(lambda tx: lookup.load_media(tx, [key])))
    return found[key]


# What is taken


@pytest.mark.parametrize(
    ("data", "mimetype"),
    [(PDF, "application/pdf"), (png(), "image/png"), (jpeg(), "image/jpeg")],
    ids=["pdf", "png", "jpeg"],
)
def test_an_upload_answers_its_id_type_and_size(
    account: TestAccount, data: bytes, mimetype: str
) -> None:
    answer = upload(account, data, mimetype=mimetype, filename="a")
    assert answer.status_code == 200, answer.text
    body = answer.json()
    assert (body["success"], body["environment"]) == (True, "sandbox")
    assert set(body["data"]) == {"mediaId", "mimetype", "bytes"}
    assert re.fullmatch("med_[0-9a-f]{32}", body["data"]["mediaId"])
    assert (body["data"]["mimetype"], body["data"]["bytes"]) == (mimetype, len(data))


@pytest.mark.quick
def test_the_bytes_are_kept_as_they_came(account: TestAccount) -> None:
    data = jpeg() + bytes(range(256)) * 1000
    media = kept(account, media_id(account, data))
    objects = account.service.ctx.objects
    assert account.service.call(lambda: objects.get(media.object_key)) == data
    (row,) = rows(account)
    assert row["sha256"] == hashlib.sha256(data).digest()
    assert media.object_key == f"{account.id.hex}/{media.object_name.hex()}"


def test_exactly_5_mb_pass_and_one_byte_more_is_too_large(account: TestAccount) -> None:
    most = PDF + bytes(MOST - len(PDF))
    assert upload(account, most).json()["data"]["bytes"] == MOST
    require_refused(upload(account, most + b"\0"), "MEDIA_TOO_LARGE", "mediaBase64")
    assert len(rows(account)) == 1


# What is refused


@pytest.mark.parametrize("value", [None, 5, True, [], {}, ["JVBERi0="]], ids=named)
def test_content_that_is_no_string_is_a_validation_error(account: TestAccount, value: Any) -> None:
    answer = account.post("/messages/upload", {"mediaBase64": value})
    require_refused(answer, "VALIDATION_ERROR", "mediaBase64")


@pytest.mark.parametrize(
    "fields", [{}, {"filename": "a.pdf"}, {"mimetype": "image/png"}], ids=named
)
def test_content_must_be_given(account: TestAccount, fields: dict[str, str]) -> None:
    answer = account.post("/messages/upload", fields)
    require_refused(answer, "VALIDATION_ERROR", "mediaBase64")


@pytest.mark.parametrize("field", ["mimetype", "filename"])
@pytest.mark.parametrize("value", [None, 5, ["a"]], ids=named)
def test_a_field_of_the_wrong_type_is_named(account: TestAccount, field: str, value: Any) -> None:
    require_refused(upload(account, **{field: value}), "VALIDATION_ERROR", field)


def test_an_unknown_field_is_named_with_the_one_that_was_meant(account: TestAccount) -> None:
    error = require_refused(upload(account, fileName="a"), "VALIDATION_ERROR", "fileName")
    assert "filename" in error["message"]


@pytest.mark.parametrize("data", OTHERS.values(), ids=OTHERS)
def test_what_is_no_jpeg_png_or_pdf_is_invalid(account: TestAccount, data: bytes) -> None:
    require_refused(upload(account, data), "INVALID_MEDIA", "mediaBase64")
    assert not rows(account)


@pytest.mark.parametrize(
    "value",
    [
        "",
        "!",
        "JVBERi0",
        "JVBE\nRi0=",
        " JVBERi0=",
        "JVBERi0-",
        "data:application/pdf;base64,JVBERi0=",
    ],
    ids=named,
)
def test_base64_is_read_strictly(account: TestAccount, value: str) -> None:
    answer = account.post("/messages/upload", {"mediaBase64": value})
    require_refused(answer, "INVALID_MEDIA", "mediaBase64")


def test_a_png_of_50_000_by_50_000_pixels_is_refused_unopened(account: TestAccount) -> None:
    error = require_refused(upload(account, png(50_000, 50_000)), "INVALID_MEDIA", "mediaBase64")
    assert "megapixels" in error["message"]


def test_a_mimetype_that_contradicts_the_content_is_invalid(account: TestAccount) -> None:
    require_refused(upload(account, png(), mimetype="application/pdf"), "INVALID_MEDIA", "mimetype")
    assert not rows(account)


# File names


@pytest.mark.parametrize(
    ("filename", "expected"),
    [
        ("report.pdf", "report.pdf"),
        ("../../etc/passwd", "passwd.pdf"),
        ("invoice\u202efdp.exe", "invoicefdp.exe.pdf"),
        ("x" * 10_000, "x" * 236 + ".pdf"),
        ("", "document.pdf"),
        ("..", "document.pdf"),
    ],
    ids=lambda value: named(value)[:24],
)
def test_a_file_name_is_made_safe(account: TestAccount, filename: str, expected: str) -> None:
    assert kept(account, media_id(account, filename=filename)).filename == expected


def test_a_file_without_a_name_gets_one(account: TestAccount) -> None:
    assert kept(account, media_id(account)).filename == "document.pdf"


def test_a_name_with_nul_is_refused_with_the_body(account: TestAccount) -> None:
    assert upload(account, filename="a\0.pdf").json()["error"]["code"] == "VALIDATION_ERROR"


def test_a_later_name_renames_the_upload_and_none_leaves_it(account: TestAccount) -> None:
    first = media_id(account, filename="draft.pdf")
    assert media_id(account, filename="final.pdf") == first
    assert media_id(account) == first
    assert kept(account, first).filename == "final.pdf"


# Kept once


def test_the_same_bytes_are_the_same_media(account: TestAccount) -> None:
    assert media_id(account) == media_id(account, mimetype="application/pdf", filename="b.pdf")
    assert media_id(account, PDF + b" ") != media_id(account)
    assert len(rows(account)) == 2


def test_64_at_once_are_one_row(account: TestAccount) -> None:
    with ThreadPoolExecutor(64) as pool:
        found = set(pool.map(lambda n: media_id(account, filename=f"{n}.pdf"), range(64)))
    assert len(found) == 1
    assert len(rows(account)) == 1


def test_another_account_has_another_id_and_learns_nothing(service: TestService) -> None:
    one, two = service.account(), service.account()
    first, second = media_id(one), media_id(two)
    assert first != second
    key = (two.id, first)
    ctx = service.ctx
    assert not service.call(lambda: ctx.db.transact(lambda tx: lookup.load_media(tx, [key])))


def test_content_that_was_lost_is_kept_again(account: TestAccount) -> None:
    ref = media_id(account)
    objects, key = account.service.ctx.objects, kept(account, ref).object_key
    account.service.call(lambda: objects.delete(key))
    assert media_id(account) == ref
    assert account.service.call(lambda: objects.get(key)) == PDF


def test_an_upload_has_the_account_time(account: TestAccount) -> None:
    account.advance(days=40)
    ahead = kept(account, media_id(account)).created_at - account.service.clock.now()
    assert 39 <= ahead.days <= 40


# The object store


def test_files_go_to_s3_and_an_upload_waits_while_it_is_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with S3Server() as s3:
        s3.make_bucket("files")
        for name, value in variables(s3.address).items():
            monkeypatch.setenv(name, value)
        settings = {"TIDINGS_OBJECTS_URL": "s3://files/media"}
        with TestService(fresh_database(), tmp_path, settings=settings, working=False) as service:
            account = service.account()
            media = kept(account, media_id(account))
            assert f"<Key>media/{media.object_key}</Key>" in s3.listing("files")
            s3.stop()
            answer = upload(account, png())
            assert answer.status_code == 503, answer.text
            assert answer.json()["error"]["code"] == "SERVICE_UNAVAILABLE"
            assert int(answer.headers["Retry-After"]) >= 1
            assert len(rows(account)) == 1


# For messages (4.1, 4.4): what other slices ask


def attached(account: TestAccount, *, keeping: bool = True, **given: Any) -> Any:
    verb = lookup.attach if keeping else lookup.preview
    ctx, row = account.service.ctx, _row(account)
    return account.service.call(lambda: verb(ctx, row, **given)).ref


def _row(account: TestAccount) -> Any:
    ctx = account.service.ctx
    loaded = account.service.call(
        lambda: ctx.db.transact(lambda tx: load_accounts(tx, [account.id]))
    )
    return loaded[account.id]


def not_attached(account: TestAccount, **given: Any) -> ApiError:
    for keeping in (True, False):
        with pytest.raises(ApiError) as caught:
            attached(account, keeping=keeping, **given)
    return caught.value


def test_a_message_takes_content_or_an_upload(account: TestAccount) -> None:
    by_content = attached(account, media_base64=encoded(png()), type_="image")
    by_id = attached(account, media_id=by_content.id, type_="image")
    assert by_content == by_id == MediaRef(media_id(account, png()), "image/png", "image.png")
    named = media_id(account, filename="menu.pdf")
    assert attached(account, media_id=named, type_="document").filename == "menu.pdf"


def test_a_preview_keeps_nothing(account: TestAccount) -> None:
    seen = attached(account, keeping=False, media_base64=encoded(PDF), type_="document")
    assert seen == MediaRef("", "application/pdf", "document.pdf")
    image = account.service.call(lambda: lookup.preview_image(encoded(png()))).ref
    assert image == MediaRef("", "image/png", "image.png")
    assert not rows(account)
    ref = media_id(account)
    assert attached(account, keeping=False, media_id=ref, type_="document").id == ref


@pytest.mark.parametrize(
    "given",
    [{}, {"media_base64": encoded(PDF), "media_id": "med_" + "0" * 32}],
    ids=["neither", "both"],
)
def test_exactly_one_of_the_two_is_given(account: TestAccount, given: dict[str, str]) -> None:
    refused = not_attached(account, type_="document", **given)
    assert (refused.code, refused.field) == (Code.VALIDATION_ERROR, "mediaBase64")
    assert "mediaId" in refused.message
    assert not rows(account)


@pytest.mark.parametrize("type_", [None, "video", "", "Image"])
def test_media_needs_a_type(account: TestAccount, type_: str | None) -> None:
    refused = not_attached(account, media_base64=encoded(png()), type_=type_)
    assert (refused.code, refused.field) == (Code.VALIDATION_ERROR, "type")


@pytest.mark.parametrize(
    ("data", "type_"), [(PDF, "image"), (png(), "document"), (jpeg(), "document")]
)
def test_a_type_that_contradicts_the_content_is_refused(
    account: TestAccount, data: bytes, type_: str
) -> None:
    refused = not_attached(account, media_base64=encoded(data), type_=type_)
    assert (refused.code, refused.field) == (MediaCode.INVALID_MEDIA, "mediaBase64")
    assert not rows(account)
    refused = not_attached(account, media_id=media_id(account, data), type_=type_)
    assert (refused.code, refused.field) == (MediaCode.INVALID_MEDIA, "mediaId")


def test_an_id_of_another_account_reads_like_one_that_never_was(service: TestService) -> None:
    one, two = service.account(), service.account()
    ids = [media_id(one), "med_" + "0" * 32, "", "x" * 10_000, media_id(one).upper(), "med_\0"]
    refusals = [not_attached(two, media_id=ref, type_="document") for ref in ids]
    assert {(r.code, r.field) for r in refusals} == {(Code.VALIDATION_ERROR, "mediaId")}
    assert len({r.message for r in refusals}) == 1


def test_a_header_image_is_kept_like_an_upload(account: TestAccount) -> None:
    ctx, row = account.service.ctx, _row(account)
    uri = "data:image/png;base64," + encoded(png())
    found = account.service.call(lambda: lookup.attach_image(ctx, row, uri)).ref
    assert found == MediaRef(media_id(account, png()), "image/png", "image.png")


def test_uploads_of_many_accounts_are_looked_up_at_once(service: TestService) -> None:
    one, two = service.account(), service.account()
    mine, theirs = media_id(one), media_id(two)
    asked = [(one.id, mine), (two.id, theirs), (one.id, theirs), (two.id, "med_x"), (one.id, mine)]
    ctx = service.ctx
    found = service.call(lambda: ctx.db.transact(lambda tx: lookup.load_media(tx, asked)))
    assert set(found) == {(one.id, mine), (two.id, theirs)}
