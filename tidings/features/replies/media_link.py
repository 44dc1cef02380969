"""Where the customer finds the file a guest sent: `mediaUrl` (4.13)."""

from tidings.context import Context
from tidings.features.media.inbound_files.link import signed_url

from .model import Reply


def find(ctx: Context, reply: Reply) -> str | None:
    """None: no file came."""
    item = reply.item
    if item.media_id is None:
        return None
    return signed_url(ctx, reply.account, item.platform_id, item.at)
