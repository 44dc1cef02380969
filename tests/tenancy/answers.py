"""Answers made comparable: the id that was asked for, and what differs between any two requests,
are taken out; everything else must be the same, byte for byte."""

import base64
import re
from html import escape
from urllib.parse import quote, quote_plus, unquote

import httpx

Answer = tuple[int, tuple[tuple[str, str], ...], str]

SHOWN = 300  # characters of a difference
# Of each request, not of what was asked for: its number, the time, and how many more are allowed.
OF_THE_REQUEST = {"x-request-id", "date", "ratelimit-remaining", "ratelimit-reset"}
# What a success makes anew: ids of its own, and times.
_MADE = [
    re.compile(r"req_[0-9a-f]{32}"),
    re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[.\d]*(Z|\+00:00|&#43;00:00)"),
    re.compile(r"wamid\.[\w-]+"),
    re.compile(r"(?:whk|bat|led|med|otp)_\w+"),
    re.compile(r"td_(?:sandbox|live)_\w+(?:…\w{4})?"),
    re.compile(r"(?<=/r/)\w{12}"),
    re.compile(r'(?<="code":")\w{12}(?=")'),
    re.compile(r"(?<=tidings_visitor=)[\w-]+"),
    re.compile(r"(?<=token=)[\w-]{40,}"),
    re.compile(r"(?<=\bvalue=\")[0-9a-f-]{36}(?=\")"),  # of a form that makes something
    re.compile(r"visitors-own-\d{6}"),
    re.compile(r"\btest-[0-9a-f]{12}\b"),
]
_NOTICE = re.compile(r'(?<=tidings_notice=)"?([\w=-]+)\.[0-9a-f]{64}"?')


def comparable(answer: httpx.Response, asked: str) -> Answer:
    """Status, headers and body. `asked` is the id of the request."""
    headers = tuple(
        (name, _plain(value, asked))
        for name, value in answer.headers.multi_items()
        if name not in OF_THE_REQUEST and name != "content-length"
    )
    return answer.status_code, headers, _plain(_text(answer), asked)


def difference(one: Answer, other: Answer) -> str:
    """Where they begin to differ, and how they go on."""
    mine, theirs = str(one), str(other)
    equal = next(
        (n for n, pair in enumerate(zip(mine, theirs, strict=False)) if pair[0] != pair[1]),
        min(len(mine), len(theirs)),
    )
    start = max(equal - SHOWN // 4, 0)
    return f"\n  unknown …{mine[start : start + SHOWN]}\n  foreign …{theirs[start : start + SHOWN]}"


def _text(answer: httpx.Response) -> str:
    if answer.headers.get("content-type", "").startswith(("text/", "application/json")):
        return answer.text
    return answer.content.decode("latin-1")


def _plain(text: str, asked: str) -> str:
    text = _NOTICE.sub(lambda found: _opened(found[1]), text)
    for form in _forms(asked):
        text = text.replace(form, "<id>")
    if asked.isdigit():  # a number that a page shows in groups
        text = re.sub(r"[ -]?".join(asked), "<id>", text)
    for made in _MADE:
        text = made.sub("<made>", text)
    return text


def _forms(asked: str) -> list[str]:
    """As it was sent, quoted, escaped; without what names its kind; of a UUID both spellings."""
    bare = asked.partition("_")[2] if re.match(r"[a-z]{3}_[0-9a-f]{32}$", asked) else asked
    plain = [asked, bare]
    if re.fullmatch(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", asked):
        plain.append(asked.replace("-", ""))
    found = [form(one) for one in plain for form in (str, quote, quote_plus, escape)]
    return sorted({*found, *map(quote, found)}, key=len, reverse=True)


def _opened(body: str) -> str:
    """The notice in a cookie, which is signed as a whole."""
    return f"({unquote(base64.urlsafe_b64decode(body).decode())})"
