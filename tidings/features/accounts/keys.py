"""API keys: issued, rotated, revoked, and the key that samples show (contract.md, 5).

A key is shown once and stored as a hash. A sandbox account's keys are also kept sealed, so that
samples in the portal run as they are; a live key is not.
"""

from datetime import timedelta
from uuid import UUID

from tidings import limits
from tidings.engine.db.tx import Tx
from tidings.errors import ApiError, Code
from tidings.ids import new_id
from tidings.secrets import Sealer, Secret, key_hash, new_api_key

from . import changes, key_store, store
from .model import Account, IssuedKey
from .sealed import SealedColumn

PREFIX_CHARS_MAX = 24  # after `td_live_`; the rest of a generated key has over 100 random bits
SEALED = SealedColumn(
    "api_keys", "sealed", ("account_id", "key_hash"), lambda key: _context(key[0])
)
GIVEN_CHARS_MIN = 4  # a shorter prefix may match a key by accident


async def issue_key(
    tx: Tx, sealer: Sealer, account: Account, name: str = "", key_id: UUID | None = None
) -> str:
    """Issue an additional key, shown only once; the others stay valid. With a `key_id` of the
    caller's choice it is issued once, however often a form is sent."""
    name = require_name(name)
    await changes.begin(tx, [account.id])
    if key_id is not None and any(one.id == key_id for one in await load_keys(tx, account)):
        raise ApiError(
            Code.VALIDATION_ERROR,
            "this key was created already; it is shown only once. Revoke it if it is lost",
        )
    key = new_api_key(account.environment)
    await add_key(tx, sealer, account.id, key, name, key_id)
    return key


async def add_key(
    tx: Tx, sealer: Sealer, account_id: UUID, key: str, name: str = "", key_id: UUID | None = None
) -> None:
    in_sandbox = key.startswith("td_sandbox_")
    await key_store.add_key(
        tx,
        account_id,
        key_hash(key),
        key_id=key_id or new_id(),
        name=name,
        prefix=prefix_of(key),
        last4=key[-4:],
        sealed=sealer.seal(key, _context(account_id)) if in_sandbox else None,
    )
    await changes.announce(tx, account_id)


async def load_keys(tx: Tx, account: Account) -> list[IssuedKey]:
    """The account's valid keys, the oldest first."""
    return list((await key_store.load_keys(tx, account.id)).values())


async def load_key(tx: Tx, account: Account, key_id: UUID) -> IssuedKey:
    for key in await load_keys(tx, account):
        if key.id == key_id:
            return key
    raise ApiError(Code.NOT_FOUND, "this key was revoked, or has expired")


async def require_key(tx: Tx, account: Account, given: str) -> IssuedKey:
    """The one key that begins so, or is given whole; an ambiguous prefix is refused."""
    keys = await key_store.load_keys(tx, account.id)
    whole = keys.get(key_hash(given))
    if whole is not None:
        return whole
    start = f"td_{account.environment}_"
    if len(given) < len(start) + GIVEN_CHARS_MIN:
        raise _refusal(f"give at least {GIVEN_CHARS_MIN} characters behind {start}")
    found = [key for key in keys.values() if key.prefix.startswith(given)]
    if len(found) != 1:
        raise _refusal(f"{len(found)} keys of {account.name} begin so; give the whole key")
    return found[0]


async def find_sample_key(tx: Tx, sealer: Sealer, account: Account) -> Secret | None:
    """The newest key of a sandbox account, for samples; a live key cannot be shown again."""
    if not account.is_sandbox:
        return None
    sealed = await key_store.find_sealed(tx, account.id)
    return None if sealed is None else sealer.open(sealed, _context(account.id))


async def rotate_keys(tx: Tx, sealer: Sealer, account_id: UUID, overlap: timedelta) -> str:
    """Issue a key in place of all of the account's, which stay valid for `overlap`."""
    _require_overlap(overlap)
    await changes.begin(tx, [account_id])
    account = (await store.load(tx, [account_id]))[account_id]
    key = new_api_key(account.environment)
    await put_key(tx, sealer, account_id, key, overlap)
    return key


async def rotate_key(
    tx: Tx, sealer: Sealer, account: Account, key_id: UUID, overlap: timedelta
) -> str:
    """Issue a key of the same name in place of one, which stays valid for `overlap`."""
    _require_overlap(overlap)
    await changes.begin(tx, [account.id])
    previous = await load_key(tx, account, key_id)
    if previous.expires_at is not None:
        problem = "this key was rotated already, and ends soon; rotate the one that replaced it"
        raise ApiError(Code.VALIDATION_ERROR, problem)
    await key_store.end_keys(tx, account.id, tx.now + overlap, key_id)
    await store.delete_expired(tx)
    key = new_api_key(account.environment)
    await add_key(tx, sealer, account.id, key, previous.name)
    return key


async def revoke_key(tx: Tx, account: Account, key_id: UUID) -> IssuedKey:
    """End one key immediately."""
    await changes.begin(tx, [account.id])
    key = await load_key(tx, account, key_id)
    await key_store.delete_keys(tx, account.id, [key_id])
    await changes.announce(tx, account.id)
    return key


async def revoke_keys(tx: Tx, account: Account) -> int:
    """End all keys immediately; how many."""
    await changes.begin(tx, [account.id])
    keys = await key_store.load_keys(tx, account.id)
    if keys:
        await key_store.delete_keys(tx, account.id, [key.id for key in keys.values()])
        await changes.announce(tx, account.id)
    return len(keys)


async def put_key(tx: Tx, sealer: Sealer, account_id: UUID, key: str, overlap: timedelta) -> None:
    """Make `key` the account's one key, and notify every process."""
    await key_store.end_keys(tx, account_id, tx.now + overlap)
    await store.delete_expired(tx)
    await add_key(tx, sealer, account_id, key)


def prefix_of(key: str) -> str:
    """How a key begins, up to half of its own characters: enough to identify it, not to use it."""
    start = key.index("_", len("td_")) + 1
    return key[: start + min(PREFIX_CHARS_MAX, (len(key) - start) // 2)]


def require_name(name: str) -> str:
    name = " ".join(name.split())
    if len(name) > limits.KEY_NAME_CHARS_MAX or not name.isprintable():
        raise ApiError(
            Code.VALIDATION_ERROR,
            f"name must have at most {limits.KEY_NAME_CHARS_MAX} printable characters",
            field="name",
        )
    return name


def _require_overlap(overlap: timedelta) -> None:
    low, high = (timedelta(days=days) for days in limits.KEY_OVERLAP_DAYS)
    if not low <= overlap <= high:
        raise ApiError(
            Code.VALIDATION_ERROR,
            f"overlap must be {limits.KEY_OVERLAP_DAYS} days",
            field="overlap",
        )


def _refusal(rule: str) -> ApiError:
    return ApiError(Code.VALIDATION_ERROR, f"--key: {rule}", field="key")


def _context(account_id: UUID) -> str:
    return f"api_keys/{account_id}"
