"""Which files are taken (4.5), what each refusal says, and what becomes of a file's name."""

import hashlib
import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.media import PDF, PNG_MAGIC, encoded, frame, jpeg, png, segment
from tests.support.names import named
from tidings import ids, limits
from tidings.errors import ApiError, Code
from tidings.features.media import rules
from tidings.features.media.model import MediaKind
from tidings.features.media.rules import MediaCode


def refusal(value: str, **kwargs: str) -> ApiError:
    with pytest.raises(ApiError) as caught:
        rules.decode_file(value, **kwargs)
    return caught.value


def image_refusal(value: str) -> ApiError:
    with pytest.raises(ApiError) as caught:
        rules.decode_image(value)
    return caught.value


def test_a_media_id_is_read_back_and_is_no_other_id() -> None:
    one = ids.new_id()
    assert ids.parse_ref("med_", ids.media_ref(one)) == one
    assert ids.parse_ref("bat_", ids.media_ref(one)) is None


# What a file is


@pytest.mark.parametrize(
    ("data", "mimetype"),
    [
        (png(), "image/png"),
        (png(10_000, 5_000), "image/png"),
        (jpeg(), "image/jpeg"),
        (jpeg(marker=0xC2), "image/jpeg"),
        (jpeg(before=segment(0xE1, frame(60_000, 60_000))), "image/jpeg"),  # a thumbnail's size
        (jpeg(before=b"\xff" * 100), "image/jpeg"),  # fill bytes
        (jpeg(before=segment(0xE2, bytes(65_533)) * 20), "image/jpeg"),  # a colour profile
        (jpeg() + b"<script>alert(1)</script>", "image/jpeg"),  # phones append, too
        (PDF, "application/pdf"),
        (b"%PDF-", "application/pdf"),
    ],
    ids=lambda value: value if isinstance(value, str) else repr(value[:12]),
)
def test_the_first_bytes_decide_what_a_file_is(data: bytes, mimetype: str) -> None:
    file = rules.decode_file(encoded(data))
    assert (file.data, file.mimetype) == (data, mimetype)
    assert file.digest == hashlib.sha256(data).digest()


OTHERS = {
    "nothing": b"",
    "gif": b"GIF89a\x01\0\x01\0",
    "webp": b"RIFF\x24\0\0\0WEBPVP8 ",
    "svg": b'<svg xmlns="http://www.w3.org/2000/svg"/>',
    "html": b"<!doctype html><script>alert(1)</script>",
    "zip": b"PK\x03\x04",
    "exe": b"MZ\x90\0",
    "zeros": bytes(1000),
    "late pdf": b"0123456789%PDF-1.7",
    "space before pdf": b" %PDF-1.7",
    "lower case pdf": b"%pdf-1.7",
    "half a magic": PNG_MAGIC[:7],
}


@pytest.mark.parametrize("data", OTHERS.values(), ids=OTHERS)
def test_anything_else_is_invalid_media(data: bytes) -> None:
    refused = refusal(encoded(data))
    assert (refused.code, refused.field) == (MediaCode.INVALID_MEDIA, "mediaBase64")
    assert refused.message.startswith("mediaBase64 must be a jpeg, png or pdf file")


DAMAGED = {
    "png, magic alone": PNG_MAGIC,
    "png, other chunk first": PNG_MAGIC + b"\0\0\0\x0dIDAT" + bytes(20),
    "png, IHDR cut": png()[:20],
    "png, no width": png(0, 5),
    "png, no height": png(5, 0),
    "jpeg, magic alone": b"\xff\xd8\xff",
    "jpeg, script tail": b"\xff\xd8\xff<script>alert(1)</script>",
    "jpeg, zeros": b"\xff\xd8\xff\xe0" + bytes(1000),
    "jpeg, no frame": b"\xff\xd8" + segment(0xE0, b"JFIF\0") + b"\xff\xda\0\x08" + bytes(20),
    "jpeg, ends at once": b"\xff\xd8\xff\xd9" + bytes(20),
    "jpeg, frame cut": jpeg()[:24],
    "jpeg, length zero": b"\xff\xd8\xff\xe1\0\0" + frame(1, 1),
    "jpeg, beyond the end": b"\xff\xd8\xff\xe1\xff\xff" + bytes(100),
    "jpeg, no width": jpeg(0, 5),
    "jpeg, no height": jpeg(5, 0),
}


@pytest.mark.parametrize("data", DAMAGED.values(), ids=DAMAGED)
def test_an_image_without_a_sound_header_is_invalid_media(data: bytes) -> None:
    refused = refusal(encoded(data))
    assert (refused.code, refused.field) == (MediaCode.INVALID_MEDIA, "mediaBase64")
    assert "its header is damaged" in refused.message


@pytest.mark.parametrize(
    "data", [png(50_000, 50_000), png(2**32 - 1, 1), jpeg(65_535, 65_535), png(10_000, 5_001)]
)
def test_an_image_of_more_than_50_megapixels_is_refused_by_its_header(data: bytes) -> None:
    refused = refusal(encoded(data))
    assert (refused.code, refused.field) == (MediaCode.INVALID_MEDIA, "mediaBase64")
    assert "50 megapixels" in refused.message


@pytest.mark.parametrize(
    "bomb",
    [
        b"\xff\xd8" + b"\xff" * 5_000_000,
        b"\xff\xd8" + segment(0xE0, b"") * 1_200_000,
        b"\xff\xd8" + segment(0xE0, b"") * 4_000 + bytes(1_000_000),
    ],
    ids=["fill bytes", "segments", "segments, then nothing"],
)
def test_an_endless_header_is_given_up_soon(bomb: bytes) -> None:
    value = encoded(bomb)
    started = time.thread_time()
    assert refusal(value).code is MediaCode.INVALID_MEDIA
    assert time.thread_time() - started < 0.5


# Base64 and size


@pytest.mark.parametrize(
    "value",
    [
        "not base64!",
        encoded(PDF)[:-1],
        encoded(PDF).rstrip("="),
        encoded(PDF) + "\n",
        " " + encoded(PDF),
        encoded(PDF)[:8] + "\r\n" + encoded(PDF)[8:],
        encoded(PDF)[:8] + "    " + encoded(PDF)[8:],
        encoded(PDF + b"!") + "====",
        encoded(PDF + b"!") + "=",
        encoded(PDF) + encoded(PDF),
        "AA==" + encoded(PDF),
        "=" * 8,
        "=",
        "A",
        "A===",
        "JVBERi0x-_-_",
        "data:application/pdf;base64," + encoded(PDF),
        "JVBERi0xé===",
        "ＪＶＢＥ",
        "JVBE\ud83d",
    ],
    ids=ascii,
)
def test_base64_is_read_strictly(value: str) -> None:
    refused = refusal(value)
    assert (refused.code, refused.field) == (MediaCode.INVALID_MEDIA, "mediaBase64")
    assert refused.message.startswith("mediaBase64 is not base64")


@given(st.binary(max_size=2000))
def test_whatever_was_encoded_comes_back(tail: bytes) -> None:
    assert rules.decode_file(encoded(PDF + tail)).data == PDF + tail


@given(st.text(alphabet="ABab01+/=-_ \n", max_size=40))
def test_any_text_is_a_file_or_a_refusal(value: str) -> None:
    assert refusal(value).code is MediaCode.INVALID_MEDIA


def test_exactly_5_mb_pass_and_one_byte_more_does_not() -> None:
    most = PDF + bytes(5 * 1024 * 1024 - len(PDF))
    assert len(rules.decode_file(encoded(most)).data) == limits.MEDIA_BYTES_MAX
    refused = refusal(encoded(most + b"\0"))
    assert (refused.code, refused.field) == (MediaCode.MEDIA_TOO_LARGE, "mediaBase64")
    assert "5MB" in refused.message


@pytest.mark.parametrize("character", ["A", "=", "!"])
def test_what_is_too_long_is_refused_by_its_length_alone(character: str) -> None:
    value = character * 20_000_000
    started = time.thread_time()
    assert refusal(value).code is MediaCode.MEDIA_TOO_LARGE
    assert time.thread_time() - started < 0.1


# What the caller says of it


@pytest.mark.parametrize(
    ("data", "mimetype"),
    [
        (png(), "image/png"),
        (png(), "IMAGE/PNG"),
        (jpeg(), "image/jpeg"),
        (jpeg(), "image/jpg"),
        (PDF, " application/pdf; version=1.7"),
    ],
)
def test_a_mimetype_that_agrees_is_taken(data: bytes, mimetype: str) -> None:
    assert rules.decode_file(encoded(data), mimetype=mimetype).mimetype in limits.MEDIA_TYPES


@pytest.mark.parametrize("mimetype", ["image/jpeg", "application/pdf", "image/gif", "", "png", "*"])
def test_a_mimetype_that_contradicts_the_content_is_invalid_media(mimetype: str) -> None:
    refused = refusal(encoded(png()), mimetype=mimetype)
    assert (refused.code, refused.field) == (MediaCode.INVALID_MEDIA, "mimetype")
    assert "image/png" in refused.message


def test_a_type_is_image_or_document() -> None:
    assert rules.require_kind("image") is MediaKind.IMAGE
    assert rules.require_kind("document") is MediaKind.DOCUMENT
    for value in ("video", "Image", "", None):
        with pytest.raises(ApiError) as caught:
            rules.require_kind(value)
        assert (caught.value.code, caught.value.field) == (Code.VALIDATION_ERROR, "type")


@pytest.mark.parametrize("mimetype", limits.MEDIA_TYPES)
@pytest.mark.parametrize("kind", MediaKind)
def test_type_and_content_must_agree(kind: MediaKind, mimetype: str) -> None:
    if (kind is MediaKind.IMAGE) == mimetype.startswith("image/"):
        rules.require_agreement(kind, mimetype, "mediaId")
        return
    with pytest.raises(ApiError) as caught:
        rules.require_agreement(kind, mimetype, "mediaId")
    assert (caught.value.code, caught.value.field) == (MediaCode.INVALID_MEDIA, "mediaId")


# Header images (4.4)


@pytest.mark.parametrize(
    "head",
    [
        "",
        "data:image/png;base64,",
        "DATA:Image/PNG;BASE64,",
        "data:image/png;name=a.png;base64,",
    ],
)
def test_a_header_image_is_base64_or_a_data_uri(head: str) -> None:
    file = rules.decode_image(head + encoded(png()))
    assert (file.data, file.mimetype) == (png(), "image/png")


def test_a_data_uri_may_say_jpg() -> None:
    uri = "data:image/jpg;base64," + encoded(jpeg())
    assert rules.decode_image(uri).mimetype == "image/jpeg"


@pytest.mark.parametrize(
    "value",
    [
        "",
        "data:",
        "data:,",
        "data:image/png",
        "data:image/png;base64",
        "data:image/png," + encoded(png()),
        "data:;base64," + encoded(png()),
        "data:base64," + encoded(png()),
        "data:image/svg+xml;base64," + encoded(OTHERS["svg"]),
        "data:image/gif;base64," + encoded(OTHERS["gif"]),
        "data:text/html;base64," + encoded(png()),
        "data:image/jpeg;base64," + encoded(png()),
        "data:image/png;base64," + encoded(OTHERS["gif"]),
        "data:image/png;base64," + encoded(png())[:-1],
        "data:image/png;base64,%20" + encoded(png()),
        "data:image/png;base64, " + encoded(png()),
        "data:image/png;" + "a=b;" * 100 + "base64," + encoded(png()),
        "data:application/pdf;base64," + encoded(PDF),
        encoded(PDF),
        encoded(OTHERS["svg"]),
        "https://example.com/a.png",
        "<svg/>",
    ],
    ids=lambda value: named(value[:30]),
)
def test_a_header_image_is_a_jpeg_or_png_and_nothing_else(value: str) -> None:
    refused = image_refusal(value)
    assert (refused.code, refused.field) == (MediaCode.INVALID_MEDIA, "headerImage")
    assert refused.message.startswith("headerImage ")


def test_a_header_image_above_5_mb_is_too_large() -> None:
    whole = png() + bytes(5 * 1024 * 1024)
    for value in (encoded(whole), "data:image/png;base64," + encoded(whole)):
        assert image_refusal(value).code is MediaCode.MEDIA_TOO_LARGE


# Names


@pytest.mark.parametrize(
    ("given_name", "kept"),
    [
        ("report.pdf", "report.pdf"),
        ("Report 2026.PDF", "Report 2026.pdf"),
        ("report", "report.pdf"),
        ("v1.2", "v1.2.pdf"),
        ("invoice.exe", "invoice.exe.pdf"),
        ("../../etc/passwd", "passwd.pdf"),
        ("C:\\temp\\a.pdf", "a.pdf"),
        ("/a/b\\c/d.pdf", "d.pdf"),
        ("a\tb\nc.pdf", "a b c.pdf"),
        ("  .. hidden .pdf", "hidden.pdf"),
        ("invoice\u202efdp.exe", "invoicefdp.exe.pdf"),
        ("\u2066a\u2069\u200f\u200e\u061c\ufeffb\u00ad.pdf", "ab.pdf"),
        ("a\x7f\x9b\x1bb.pdf", "ab.pdf"),
        ("הזמנה לחתונה.pdf", "הזמנה לחתונה.pdf"),
        ("می\u200cخواهم.pdf", "می\u200cخواهم.pdf"),
        ("👨\u200d👩\u200d👧.pdf", "👨\u200d👩\u200d👧.pdf"),
        ("", ""),
        (".", ""),
        ("..", ""),
        ("../", ""),
        (".pdf", "pdf.pdf"),
        ("..pdf.pdf", "pdf.pdf"),
        ("\u202e\u200d ", ""),
        ("a" * 10_000 + ".pdf", "a" * 236 + ".pdf"),
    ],
    ids=lambda value: ascii(value)[:40],
)
def test_a_file_name_is_made_safe(given_name: str, kept: str) -> None:
    assert rules.clean_filename(given_name, "application/pdf") == kept


def test_a_jpeg_may_be_called_jpg_or_jpeg() -> None:
    assert rules.clean_filename("a.jpeg", "image/jpeg") == "a.jpeg"
    assert rules.clean_filename("a", "image/jpeg") == "a.jpg"
    assert rules.clean_filename("a.png", "image/jpeg") == "a.png.jpg"


def test_a_name_of_20_million_characters_takes_no_time() -> None:
    name = "x" * 20_000_000
    started = time.thread_time()
    assert len(rules.clean_filename(name, "image/png")) == limits.FILENAME_CHARS_MAX
    assert time.thread_time() - started < 0.1


@given(st.text(max_size=600), st.sampled_from(limits.MEDIA_TYPES))
def test_whatever_is_given_the_name_is_short_seen_and_of_its_type(
    given: str, mimetype: str
) -> None:
    name = rules.clean_filename(given, mimetype)
    assert rules.clean_filename(name, mimetype) == name
    if name:
        assert len(name) <= limits.FILENAME_CHARS_MAX
        assert name.endswith(rules.BY_MIMETYPE[mimetype].extensions)
        assert not set(name) & set("/\\\0\n\r\t\u202e")
        assert not [c for c in name if unicodedata.bidirectional(c) in BIDI_CONTROLS]


BIDI_CONTROLS = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}


@pytest.mark.parametrize("mimetype", limits.MEDIA_TYPES)
def test_a_file_without_a_name_has_one_of_its_type(mimetype: str) -> None:
    name = rules.default_filename(mimetype)
    assert rules.clean_filename(name, mimetype) == name


# How much an account may keep


@pytest.mark.parametrize(("size", "taken", "quota"), [(1, 0, 1), (5, 5, 10), (10**9, 10**12, None)])
def test_a_file_for_which_there_is_room_passes(size: int, taken: int, quota: int | None) -> None:
    rules.require_room(size, taken, quota, "mediaBase64")


def test_a_file_for_which_there_is_no_room_is_refused_with_what_helps() -> None:
    with pytest.raises(ApiError) as caught:
        rules.require_room(6, 5, 10, "headerImage")
    assert (caught.value.code, caught.value.field) == (Code.VALIDATION_ERROR, "headerImage")
    assert caught.value.message.startswith("headerImage needs 6 bytes")
    assert "5 of the 10" in caught.value.message
