"""What a passcode may be (4.2). Pure. An error message never contains the refused value.

Letters, digits, symbols and dots of any alphabet are accepted ("12.34", "G-482913"). Spaces and
other invisible characters are refused, and so are links: anything with "://" or "www.", or a name
with a top-level domain such as "a.com". Digits are not a top-level domain: "12.34" is no link.
"""

import re
import unicodedata
from datetime import timedelta

from tidings import limits
from tidings.errors import ApiError, ErrorCode


class OtpCode(ErrorCode):
    """The error codes of passcodes (section 7)."""

    INVALID_OTP = (
        400,
        "the code is not 1 to 15 characters, or contains spaces or links",
        "Give a code of 1 to 15 characters without spaces or links.",
    )


ADVICE = (
    f"code must be {limits.OTP_CODE_CHARS} characters, without spaces, invisible characters "
    "or links"
)

# Invisible characters that `str.isprintable` accepts: fillers, blanks, variation selectors.
_UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164"
    "\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
_DOT = r"[.\u3002\uff0e\uff61]"  # also as Chinese and Japanese domain names write it
_LINK = re.compile(
    rf"://|www{_DOT}|[^\W_]-*{_DOT}(?:xn--[a-z0-9]|[^\W\d_]{{2,}}(?![\w-]))", re.IGNORECASE
)


def require_code(code: str) -> None:
    """Refuses with INVALID_OTP; the message does not contain the code."""
    if len(code) not in limits.OTP_CODE_CHARS or _has_invisible(code) or _is_link(code):
        raise ApiError(OtpCode.INVALID_OTP, ADVICE, field="code")


def _has_invisible(code: str) -> bool:
    """Whether it has spaces, control or zero-width characters, or code points not assigned."""
    return " " in code or not code.isprintable() or _UNSEEN.search(code) is not None


def _is_link(code: str) -> bool:
    # As a browser normalises it: full-width letters and ligatures become plain letters.
    return any(_LINK.search(form) for form in (code, unicodedata.normalize("NFKC", code)))


def decide_ttl(ttl_seconds: int | None) -> timedelta:
    """How long the code may wait before it is sent."""
    return limits.OTP_TTL_DEFAULT if ttl_seconds is None else timedelta(seconds=ttl_seconds)
