"""The signature doctor's case: what a receiver shows, with what we know of the post."""

from collections.abc import Mapping
from uuid import UUID

from tidings.engine.db.tx import Tx
from tidings.features.accounts import credentials
from tidings.secrets import Sealer

from .. import store
from . import schemes
from .diagnose import Case


async def load_case(
    tx: Tx,
    sealer: Sealer,
    account_id: UUID,
    headers: Mapping[str, str],
    body: bytes,
    *,
    secret: str | None,
    computed: str | None = None,
) -> Case:
    """Names of headers are in lower case."""
    webhook_id = schemes.webhook_id(headers)
    found = await store.load(tx, [(account_id, webhook_id)]) if webhook_id else {}
    secrets = (await credentials.signing_secrets(tx, sealer, [account_id]))[account_id]
    return Case(
        headers,
        body,
        tx.now,
        secrets.current.reveal(),
        secrets.previous.reveal() if secrets.previous else None,
        sent=found[webhook_id].body if found else None,
        secret=secret,
        computed=computed,
    )
