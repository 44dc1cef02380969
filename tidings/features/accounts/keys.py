"""Several keys of one account: issued, listed, revoked (contract2.md, C and E)."""

from uuid import UUID

from tidings.engine.db.tx import Tx
from tidings.errors import ApiError, Code
from tidings.secrets import key_hash, new_api_key

from . import changes, key_store
from .model import Account, IssuedKey

PREFIX_CHARS_MAX = 24  # behind `td_live_`; the rest of a key of ours has over 100 random bits
GIVEN_CHARS_MIN = 4  # fewer name a key by accident


async def issue_key(tx: Tx, account: Account) -> str:
    """One more key, shown this once; the others work on."""
    await changes.begin(tx)
    key = new_api_key(account.environment)
    await add_key(tx, account.id, key)
    return key


async def add_key(tx: Tx, account_id: UUID, key: str) -> None:
    await key_store.add_key(tx, account_id, key_hash(key), prefix=prefix_of(key), last4=key[-4:])
    await changes.announce(tx, account_id)


async def load_keys(tx: Tx, account: Account) -> list[IssuedKey]:
    return list((await key_store.load_keys(tx, account.id)).values())


async def revoke_keys(tx: Tx, account: Account, given: str | None) -> int:
    """End the key that begins with `given`, or all of them, at once; how many there were."""
    await changes.begin(tx)
    keys = await key_store.load_keys(tx, account.id)
    ended = list(keys) if given is None else [_find(keys, account, given)]
    if ended:
        await key_store.delete_keys(tx, account.id, ended)
        await changes.announce(tx, account.id)
    return len(ended)


def prefix_of(key: str) -> str:
    """How a key begins, up to half of its own characters: enough to tell it, not to use it."""
    start = key.index("_", len("td_")) + 1
    return key[: start + min(PREFIX_CHARS_MAX, (len(key) - start) // 2)]


def _find(keys: dict[bytes, IssuedKey], account: Account, given: str) -> bytes:
    """The one key that is meant. A guess could end the wrong one, so there is none."""
    whole = key_hash(given)
    if whole in keys:
        return whole
    if len(given) < len(f"td_{account.environment}_") + GIVEN_CHARS_MIN:
        raise _refusal(
            f"give at least {GIVEN_CHARS_MIN} characters behind td_{account.environment}_"
        )
    found = [one for one, key in keys.items() if key.prefix.startswith(given)]
    if len(found) != 1:
        raise _refusal(f"{len(found)} keys of {account.name} begin so; give the whole key")
    return found[0]


def _refusal(rule: str) -> ApiError:
    return ApiError(Code.VALIDATION_ERROR, f"--key: {rule}", field="key")
