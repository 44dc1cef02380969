"""The signed address of a guest's file: `mediaUrl` in events (4.13).

`/api/v1/media/inbound/{platform_message_id}?a=<account>&e=<end>&s=<signature>`: the signature
covers all three, so that a link opens one file of one account until its expiry, which is 7 days
after the file was received, in the account's time. It is the whole authorisation: no key is asked.
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
class Granted:
    """What a link that we signed allows, and until when (the account's time)."""

    account_id: UUID
    platform_id: str
    until: datetime


def signed_url(
    ctx: Context, account: Account, platform_message_id: str, received_at: datetime
) -> str:
    """The link to the media of a message that was received then, by the account's clock."""
    until = int((received_at + limits.INBOUND_MEDIA_LINK_VALIDITY).timestamp())
    signature = _sign(ctx.sealer, account.id.hex, str(until), platform_message_id)
    name = quote(platform_message_id, safe="")
    base = f"{ctx.settings.public_url}{PATH}{name}"
    return f"{base}?a={account.id.hex}&e={until}&s={signature}"


def require_granted(
    sealer: Sealer, platform_message_id: str, account: str, until: str, signature: str
) -> Granted:
    """The signature is judged before anything is looked up, and in constant time."""
    expected = _sign(sealer, account, until, platform_message_id)
    sound = _HEX.fullmatch(account) is not None and _SECONDS.fullmatch(until) is not None
    if not is_same(expected, signature) or not sound:
        problem = "the signature of this link is not ours; use the mediaUrl as the event gave it"
        raise ApiError(Code.INVALID_SIGNATURE, problem)
    end = datetime.fromtimestamp(int(until), UTC)
    return Granted(UUID(hex=account), platform_message_id, end)


def _sign(sealer: Sealer, account: str, until: str, platform_id: str) -> str:
    text = f"{account}.{until}.{platform_id}"  # only the last may hold a dot of its own
    key = sealer.signing_key(PURPOSE)
    return hmac.new(key, text.encode("utf-8", "surrogatepass"), "sha256").hexdigest()
