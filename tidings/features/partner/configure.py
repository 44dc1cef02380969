"""The account file cannot change the currency of a partner that has a ledger."""

from uuid import UUID

from tidings.engine.db.tx import Tx
from tidings.errors import ApiError, Code
from tidings.features.accounts.model import PartnerTerms

from . import store


async def require_same_currency(tx: Tx, account_id: UUID, terms: PartnerTerms | None) -> None:
    balance = None if terms is None else await store.find_balance(tx, account_id)
    if balance is None or terms is None or balance.debt.currency == terms.currency:
        return
    raise ApiError(
        Code.VALIDATION_ERROR,
        f"the partner's ledger is kept in {balance.debt.currency} and cannot change to "
        f"{terms.currency}; make another partner account for {terms.currency}",
        field="partner.currency",
    )
