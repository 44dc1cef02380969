"""What stands in the place of an erased number, and how numbers are found in texts. Pure."""

import hmac
import re
from uuid import UUID

MARK = "erased-"
PURPOSE = "pseudonyms of erased people"  # of the key, see `Sealer.signing_key`
ERASED_CONTENT = '{"type": "text", "body": "[erased]"}'  # as platforms/content.py has a text
_DIGITS = 24


def pseudonym(key: bytes, account_id: UUID, phone: str, occasion: str) -> str:
    """Keyed, so that nobody can find the number by trying them all; of one occasion, so that two
    erasures of the same person cannot be linked, and their rows do not collide."""
    text = b"\0".join((account_id.bytes, occasion.encode(), phone.encode()))
    return MARK + hmac.digest(key, text, "sha256").hex()[:_DIGITS]


def pattern_of(phone: str) -> str:
    """A regular expression that finds this number in a text, and no longer number that holds it."""
    return f"(^|[^0-9])(00)?{re.escape(phone)}([^0-9]|$)"
