"""`tidings serve --demo`: apply the demo's account file, and say what to try."""

import sys
from collections.abc import Callable
from pathlib import Path

from tidings.account_file.apply import Applied, apply_declaration
from tidings.account_file.hand_edits import EditPolicy
from tidings.account_file.plan import Removal
from tidings.account_file.read import read_file
from tidings.app import Service
from tidings.cli.actor import command_actor
from tidings.engine.db.tx import Tx
from tidings.features.people.demo import offer_demo

from . import demo


async def prepare_demo(service: Service) -> Callable[[str], None]:
    """What to call with the address once the service listens."""
    text = demo.read_or_make(service.ctx.settings.data)
    declaration = read_file(text, {}, allow_private=True)

    async def work(tx: Tx) -> tuple[Applied, str]:
        applied = await apply_declaration(
            tx,
            service.ctx.sealer,
            declaration,
            Removal.KEEP,
            actor=command_actor(),
            edited=EditPolicy.KEEP,
        )
        return applied, await offer_demo(tx, [one.id for one in applied.accounts])

    applied, token = await service.ctx.db.transact(work)
    return lambda address: demo.show(address, applied.accounts[-1], token, _program())


def _program() -> str:
    """As it was called: in a clone `tidings` alone is not found."""
    called = Path(sys.argv[0])
    return str(called) if called.name == "tidings" else "tidings"
