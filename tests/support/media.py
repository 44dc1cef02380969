"""Files: the smallest that are accepted, and messages that carry one."""

import base64
import struct
from typing import Any

import httpx

from tests.support.service import GUEST, TestAccount
from tests.support.text import MISSING

PNG_MAGIC = b"\x89PNG\r\n\x1a\n"
PDF = b"%PDF-1.7\n%%EOF"


def png(width: int = 1, height: int = 1) -> bytes:
    header = struct.pack(">II", width, height) + b"\x08\x06\0\0\0"
    return PNG_MAGIC + b"\0\0\0\x0dIHDR" + header + b"\0\0\0\0"


def segment(marker: int, content: bytes) -> bytes:
    return bytes([0xFF, marker]) + struct.pack(">H", len(content) + 2) + content


def frame(width: int, height: int, marker: int = 0xC0) -> bytes:
    return segment(marker, struct.pack(">BHHB", 8, height, width, 1) + b"\x01\x11\0")


def jpeg(width: int = 1, height: int = 1, before: bytes = b"", marker: int = 0xC0) -> bytes:
    start = segment(0xE0, b"JFIF\0\x01\x01\0\0\x01\0\x01\0\0")
    return b"\xff\xd8" + start + before + frame(width, height, marker) + b"\xff\xda\0\x02"


def encoded(data: bytes) -> str:
    return base64.b64encode(data).decode()


CID = "menu-0001"
STRANGER = "972509998877"
URL = "https://example.com/tickets?id=7"
PICTURED = """
[[accounts.templates]]
name = "picture"
language = "en"
category = "UTILITY"
status = "APPROVED"
header = "IMAGE"
body = "See {{1}}"
[[accounts.templates]]
name = "brochure"
language = "en"
category = "UTILITY"
status = "APPROVED"
header = "DOCUMENT"
body = "Read it"
"""
BUTTONS = """
[[accounts.templates]]
name = "tickets"
language = "en"
category = "UTILITY"
status = "APPROVED"
body = "Hi {{1}}, your tickets are ready."
buttons = [ { type = "QUICK_REPLY", text = "Thanks" }, { type = "URL", text = "Open", url = "PUBLIC/r/{{1}}" },
            { type = "QUICK_REPLY", text = "Later" } ]
[[accounts.templates]]
name = "both"
language = "en"
category = "UTILITY"
status = "APPROVED"
header = "TEXT"
headerText = "For {{1}}"
body = "Hi {{1}}"
buttons = [ { type = "URL", text = "Shop", url = "https://shop.example.com/{{1}}" },
            { type = "URL", text = "Open", url = "PUBLIC/r/{{1}}" } ]
[[accounts.templates]]
name = "elsewhere"
language = "en"
category = "UTILITY"
status = "APPROVED"
body = "Hi"
buttons = [ { type = "URL", text = "Open", url = "https://shop.example.com/r/{{1}}" } ]
[[accounts.templates]]
name = "fixed"
language = "en"
category = "UTILITY"
status = "APPROVED"
body = "Hi"
buttons = [ { type = "URL", text = "Open", url = "PUBLIC/r/welcome" } ]
[[accounts.templates]]
name = "deeper"
language = "en"
category = "UTILITY"
status = "APPROVED"
body = "Hi"
buttons = [ { type = "URL", text = "Open", url = "PUBLIC/shop/{{1}}" } ]
"""  # noqa: E501


def uploaded(account: TestAccount, data: bytes, **fields: Any) -> str:
    answer = account.post("/messages/upload", {"mediaBase64": encoded(data)} | fields)
    assert answer.status_code == 200, answer.text
    found: str = answer.json()["data"]["mediaId"]
    return found


def send(account: TestAccount, **more: Any) -> httpx.Response:
    body = {"clientMessageId": CID, "to": GUEST} | more
    return account.send(**{name: value for name, value in body.items() if value is not MISSING})


def sent(account: TestAccount, **more: Any) -> dict[str, Any]:
    answer = send(account, **more)
    assert answer.status_code == 200, answer.text
    data: dict[str, Any] = answer.json()["data"]
    assert data["status"] == "sent"
    return data


def phone(account: TestAccount, to: str = GUEST) -> list[dict[str, Any]]:
    shown = account.get(f"/sandbox/v1/phones/{to}").json()["data"]["messages"]
    return [message for message in shown if message["direction"] == "out"]


def require_refused(answer: httpx.Response, code: str, field: str) -> dict[str, Any]:
    assert answer.status_code == 400, answer.text
    error: dict[str, Any] = answer.json()["error"]
    assert (error["code"], error["field"]) == (code, field), answer.text
    assert field in error["message"], answer.text
    return error


def require_nothing_left(account: TestAccount) -> None:
    assert account.get(f"/messages/{CID}").status_code == 404
    assert phone(account) == []
    query = "SELECT count(*) AS n FROM links WHERE account_id = $1"
    assert account.service.sql(query, account.id) == [{"n": 0}]
