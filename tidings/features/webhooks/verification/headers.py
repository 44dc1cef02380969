"""Headers as people paste them: lines, a JSON object, or options of curl. Pure."""

import json

from tidings import limits


def parse_headers(text: str) -> dict[str, str]:
    """By lower-case name. A ValueError quotes the line that is none."""
    if text.lstrip().startswith("{"):
        return _from_json(text)
    found = {}
    for line in text.splitlines():
        if line.strip() and not _is_request_line(line):
            name, value = parse_header(_without_option(line))
            found[name] = value
    if len(found) > limits.HEADERS_MAX:
        raise ValueError(f"at most {limits.HEADERS_MAX} headers")
    return found


def parse_header(line: str) -> tuple[str, str]:
    name, colon, value = line.partition(":")
    if not colon or not name.strip():
        raise ValueError(line.strip()[:100])
    return name.strip().lower(), value.removeprefix(" ")


def _from_json(text: str) -> dict[str, str]:
    try:
        given = json.loads(text)
    except (ValueError, RecursionError):
        raise ValueError(text.strip()[:100]) from None
    if not isinstance(given, dict) or len(given) > limits.HEADERS_MAX:
        raise ValueError(text.strip()[:100])
    return {_whole(name).strip().lower(): _whole(_text(value)) for name, value in given.items()}


def _whole(text: str) -> str:
    """JSON can spell half a character, which no header holds."""
    return text.encode(errors="replace").decode()


def _text(value: object) -> str:
    """Frameworks show a header's values as a list."""
    if isinstance(value, list) and len(value) == 1:
        return str(value[0])
    return str(value)


def _is_request_line(line: str) -> bool:
    return line.startswith("POST ") and ":" not in line.partition("?")[0].partition(" HTTP/")[0]


def _without_option(line: str) -> str:
    """`-H 'X-Signature: sha256=…' \\`"""
    text = line.strip()
    for option in ("-H ", "--header "):
        if text.startswith(option):
            return text.removeprefix(option).rstrip("\\ ").strip("'\"")
    return line.rstrip("\r")
