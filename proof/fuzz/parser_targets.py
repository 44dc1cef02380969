"""Every parser of input that others write, as a function of bytes that must come back.

A refusal is the parser's own exception; anything else that it raises, and an answer that disagrees
with its oracle, breaks the promise. `tests/rules/test_parsers_any_input.py` runs them for seconds,
`python -m proof.fuzz --parsers` for as long as wanted, led by coverage.
"""

import contextlib
import csv
import io
import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

import h11
import httptools
import msgspec

from proof.fuzz import bodies, callback_calls
from proof.fuzz.raw_calls import CORPUS
from tidings import ids, money, phone, spreadsheets, times, urls
from tidings.account_file.read import FileRefused, read_file
from tidings.engine.http import fields, large
from tidings.engine.http.outline import Malformed, TooDeep, TooLong, outline
from tidings.engine.http.pagination import decode_cursor, encode_cursor
from tidings.engine.http.request_head import new_parser, split_url
from tidings.engine.http.routing import Routing
from tidings.engine.peers import frames
from tidings.errors import ApiError
from tidings.features.batches import csv_file, sheet_rows
from tidings.features.feedback.answers import reading as answers
from tidings.features.media import rules as media
from tidings.features.replies.reading import reader
from tidings.features.replies.reading.normalise import normalise
from tidings.features.replies.reading.reasons import reasons
from tidings.features.replies.reading.typed import PHRASE_CHARS_MAX
from tidings.features.replies.second_opinion import protocol
from tidings.features.replies.second_opinion.rules import CONFIDENCE_MAX, to_reading
from tidings.features.templates.model import Template
from tidings.features.webhooks.verification.diagnose import Case, diagnose
from tidings.features.webhooks.verification.headers import parse_headers
from tidings.platforms.content import Question
from tidings.platforms.whatsapp import callbacks, graph_errors
from tidings.platforms.whatsapp.numbers import read_number
from tidings.platforms.whatsapp.templates import read_template
from tidings.routes import API, EXTENSIONS

_ROUTES = [*API, *EXTENSIONS]
_BODIES = [route.body for route in _ROUTES if route.body is not None]
_QUERIES = [route.query for route in _ROUTES if route.query is not None]
_ROUTING = Routing(_ROUTES)
_TEMPLATE = Template("hello", "en", "UTILITY", "APPROVED", body="Hello {{1}}")
_QUESTIONS = (
    Question("q1", "rating", "?"), Question("q2", "single", "?", ("Fish", "Meat")),
    Question("q3", "multi", "?", ("Food", "Hall")), Question("q4", "comment", "?"),
)  # fmt: skip
_NOW = datetime(2026, 11, 18, tzinfo=UTC)
_SECRET = "whsec_" + "S" * 43
Check = Callable[[bytes], None]


@dataclass(frozen=True, slots=True)
class Target:
    """A check of one parser, and good input to begin with."""

    check: Check
    seeds: tuple[bytes, ...]


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _end(steps: Any) -> Any:
    while True:
        try:
            next(steps)
        except StopIteration as ended:
            return ended.value


# JSON bodies


def body(data: bytes) -> None:
    """A struct of an endpoint or a refusal of one line; what is taken, json.loads takes too."""
    kind, raw = _BODIES[data[0] % len(_BODIES)] if data else _BODIES[0], data[1:]
    try:
        fields.decode(kind, raw)
    except ApiError as refusal:
        assert refusal.field is not None and refusal.message.isprintable(), refusal.message
        return
    assert isinstance(json.loads(raw), dict)


def large_body(data: bytes) -> None:
    """Decoded in pieces, a body is what it is decoded at once."""
    kind, raw = _BODIES[data[0] % len(_BODIES)] if data else _BODIES[0], data[1:]
    try:
        raw.decode()
    except UnicodeDecodeError:
        return
    found = [_attempt(lambda: fields.decode_small(kind, raw)),
             _attempt(lambda: _end(large.decode_large(kind, raw, "",
             fields.decode_item)))]  # fmt: skip
    assert (found[0] is None) == (found[1] is None), found
    if found[0] is not None:
        assert msgspec.json.encode(found[0]) == msgspec.json.encode(found[1])


def _attempt(decode: Callable[[], Any]) -> Any:
    try:
        return decode()
    except ApiError:
        return None


def members(data: bytes) -> None:
    """The outline's members are those of the JSON object, if it is one."""
    with contextlib.suppress(Malformed, TooDeep, TooLong):
        found = _end(outline(memoryview(data), 64))
        try:
            whole = json.loads(data)
        except (ValueError, RecursionError):
            return
        names = {json.loads(data[slice(*one.name)]) for one in found}
        assert isinstance(whole, dict) and names == whole.keys(), names


def query(data: bytes) -> None:
    kind, raw = _QUERIES[data[0] % len(_QUERIES)] if data else _QUERIES[0], data[1:]
    with contextlib.suppress(ApiError):
        fields.query(kind, raw)


def cursor(data: bytes) -> None:
    """What is taken goes round."""
    with contextlib.suppress(ApiError):
        key = decode_cursor(_text(data), tuple[datetime, str])
        assert decode_cursor(encode_cursor(key), tuple[datetime, str]) == key


# HTTP


class _Message:
    """The first request, as the parser reports it."""

    def __init__(self) -> None:
        self.url, self.body, self.is_whole = b"", b"", False

    def on_url(self, url: bytes) -> None:
        if not self.is_whole:
            self.url += url

    def on_body(self, body: bytes) -> None:
        if not self.is_whole:
            self.body += body

    def on_message_complete(self) -> None:
        self.is_whole = True


def http_request(data: bytes) -> None:
    """Where our parser and h11 both take a request, it has the same address and the same body: or
    a proxy in front and we would disagree about where the next one begins."""
    ours = _Message()
    try:
        new_parser(ours).feed_data(data)
    except (httptools.HttpParserError, httptools.HttpParserUpgrade):
        return
    theirs = _h11(data)
    if not ours.is_whole or theirs is None:
        return
    assert (ours.url, ours.body) == theirs
    with contextlib.suppress(httptools.HttpParserInvalidURLError, ValueError):
        split_url(ours.url)


def _h11(data: bytes) -> tuple[bytes, bytes] | None:
    connection, target, parts = h11.Connection(h11.SERVER), b"", []
    connection.receive_data(data)
    try:
        while True:
            event = connection.next_event()
            if isinstance(event, h11.Request):
                target = event.target
            elif isinstance(event, h11.Data):
                parts.append(bytes(event.data))
            elif isinstance(event, h11.EndOfMessage):
                return target, b"".join(parts)
            elif event in (h11.NEED_DATA, h11.PAUSED) or isinstance(event, h11.ConnectionClosed):
                return None
    except h11.RemoteProtocolError:
        return None


def path(data: bytes) -> None:
    """An address leads to an endpoint or is refused; its values are texts PostgreSQL can keep."""
    if b"\0" in data:
        return  # the parser of requests refuses it
    with contextlib.suppress(ApiError):
        _, values = _ROUTING.require("GET", data)
        for value in values.values():
            assert "\0" not in value and value.encode()


def peer_frames(data: bytes) -> None:
    """In any two pieces the same frames."""
    cut = data[0] if data else 0
    collected = frames.Frames()
    with contextlib.suppress(frames.TooLong):
        whole = frames.Frames().feed(data[1:])
        assert collected.feed(data[1:][:cut]) + collected.feed(data[1:][cut:]) == whole


# Files


def sheet(data: bytes) -> None:
    """A campaign's file is refused in its own words, or its rows can all be checked."""
    try:
        found = _end(csv_file.read_sheet(data))
    except csv_file.FileRefused:
        return
    columns = sheet_rows.guess(found.heading, 1)
    account = UUID(int=1)
    checked = _end(sheet_rows.check(account, account, found, columns, _TEMPLATE))
    assert len(checked.requests) + len({one.row for one in checked.mistakes}) == len(found.rows)


def sheet_round(data: bytes) -> None:
    """What we write as CSV, we read again."""
    cells = [_text(part).replace("\0", "") for part in data.split(b"\xff")[:20]]
    rows = [["phone", "name"], *([f"x{cell}", cell] for cell in cells)]
    written = spreadsheets.csv_text(rows)
    assert list(csv.reader(io.StringIO(written, newline=""))) == rows
    with contextlib.suppress(csv_file.FileRefused):
        found = _end(csv_file.read_sheet(b"\xef\xbb\xbf" + written.encode()))
        assert [row.cells for row in found.rows] == rows[1:]


def account_file(data: bytes) -> None:
    with contextlib.suppress(FileRefused):
        read_file(_text(data), {}, allow_private=False)


def media_file(data: bytes) -> None:
    """Base64 or a data: URI: a file of a format that we take, or a refusal."""
    for read in (media.decode_file, media.decode_image):
        with contextlib.suppress(ApiError):
            found = read(_text(data))
            assert found.data and found.mimetype


# Words


def url(data: bytes) -> None:
    text = _text(data)
    with contextlib.suppress(ApiError):
        urls.require_public(text, "url")
        assert text.lower().startswith("https://") and text.isprintable()


def number(data: bytes) -> None:
    found = phone.find(phone.as_digits(_text(data)))
    assert found is None or (found.isascii() and found.isdigit() and 8 <= len(found) <= 20)


def time(data: bytes) -> None:
    """What is taken is what the standard library reads."""
    text = _text(data)
    with contextlib.suppress(ValueError):
        assert times.parse(text) == datetime.fromisoformat(text.upper())
    with contextlib.suppress(ValueError):
        times.parse_date(text)


def amount(data: bytes) -> None:
    text = _text(data)
    for read in (money.parse, money.parse_number):
        with contextlib.suppress(ValueError):
            assert Decimal(money.to_wire(read(text, "ILS"))) == Decimal(text)
    with contextlib.suppress(ValueError):
        assert Decimal(money.rate_to_wire(money.parse_rate(text, "ILS"))) == Decimal(text)
    with contextlib.suppress(ValueError):
        money.parse_percent(text)


def reference(data: bytes) -> None:
    found = ids.parse_ref("bat_", _text(data))
    assert found is None or ids.batch_ref(found) == _text(data)


# What the platform, its guests and customers send


def callback(data: bytes) -> None:
    """Always items; each can be read again from what is kept of it, and is the same."""
    for item in callbacks.read(data):
        if isinstance(item, callbacks.MessageCallback | callbacks.MarketingPreference):
            [again] = callbacks.read(item.raw)
            assert type(again) is type(item)


def reply(data: bytes) -> None:
    found = reader.read(_text(data))
    assert found.answer in ("yes", "no", None) and 0 <= found.confidence <= 1
    whole = normalise(_text(data))
    for phrase in reasons(_text(data)):
        assert len(phrase) <= PHRASE_CHARS_MAX
        assert phrase in whole or normalise(phrase) in whole


def form_answer(data: bytes) -> None:
    filled = answers.parse(_text(data))
    if filled is not None:
        for one in answers.read(_QUESTIONS, filled.given):
            json.dumps(one.value)


def graph_answer(data: bytes) -> None:
    """Whatever the platform answers: its errors, its templates, its numbers."""
    found = graph_errors.parse_object(data)
    graph_errors.find_error(found)
    if found is not None:
        read_template(found)
        read_number(found)
    head = _text(data[:200])
    for name in (graph_errors.RETRY_AFTER_HEADER, graph_errors.USAGE_HEADER):
        graph_errors.find_retry_after({name: head})


def opinion(data: bytes) -> None:
    """What the reader outside answers; the second half as what a guest talked its model into."""
    said = json.dumps({"choices": [{"message": {"content": _text(data)}}]}).encode()
    for body_ in (data, said):
        with contextlib.suppress(ValueError):
            found = to_reading(protocol.decode(body_), 0.9)
            if found is not None:
                assert found.answer in ("yes", "no")
                assert found.guests is None or 1 <= found.guests <= 99
                assert 0 < found.confidence <= CONFIDENCE_MAX


def signature(data: bytes) -> None:
    """The signature doctor, of headers as people paste them."""
    head, _, rest = data.partition(b"\r\n\r\n")
    with contextlib.suppress(ValueError):
        headers = parse_headers(_text(head))
        case = Case(
            headers, rest, _NOW, _SECRET, secret=_text(rest[:80]), computed=_text(rest[-64:])
        )
        for sent in (None, b'{"a":1}'):
            assert diagnose(msgspec.structs.replace(case, sent=sent)).findings


_SOUND = [
    bytes([index]) + json.dumps(one).encode()
    for index, route in enumerate(route for route in _ROUTES if route.body is not None)
    for one in bodies.SOUND.get(route.path, [{}])
]
_SIGNED = b"X-Timestamp: 1795000000\nX-Signature: sha256=" + b"0" * 64 + b"\nX-Webhook-Id: whk_1"
_STANDARD = b'{"webhook-id": "a", "webhook-timestamp": ["1"], "webhook-signature": "v1,AA=="}'
_LISTED = (
    b'{"id":"1","name":"hello","language":"en","status":"APPROVED","category":"UTILITY",'
    b'"components":[{"type":"BODY","text":"Hi {{1}}"},{"type":"BUTTONS","buttons":['
    b'{"type":"URL","text":"a","url":"https://a.invalid/{{1}}"}]}],"quality_score":{"score":"GREEN"}}'
)
_ACCOUNT = (
    b'[[accounts]]\nname = "a"\nenvironment = "sandbox"\n[[accounts.numbers]]\n'
    b'number = "972555000001"\n[[accounts.invoices]]\nnumber = "1"\nkind = "PACKAGE"\nlines = [ '
    b'{ description = "P", quantity = 1, unitPrice = "1.00" } ]\nissuedAt = "2026-01-01T00:00:00Z"'
    b'\ndueAt = "2027-01-01T00:00:00Z"\n'
)
TARGETS: dict[str, Target] = {
    "body": Target(body, tuple(_SOUND)),
    "large-body": Target(large_body, tuple(_SOUND)),
    "members": Target(members, tuple(one[1:] for one in _SOUND)),
    "query": Target(query, (b"\x00limit=1&cursor=a", b"\x06to=1&status=sent%2Cread&limit=%31")),
    "cursor": Target(cursor, (encode_cursor((_NOW, "a")).encode(), b"WyIyMDI2Il0")),
    "http-request": Target(http_request, tuple(one for one in CORPUS if len(one) < 500)),
    "path": Target(path, (b"/api/v1/messages/a%2Fb", b"/r/%00", b"/api/v1/events/%C3%A9/guests")),
    "peer-frames": Target(peer_frames, (b"\x03" + frames.frame(1, b"abc") + frames.frame(2, b""),)),
    "sheet": Target(sheet, (b"id,phone,name\n1234567-a,972501234567,D\n", b'a;"b\nc";d\r\n1;2;3')),
    "sheet-round": Target(sheet_round, (b'Dana, "D"\xff=1+1\xff\xd7\x90\n',)),
    "account-file": Target(account_file, (_ACCOUNT,)),
    "media": Target(media_file, (b"/9j/4AAQSkZJRg==", b"data:image/png;base64,iVBORw0KGgo=")),
    "url": Target(url, (b"https://a.invalid/b?c=d#e", b"https://xn--80ak6aa92e.com:443/",
    b"https://[::1]/")),
    "phone": Target(number, (b"+972 (50) 123-4567", b"00972501234567")),
    "time": Target(time, (b"2026-01-31T09:30:00.123+02:00", b"2026-01-31")),
    "money": Target(amount, (b"12.50", b"1e2", b"-0.05", b"95.000")),
    "reference": Target(reference, (b"bat_" + b"0" * 32,)),
    "callback": Target(callback, tuple(json.dumps(one).encode() for one in callback_calls.SOUND)),
    "reply": Target(reply, (b"Yes, 3 of us", "לא נגיע".encode(), "12.12 👍?".encode())),
    "form-answer": Target(form_answer, (b'{"flow_token":"x","q1":"5","q2":"Fish","q3":["Food"]}',)),
    "graph": Target(graph_answer, (_LISTED,
    b'{"error":{"code":131026,"error_data":{"details":"d"}}}')),
    "opinion": Target(opinion, (b'{"choices":[{"message":{"content":"{}"}}]}',
    b'{"answer": "yes", "guests": 2, "confidence": 0.99}')),
    "signature": Target(signature, (_SIGNED + b"\r\n\r\n{}", _STANDARD + b'\r\n\r\n{"a":1}')),
}  # fmt: skip
