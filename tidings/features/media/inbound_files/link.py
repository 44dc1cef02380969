"""The signed URL of a guest's file: `mediaUrl` in events (4.13).

`/api/v1/media/inbound/{platform_message_id}?a=<account>&e=<end>&s=<signature>`: the signature
covers all three, so that a link opens one file of one account until it expires, 7 days after the
file was received by the account's clock. It is the only authorisation: no API key is needed.
"""

import hmac
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from urllib.parse import quote
from uuid import UUID

from tidings import limits
from tidings.context import Context
from tidings.errors import ApiError, Code
from tidings.features.accounts.model import Account
from tidings.secrets import Sealer, is_same

PATH = "/api/v1/media/inbound/"
PURPOSE = "inbound media links"

_HEX = re.compile(r"[0-9a-f]{32}")
_SECONDS = re.compile(r"[0-9]{1,11}")


@dataclass(frozen=True, slots=True)
class MediaGrant:
    """The access that a valid link grants, until a time by the account's clock."""

    account_id: UUID
    platform_id: str
    until: datetime


def signed_url(
    ctx: Context, account: Account, platform_message_id: str, received_at: datetime
) -> str:
    """The link to the media of a message; `received_at` is by the account's clock."""
    until = int((received_at + limits.INBOUND_MEDIA_LINK_VALIDITY).timestamp())
    text = _text(account.id.hex, str(until), platform_message_id)
    signature = _sign(ctx.sealer.signing_key(PURPOSE), text)
    name = quote(platform_message_id, safe="")
    base = f"{ctx.settings.public_url}{PATH}{name}"
    return f"{base}?a={account.id.hex}&e={until}&s={signature}"


def require_granted(
    sealer: Sealer, platform_message_id: str, account: str, until: str, signature: str
) -> MediaGrant:
    """Verify the signature, in constant time and before any database query."""
    text = _text(account, until, platform_message_id)
    is_ours = any(is_same(_sign(key, text), signature) for key in sealer.signing_keys(PURPOSE))
    well_formed = _HEX.fullmatch(account) is not None and _SECONDS.fullmatch(until) is not None
    if not is_ours or not well_formed:
        problem = "the signature of this link is not ours; use the mediaUrl as the event gave it"
        raise ApiError(Code.INVALID_SIGNATURE, problem)
    end = datetime.fromtimestamp(int(until), UTC)
    return MediaGrant(UUID(hex=account), platform_message_id, end)


def _text(account: str, until: str, platform_id: str) -> str:
    return f"{account}.{until}.{platform_id}"  # unambiguous: only the last part may contain a dot


def _sign(key: bytes, text: str) -> str:
    return hmac.new(key, text.encode("utf-8", "surrogatepass"), "sha256").hexdigest()
