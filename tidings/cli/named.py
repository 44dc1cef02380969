"""The account that a command names."""

from tidings.engine.db.tx import Tx
from tidings.features.accounts.directory import find_account
from tidings.features.accounts.model import Account

from .refusal import Refused


async def load_account(tx: Tx, name: str) -> Account:
    account = await find_account(tx, name)
    if account is None:
        raise Refused(f'There is no account "{name}"; tidings accounts list shows them.')
    return account
