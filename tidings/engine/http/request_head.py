"""The head of a request: from the values of the parser to an exchange."""

import httptools

from tidings.engine.http.exchange import Channel, Exchange

_HOP_BY_HOP = frozenset({b"upgrade", b"connection", b"http2-settings"})


def new_parser(callbacks: object) -> httptools.HttpRequestParser:
    parser = httptools.HttpRequestParser(callbacks)
    # Bytes after a request with `Connection: close` are no error before it is answered.
    parser.set_dangerous_leniencies(lenient_data_after_close=True)
    return parser


def new_exchange(
    channel: Channel,
    parser: httptools.HttpRequestParser,
    url: bytes,
    pairs: list[tuple[bytes, bytes]],
) -> Exchange:
    """Raises ValueError for an address without a path."""
    path, query = split_url(url)
    exchange = Exchange(channel, parser.get_method().decode(), path, query, pairs)
    exchange.version = parser.get_http_version()
    exchange.keep_alive = exchange.version != "1.0" and parser.should_keep_alive()
    expected = exchange.headers.get(b"expect")
    exchange.awaits_continue = expected is not None and expected.lower() == b"100-continue"
    return exchange


def without_upgrade(method: bytes, url: bytes, pairs: list[tuple[bytes, bytes]]) -> bytes:
    """The head of a request as it would be without its offer to change the protocol."""
    lines = [name + b": " + value for name, value in pairs if name not in _HOP_BY_HOP]
    return b"\r\n".join([method + b" " + url + b" HTTP/1.1", *lines, b"", b""])


def declared_length(exchange: Exchange) -> int | None:
    length = exchange.headers.get(b"content-length")
    return int(length) if length is not None and length.isdigit() else None


def split_url(url: bytes) -> tuple[bytes, bytes]:
    """Raw path and query."""
    if url.startswith(b"/") and b"#" not in url and url.isascii():  # what parse_url would find
        path, _, query = url.partition(b"?")
        return path, query
    parsed = httptools.parse_url(url)
    if not parsed.path or not parsed.path.isascii():
        raise ValueError("the address has no path")
    return parsed.path, parsed.query or b""
