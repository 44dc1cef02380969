"""`tidings webhooks set` and `verify`: where an account's events go, and why a signature fails."""

import asyncio
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import msgspec
import typer

from tidings import limits, urls
from tidings.account_file.edit import Edit, edit_account
from tidings.cli import client
from tidings.cli.actor import command_actor
from tidings.cli.database import transact_for
from tidings.cli.output import Refused, Styled, print_json, remark, say
from tidings.cli.runner import load_settings, reported_errors
from tidings.clock import SystemClock
from tidings.engine.db.tx import Tx
from tidings.features.accounts.master_key import load_sealer, require_same_master_key
from tidings.features.accounts.model import Account
from tidings.features.webhooks.responses import Diagnosis
from tidings.features.webhooks.verification import diagnose as verify
from tidings.features.webhooks.verification.headers import parse_header


def set_webhook_url(name: str, url: str) -> None:
    """Set the address that an account's events are posted to (contract2.md, C)."""
    settings = load_settings()
    if len(url) > limits.URL_CHARS_MAX:
        raise Refused(f"URL must be at most {limits.URL_CHARS_MAX} characters.")
    with reported_errors():
        urls.require_postable(url, "URL", allow_private=settings.allow_private_webhooks)
        sealer = load_sealer(settings)

    async def work(tx: Tx, account: Account) -> bool:
        await require_same_master_key(tx, sealer)
        edited = await edit_account(
            tx,
            sealer,
            command_actor(),
            account.name,
            Edit({"webhookUrl": url}),
            allow_private=settings.allow_private_webhooks,
        )
        return bool(edited.changes)

    changed = transact_for(name, work)
    remark(f"Events of {name} {'are now' if changed else 'were already'} posted to {url}.")


@dataclass(frozen=True, slots=True)
class Post:
    """A webhook as it was received, and the signature that the receiver computed."""

    body: bytes
    headers: Mapping[str, str]
    computed: str | None


def verify_signature(
    body: Path,
    headers: list[str],
    *,
    secret: str | None,
    computed: str | None,
    key: str | None,
    url: str,
    as_json: bool,
) -> None:
    """Print the diagnosis; exit 1 where the signature is not valid."""
    with reported_errors():
        post = Post(_read(body), dict(_parse_header(line) for line in headers), computed)
        if secret is not None and key is None:
            diagnosis = _diagnose(post, secret)
        else:
            diagnosis = asyncio.run(_ask_service(post, secret, url=url, key=key))
    if as_json:
        print_json(diagnosis)
    else:
        _show(diagnosis)
    if not diagnosis.valid:
        raise typer.Exit(1)


def _read(path: Path) -> bytes:
    try:
        return sys.stdin.buffer.read() if str(path) == "-" else path.read_bytes()
    except OSError as reason:
        raise Refused(f"{path} cannot be read: {reason.strerror}.") from None


def _parse_header(line: str) -> tuple[str, str]:
    try:
        return parse_header(line)
    except ValueError:
        raise Refused(f'A header is written as "X-Signature: sha256=…", not as "{line}".') from None


def _diagnose(post: Post, secret: str) -> Diagnosis:
    now = SystemClock().now()
    return verify.diagnose(
        verify.Case(dict(post.headers), post.body, now, secret, computed=post.computed)
    )


async def _ask_service(post: Post, secret: str | None, *, url: str, key: str | None) -> Diagnosis:
    try:
        body: dict[str, object] = {"headers": post.headers, "body": post.body.decode()}
    except UnicodeDecodeError:
        raise Refused("The body is not UTF-8, as ours always is: it was changed.") from None
    body |= {"secret": secret} if secret is not None else {}
    body |= {"computed": post.computed} if post.computed is not None else {}
    async with client.session(url, key) as session:
        return msgspec.convert(await client.post(session, "/webhooks/verify", body), Diagnosis)


def _show(diagnosis: Diagnosis) -> None:
    say(Styled("valid", "green") if diagnosis.valid else Styled("not valid", "red"))
    for finding in diagnosis.findings:
        say(Styled(finding.code, bold=True), f" {finding.message}")
