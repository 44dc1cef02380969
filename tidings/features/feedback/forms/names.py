"""What forms, their versions and sends are called, here and at the platform. Pure.

`visit` is a form, `visit@2` its second version; whichever a caller names, the latest that may be
sent goes (4.6). The platform's names hold the account, because several may share one business
account there.
"""

import hashlib
import re
from uuid import UUID

from ..model import VersionKey

SEND_PREFIX, JOB_PREFIX = "snd_", "job_"
MARK = "@"
SLUG_CHARS_MAX = 40

_VERSION = re.compile("[1-9][0-9]{0,8}")
_SEND = re.compile(f"{SEND_PREFIX}([0-9a-f]{{32}})")


def split(form_id: str) -> tuple[str, int | None]:
    """`visit@2` is the second version of `visit`; None: no version was named."""
    form, mark, version = form_id.rpartition(MARK)
    if mark and _VERSION.fullmatch(version):
        return form, int(version)
    return form_id, None


def version_id(form_id: str, version: int) -> str:
    return f"{form_id}{MARK}{version}"


def send_ref(send_id: UUID) -> str:
    """The sendId of an answer, which is also the token that comes back with what a guest says."""
    return SEND_PREFIX + send_id.hex


def parse_send_ref(text: str) -> UUID | None:
    match = _SEND.fullmatch(text)
    return UUID(hex=match[1]) if match else None


def job_ref(message_id: UUID) -> str:
    """The jobId of an answer: the queue's job that sends a message is named after it."""
    return JOB_PREFIX + message_id.hex


def platform_name(key: VersionKey) -> str:
    """Of a version's flow and of its template: lower-case letters, digits and underscores."""
    account_id, form_id, version = key
    slug = re.sub("[^a-z0-9]+", "_", form_id.lower()).strip("_")[:SLUG_CHARS_MAX] or "form"
    whose = hashlib.blake2b(account_id.bytes + form_id.encode(), digest_size=4).hexdigest()
    return f"form_{slug}_v{version}_{whose}"
