"""`tidings webhooks set`: where events of an account are posted, without a file (contract2.md)."""

from dataclasses import replace

from tidings import limits, urls
from tidings.cli.database import opened
from tidings.cli.named import load_account
from tidings.cli.output import remark
from tidings.cli.refusal import Refused
from tidings.cli.runner import load_settings, run
from tidings.engine.db.tx import Tx
from tidings.features.accounts import changes
from tidings.features.accounts.configure import configure
from tidings.features.accounts.master_key import load_master_key, require_same_master_key
from tidings.features.accounts.specs import load_specs
from tidings.secrets import Sealer
from tidings.settings import Settings


def set_webhook_url(name: str, address: str) -> None:
    settings = load_settings()
    changed = run(_set(settings, name, address))
    remark(f"Events of {name} {'are now' if changed else 'were already'} posted to {address}.")


async def _set(settings: Settings, name: str, address: str) -> bool:
    if len(address) > limits.URL_CHARS_MAX:
        raise Refused(f"URL must be at most {limits.URL_CHARS_MAX} characters.")
    urls.require_postable(address, "URL", allow_private=settings.allow_private_webhooks)
    sealer = Sealer(load_master_key(settings))

    async def work(tx: Tx) -> bool:
        await require_same_master_key(tx, sealer)
        await changes.begin(tx)
        await load_account(tx, name)  # refused where there is none
        spec = (await load_specs(tx, [name]))[name].spec
        await configure(tx, sealer, replace(spec, webhook_url=address))
        return spec.webhook_url != address

    async with opened(settings) as db:
        return await db.transact(work)
