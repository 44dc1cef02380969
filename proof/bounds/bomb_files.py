"""Files for the portal's upload of a batch: spreadsheets and CSV that expand, or do not end."""

import io
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import httpx

from proof.bounds.raw import exchange
from proof.bounds.stage import Stage
from proof.bounds.visitor import CSRF

BOUNDARY = "bounds-7f3a"
MOST = (10 << 20) - 4096  # of a form, with its other fields
PATH = "/portal/batches/new"
# A page that says what is wrong; the next step, where the file is taken; or wait.
EXPECTED = frozenset({"200", "400", "303", "302", "413", "422", "429"})


@dataclass(frozen=True, slots=True)
class File:
    name: str
    make: Callable[[], bytes]
    expected: frozenset[str] = EXPECTED


@cache
def _workbook() -> bytes:
    """An xlsx whose sheet is 4 GB of zeros; we take no workbooks, so nobody unpacks it."""
    made = io.BytesIO()
    with (
        zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive,
        archive.open("xl/worksheets/sheet1.xml", "w", force_zip64=True) as sheet,
    ):
        zeros = b"\0" * (16 << 20)
        for _ in range(64):
            sheet.write(zeros)
    return made.getvalue()[:MOST]


def _cut(data: bytes) -> bytes:
    return data[:MOST]


HEADING = b"phone,name\n"
FILES = (
    File("an xlsx of 1 GB of zeros", _workbook),
    File("CSV, one field of 10 MB", lambda: _cut(HEADING + b'972501234567,"' + b"x" * MOST)),
    File("CSV, a heading of millions of columns", lambda: _cut(b"a," * MOST)),
    File("CSV, rows of millions of columns", lambda: _cut(HEADING + b"," * MOST)),
    File("CSV, millions of rows", lambda: _cut(HEADING + b"9,x\n" * (MOST // 4))),
    File("CSV, millions of quotes", lambda: _cut(HEADING + b'"' * MOST)),
    File(
        "CSV, 10,000 rows of 1 KB", lambda: _cut(HEADING + (b"9," + b"y" * 1000 + b"\n") * 10_000)
    ),
    File("UTF-16 of one character", lambda: _cut(b"\xff\xfe" + b"\x41\x05" * (MOST // 2))),
)


def sender(stage: Stage, file: File, cookies: str) -> Callable[[str], str]:
    url = f"http://127.0.0.1:{stage.port}{PATH}"
    page = httpx.get(url, headers={"cookie": cookies})
    found = CSRF.search(page.text)
    if found is None:
        raise RuntimeError(f"{PATH} has no form: {page.status_code}")
    body = _form({"csrf": found[1], "template": "hello/en"}, file.make())
    head = (
        f"POST {PATH} HTTP/1.1\r\nHost: 127.0.0.1:{stage.port}\r\nCookie: {cookies}\r\n"
        f"Origin: http://127.0.0.1:{stage.port}\r\n"
        f"Content-Type: multipart/form-data; boundary={BOUNDARY}\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    return lambda address: exchange(address, stage.port, (head.encode(), body))


def _form(fields: dict[str, str], file: bytes) -> bytes:
    said = "".join(
        f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'
        for name, value in fields.items()
    )
    head = (
        f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n'
        f"Content-Type: text/csv\r\n\r\n"
    )
    return (said + head).encode() + file + f"\r\n--{BOUNDARY}--\r\n".encode()
