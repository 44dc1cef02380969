"""The ids of forms, versions and sends, here and at the platform. Pure.

`visit` is a form, `visit@2` its second version; for either, the latest sendable version is sent
(4.6). Platform names include the account, because several accounts may share one business account.
"""

import hashlib
import re
from uuid import UUID

from ..model import VersionKey

SEND_PREFIX, JOB_PREFIX = "snd_", "job_"
VERSION_SEPARATOR = "@"
SLUG_CHARS_MAX = 40

_VERSION = re.compile("[1-9][0-9]{0,8}")
_SEND = re.compile(f"{SEND_PREFIX}([0-9a-f]{{32}})")


def split(form_id: str) -> tuple[str, int | None]:
    """The form and the version of `visit@2`; the version is None if there is none."""
    form, separator, version = form_id.rpartition(VERSION_SEPARATOR)
    if separator and _VERSION.fullmatch(version):
        return form, int(version)
    return form_id, None


def version_id(form_id: str, version: int) -> str:
    return f"{form_id}{VERSION_SEPARATOR}{version}"


def send_ref(send_id: UUID) -> str:
    """The public sendId, also used as the token that the platform returns with a submission."""
    return SEND_PREFIX + send_id.hex


def parse_send_ref(text: str) -> UUID | None:
    match = _SEND.fullmatch(text)
    return UUID(hex=match[1]) if match else None


def job_ref(message_id: UUID) -> str:
    """The public jobId, derived from the message that the job sends."""
    return JOB_PREFIX + message_id.hex


def platform_name(key: VersionKey) -> str:
    """The name of a version's flow and template: lower-case letters, digits and underscores."""
    account_id, form_id, version = key
    slug = re.sub("[^a-z0-9]+", "_", form_id.lower()).strip("_")[:SLUG_CHARS_MAX] or "form"
    suffix = hashlib.blake2b(account_id.bytes + form_id.encode(), digest_size=4).hexdigest()
    return f"form_{slug}_v{version}_{suffix}"
