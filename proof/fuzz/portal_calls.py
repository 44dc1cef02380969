"""Pages and forms of the portal: signed in, with a good token, and fields that no browser sends."""

from random import Random
from urllib.parse import quote_from_bytes, urlencode

from proof.fuzz.call import Call, Headers, http
from proof.fuzz.catalogue import BY_NAME, TEXTS, odd_text
from proof.fuzz.known import Known, PortalForm
from proof.fuzz.world import LEAVER, OPERATOR, SESSION
from tidings.portal.page import routes_of
from tidings.portal.pages import PAGES

ENDLESS = "/portal/stream"
_LEAVES = (  # posted by one person alone: they take rights and sessions away
    "/portal/sign-out", "/portal/people/sessions", "/portal/people/remove", "/portal/people/role",
    "/portal/people/password", "/portal/people/second-factor", "/portal/operator/people",
)  # fmt: skip
_ROUTES = [
    route for page in PAGES for route in routes_of(page) if not route.path.startswith(ENDLESS)
]
_FORM_TYPE = b"application/x-www-form-urlencoded"
_TYPES = [
    _FORM_TYPE + b"; charset=utf-16", _FORM_TYPE + b"; charset=x", b"text/plain", b"", b"\xff",
    b"multipart/form-data", b"multipart/form-data; boundary=",
    b"multipart/form-data; boundary=\xff",
    b"multipart/form-data; boundary=x; charset=undefined",
    b"multipart/form-data; boundary=" + b"b" * 300,
    b"multipart/form-data; boundary=x; charset=unicode_escape", b"application/json",
]  # fmt: skip
_FILES = [
    b"", b"id,phone,name\r\norder-0001,972501234567,Dana\r\n", b"phone;name\r\n1;=1+1\r\n",
    b"\x00" * 50,
    b"\xff\xfea\x00,\x00b\x00", b"\xff\xfe\x00\xd8", b"PK\x03\x04", b'"', b'a,"b\nc',
    b"a,b\n" * 20_000,
    b"," * 5000, b"phone\n" + b"9" * 200_000, b"\xef\xbb\xbfphone\n1\n", b"a,a\n1,2\n",
    b"phone\r1\r", b"\xe0\xe1,x\n1,2\n",
]  # fmt: skip
_COOKIES = [
    b"", b"tidings_session=", b"tidings_session=\xff", b"tidings_session=" + b"x" * 4000, b"=",
    b";;;",
    b"tidings_visitor=\xff; tidings_zone=../../etc/passwd", b"tidings_zone=\x7f",
    b"tidings_notice=YQ.\xff",
    b"tidings_notice=" + b"A" * 3000, b"tidings_language=\xe9",
    b"tidings_session=a; tidings_session=b",
]  # fmt: skip


def make(rng: Random, known: Known) -> Call:
    roll = rng.random()
    if roll < 0.55 and known.forms:
        return _post(rng, known, rng.choice(known.forms))
    if roll < 0.65:
        return _post_anywhere(rng, known)
    return _get(rng, known)


def leaves(address: str) -> bool:
    """Whether a form posted there may end the session, which all others need."""
    return address.startswith(_LEAVES)


def _cookie(session: str) -> tuple[bytes, bytes]:
    return b"cookie", b"tidings_session=" + session.encode()


def _headers(rng: Random, session: str) -> list[tuple[bytes, bytes]]:
    headers = [_cookie(session)]
    roll = rng.random()
    if roll < 0.03:
        headers = [(b"cookie", rng.choice(_COOKIES))]
    elif roll < 0.08:
        headers.append(
            (
                b"accept-language",
                rng.choice([b"he", b"\xff", b"en;q=x", b"*", b"a" * 3000, b"-", b"zh-Hans-x-y"]),
            )
        )
    elif roll < 0.1:
        headers.append(
            (b"origin", rng.choice([b"null", b"http://[", b"http://evil.invalid", b"\xff"]))
        )
    return headers


def _get(rng: Random, known: Known) -> Call:
    session = rng.choice([SESSION, OPERATOR])
    if rng.random() < 0.5 and known.pages:
        path, _, query = rng.choice(known.pages).partition("?")
    else:
        path, query = _filled(rng, known, rng.choice(_ROUTES).path), ""
    names = [pair.partition("=")[0] for pair in query.split("&") if pair] or list(BY_NAME)
    names += ["cursor", "page", "sort", "q", "state", "from", "until", "next", "limit", "period"]
    pairs = [(name, odd_text(rng, name)) for name in rng.sample(names, rng.randint(0, 3))]
    query = "&".join(f"{_quoted(name)}={_quoted(value)}" for name, value in pairs)
    method = rng.choice([b"GET"] * 12 + [b"HEAD", b"PUT", b"OPTIONS"])
    target = path.encode() + (b"?" + query.encode() if query else b"")
    return Call("portal", "GET " + name_of(path), http(method, target, _headers(rng, session)))


def _post_anywhere(rng: Random, known: Known) -> Call:
    """A form that no page shows: any fields, at any address that takes one."""
    path = rng.choice([route.path for route in _ROUTES if route.method == "POST"])
    fields = tuple((name, odd_text(rng, name)) for name in rng.sample(list(BY_NAME), 4))
    session = LEAVER if leaves(path) else rng.choice([SESSION, OPERATOR])
    form = PortalForm(_filled(rng, known, path), session, fields, is_multipart=False)
    return _post(rng, known, form)


def _post(rng: Random, known: Known, form: PortalForm) -> Call:
    fields = [("csrf", known.tokens[form.session])]
    fields += [pair for pair in form.fields if pair[0] != "csrf"]
    for _ in range(rng.choice([0, 1, 1, 2])):
        at = rng.randrange(len(fields))
        name = fields[at][0]
        if name != "csrf" or rng.random() < 0.1:
            fields[at] = (name, odd_text(rng, name))
    if rng.random() < 0.15:
        fields += [rng.choice(fields), (odd_text(rng), odd_text(rng))]
    if rng.random() < 0.1:
        fields.pop(rng.randrange(len(fields)))
    if rng.random() < 0.01:
        fields += [(f"f{n}", "x") for n in range(1100)]
    kind, body = (
        _multipart(rng, fields)
        if form.is_multipart or rng.random() < 0.1
        else (_FORM_TYPE, _encoded(fields))
    )
    if rng.random() < 0.05:
        kind = rng.choice(_TYPES)
    headers: Headers = [*_headers(rng, form.session), (b"content-type", kind)]
    raw = http(b"POST", form.action.encode(), headers, body, rng if rng.random() < 0.05 else None)
    return Call("portal", "POST " + name_of(form.action), raw)


def _encoded(fields: list[tuple[str, str]]) -> bytes:
    return urlencode(
        [
            (n.encode("utf-8", "surrogatepass"), v.encode("utf-8", "surrogatepass"))
            for n, v in fields
        ]
    ).encode()


def _multipart(rng: Random, fields: list[tuple[str, str]]) -> tuple[bytes, bytes]:
    parts = []
    for name, value in fields:
        raw = value.encode("utf-8", "surrogatepass")
        head = b'form-data; name="' + name.encode("utf-8", "replace").replace(b'"', b"%22") + b'"'
        if name in ("file", "logo") or rng.random() < 0.05:
            head += (
                b'; filename="' + rng.choice([b"a.csv", b"", b"../x", b"\xff", b"a" * 300]) + b'"'
            )
            raw = rng.choice(_FILES)
        parts.append(b"--x\r\ncontent-disposition: %b\r\n\r\n%b\r\n" % (head, raw))
    end = rng.choice([b"--x--\r\n"] * 8 + [b"", b"--x"])
    charset = rng.choice(
        [b""] * 20
        + [
            b"; charset=utf-7",
            b"; charset=undefined",
            b"; charset=unicode_escape",
            b"; charset=idna",
        ]
    )
    return b"multipart/form-data; boundary=x" + charset, b"".join(parts) + end


def _filled(rng: Random, known: Known, path: str) -> str:
    segments = []
    for part in path.split("/"):
        name = part[1:-1]
        if not part.startswith("{"):
            segments.append(part)
        elif name in known.ids and rng.random() < 0.6:
            segments.append(_quoted(known.ids[name]))
        else:
            segments.append(
                _quoted(rng.choice(TEXTS) if rng.random() < 0.5 else odd_text(rng, name))
            )
    return "/".join(segments)


def _quoted(text: str) -> str:
    return quote_from_bytes(text.encode("utf-8", "surrogatepass")[:3000], safe="")


def name_of(address: str) -> str:
    """The page's template, for counting."""
    wanted = address.partition("?")[0].split("/")
    for route in _ROUTES:
        segments = route.path.split("/")
        if len(segments) == len(wanted) and all(
            one.startswith("{") or one == given for one, given in zip(segments, wanted, strict=True)
        ):
            return route.path
    return "/portal/…"
