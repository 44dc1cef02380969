"""Which files are accepted, by their content (4.5, section 8; docs/decisions/0011). Pure.

The first bytes determine the format; the declared type must match. Only the header of an image is
parsed, for its width and height: no image or document is ever decoded here.
"""

import binascii
import hashlib
import re
import unicodedata

from tidings import limits
from tidings.errors import ApiError, Code, ErrorCode
from tidings.wording import quote

from .formats import BY_MIMETYPE, Format, Pixels, find_format, plain
from .model import File, MediaKind


class MediaCode(ErrorCode):
    """The error codes of media (section 7)."""

    MEDIA_TOO_LARGE = (
        400,
        "the media is above 5MB",
        "Make the file smaller than 5MB (5,242,880 bytes before base64).",
    )
    INVALID_MEDIA = (
        400,
        "the media is not jpeg, png or pdf",
        "Send a JPEG, PNG or PDF file as base64; its content is looked at, not its name.",
    )
    MEDIA_EXPIRED = (
        410,
        "the media expired at the platform (7 days)",
        "Fetch media within 7 days of its receipt; after that it is gone.",
    )
    MEDIA_NOT_FOUND = (
        404,
        "there is no media for this message",
        "Check that the message brought media, and use mediaUrl as it came.",
    )
    META_ERROR = (
        502,
        "the download from the platform failed",
        "Try again in a minute. The message quotes what the platform answered.",
    )


FILE_ERRORS = (MediaCode.MEDIA_TOO_LARGE, MediaCode.INVALID_MEDIA)  # of a file in a request


PIECE_CHARS = 1 << 16  # decoded at a time, so that the thread releases the GIL in between
DATA_URI = re.compile(r"data:([a-z]+/[a-z0-9.+-]+)(?:;[a-z0-9-]+=[^;,]*)*;base64", re.IGNORECASE)
DATA_URI_HEAD_CHARS = 256

_INVISIBLE = ("Cc", "Cf")  # control and format characters, bidi overrides among them
_JOINERS = "\u200c\u200d"  # kept: Persian words and emoji need them


def decode_file(value: str, field: str = "mediaBase64", mimetype: str | None = None) -> File:
    """A jpeg, png or pdf from base64, or the refusal that names the field."""
    data = _decode(value, field)
    found = _require_format(data, field)
    if mimetype is not None and plain(mimetype) != found.mimetype:
        problem = (
            f"mimetype {quote(mimetype)} contradicts the content of {field}, which is "
            f"{found.mimetype}; "
            "correct it or leave it out"
        )
        raise ApiError(MediaCode.INVALID_MEDIA, problem, field="mimetype")
    return File(data, found.mimetype, hashlib.sha256(data).digest())


def decode_image(value: str, field: str = "headerImage") -> File:
    """A jpeg or png from base64 or a `data:` URI (4.4)."""
    declared, encoded = _split_data_uri(value, field)
    file = decode_file(encoded, field)
    if kind_of(file.mimetype) is not MediaKind.IMAGE:
        raise _refusal(field, f"must be a jpeg or png image, not {file.mimetype}")
    if declared is not None and declared != file.mimetype:
        raise _refusal(field, f"says it is {declared}, but its content is {file.mimetype}")
    return file


def require_room(size: int, used: int, quota: int | None, field: str) -> None:
    """`quota`: the storage limit of an account in bytes; None: unlimited."""
    if quota is not None and used + size > quota:
        raise ApiError(
            Code.VALIDATION_ERROR,
            f"{field} needs {size} bytes, and the account's files take up {used} of the {quota}"
            " that it may use; use the mediaId of a file sent before, wait until messages with"
            " files have gone, or ask the operator for more (TIDINGS_STORAGE_PER_ACCOUNT)",
            field=field,
        )


def require_kind(value: str | None) -> MediaKind:
    """The `type` that goes with media (4.1)."""
    if value is None or value not in list(MediaKind):
        problem = "type must be image or document; it goes with mediaBase64 or mediaId"
        raise ApiError(Code.VALIDATION_ERROR, problem, field="type")
    return MediaKind(value)


def unknown_media() -> ApiError:
    """Same error for another account's, an expired and an unknown id: ids cannot be probed."""
    problem = "mediaId names no upload of this account; POST /messages/upload gives one"
    return ApiError(Code.VALIDATION_ERROR, problem, field="mediaId")


def require_agreement(kind: MediaKind, mimetype: str, field: str) -> None:
    """An image is a jpeg or png, a document a pdf."""
    found = kind_of(mimetype)
    if found is not kind:
        raise _refusal(field, f"is {mimetype}, so type must be {found}, not {kind}")


def kind_of(mimetype: str) -> MediaKind:
    return BY_MIMETYPE[mimetype].kind


def clean_filename(given: str, mimetype: str) -> str:
    """A file name that is safe to display and to store; empty if nothing usable remains."""
    name = given.rpartition("/")[2].rpartition("\\")[2][: 4 * limits.FILENAME_CHARS_MAX]
    name = " ".join(name.split())  # before removing invisible characters: some of them are spaces
    visible = (c for c in name if c in _JOINERS or unicodedata.category(c) not in _INVISIBLE)
    name = _trim(" ".join("".join(visible).split()))
    extensions = BY_MIMETYPE[mimetype].extensions
    extension = next((e for e in extensions if name.lower().endswith(e)), "")
    stem = _trim(name.removesuffix(name[len(name) - len(extension) :]))
    ending = extension or extensions[0]
    stem = _trim(stem[: limits.FILENAME_CHARS_MAX - len(ending)])
    return stem + ending if stem else ""


def default_filename(mimetype: str) -> str:
    known = BY_MIMETYPE[mimetype]
    return known.kind + known.extensions[0]


def _trim(name: str) -> str:
    return name.strip(" ." + _JOINERS)


def _decode(text: str, field: str) -> bytes:
    """Strict: standard alphabet with padding. The size is checked before decoding."""
    if len(text) // 4 * 3 - text[-2:].count("=") > limits.MEDIA_BYTES_MAX:
        problem = f"{field} holds more than 5MB ({limits.MEDIA_BYTES_MAX} bytes); make it smaller"
        raise ApiError(MediaCode.MEDIA_TOO_LARGE, problem, field=field)
    try:
        # Python's strict mode accepts extra padding after a complete group.
        if len(text) % 4 or text.find("=", 0, max(len(text) - 2, 0)) >= 0:
            raise ValueError
        starts = range(0, len(text), PIECE_CHARS)
        pieces = (text[at : at + PIECE_CHARS] for at in starts)
        return b"".join(binascii.a2b_base64(piece, strict_mode=True) for piece in pieces)
    except ValueError:
        rule = "is not base64: use the standard alphabet (A-Z a-z 0-9 + /) and padding"
        fix = "without line breaks, spaces or a data: prefix"
        raise _refusal(field, f"{rule}, {fix}") from None


def _split_data_uri(value: str, field: str) -> tuple[str | None, str]:
    """The declared type of a `data:` URI and its base64; plain base64 declares nothing."""
    if value[:5].lower() != "data:":
        return None, value
    head, comma, _ = value[:DATA_URI_HEAD_CHARS].partition(",")
    found = DATA_URI.fullmatch(head) if comma else None
    declared = plain(found[1]) if found else ""
    if declared not in BY_MIMETYPE or kind_of(declared) is not MediaKind.IMAGE:
        raise _refusal(
            field, "is a data: URI, so it must start with data:image/png;base64, or jpeg"
        )
    return declared, value[len(head) + 1 :]


def _require_format(data: bytes, field: str) -> Format:
    found = find_format(data)
    if found is None:
        raise _refusal(
            field, "must be a jpeg, png or pdf file; its first bytes are of none of them"
        )
    if found.measure is not None:
        _require_pixels(found.measure(data), found, field)
    return found


def _require_pixels(size: Pixels | None, found: Format, field: str) -> None:
    if size is None or not all(size):
        raise _refusal(field, f"starts like {found.mimetype}, but its header is damaged")
    width, height = size
    if width * height > limits.IMAGE_PIXELS_MAX:
        most = f"at most {limits.IMAGE_PIXELS_MAX // 1_000_000} megapixels are taken"
        raise _refusal(field, f"is {width} x {height} pixels; {most}, make it smaller")


def _refusal(field: str, rule: str) -> ApiError:
    return ApiError(MediaCode.INVALID_MEDIA, f"{field} {rule}", field=field)
