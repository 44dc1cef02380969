"""Read access to links: GET /links/{code} (4.8)."""

from uuid import UUID

from tidings.engine.db.tx import Tx
from tidings.errors import ApiError

from . import store
from .model import Link
from .rules import LinkCode, is_code


async def load_link(tx: Tx, account_id: UUID, code: str) -> Link:
    """The account's link with this code; links of other accounts are not found."""
    link = await store.find(tx, account_id, code) if is_code(code) else None
    if link is None:
        problem = "the account has no link with this code; upper and lower case are different"
        raise ApiError(LinkCode.LINK_NOT_FOUND, problem)
    return link
