"""What a file may not change of a partner: the currency of a balance that exists."""

from uuid import UUID

from tidings.engine.db.tx import Tx
from tidings.errors import ApiError, Code
from tidings.features.accounts.model import PartnerTerms

from . import store


async def require_same_currency(tx: Tx, account_id: UUID, terms: PartnerTerms | None) -> None:
    standing = None if terms is None else await store.find_standing(tx, account_id)
    if standing is None or terms is None or standing.debt.currency == terms.currency:
        return
    raise ApiError(
        Code.VALIDATION_ERROR,
        f"the partner's ledger is kept in {standing.debt.currency} and cannot change to "
        f"{terms.currency}; make another partner account for {terms.currency}",
        field="partner.currency",
    )
