"""Media of POST /messages/text, black box: what goes, what is refused, and the window (4.1)."""

from typing import Any

import pytest

from tests.support.media import (
    PDF,
    STRANGER,
    encoded,
    jpeg,
    phone,
    png,
    require_nothing_left,
    require_refused,
    send,
    sent,
    uploaded,
)
from tests.support.names import named
from tests.support.service import GUEST, TestAccount

# Media inside the window


@pytest.mark.parametrize(
    ("data", "type_", "mimetype"),
    [
        (png(), "image", "image/png"),
        (jpeg(), "image", "image/jpeg"),
        (PDF, "document", "application/pdf"),
    ],
    ids=["png", "jpeg", "pdf"],
)
@pytest.mark.parametrize("caption", [None, "Here you are"])
def test_a_file_goes_as_it_is_with_the_message_as_its_caption(
    talking: TestAccount, data: bytes, type_: str, mimetype: str, caption: str | None
) -> None:
    words = {} if caption is None else {"message": caption}
    first = sent(talking, mediaBase64=encoded(data), type=type_, **words)
    assert first["fallbackUsed"] is False
    media_id = uploaded(talking, data)
    sent(talking, clientMessageId="menu-0002", mediaId=media_id, type=type_, **words)
    for shown in phone(talking):
        assert (shown["type"], shown["text"]) == (type_, caption)
        assert (shown["media"]["mimetype"], shown["media"]["mediaId"]) == (mimetype, media_id)


def test_a_document_shows_the_name_it_was_uploaded_with(talking: TestAccount) -> None:
    media_id = uploaded(talking, PDF, filename="Menu of the week.pdf")
    sent(talking, mediaId=media_id, type="document")
    assert phone(talking)[0]["media"]["filename"] == "Menu of the week.pdf"


def test_one_upload_serves_many_messages(talking: TestAccount) -> None:
    media_id = uploaded(talking, png())
    for index in range(5):
        sent(talking, clientMessageId=f"menu-000{index}", mediaId=media_id, type="image")
    assert {shown["media"]["mediaId"] for shown in phone(talking)} == {media_id}


def test_a_caption_has_at_most_1024_characters(talking: TestAccount) -> None:
    media = {"mediaBase64": encoded(png()), "type": "image"}
    answer = send(talking, message="😀" * 1025, **media)
    require_refused(answer, "VALIDATION_ERROR", "message")
    sent(talking, message="😀" * 1024, **media)


def test_a_repeat_does_not_look_at_the_media_again(talking: TestAccount) -> None:
    first = sent(talking, mediaBase64=encoded(png()), type="image")
    repeat = send(talking, mediaBase64=encoded(png()), type="image")
    assert repeat.json()["data"] == first | {"duplicate": True}
    assert len(phone(talking)) == 1


# Media that cannot go


IMAGE = encoded(png())


@pytest.mark.parametrize(
    ("fields", "code", "field"),
    [
        ({"mediaBase64": IMAGE}, "VALIDATION_ERROR", "type"),
        ({"mediaBase64": IMAGE, "type": None}, "VALIDATION_ERROR", "type"),
        ({"mediaBase64": IMAGE, "type": "video"}, "VALIDATION_ERROR", "type"),
        ({"mediaBase64": IMAGE, "type": "Image"}, "VALIDATION_ERROR", "type"),
        ({"mediaBase64": IMAGE, "type": ""}, "VALIDATION_ERROR", "type"),
        ({"mediaBase64": IMAGE, "type": ["image"]}, "VALIDATION_ERROR", "type"),
        ({"type": "image", "message": "Hi"}, "VALIDATION_ERROR", "type"),
        ({"type": "image", "templateName": "plain"}, "VALIDATION_ERROR", "type"),
        ({"mediaBase64": None, "type": "image"}, "VALIDATION_ERROR", "mediaBase64"),
        ({"mediaBase64": 5, "type": "image"}, "VALIDATION_ERROR", "mediaBase64"),
        ({"mediaId": None, "type": "image"}, "VALIDATION_ERROR", "mediaId"),
        ({"mediaId": "", "type": "image"}, "VALIDATION_ERROR", "mediaId"),
        ({"mediaId": "menu", "type": "image"}, "VALIDATION_ERROR", "mediaId"),
        ({"mediaId": "med_" + "0" * 32, "type": "image"}, "VALIDATION_ERROR", "mediaId"),
        (
            {"mediaId": "med_0", "mediaBase64": IMAGE, "type": "image"},
            "VALIDATION_ERROR",
            "mediaId",
        ),
        ({"mediaBase64": "", "type": "image"}, "INVALID_MEDIA", "mediaBase64"),
        ({"mediaBase64": "!", "type": "image"}, "INVALID_MEDIA", "mediaBase64"),
        ({"mediaBase64": IMAGE, "type": "document"}, "INVALID_MEDIA", "mediaBase64"),
        ({"mediaBase64": encoded(PDF), "type": "image"}, "INVALID_MEDIA", "mediaBase64"),
        (
            {"mediaBase64": encoded(b"GIF89a" + bytes(40)), "type": "image"},
            "INVALID_MEDIA",
            "mediaBase64",
        ),
    ],
    ids=lambda value: named(value)[:60],
)
def test_media_that_is_not_whole_is_refused(
    talking: TestAccount, fields: dict[str, Any], code: str, field: str
) -> None:
    require_refused(send(talking, **fields), code, field)
    require_nothing_left(talking)


def test_more_than_5_mb_are_too_large(talking: TestAccount) -> None:
    data = PDF + bytes(5 * 1024 * 1024 - len(PDF) + 1)
    answer = send(talking, mediaBase64=encoded(data), type="document")
    require_refused(answer, "MEDIA_TOO_LARGE", "mediaBase64")
    require_nothing_left(talking)
    sent(talking, mediaBase64=encoded(data[:-1]), type="document")


def test_an_upload_of_the_wrong_kind_or_of_another_account_is_refused(
    talking: TestAccount, account: TestAccount
) -> None:
    own, foreign = uploaded(talking, PDF), uploaded(account, PDF)
    require_refused(send(talking, mediaId=own, type="image"), "INVALID_MEDIA", "mediaId")
    theirs = require_refused(
        send(talking, mediaId=foreign, type="document"), "VALIDATION_ERROR", "mediaId"
    )
    nobodys = send(talking, mediaId="med_" + "f" * 32, type="document").json()["error"]
    assert theirs["message"] == nobodys["message"]
    require_nothing_left(talking)


# Media and the window


def test_media_without_a_template_does_not_go_outside_the_window(talking: TestAccount) -> None:
    media = {"mediaBase64": IMAGE, "type": "image"}
    for more in ({}, {"message": "Look"}):
        answer = send(talking, to=STRANGER, **media, **more)
        assert answer.status_code == 400
        error = answer.json()["error"]
        assert error["code"] == "SERVICE_WINDOW_CLOSED"
        assert "templateName" in error["message"] and "media" in error["message"]
    assert phone(talking, STRANGER) == []


def test_a_templates_header_takes_the_file(talking: TestAccount) -> None:
    one = sent(
        talking, mediaBase64=IMAGE, type="image", templateName="picture", templateParams=["me"]
    )
    media_id = uploaded(talking, PDF, filename="menu.pdf")
    more = {"clientMessageId": "menu-0002", "mediaId": media_id, "type": "document"}
    two = sent(talking, to=STRANGER, templateName="brochure", **more)
    assert (one["fallbackUsed"], two["fallbackUsed"]) == (False, False)
    (picture,), (brochure,) = phone(talking), phone(talking, STRANGER)
    assert (picture["type"], picture["text"]) == ("template", "See me")
    assert picture["media"]["mimetype"] == "image/png"
    assert (brochure["type"], brochure["media"]["filename"]) == ("template", "menu.pdf")


def test_with_a_message_too_the_file_goes_inside_the_window_and_the_template_outside(
    talking: TestAccount,
) -> None:
    fields = {"mediaBase64": IMAGE, "type": "image", "message": "Look"}
    fields |= {"templateName": "picture", "templateParams": ["me"]}
    assert sent(talking, **fields)["fallbackUsed"] is False
    outside = sent(talking, to=STRANGER, clientMessageId="menu-0002", **fields)
    assert outside["fallbackUsed"] is True
    assert (phone(talking)[0]["type"], phone(talking)[0]["text"]) == ("image", "Look")
    (shown,) = phone(talking, STRANGER)
    assert (shown["type"], shown["text"]) == ("template", "See me")
    assert shown["media"]["mimetype"] == "image/png"


@pytest.mark.parametrize(
    "fields",
    [
        {"templateName": "picture", "templateParams": ["me"]},
        {"templateName": "picture", "templateParams": ["me"], "message": "Look"},
        {"templateName": "brochure"},
        {"templateName": "plain", "mediaBase64": IMAGE, "type": "image"},
        {"templateName": "brochure", "mediaBase64": IMAGE, "type": "image"},
        {"templateName": "brochure", "mediaBase64": IMAGE, "type": "image", "message": "Look"},
        {
            "templateName": "picture",
            "templateParams": ["me"],
            "mediaBase64": encoded(PDF),
            "type": "document",
        },
    ],
    ids=lambda value: named(sorted(value)) + value["templateName"],
)
@pytest.mark.parametrize("to", [GUEST, STRANGER], ids=["inside", "outside"])
def test_a_template_and_its_media_must_fit(
    talking: TestAccount, fields: dict[str, Any], to: str
) -> None:
    named_field = "type" if "type" in fields else "mediaId"  # what was given, or is to be
    error = require_refused(send(talking, to=to, **fields), "VALIDATION_ERROR", named_field)
    assert fields["templateName"] in error["message"]
    require_nothing_left(talking)


# A message that says nothing


@pytest.mark.parametrize("message", ["", " ", " \n\t\u3000"], ids=named)
@pytest.mark.parametrize(
    "more", [{}, {"templateName": "plain"}, {"mediaBase64": IMAGE, "type": "image"}], ids=named
)
def test_a_blank_message_is_refused(
    talking: TestAccount, message: str, more: dict[str, str]
) -> None:
    answer = send(talking, message=message, **more)
    require_refused(answer, "VALIDATION_ERROR", "message")
    require_nothing_left(talking)
