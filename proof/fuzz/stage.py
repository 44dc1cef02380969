"""The service that is attacked: `tidings serve` as a process, with its embedded PostgreSQL."""

import asyncio
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
from bs4 import BeautifulSoup, Tag

from proof.fuzz import portal_calls
from proof.fuzz.known import Known, PortalForm
from proof.fuzz.prepare import make_something_of_everything
from proof.fuzz.world import ENV, LEAVER, OPERATOR, SESSION, declaration
from tests.support.database import opened_database, reachable_folder
from tests.support.serving import Serving
from tidings.clock import SystemClock
from tidings.doctor import check
from tidings.secrets import key_hash

PAGES_MAX = 150  # of the portal that are looked at for forms
_FORGET = "DELETE FROM people WHERE email LIKE '%@hooks.invalid'"
_PERSON = """
    WITH person AS (
        INSERT INTO people (id, email, is_operator, created_at)
        VALUES (gen_random_uuid(), $1, $2, now()) RETURNING id),
    member AS (
        INSERT INTO memberships (organisation_id, person_id, role, created_at)
        SELECT a.organisation_id, person.id, 'owner', now() FROM accounts a, person
         WHERE a.name = 'pages')
    INSERT INTO sessions (token_hash, id, person_id, account_id, is_complete, created_at,
                          last_seen_at)
    SELECT $3, gen_random_uuid(), person.id, a.id, true, now(), now() FROM accounts a, person
     WHERE a.name = 'pages'
"""
_SESSIONS = {SESSION: False, OPERATOR: True, LEAVER: False}  # whose person is an operator


class Stage(Serving):
    """Also knows what exists in it."""

    def __init__(self) -> None:
        super().__init__(reachable_folder())
        self.env |= ENV
        self.known = Known()

    def launch(self, words: list[str]) -> subprocess.Popen[bytes]:
        with (self.data / "serve.log").open("ab") as output:
            command = [sys.executable, "-m", "tidings.cli.main", *words]
            return subprocess.Popen(command, env=self.env, stdout=output, stderr=output)

    def memory(self, field: str = "VmRSS") -> int:
        """Of the serving process, in MB."""
        assert self.process is not None
        for line in Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith(field):
                return int(line.split()[1]) // 1024
        raise RuntimeError("the server has ended")

    async def faults(self) -> list[str]:
        """What `tidings doctor` finds."""
        with self.dsn() as dsn:
            async with opened_database(dsn, SystemClock(), size=1) as db:
                return [str(found) for found in await check(db)]

    def prepare(self) -> None:
        """Make something of everything, and sign in."""
        make_something_of_everything(self.url, self.known)
        asyncio.run(self.sign_in())
        for session in _SESSIONS:
            self._crawl(session)

    async def sign_in(self) -> None:
        """Or again: requests may have removed people and ended sessions."""
        async with self.connection() as connection:
            await connection.execute(_FORGET)
            for token, is_operator in _SESSIONS.items():
                email = f"{token[0]}@hooks.invalid"
                await connection.execute(_PERSON, email, is_operator, key_hash(token))
            self.known.ids["id"] = str(
                await connection.fetchval("SELECT id FROM accounts WHERE name = 'pages'")
            )

    def _crawl(self, session: str) -> None:
        """Every page that links lead to, once for each template; and the forms on them."""
        http = httpx.Client(base_url=self.url, cookies={"tidings_session": session}, timeout=60)
        seen: set[str] = set()
        waiting = ["/portal/"]
        if session == OPERATOR:
            waiting = [f"/portal/operator/accounts/{self.known.ids['id']}", "/portal/operator"]
        while waiting and len(seen) < PAGES_MAX:
            address = waiting.pop(0)
            name = portal_calls.name_of(address)
            if name in seen or address.startswith(portal_calls.ENDLESS):
                continue
            seen.add(name)
            answer = http.get(address, follow_redirects=True)
            soup = BeautifulSoup(answer.text, "lxml")
            self.known.pages.append(address)
            waiting += [str(one["href"]) for one in soup.select('a[href^="/portal"]')]
            for form in soup.select("form[method=post]"):
                self._keep(form, session, str(answer.url.raw_path.decode()))

    def _keep(self, form: Tag, session: str, here: str) -> None:
        action = str(form.get("action") or here)
        fields = tuple(
            (str(one["name"]), str(one.get("value") or "")) for one in form.select("[name]")
        )
        self.known.tokens.setdefault(session, dict(fields).get("csrf", ""))
        if portal_calls.leaves(action) == (session == LEAVER):
            multipart = form.get("enctype") == "multipart/form-data"
            self.known.forms.append(PortalForm(action, session, fields, multipart))


@contextmanager
def staged() -> Iterator[Stage]:
    """A running service with everything in it; gone afterwards."""
    stage = Stage()
    try:
        stage.apply(declaration())
        stage.start()
        stage.prepare()
        yield stage
    finally:
        if stage.process is not None and stage.process.poll() is None:
            stage.end(signal.SIGTERM)
        stage.stop_database()
        shutil.rmtree(stage.data, ignore_errors=True)
