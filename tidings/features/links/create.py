"""Create links: for POST /links (4.8), and for the `buttonUrl` of messages (4.1).

A message needs its link's code for the button's variable before anything is written, so `new_link`
generates the code and `create` stores the link in the message's transaction.
"""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from tidings import ids
from tidings.engine.db.errors import Conflict
from tidings.engine.db.tx import Tx

from . import store
from .model import NewLink


def new_link(
    account_id: UUID,
    url: str,
    created_at: datetime,
    *,
    event_id: str | None = None,
    client_message_id: str | None = None,
    expires_at: datetime | None = None,
) -> NewLink:
    """A link with a random code. `url` has passed `urls.require_public`; times are by the account's
    clock."""
    return NewLink(
        account_id=account_id,
        code=ids.short_code(),
        url=url,
        created_at=created_at,
        event_id=event_id,
        client_message_id=client_message_id,
        expires_at=expires_at,
    )


async def create(tx: Tx, links: Sequence[NewLink]) -> None:
    """Store links. Call `new_link` within the transaction: it is retried on a code collision."""
    if links and await store.insert(tx, links) != len(links):
        raise Conflict
