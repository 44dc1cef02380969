"""A rolling upgrade under load: old and new programs side by side on one database.

Two processes serve behind what a proxy does: a connection that is refused goes to the other. The
new program is this one with a higher version and migrations of every kind. Every request is
answered, every webhook comes once, and the doctor finds nothing.
"""

import asyncio
import itertools
import shutil
import signal
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import asyncpg
import httpx
import pytest

from tests.support.database import Dsn, fresh_database, reachable_folder
from tests.support.plain_http import NO_TLS
from tests.support.receiver import Receiver
from tests.support.service import account_toml
from tests.support.serving import AUTH, KEY, QUICK, SECRET, Serving, phone, require_sound
from tests.support.waiting import eventually
from tidings import __version__
from tidings.engine.db.schema.files import version_name, version_number
from tidings.secrets import new_master_key

ROOT = Path(__file__).parents[2]
NEXT = version_name(version_number(__version__) + 1_000)
SENDERS, SHARE = 4, 40  # threads; messages in each state of the upgrade
MIGRATIONS = {
    "9001_note.sql": """-- compatible
ALTER TABLE messages ADD upgrade_note text NOT NULL DEFAULT 'none';
ALTER TABLE webhooks ADD upgrade_note text;
ALTER TABLE accounts ADD upgrade_rank integer DEFAULT 7;
""",
    "9002_by_note.sql": """-- compatible
-- outside a transaction
CREATE INDEX CONCURRENTLY messages_by_note ON messages (upgrade_note);
""",
    # Old programs would go on to write rows that it has passed.
    "9003_fill.sql": f"""-- needs programs from {NEXT}
-- data change over messages by account_id, id
UPDATE messages m SET upgrade_note = 'filled' FROM page
 WHERE m.account_id = page.account_id AND m.id = page.id;
""",
    "9004_narrow.sql": f"""-- needs programs from {NEXT}
-- after data change 9003_fill.sql
ALTER TABLE webhooks DROP upgrade_note;
""",
}


class NewServing(Serving):
    """A copy of the package with a higher version and more migrations, where an old one served."""

    def __init__(self, package: Path, old: Serving, dsn: Dsn) -> None:
        super().__init__(old.data, dsn)
        self.port, self.url, self.http = old.port, old.url, old.http
        self.env = old.env | {"PYTHONPATH": str(package)}
        self._package = package

    def launch(self, words: list[str]) -> subprocess.Popen[bytes]:
        with (self.data / "serve.log").open("ab") as log:
            return subprocess.Popen(
                [sys.executable, "-m", "tidings.cli", *words],
                env=self.env, cwd=self._package, stdout=log, stderr=log,
            )  # fmt: skip

    def tidings(self, *words: str) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "tidings.cli", *words],
            env=self.env, cwd=self._package, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return done.stdout + done.stderr


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """What the next release installs."""
    shutil.copytree(ROOT / "tidings", tmp_path / "tidings")
    init = tmp_path / "tidings" / "__init__.py"
    init.write_text(init.read_text().replace(__version__, NEXT))
    for name, sql in MIGRATIONS.items():
        (tmp_path / "tidings" / "migrations" / name).write_text(sql)
    return tmp_path


class ProxiedLoad:
    """Messages to a person each, through whichever process takes the connection."""

    def __init__(self, urls: list[str]) -> None:
        self.answers: dict[str, int] = {}
        self.broken: list[str] = []
        self._clients = [
            httpx.Client(base_url=url, timeout=60, headers=AUTH, verify=NO_TLS) for url in urls
        ]
        self._numbers = itertools.count()
        self._stopping = threading.Event()
        self._threads = [threading.Thread(target=self._run) for _ in range(SENDERS)]
        for thread in self._threads:
            thread.start()

    def more(self) -> None:
        """Until so many more have been answered."""
        wanted = len(self.answers) + SHARE
        eventually(lambda: self.broken or len(self.answers) >= wanted, 120)

    def stop(self) -> None:
        self._stopping.set()
        for thread in self._threads:
            thread.join(120)

    def _run(self) -> None:
        while not self._stopping.is_set() and not self.broken:
            self._send(next(self._numbers))

    def _send(self, number: int) -> None:
        cid = f"order-{number:06}"
        body = {"clientMessageId": cid, "to": phone(number), "templateName": "plain"}
        for place in itertools.count(number):
            client = self._clients[place % len(self._clients)]
            try:
                answer = client.post(
                    "/api/v1/messages/text", json=body, headers={"Connection": "close"}
                )
            except httpx.ConnectError:
                continue  # refused, so nothing was sent: the proxy takes the next one
            except httpx.TransportError as error:
                self.broken.append(f"{cid}: {error!r}")
                return
            self.answers[cid] = answer.status_code
            if answer.status_code not in (200, 202):
                self.broken.append(f"{cid}: {answer.text}")
            return


@pytest.fixture
def dsn() -> Dsn:
    return fresh_database()


@pytest.fixture
def pair(dsn: Dsn, receiver: Receiver) -> Iterator[list[Serving]]:
    """Two old processes, each in a folder of its own, as on two machines."""
    fields = {"apiKey": KEY, "signingSecret": SECRET, "webhookUrl": receiver.url}
    key = new_master_key()
    servings = [Serving(reachable_folder(), dsn) for _ in range(2)]
    for serving in servings:
        serving.env["TIDINGS_MASTER_KEY"] = key
    servings[0].apply(account_toml(QUICK, name="acme", **fields))
    for serving in servings:
        serving.start()
    try:
        yield servings
    finally:
        for serving in servings:
            if serving.process is not None:
                with suppress(OSError):
                    serving.end(signal.SIGTERM)


async def test_old_and_new_processes_side_by_side_lose_nothing(
    pair: list[Serving], package: Path, dsn: Dsn, receiver: Receiver
) -> None:
    load = ProxiedLoad([serving.url for serving in pair])
    try:
        load.more()
        first = NewServing(package, pair[0], dsn)
        said = first.tidings("migrate")
        assert "9001_note.sql\n9002_by_note.sql\n" in said
        assert f"9003_fill.sql needs programs from {NEXT}" in said
        load.more()  # two old programs on the schema of the new one
        assert pair[0].end(signal.SIGTERM) == 0
        first.start()
        pair[0] = first
        load.more()  # one of each
        second = NewServing(package, pair[1], dsn)
        assert pair[1].end(signal.SIGTERM) == 0
        second.start()
        pair[1] = second
        load.more()
        second.tidings("migrate", "--wait")  # the last old one is gone
        load.more()
    finally:
        load.stop()
    assert load.broken == []
    assert set(load.answers.values()) <= {200, 202}
    await _require_complete(pair, load, receiver)
    refused = subprocess.run(
        [sys.executable, "-m", "tidings.cli", "migrate"],
        env=pair[0].env | {"PYTHONPATH": str(ROOT)}, cwd=ROOT,
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert refused.returncode == 1
    assert f"needs tidings {NEXT} or newer" in refused.stderr


async def _require_complete(pair: list[Serving], load: ProxiedLoad, receiver: Receiver) -> None:
    """All sent, every event posted once, the schema as the new program wants it, nothing broken."""
    async with pair[0].connection() as connection:
        undone = "SELECT count(*) FROM webhooks WHERE state = 'pending'"
        moving = "SELECT count(*) FROM messages WHERE status <> 'read'"
        for query in (moving, undone):
            await _until_none(connection, query)
        stored = await connection.fetchval("SELECT count(*) FROM messages")
        ids = {row["id"] for row in await connection.fetch("SELECT id FROM webhooks")}
        valid = "SELECT indisvalid FROM pg_index WHERE indexrelid = 'messages_by_note'::regclass"
        assert await connection.fetchval(valid)
        done = await connection.fetch("SELECT complete_at FROM data_changes")
        assert [row["complete_at"] is not None for row in done] == [True]
    assert stored == len(load.answers)
    received = Counter(request.json()["id"] for request in receiver.requests)
    assert set(received) == ids
    assert [one for one, times in received.items() if times > 1] == []
    await require_sound(pair[0])


async def _until_none(connection: asyncpg.Connection, query: str) -> None:
    async with asyncio.timeout(120):
        while await connection.fetchval(query):
            await asyncio.sleep(0.05)
