"""`tidings webhooks`: the signature doctor, and the catalogue of events."""

import asyncio
import sys
from pathlib import Path

import msgspec
import typer

from tidings.cli import client
from tidings.cli.output import Styled, print_json, say, write_data
from tidings.cli.refusal import Refused
from tidings.cli.runner import mendable
from tidings.clock import SystemClock
from tidings.features.webhooks import event_page, verify
from tidings.features.webhooks.responses import Diagnosis
from tidings.routes import EVENTS


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
    """Prints what was found; ends with 1 when the post is not valid."""
    with mendable():
        raw = _read(body)
        given = dict(_header(line) for line in headers)
        if secret is not None and key is None:
            found = _judge(raw, given, secret, computed)
        else:
            found = asyncio.run(_ask(raw, given, secret, computed, url=url, key=key))
    if as_json:
        print_json(found)
    else:
        _show(found)
    if not found.valid:
        raise typer.Exit(1)


def print_catalogue() -> None:
    write_data(event_page.page(EVENTS))


def _read(path: Path) -> bytes:
    try:
        return sys.stdin.buffer.read() if str(path) == "-" else path.read_bytes()
    except OSError as reason:
        raise Refused(f"{path} cannot be read: {reason.strerror}.") from None


def _header(line: str) -> tuple[str, str]:
    name, colon, text = line.partition(":")
    if not colon:
        raise Refused(f'A header is written as "X-Signature: sha256=…", not as "{line}".')
    return name.strip().lower(), text.removeprefix(" ")


def _judge(raw: bytes, headers: dict[str, str], secret: str, computed: str | None) -> Diagnosis:
    now = SystemClock().now()
    return verify.diagnose(verify.Case(headers, raw, now, secret, computed=computed))


async def _ask(
    raw: bytes,
    headers: dict[str, str],
    secret: str | None,
    computed: str | None,
    *,
    url: str,
    key: str | None,
) -> Diagnosis:
    try:
        body: dict[str, object] = {"headers": headers, "body": raw.decode()}
    except UnicodeDecodeError:
        raise Refused("The body is not UTF-8, which ours always are: it was changed.") from None
    body |= {"secret": secret} if secret is not None else {}
    body |= {"computed": computed} if computed is not None else {}
    async with client.session(url, key) as session:
        return msgspec.convert(await client.post(session, "/webhooks/verify", body), Diagnosis)


def _show(found: Diagnosis) -> None:
    say(Styled("valid", "green") if found.valid else Styled("not valid", "red"))
    for finding in found.findings:
        say(Styled(finding.code, bold=True), f" {finding.message}")
