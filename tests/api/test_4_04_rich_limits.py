"""POST /messages/rich, black box: every limit and refusal of its fields (4.4)."""

from typing import Any

import pytest

from tests.support.media import PDF, encoded, jpeg, png, require_refused
from tests.support.names import named
from tests.support.rich import YES, require_nothing_left, send, sent
from tests.support.service import NUMBER, TestAccount
from tests.support.text import MISSING

# Limits, at both sides of each border


@pytest.mark.parametrize(
    "more",
    [
        {"message": "m" * 1024},
        {"message": "😀" * 1024},
        {"message": "line\nline\n\n*bold* {{1}}"},
        {"title": "t" * 60},
        {"title": "😀" * 60},
        {"footer": "f" * 60},
        {"buttons": [{"id": "yes", "text": "b" * 20}]},
        {"buttons": [{"id": "yes", "text": "😀" * 20}]},
        {"buttons": [{"id": "i" * 256, "text": "Yes"}]},
        {"buttons": [{"id": "{\"a\": 1} – כן", "text": "Yes"}]},
        {"buttons": [{"text": "b" * 20, "url": "https://example.com/"}]},
        {"clientMessageId": "c" * 8},
        {"clientMessageId": "c" * 128},
    ],
    ids=lambda more: named(more)[:60],
)  # fmt: skip
def test_the_largest_of_each_is_sent(talking: TestAccount, more: dict[str, Any]) -> None:
    sent(talking, **more)


@pytest.mark.parametrize(
    ("more", "field"),
    [
        ({"message": "m" * 1025}, "message"),
        ({"message": ""}, "message"),
        ({"message": " \n\t "}, "message"),
        ({"message": None}, "message"),
        ({"message": MISSING}, "message"),
        ({"message": ["Are you coming?"]}, "message"),
        ({"title": "t" * 61}, "title"),
        ({"title": ""}, "title"),
        ({"title": "   "}, "title"),
        ({"title": None}, "title"),
        ({"title": 1}, "title"),
        ({"footer": "f" * 61}, "footer"),
        ({"footer": ""}, "footer"),
        ({"footer": " "}, "footer"),
        ({"footer": None}, "footer"),
        ({"headerImage": None}, "headerImage"),
        ({"headerImage": 5}, "headerImage"),
        ({"clientMessageId": MISSING}, "clientMessageId"),
        ({"clientMessageId": "c" * 7}, "clientMessageId"),
        ({"clientMessageId": "c" * 129}, "clientMessageId"),
        ({"to": MISSING}, "to"),
        ({"to": 972501234567}, "to"),
    ],
    ids=lambda value: named(value)[:60],
)
def test_a_field_beyond_its_limit_is_named(
    talking: TestAccount, more: dict[str, Any], field: str
) -> None:
    require_refused(send(talking, **more), "VALIDATION_ERROR", field)
    require_nothing_left(talking)


@pytest.mark.parametrize("to", ["1234567", "+972501234567", "1" * 21, ""], ids=named)
def test_a_recipient_that_is_no_phone_is_an_invalid_phone(talking: TestAccount, to: str) -> None:
    require_refused(send(talking, to=to), "INVALID_PHONE", "to")


# The header image


NO_IMAGES = {
    "gif": encoded(b"GIF89a" + bytes(40)),
    "svg": encoded(b"<svg xmlns='http://www.w3.org/2000/svg'/>"),
    "svg uri": "data:image/svg+xml;base64," + encoded(b"<svg/>"),
    "svg text": "data:image/svg+xml,<svg/>",
    "gif uri": "data:image/gif;base64," + encoded(b"GIF89a" + bytes(40)),
    "webp": encoded(b"RIFF\x00\x00\x00\x00WEBPVP8 "),
    "pdf": encoded(PDF),
    "pdf uri": "data:application/pdf;base64," + encoded(PDF),
    "png uri holding jpeg": "data:image/png;base64," + encoded(jpeg()),
    "uri without type": "data:;base64," + encoded(png()),
    "uri without base64": "data:image/png," + encoded(png()),
    "empty": "",
    "empty uri": "data:image/png;base64,",
    "an address": "https://example.com/a.png",
    "not base64": "!" + encoded(png()),
    "with a line break": encoded(png())[:20] + "\n" + encoded(png())[20:],
    "a text": encoded(b"hello"),
}


@pytest.mark.parametrize("kind", NO_IMAGES)
def test_what_is_no_jpeg_or_png_is_invalid_media(talking: TestAccount, kind: str) -> None:
    answer = send(talking, headerImage=NO_IMAGES[kind])
    require_refused(answer, "INVALID_MEDIA", "headerImage")
    require_nothing_left(talking)


def test_an_image_of_more_than_5_mb_is_too_large(talking: TestAccount) -> None:
    image = png() + bytes(5 * 1024 * 1024 - len(png()) + 1)
    require_refused(send(talking, headerImage=encoded(image)), "MEDIA_TOO_LARGE", "headerImage")
    sent(talking, headerImage=encoded(image[:-1]))


# Fields that are not part of it


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("scheduledFor", "2030-01-01T00:00:00Z"),
        ("deadline", "2030-01-01T00:00:00Z"),
        ("expiresAt", "2030-01-01T00:00:00Z"),
        ("kind", "notification"),
        ("eventId", "party-1"),
        ("sentFrom", NUMBER),
        ("fromPolicy", "auto"),
        ("meta", {}),
        ("mediaId", "med_0"),
        ("mediaBase64", "AAAA"),
        ("type", "image"),
        ("buttonUrl", "https://example.com"),
        ("buttonPayloads", ["a"]),
        ("body", "Hello"),
        ("button", [YES]),
    ],
)
def test_fields_of_other_requests_are_unknown_here(
    talking: TestAccount, name: str, value: Any
) -> None:
    require_refused(send(talking, **{name: value}), "VALIDATION_ERROR", name)
    require_nothing_left(talking)


def test_a_misspelt_field_is_answered_with_the_one_that_was_meant(talking: TestAccount) -> None:
    error = require_refused(send(talking, headerimage="x"), "VALIDATION_ERROR", "headerimage")
    assert "headerImage" in error["message"]
