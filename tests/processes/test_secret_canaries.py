"""No secret is written down in the clear: one of every kind goes every way it can go, then
everything that a service leaves is searched.

Passcodes have a test of their own (`test_passcode_secrecy.py`); one is here for company.
"""

import asyncio
import base64
import os
import re
import secrets as random_secrets
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import asyncpg
import httpx
import pyotp
import pytest

from tests.support.collector import Collector
from tests.support.commands import run
from tests.support.database import reachable_folder, url_of
from tests.support.media import encoded, png
from tests.support.plain_http import NO_TLS
from tests.support.receiver import Receiver
from tests.support.secrecy import canary, checkpoint, files_of, places_of, spellings
from tests.support.service import GUEST
from tidings.clock import SystemClock
from tidings.engine.db.embedded.server import EmbeddedServer
from tidings.engine.db.migrate import migrate
from tidings.engine.db.pool import Database

CONTROL = f"control-{canary(16)}"  # something that must be found
EMAIL, INVITED = "owner@example.com", "second@example.com"
# Where a secret belongs: PostgreSQL's password file, and the keys of passcodes.
KEPT = ("pgpass", "vault-keys", "apply.toml")
BROKEN_TABLES = ("people", "links", "vault", "api_keys", "signing_secrets", "welcome_links")
PAGES = ("/", "/people", "/keys", "/webhooks", "/requests", "/audit", "/messages", "/links",
         "/numbers", "/templates", "/privacy", "/events", "/phone")  # fmt: skip
TEMPLATES = """
[[accounts.numbers]]
number = "972555000001"
[[accounts.templates]]
name = "code"
category = "AUTHENTICATION"
[[accounts.templates]]
name = "plain"
body = "Good morning"
"""


class House:
    """A PostgreSQL of its own, processes on it, and all that they say; and every secret."""

    def __init__(self, server: EmbeddedServer, folder: Path, receiver: Receiver) -> None:
        self.server, self.folder, self.receiver = server, folder, receiver
        self.collector = Collector()
        self.said: dict[str, bytes] = {}
        self.master_key = random_secrets.token_bytes(32)
        self.secrets: dict[str, bytes] = {"master key": self.master_key}
        self.port = free_port()
        self.operator_port = free_port()
        self.log = folder / "serve.log"

    def new(self, kind: str, before: str = "", length: int = 43) -> str:
        """A secret of this kind; `before` is what all of its kind begin with."""
        made = canary(length)
        self.secrets[kind] = made.encode()
        return before + made

    def learn(self, kind: str, secret: str) -> str:
        """One that the service made."""
        self.secrets[kind] = secret.encode()
        return secret

    def hear(self, where: str, answer: httpx.Response) -> httpx.Response:
        self.said[f"{where} {len(self.said)}"] = f"{answer.headers}".encode() + answer.content
        return answer

    @property
    def environment(self) -> dict[str, str]:
        return self._environment | {
            "PATH": os.defpath, "TIDINGS_DATA": str(self.folder / "data"),
            "TIDINGS_ALLOW_PRIVATE_WEBHOOKS": "true", "TIDINGS_LOG_LEVEL": "debug",
            "TIDINGS_DATABASE_URL": url_of(self.server.dsn),
            "TIDINGS_OPERATOR_ADDRESS": f"127.0.0.1:{self.operator_port}",
            "TIDINGS_PUBLIC_URL": f"http://127.0.0.1:{self.port}",
            "TIDINGS_GRAPH_URL": "http://127.0.0.1:9", "PYTHONFAULTHANDLER": "1",
            **self.collector.settings,
        }  # fmt: skip

    def arm(self) -> None:
        self._environment = {
            "TIDINGS_MASTER_KEY": base64.b64encode(self.master_key).decode(),
            "TIDINGS_APP_SECRET": self.new("app secret"),
            "TIDINGS_VERIFY_TOKEN": self.new("verify token"),
            "TIDINGS_SMTP_URL": f"smtp://post:{self.new('mail password')}@127.0.0.1:9"
            "?from=portal@example.com",
            "TIDINGS_READER_URL": "http://127.0.0.1:9",
            "TIDINGS_READER_MODEL": "model",
            "TIDINGS_READER_KEY": self.new("reader key"),
        }

    def tidings(self, *words: str, is_shown_once: bool = False) -> str:
        done = run(*words, env=self.environment)
        if not is_shown_once:
            self.said[f"tidings {' '.join(words)}"] = (done.out + done.err).encode()
        return done.out + done.err

    def break_tables(self, *, mend: bool) -> None:
        """While they are away, handlers that need them crash with the secrets in hand."""

        async def rename() -> None:
            connection = await asyncpg.connect(**self.server.dsn)
            for name in BROKEN_TABLES:
                old, new = (f"{name}_away", name) if mend else (name, f"{name}_away")
                await connection.execute(f"ALTER TABLE {old} RENAME TO {new}")
            await connection.close()

        asyncio.run(rename())


@pytest.fixture(scope="module")
def house() -> Iterator[House]:
    folder = reachable_folder()
    (folder / "data").mkdir()
    server = EmbeddedServer.join(folder / "postgres", fast=True)
    try:
        asyncio.run(prepare(server))
        with Receiver() as receiver:
            made = House(server, folder, receiver)
            made.arm()
            yield made
            made.collector.close()
    finally:
        server.leave()


async def prepare(server: EmbeddedServer) -> None:
    db = await Database.open(server.dsn, SystemClock(), size=1)
    await migrate(db)
    await db.close()


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


@contextmanager
def served(house: House) -> Iterator[tuple[subprocess.Popen[bytes], httpx.Client]]:
    """`tidings serve` as a process of its own; what it says is kept."""
    command = [sys.executable, "-m", "tidings.cli.main", "serve", "--port", str(house.port)]
    with house.log.open("ab") as out:
        process = subprocess.Popen(command, env=house.environment, stdout=out, stderr=out)
    client = httpx.Client(
        base_url=f"http://127.0.0.1:{house.port}", timeout=60, verify=NO_TLS, follow_redirects=True
    )
    try:
        wait_until_ready(process, client, house.log)
        yield process, client
    finally:
        client.close()
        process.kill()
        process.wait()


def wait_until_ready(
    process: subprocess.Popen[bytes], client: httpx.Client, log_file: Path
) -> None:
    end = time.monotonic() + 60
    while process.poll() is None and time.monotonic() < end:
        with suppress(httpx.TransportError):
            client.get("/api/v1/health").raise_for_status()
            return
        time.sleep(0.05)
    raise AssertionError(f"the service did not start: {log_file.read_text()[-3000:]}")


def apply_accounts(house: House) -> dict[str, str]:
    """By the account file, which the operator keeps."""
    keys = {"sandbox": house.new("API key of the sandbox", "td_sandbox_"),
            "live": house.new("API key of a live account", "td_live_")}  # fmt: skip
    file = house.folder / "apply.toml"
    file.write_text(
        f'[[accounts]]\nname = "acme"\nenvironment = "sandbox"\napiKey = "{keys["sandbox"]}"\n'
        f'signingSecret = "{house.new("signing secret", "whsec_")}"\nbillingMode = "OFF"\n'
        f'organisation = "acme"\nwebhookUrl = "{house.receiver.url}"\n{TEMPLATES}'
        f'[[accounts]]\nname = "acme-live"\nenvironment = "live"\napiKey = "{keys["live"]}"\n'
        'organisation = "acme"\nbillingMode = "OFF"\n[[accounts.numbers]]\n'
        'number = "972555000002"\nphoneNumberId = "1055001"\nwabaId = "2055"\n'
        f'accessToken = "{house.new("access token of the platform")}"\n'
    )
    house.tidings("apply", str(file), is_shown_once=True)
    return keys


# The ways of a secret


def use_api(house: House, client: httpx.Client, keys: dict[str, str]) -> None:
    """Taken, refused, asked for in the wrong places."""
    own = {"x-api-key": keys["sandbox"]}
    secret = house.new("secret for the signature doctor", "whsec_")
    passcode = house.new("passcode", length=15)
    for headers in (own, {"x-api-key": keys["live"]}, {"x-api-key": keys["live"] + "x"}):
        house.hear("api", client.get("/api/v1/limits", headers=headers))
        house.hear("api", client.get(f"/api/v1/messages/{CONTROL}", headers=headers))
    in_query = house.new("key in a query string")
    assert client.get(f"/api/v1/limits?x-api-key={in_query}").status_code == 401
    for body in (
        {"secret": secret, "headers": {}, "body": "{}"}, {"secret": [secret]},
        {"secret": secret, "headers": secret, "body": 1},
    ):  # fmt: skip
        house.hear("doctor", client.post("/api/v1/webhooks/verify", json=body, headers=own))
    texts: list[tuple[str, dict[str, Any]]] = [
        ("text", {"clientMessageId": CONTROL, "to": GUEST, "templateName": "plain"}),
        ("otp", {"to": GUEST, "code": passcode}), ("otp", {"to": GUEST, "code": f"{passcode} "}),
        ("otp", {"to": "1", "code": passcode}),
    ]  # fmt: skip
    for name, body in texts:
        house.hear(name, client.post(f"/api/v1/messages/{name}", json=body, headers=own))
    picture = {"mediaBase64": encoded(png())}
    house.hear("upload", client.post("/api/v1/messages/upload", json=picture, headers=own))
    house.hear("link", client.post("/api/v1/links", json={"url": "https://example.com/"},
                                   headers=own))  # fmt: skip
    callback = {"hub.mode": "subscribe", "hub.verify_token": house.new("wrong verify token"),
                "hub.challenge": "1"}  # fmt: skip
    house.hear("callback", client.get("/platform/whatsapp/webhook", params=callback))
    signed = {"x-hub-signature-256": f"sha256={'0' * 64}"}
    house.hear("callback", client.post("/platform/whatsapp/webhook", content="{}", headers=signed))


def use_portal(house: House, client: httpx.Client) -> str:
    """Join, a second factor, a wrong password, keys, invitations; the password."""
    shown = house.tidings(
        "people", "invite", EMAIL, "--account", "acme", "--role", "owner", is_shown_once=True
    )
    found = re.search(r"token=([\w-]+)", shown)
    assert found is not None, shown
    token = house.learn("token of an invitation", found[1])
    password = house.new("password")
    post(client, "/welcome", f"/welcome?token={token}", password=password)
    assert "tidings_session" in client.cookies
    house.learn("token of a session", client.cookies["tidings_session"])
    act(client, "/people/password", present=house.new("wrong password"), password="x" * 20)
    page = client.get("/portal/people/second-factor")
    secret = re.search(r"secret=([A-Z2-7]{16,})", page.text)
    groups = re.search(r"((?:[A-Z2-7]{4} ){4,}[A-Z2-7]{1,4})", page.text)
    assert secret or groups, page.text
    totp = house.learn("TOTP secret", secret[1] if secret else groups[1].replace(" ", ""))  # type: ignore[index]
    done = act(client, "/people/second-factor", code=pyotp.TOTP(totp).now())
    codes = re.search(r"<code[^>]*>([^<\n]{8,})\n", done.text)
    assert codes is not None, done.text
    house.learn("recovery code", codes[1].strip())
    made = act(client, "/keys", action="create", name="ours", key=KEY_ID)
    key = re.search(r"td_sandbox_(\w{30,})", made.text)
    assert key is not None, made.text
    house.learn("API key made in the portal", key[1])
    turned = act(client, "/webhooks", action="secret", confirmed="yes")
    new_secret = re.search(r"whsec_([\w+/=-]{30,})", turned.text)
    assert new_secret is not None, turned.text
    house.learn("signing secret made in the portal", new_secret[1])
    invited = act(client, "/people/invite", email=INVITED, role="viewer")
    link = re.search(r"token=([\w-]+)", invited.text)
    assert link is not None, invited.text
    house.learn("token of an invitation by an owner", link[1])
    return password


KEY_ID = "0199aa7b-cc1d-7000-8000-000000000001"


def act(client: httpx.Client, path: str, **fields: str) -> httpx.Response:
    return post(client, path, "/people", **fields)


def post(client: httpx.Client, path: str, page: str, **fields: str) -> httpx.Response:
    """A form, with the token of a page."""
    found = re.search(r'name="csrf" value="(\w+)"', client.get(f"/portal{page}").text)
    form = fields | ({"csrf": found[1]} if found else {})
    if "token=" in page:
        return client.post(f"/portal{page}", data=form)
    return client.post(f"/portal{path}", data=form)


def crash(house: House, client: httpx.Client, keys: dict[str, str], password: str) -> None:
    """Handlers fail with the secrets in their hands, and say so in the log."""
    own = {"x-api-key": keys["sandbox"]}
    house.break_tables(mend=False)
    failed = [
        house.hear("crash", client.post("/api/v1/links", json={"url": "https://example.com"},
                                        headers=own)),
        house.hear("crash", client.post("/api/v1/messages/otp", headers=own, json={
            "to": GUEST, "code": house.new("passcode of a crash", length=15)})),
        house.hear("crash", client.get("/api/v1/limits", headers={
            "x-api-key": house.new("unknown key", "td_sandbox_")})),
    ]  # fmt: skip
    with httpx.Client(base_url=client.base_url, timeout=60, verify=NO_TLS) as other:
        failed.append(post(other, "/sign-in", "/sign-in", email=EMAIL, password=password))
        token = house.new("token of nothing")
        failed.append(other.get(f"/portal/welcome?token={token}"))  # names the address asked for
    assert [answer.status_code for answer in failed].count(500) >= 3, failed
    house.break_tables(mend=True)


def without_samples(house: House, content: bytes, page: str) -> bytes:
    """Getting started shows the newest key of a sandbox account in its samples, on purpose."""
    sample = house.secrets["API key made in the portal"]
    assert (sample in content) is (page == "/"), page
    return content.replace(sample, b"")


def look(house: House, client: httpx.Client) -> None:
    """Every page, list and command that shows what was done."""
    for page in PAGES:
        answer = client.get(f"/portal{page}")
        assert answer.status_code == 200, f"{page}: {answer.status_code}"
        house.said[f"page {page}"] = without_samples(house, answer.content, page)
    exported = act(client, "/privacy/export", number=GUEST)
    house.hear("export", exported)
    house.hear("csv", client.get("/portal/messages.csv"))
    with httpx.Client(timeout=60, verify=NO_TLS) as operator:
        for path in ("/metrics", "/readyz", "/livez"):
            address = f"http://127.0.0.1:{house.operator_port}{path}"
            house.hear(path, operator.get(address))
    for words in (("settings",), ("accounts", "show", "acme"), ("logs", "acme"), ("doctor",),
                  ("people", "list"), ("accounts", "list", "--json"), ("keys", "list", "acme"),
                  ("keys", "master")):  # fmt: skip
        house.tidings(*words)
    house.tidings("backup", str(house.folder / "backup"), "--objects")
    program = str(house.server.home.programs / "pg_dump")
    dumped = subprocess.run(
        [program, "--dbname", url_of(house.server.dsn)], capture_output=True, check=True
    )
    house.said["dump"] = dumped.stdout


def test_no_secret_of_any_kind_is_written_down(house: House) -> None:
    with served(house) as (process, client):
        keys = apply_accounts(house)
        use_api(house, client, keys)
        password = use_portal(house, client)
        crash(house, client, keys, password)
        time.sleep(1.5)  # the request log and the spans are written every second
        process.send_signal(signal.SIGABRT)  # faulthandler writes where every thread was
        process.wait(60)
    reset = house.tidings("people", "reset", EMAIL, is_shown_once=True)
    found = re.search(r"token=([\w-]+)", reset)
    assert found is not None, reset
    house.learn("token for a forgotten password", found[1])
    with served(house) as (process, again):
        again.cookies.set("tidings_session", house.secrets["token of a session"].decode(),
                          domain="127.0.0.1", path="/portal")  # fmt: skip
        look(house, again)
        process.kill()
    asyncio.run(checkpoint(house.server))
    require_found_nowhere(house)


def require_found_nowhere(house: House) -> None:
    password_file = house.folder / "postgres" / "pgpass"
    if password_file.exists():
        house.learn("password of the database", password_file.read_text().split(":")[-1].strip())
    log = house.log.read_bytes()
    assert b"request.failed" in log and b"page.failed" in log, "no handler crashed"
    assert b"Fatal Python error: Aborted" in log, "no crash was reported"
    contents = files_of(house.folder, but=KEPT) | house.said
    posts = [*house.receiver.requests, *house.collector.requests]
    assert house.receiver.requests and house.collector.requests
    contents |= {f"post {n}": f"{one.headers}".encode() + one.body for n, one in enumerate(posts)}
    with_control = [where for where, content in contents.items() if CONTROL.encode() in content]
    assert len(with_control) >= 5, "the search does not find what is there"
    assert len(house.secrets) >= 20
    found = [f"{where}: {what}" for where, content in contents.items()
             for what in places_of(house.secrets, content)]  # fmt: skip
    sys.stdout.write(
        f"\n{len(house.secrets)} kinds of secrets in {len(contents)} places: {len(found)} found\n"
    )
    assert not found, "\n".join(found)


def test_the_search_knows_a_secret_in_every_spelling() -> None:
    secret = canary().encode()
    for form in spellings(secret).values():
        assert places_of({"one": secret}, b"before " + form + b" after")
    assert not places_of({"one": secret}, b"nothing of it")
