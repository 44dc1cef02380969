"""Malformed requests to every endpoint of the API: body, query, path, headers, framing."""

from collections.abc import Callable
from random import Random
from urllib.parse import quote, quote_from_bytes

from proof.fuzz import bodies, spoil
from proof.fuzz.call import Call, http, is_sure
from proof.fuzz.catalogue import TEXTS, odd_text
from proof.fuzz.known import Known
from proof.fuzz.world import KEYS
from tidings.engine.http.endpoint import Auth, Route
from tidings.engine.http.faults import describe
from tidings.routes import API, EXTENSIONS

CALLBACKS = "/platform/whatsapp/webhook"  # `callback_calls` has its own
ROUTES = [route for route in [*API, *EXTENSIONS] if route.path != CALLBACKS]
_JSON = (b"content-type", b"application/json")
_TYPES = [
    b"application/json; charset=utf-8", b"application/json; charset=latin1", b"text/plain", b"",
    b"application/x-www-form-urlencoded", b"multipart/form-data; boundary=x", b"application/xml",
    b"application/json, text/plain", b"APPLICATION/JSON", b"application/json;", b"\xff", b"*/*",
]  # fmt: skip
_ODD_HEADERS = [
    (b"content-encoding", b"gzip"), (b"content-encoding", b"identity"), (b"x-dry-run", b"true"),
    (b"x-dry-run", b"1"), (b"x-dry-run", b"maybe"), (b"expect", b"100-continue"), (b"expect", b"x"),
    (b"range", b"bytes=0-1"), (b"if-none-match", b"*"), (b"accept", b"text/html"), (b"accept",
    b"\xff"),
    (b"accept-encoding", b"gzip;q=9"), (b"idempotency-key", b"order-0001"), (b"idempotency-key",
    b""),
    (b"idempotency-key", b"k" * 129), (b"idempotency-key", b"\xc3\xa9\xff"), (b"idempotency-key",
    b"\tx"),
    (b"traceparent", b"00-" + b"0" * 32 + b"-" + b"0" * 16 + b"-00"), (b"traceparent", b"ff-zz"),
    (b"x-forwarded-for", b"1.2.3.4, ::1, \xff"), (b"forwarded", b'for="[::1'), (b"x-request-id",
    b"a" * 5000),
    (b"cookie", b"tidings_session=\xff; a"), (b"authorization", b"Bearer x"), (b"te", b"trailers"),
    (b"upgrade", b"h2c"), (b"connection", b"close"), (b"user-agent", b"\xf0\x9f\x91\x8d" * 200),
    (b"x-http-method-override", b"DELETE"), (b"origin", b"null"), (b"date", b"never"),
    (b"x-assistant", b"\xff"),
    (b"x-tidings-assistant", b"a" * 300), (b"sec-fetch-site", b"cross-site"), (b"content-language",
    b"xx"),
]  # fmt: skip
_KEYLESS = [
    None, b"", b" ", b"td_sandbox_" + b"k" * 43, b"x" * 10_000, b"\xff\xfe", b"'", b"td_live_",
    KEYS["acme"][:-1].encode(), KEYS["acme"].encode() + b"x", KEYS["acme"].upper().encode(),
]  # fmt: skip
_METHODS = [
    b"PUT",
    b"PATCH",
    b"HEAD",
    b"OPTIONS",
    b"DELETE",
    b"TRACE",
    b"POST",
    b"GET",
    b"PROPFIND",
    b"BREW",
]
_RAW_SEGMENTS = [
    b"%00", b"%2F", b"%2f..%2f", b"..", b".", b"%2e%2e", b"%", b"%z", b"%ff", b"%C0%AF",
    b"%ED%A0%80",
    b"%u0041", b";a=b", b"a" * 10_000, b"%41" * 3000, b"~", b"*", b"+", b"%20", b"%0d%0aX:%20y",
    b"%F0%9F%91%8D",
]  # fmt: skip
_BAD_QUERIES = [
    b"&&&", b"=", b"=x", b"a", b"limit", b"limit=1&limit=2", b"limit=%31", b"limit=+1", b"%ff=%ff",
    b"a=%00",
    b"?", b"limit=1;cursor=x", b"limit[]=1", b"q" * 10_000, b"x-api-key=" + KEYS["acme"].encode(),
    b"%zz=%",
    b"limit=" + b"9" * 5000, b"limit=1e1", b"limit=0x1", b"cursor=" + b"A" * 4096,
    b"cursor=eyJhIjoxfQ==",
]  # fmt: skip
_SECONDS = ("0", "21", "-1", "x", "1.5", "")  # of a long poll: none that would make us wait


def make(rng: Random, known: Known) -> Call:
    """A request to a random endpoint."""
    return of_route(rng, known, rng.choice(ROUTES))


def of_route(rng: Random, known: Known, route: Route) -> Call:
    account = _account(rng, route)
    headers = [(b"x-api-key", KEYS[account].encode())] if route.auth is not Auth.NONE else []
    method, environment = route.method.encode(), "live" if account == "live" else "sandbox"
    target, body, chunks = _target(rng, known, route), _body(rng, route), None
    sure = route.auth is not Auth.NONE
    if body is not None:
        headers.append(_JSON)
        chunks = rng if rng.random() < 0.1 else None
    roll = rng.random()
    if roll < 0.06:
        headers = [one for one in headers if one[0] != b"x-api-key"] + _bad_key(rng)
        sure = False
    elif roll < 0.12 and body is not None:
        headers[-1] = (b"content-type", rng.choice(_TYPES))
    elif roll < 0.24:
        headers += rng.sample(_ODD_HEADERS, rng.choice([1, 1, 3]))
        sure = False
    elif roll < 0.27:
        method = rng.choice(_METHODS)
        sure = sure and method not in (b"TRACE", b"BREW")  # what the parser does not know
    raw = http(method, target, headers, body, chunks)
    sure = sure and is_sure(raw)
    name = f"{route.method} {route.path}"
    return Call(
        "api", name, raw, route, environment if sure else None, method in (b"TRACE", b"HEAD")
    )


def _account(rng: Random, route: Route) -> str:
    if route.path == "/sandbox/v1/clock" or route.path.endswith("/pay"):
        return "timer"
    if route.auth is Auth.PARTNER:
        return rng.choice(["partner"] * 9 + ["acme"])
    return rng.choice(["acme"] * 8 + ["partner", "live"])


def _bad_key(rng: Random) -> list[tuple[bytes, bytes]]:
    if rng.random() < 0.2:
        return [(b"x-api-key", KEYS["acme"].encode())] * 2
    key = rng.choice(_KEYLESS)
    return [] if key is None else [(b"x-api-key", key)]


# The address


def _target(rng: Random, known: Known, route: Route) -> bytes:
    segments = [
        _segment(rng, known, part[1:-1]) if part.startswith("{") else part.encode()
        for part in route.path.split("/")
    ]
    query = _query(rng, known, route)
    if rng.random() < 0.02:  # the path itself
        segments.insert(
            rng.randrange(1, len(segments) + 1), rng.choice([b"", b"..", b"%2e", b"x", b"%00"])
        )
    return b"/".join(segments) + (b"?" + query if query else b"")


def _segment(rng: Random, known: Known, name: str) -> bytes:
    roll = rng.random()
    if roll < 0.4 and name in known.ids:
        return quote(known.ids[name], safe="").encode()
    if roll < 0.7:
        return rng.choice(_RAW_SEGMENTS)
    return quote_from_bytes(
        odd_text(rng, name).encode("utf-8", "surrogatepass")[:3000], safe=""
    ).encode()


def _query(rng: Random, known: Known, route: Route) -> bytes:
    if route.path.endswith("{platform_message_id}") and rng.random() < 0.5:
        signed = known.media_query.encode()
        return signed if rng.random() < 0.3 else spoil.spoil_bytes(rng, signed).hex().encode()[:200]
    roll = rng.random()
    if route.query is None:
        return rng.choice(_BAD_QUERIES) if roll < 0.05 else b""
    if roll < 0.2:
        return rng.choice(_BAD_QUERIES)
    fields = [field.encode_name for field in describe(route.query)]
    chosen = rng.sample(fields, rng.randint(0, min(3, len(fields))))
    return b"&".join(b"%b=%b" % (name.encode(), _value(rng, known, name)) for name in chosen)


def _value(rng: Random, known: Known, name: str) -> bytes:
    if name == "wait":
        return rng.choice(_SECONDS).encode()
    if name in known.ids and rng.random() < 0.3:
        return quote(known.ids[name], safe="").encode()
    text = spoil.number_text(rng) if name == "limit" and rng.random() < 0.6 else odd_text(rng, name)
    return quote_from_bytes(text.encode("utf-8", "surrogatepass")[:3000]).encode()


# The body


def _body(rng: Random, route: Route) -> bytes | None:
    if route.body is None:
        return rng.choice(TEXTS).encode("utf-8", "replace") if rng.random() < 0.05 else None
    body = bodies.sound(rng, route)
    fields = [field.encode_name for field in describe(route.body)]
    ways: list[tuple[float, Callable[[], bytes]]] = [
        (0.12, lambda: spoil.dump(body)),
        (0.70, lambda: spoil.dump(spoil.spoil_values(rng, body, fields))),
        (0.88, lambda: spoil.spoil_text(rng, body)),
        (1.00, lambda: spoil.spoil_bytes(rng, spoil.dump(body))),
    ]
    roll = rng.random()
    return next(make for limit, make in ways if roll < limit)()
