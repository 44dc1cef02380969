"""One search for secrets that must be nowhere: canaries, the spellings in which one might have been
kept, and everything that is written down."""

import base64
import random
import string
from collections.abc import Iterable, Mapping
from pathlib import Path
from urllib.parse import quote

import asyncpg

from tidings.engine.db.embedded.server import EmbeddedServer

LETTERS = string.ascii_letters + string.digits


def canary(length: int = 24) -> str:
    return "".join(random.choices(LETTERS, k=length))


def spellings(secret: bytes) -> dict[str, bytes]:
    """A secret as it is, in hex, in base64, in a URL, reversed, in UTF-16, without its case."""
    forms = {"plain": secret, "lower": secret.lower(), "upper": secret.upper()}
    forms |= {"hex": secret.hex().encode(), "HEX": secret.hex().upper().encode()}
    forms |= {"reversed": secret[::-1], "utf-16": b"\0".join(bytes([one]) for one in secret)}
    forms |= {"in a URL": quote(secret, safe="").encode()}
    for shift in range(3):  # base64 of a text looks different at each of three places
        whole = base64.b64encode(b"\0" * shift + secret)
        middle = whole[4 if shift else 0 : -4]
        forms[f"base64 {shift}"] = middle
        forms[f"base64 {shift} in a URL"] = middle.translate(bytes.maketrans(b"+/", b"-_"))
    return forms


def places_of(secrets: Mapping[str, bytes], content: bytes) -> list[str]:
    """Which secrets a content holds, and how spelled."""
    return [
        f"{name} ({how})"
        for name, secret in secrets.items()
        for how, form in spellings(secret).items()
        if form in content
    ]


def files_of(folder: Path, but: Iterable[str] = ()) -> dict[str, bytes]:
    """What all files of a folder hold, without those whose names or folders are excepted."""
    excepted = set(but)
    return {
        str(file.relative_to(folder)): read(file)
        for file in folder.rglob("*")
        if file.is_file() and not excepted & set(file.relative_to(folder).parts)
    }


def read(file: Path) -> bytes:
    """PostgreSQL removes files of its own, caches above all, whenever it likes."""
    try:
        return file.read_bytes()
    except FileNotFoundError:
        return b""


async def checkpoint(server: EmbeddedServer) -> None:
    """What is in PostgreSQL's memory is in its files."""
    connection = await asyncpg.connect(**server.dsn)
    await connection.execute("CHECKPOINT")
    await connection.close()
