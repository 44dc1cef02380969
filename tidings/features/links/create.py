"""Make links: for POST /links (4.8), and for the `buttonUrl` of messages (4.1).

A message needs its link's code before anything is written, for the button's variable; so a link
is drawn first and created with the message, in one transaction.
"""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from tidings import ids
from tidings.engine.db.tx import Conflict, Tx

from . import store
from .model import NewLink


def draw(
    account_id: UUID,
    url: str,
    created_at: datetime,
    *,
    event_id: str | None = None,
    client_message_id: str | None = None,
    expires_at: datetime | None = None,
) -> NewLink:
    """A link with a fresh code. `url` has passed `urls.require_public`; the times are the
    account's."""
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
    """Write them all. Draw inside the transaction's work: a taken code makes it run afresh."""
    if links and await store.insert(tx, links) != len(links):
        raise Conflict
