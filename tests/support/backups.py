"""Backups in tests: a service worth backing up, and another place to restore it to."""

import asyncio
import shutil
from pathlib import Path

import asyncpg

from tests.support import passcodes
from tests.support.commands import Done, database_environment, run
from tests.support.database import Dsn, empty_database
from tests.support.invitations import invite, later, register
from tests.support.service import GUEST, TestAccount, TestService
from tests.support.waiting import settle


def busy_account(service: TestService, name: str = "acme") -> TestAccount:
    """Messages that were sent and one that waits, an event with a guest; and, of another account, a
    passcode that waits."""
    passcodes.send(passcodes.paused(service, f"{name}-paused"))
    account = service.account(name=name)
    for n in range(3):
        done = account.send(clientMessageId=f"order-000{n}", to=GUEST, templateName="plain")
        assert done.status_code == 200, done.text
    done = account.send(
        clientMessageId="order-later", to=GUEST, templateName="plain", scheduledFor=later(days=30)
    )
    assert done.status_code == 202, done.text
    register(account)
    invite(account)
    settle(account)
    return account


class Elsewhere:
    """Another machine: an empty database, and a data folder that has the master key, or not."""

    def __init__(self, folder: Path, key_of: Path | None, dsn: Dsn | None = None) -> None:
        folder.mkdir(exist_ok=True)
        self.data = folder
        self.dsn = dsn or empty_database()
        if key_of is not None:
            shutil.copy2(key_of / "master.key", folder / "master.key")

    def tidings(self, *words: str, **env: str) -> Done:
        return run(*words, env=database_environment(self.dsn, self.data) | env)

    def execute(self, *statements: str) -> None:
        asyncio.run(self._execute(statements))

    async def _execute(self, statements: tuple[str, ...]) -> None:
        connection = await asyncpg.connect(**self.dsn)
        for statement in statements:
            await connection.execute(statement)
        await connection.close()

    def service(self) -> TestService:
        return TestService(self.dsn, self.data)
