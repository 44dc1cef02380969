"""What nobody should send: the values of reliability.md, section 5, by the kind of their place.

No value holds a word of `judge.INTERNALS`, or an answer that quotes it would be taken for a leak;
and no address leads anywhere: `.invalid` is reserved for names that never resolve.
"""

from random import Random
from typing import Any

# Texts that upset text handling.
TEXTS: list[str] = [
    "", " ", "\t\r\n", "\u00a0", "\u200b", "\u202e", "\ufeff", "\uffff", "\u0000", "a\u0000b",
    "\u001b[31m", "\u007f", "\u0085", "\u2028", "é", "e\u0301", "ﷺ", "𐍈", "👩‍👩‍👧‍👦", "🇮🇱",
    "İ", "ß", "ﬃ", "١٢٣٤٥٦٧٨", "９７２５０１２３４５６７", "%00", "%2e%2e%2f", "../../etc/passwd",
    "..\\..\\x", "C:\\x", "'", '"', "`", "\\", "'; DROP TABLE messages; --", "' OR 1=1 --",
    "$1", "$$", "%s", "%n", "{}", "{0}", "{{1}}", "{{constructor}}", "${7*7}", "<script>alert(1)",
    "<!--", "]]>", "&amp;", "=1+1", "+1", "-1", "@x", "|x", "null", "None", "undefined", "true",
    "NaN", "Infinity", "0", "-0", "1e400", "0x10", "1_000", "__proto__", "a" * 8, "a" * 128,
    "a" * 129, "é" * 128, "👍" * 129, "a" * 1025, "a" * 4097, "a" * 70_000, "\r\nSet-Cookie: a=b",
    "x\nLevel: error", r'{"a":"\ud800"}', r'"\udc00"', "[" * 5000, '{"a":' * 5000,
    "a\ud800", "\udc00\ud800",
]  # fmt: skip
PHONES = [
    "972501234567", "+972501234567", "9725012", "1" * 8, "1" * 20, "1" * 21, "0501234567",
    "972 50 123", "972-50-123-4567", "972501234567\n", "0x12345678", "972500000404", "972500009101",
    "972500009105", "97250000913" + "1", "٩٧٢٥٠١٢٣٤٥٦٧", "00000000", "972555000001",
]  # fmt: skip
TIMES = [
    "tomorrow", "2026-11-18", "2036-01-01T00:00:00Z", "2036-01-01T00:00:00", "2036-02-30T00:00:00Z",
    "2036-01-01T24:00:00Z", "2036-W01-1T00:00:00Z", "9999-12-31T23:59:59Z",
    "9999-12-31T23:59:59-23:59",
    "0001-01-01T00:00:00Z", "0001-01-01T00:00:00+23:59", "0000-00-00T00:00:00Z",
    "2027-01-01T00:00:00.123456789Z", "2027-01-01T00:00:60Z", "2027-01-01t00:00:00z",
    "2027-01-01 00:00:00+00:00", "2027-01-01T00:00:00+99:99", "-2027-01-01T00:00:00Z",
    "10000-01-01T00:00:00Z", "٢٠٢٧-٠١-٠١T00:00:00Z", "1970-01-01T00:00:00Z", "2027-6-1",
]  # fmt: skip
URLS = [
    "https://hooks.invalid/a", "http://hooks.invalid/", "https://hooks.invalid", "ftp://a.invalid",
    "javascript:alert(1)", "//hooks.invalid", "https:///", "https://user@hooks.invalid/",
    "https://user:pw@hooks.invalid/", "https://localhost/", "https://127.0.0.1/", "https://[::1]/",
    "https://[::ffff:7f00:1]/", "https://2130706433/", "https://0x7f.1/", "https://017700000001/",
    "https://a.local/", "https://host/", "https://exa mple.invalid/",
    "https://a.invalid\\@b.invalid/",
    "https://a.invalid/\r\nX: y", "https://a.invalid:0/", "https://a.invalid:99999/",
    "https://a.invalid:/", "https://[/", "https://[::1", "https://a.invalid/%zz",
    "https://\u0430.invalid/",
    "https://xn--80ak6aa92e.invalid/", "https://xn--/", "https://a..invalid/", "https://.invalid/",
    "https://" + "a" * 64 + ".invalid/", "https://" + "a." * 130 + "invalid/",
    "https://a.invalid/" + "p" * 2048, "https://169.254.169.254/latest", "https://ａ.invalid/",
    "https://a.invalid/?q=\u2028#\ud83d", "data:text/html,x", "file:///x",
]  # fmt: skip
NUMBERS: list[Any] = [
    0, -0.0, 1, -1, 2, 5, 59, 60, 61, 3600, 3601, 500, 501, 1000, 1001, 0.5, 1.5, 1e3, 1e15, 1e308,
    0.001, 2**31 - 1, 2**31, 2**53 + 1, 2**63 - 1, 2**63, 2**64, -(2**63) - 1, 10**30, 10**400,
    10_000_000, 10_000_001,
]  # fmt: skip
FILES = [
    "", "=", "====", "AAAA", "AAA", "A A A A", "AA\nAA", "AA-_", "%PDF-1.4", "JVBERi0xLjQKJSVFT0Y=",
    "iVBORw0KGgo=",
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "iVBORw0KGgoAAAANSUhEUv////////8IBgAAAB8VxIk=", "/9j/4AAQSkZJRg==", "/9j/", "/9j//8AAEQgAAAAA",
    "R0lGODlhAQABAAAAACw=", "data:image/png;base64,iVBORw0KGgo=",
    "data:image/svg+xml;base64,PHN2Zz4=",
    "data:text/html,<x>", "data:;base64,", "data:image/png,", "UEsDBAoAAAAAAA==", "PHNjcmlwdD4=",
    "/9j/4AAQSkZJRgABAQEASABIAAD/" * 40, "A" * 100_000,
]  # fmt: skip
ENUMS = ["notification", "invitation", "prefer", "strict", "auto", "image", "document", "video",
         "OPEN", "open", "PAID", "GREEN", "YELLOW", "RED", "yes", "no", "sent", "queued,sent", ",",
         "month", "day", "image/png", "application/pdf", "text/html", "message.status",
         "*"]  # fmt: skip
NAMES = ["__proto__", "constructor", "status", "billing", "accountId", "environment", "id",
"sent_at",
         "clientmessageid", "CLIENTMESSAGEID", "", " ", "\u0000", "a" * 300, "é", "to ",
         "$where"]  # fmt: skip
BY_NAME = {
    "to": PHONES, "from": PHONES, "number": PHONES, "numbers": PHONES, "phone": PHONES,
    "sentFrom": PHONES, "url": URLS, "buttonUrl": URLS, "callbackUrl": URLS,
    "expiresAt": TIMES, "scheduledFor": TIMES, "deadline": TIMES, "eventDate": TIMES,
    "since": TIMES,
    "until": TIMES, "transferDate": TIMES, "at": TIMES, "timestamp": TIMES,
    "mediaBase64": FILES, "headerImage": FILES, "data": FILES, "base64": FILES,
    "amount": NUMBERS, "messages": NUMBERS, "ttlSeconds": NUMBERS, "limit": NUMBERS,
    "advanceSeconds": NUMBERS, "undeliveredTimeoutMinutes": NUMBERS, "guests": NUMBERS,
    "kind": ENUMS, "fromPolicy": ENUMS, "type": ENUMS, "status": ENUMS, "mimetype": ENUMS,
    "quality": ENUMS, "answer": ENUMS, "state": ENUMS, "groupBy": ENUMS,
}  # fmt: skip


def nested(rng: Random) -> Any:
    """Lists and objects in each other, up to far beyond what is taken."""
    value: Any = rng.choice(["x", 1, None, {}, []])
    for _ in range(rng.choice([1, 2, 30, 31, 32, 33, 64, 400])):
        value = [value] if rng.random() < 0.5 else {rng.choice(["a", "b"]): value}
    return value


def wide(rng: Random) -> Any:
    count = rng.choice([10, 51, 101, 1001, 4097, 20_000])
    one: Any = rng.choice([1, "972501234567", {}, [], None, {"clientMessageId": "wide-item-0001"}])
    return [one] * count if rng.random() < 0.7 else {f"k{n}": one for n in range(count)}


def odd(rng: Random, name: str = "") -> Any:
    """A value for a field of this name: often of its kind, mostly wrong."""
    if name in BY_NAME and rng.random() < 0.5:
        return rng.choice(BY_NAME[name])
    roll = rng.random()
    if roll < 0.4:
        return rng.choice(TEXTS)
    if roll < 0.55:
        return rng.choice(NUMBERS)
    if roll < 0.7:
        return rng.choice(
            [None, True, False, [], {}, [[]], [None], {"": None}, [{}], [1], {"a": "b"}]
        )
    if roll < 0.9:
        return rng.choice(rng.choice([PHONES, TIMES, URLS, FILES, ENUMS]))
    return nested(rng) if roll < 0.98 else wide(rng)


def odd_text(rng: Random, name: str = "") -> str:
    """The same as text, for addresses, queries and forms."""
    value = odd(rng, name)
    return value if isinstance(value, str) else str(value)[:500]
