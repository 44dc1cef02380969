"""https on a public host, by form (INVALID_URL; the buttonUrl row of the bad-input catalogue)."""

import socket
from contextlib import suppress

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from yarl import URL

from tidings import limits
from tidings.errors import ApiError, Code
from tidings.urls import find_postable, require_postable, require_public

BASE = "https://example.com/"

NOT_HTTPS = [
    "", "example.com", "example.com/path", "//host", "//example.com/x", "/path", "https", "https:",
    "http://example.com", "HTTP://example.com", "ftp://example.com", "ws://example.com",
    "javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "mailto:a@example.com",
    "gopher://example.com", "httpss://example.com", "https+x://example.com", ":https://example.com",
    "1https://example.com", "tel:+972501234567", "view-source:https://example.com", "?", "#",
]  # fmt: skip

NO_HOST = [
    "https://", "https:///", "https:///path", "https:/example.com", "https:example.com",
    "https://?x=1", "https://#x", "https://.", "https://..", "https://.example.com",
    "https://example..com", "https://example.com..", "https://-example.com", "https://example-.com",
    "https://exa%6dple.com", "https://example.com%2f@evil.com", "https://example.com;b",
    "https://exam!ple.com", "https://a,b.com", "https://*.example.com", "https://{host}.com",
    "https://" + "a" * 64 + ".com", "https://" + "a." * 127 + "com", "https://ü..com",
    "https://[example.com]/", "https://[8.8.8.8]/", "https://[v1.fe80]/", "https://[v1.fe80::1]/",
    "https://[::1", "https://::1]", "https://a[b].com", "https://[2606:4700::1111]evil.com",
    "https://[[2606:4700::1111]]", "https://2606:4700::1111", "https://[2606:4700:::1]",
    "https://[]", "https://[]@", "https://[]@example.com",
    "https://" + "\u0338" * 60 + ".com", "https://℀.com", "https://example.com℀.evil.com",
]  # fmt: skip

CREDENTIALS = [
    "https://user@host.com", "https://user:pass@example.com", "https://@example.com",
    "https://:@example.com", "https://:pass@example.com", "https://example.com@evil.com",
    "https://example.com:443@evil.com", "https://a@b@example.com", "https://127.0.0.1@example.com",
    "https://example.com%40@evil.com", "https://[2606:4700::1111]@evil.com",
]  # fmt: skip

CHARACTERS = [
    "https://exa mple.com", " https://example.com", "https://example.com ",
    "https://example.com/a b",
    "https://example.com/a\nb", "https://example.com/\r\nSet-Cookie: a=b", "https://example.com\t",
    "\thttps://example.com", "ht\ntps://example.com", "https://exam\rple.com",
    "https://example.com/\x00", "https://example.com/\x7f", "https://example.com/\x1f",
    "https://example.com/\u0085", "https://example.com/\u00a0", "https://example.com/\u2028",
    "https://example.com/\u200b", "https://example.com/\u202e", "https://example.com/\ufeff",
    "https://exam\u00adple.com", "https://example.com/\ud800", "https://example.com/\ue000",
    "https://example.com\\", "https://example.com\\@evil.com", "https:\\\\example.com",
    "https://example.com/a\\b", "https:/\\example.com", "\\\\example.com",
]  # fmt: skip

PORTS = [
    "https://example.com:0", "https://example.com:00", "https://example.com:65536",
    "https://example.com:99999", "https://example.com:100000", "https://example.com:-1",
    "https://example.com:+443", "https://example.com:4_43", "https://example.com:x",
    "https://example.com:443x", "https://example.com:443:443", "https://example.com:٤٤٣",
    "https://example.com:４４３", "https://[2606:4700::1111]:0", "https://example.com:0x1bb",
]  # fmt: skip

PRIVATE = [
    "https://localhost", "https://LOCALHOST", "https://localhost.", "https://localhost:8443/x",
    "https://foo.localhost", "https://localhost.localdomain", "https://host.local",
    "https://host.LOCAL.", "https://printer.local", "https://vault.internal", "https://a.b.internal",
    "https://metadata.google.internal/", "https://router.home.arpa", "https://host", "https://intranet",
    "https://com", "https://host.", "https://ｌｏｃａｌｈｏｓｔ", "https://host.ｌｏｃａｌ", "https://host。local",
    "https://127.0.0.1", "https://127.0.0.1.", "https://127.0.0.1:443/x", "https://127.255.255.254",
    "https://0.0.0.0", "https://10.0.0.1", "https://100.64.0.1", "https://169.254.169.254/latest",
    "https://172.16.0.1", "https://192.168.1.1", "https://224.0.0.1", "https://255.255.255.255",
    "https://[::1]", "https://[::]", "https://[0:0:0:0:0:0:0:1]", "https://[fe80::1]",
    "https://[fe80::1%25eth0]", "https://[fe80::1%eth0]", "https://[fc00::1]", "https://[fd00:ec2::254]",
    "https://[ff02::1]", "https://[::ffff:127.0.0.1]", "https://[::ffff:7f00:1]",
    "https://[::127.0.0.1]", "https://[64:ff9b::7f00:1]", "https://[64:ff9b::8.8.8.8]",
    "https://[2002:7f00:1::]", "https://[2001::1]", "https://[2001:db8::1]", "https://[fec0::1]",
    "https://１２７.０.０.１", "https://①②⑦.⓪.⓪.①", "https://127。0。0。1", "https://127．0．0．1",
    "https://１０.0.0.1", "https://[2606:4700::1111%25eth0]",
]  # fmt: skip

ODD_NUMBERS = [
    "https://2130706433", "https://0x7f000001", "https://0x7f.1", "https://0X7F.0.0.1", "https://127.1",
    "https://127.0.1", "https://0177.0.0.1", "https://017700000001", "https://0", "https://0x",
    "https://1", "https://134744072", "https://0x8.8.8.8", "https://8.8", "https://8.8.8",
    "https://08.8.8.8", "https://008.008.008.008", "https://8.8.8.8.8", "https://256.1.1.1",
    "https://1.2.3.999", "https://foo.1", "https://example.123", "https://example.0x7f",
    "https://example.com.0", "https://２１３０７０６４３３",
    "https://4294967296", "https://00000000177.1", "https://127.0.0.0x1",
]  # fmt: skip

LENGTHS = [
    BASE + "a" * (limits.URL_CHARS_MAX - len(BASE) + 1),
    BASE + "ü" * 400,  # six characters each once percent-encoded
    "https://" + "a" * 5000 + ".com",
]


@pytest.mark.parametrize(
    "url",
    NOT_HTTPS + NO_HOST + CREDENTIALS + CHARACTERS + PORTS + PRIVATE + ODD_NUMBERS + LENGTHS,
)
def test_what_is_not_https_on_a_public_host_is_refused(url: str) -> None:
    with pytest.raises(ApiError) as refusal:
        require_public(url, "buttonUrl")
    assert refusal.value.code is Code.INVALID_URL
    assert refusal.value.field == "buttonUrl"
    assert refusal.value.message.startswith("buttonUrl ")


@pytest.mark.parametrize(
    "url",
    [
        "https://example.com",
        "https://example.com/",
        "https://example.com/path/to?a=1&b=2#part",
        "https://sub.domain.example.co.uk/x",
        "https://my_app.example.com/x",
        "https://xn--80ak6aa92e.com/",  # аррӏе: a homograph, and a name all the same
        "https://hooks.example/x",
        "https://customer.test/x",
        "https://example.com:8443/x",
        "https://example.com:1/x",
        "https://example.com:65535/x",
        "https://8.8.8.8/x",
        "https://[2606:4700::1111]/x",
        "https://[2606:4700::1111]:8443/x",
        "https://localhost.example.com/x",
        "https://thelocal.com/x",
        "https://1.example.com/x",
        "https://127.0.0.1.example.com/x",
        "https://0x7f.com/x",
        "https://example.com/%41/../b//c/./d?q=a%20b+c&sig=%2F%2b%3D&x#f%20",
        "https://example.com/a@b:c;d,e!f*g(h)i'j$k~l",
        "https://example.com/?redirect=https://127.0.0.1/&a[]=1",
        "https://example.com/100%",
        BASE + "a" * (limits.URL_CHARS_MAX - len(BASE)),
    ],
)
def test_a_good_url_is_kept_byte_for_byte(url: str) -> None:
    assert require_public(url, "url") == url


@pytest.mark.parametrize(
    ("given_url", "kept"),
    [
        ("HTTPS://EXAMPLE.COM/Path", "https://example.com/Path"),
        ("https://example.com./x", "https://example.com/x"),
        ("https://example.com:443/x", "https://example.com/x"),
        ("https://example.com:/x", "https://example.com/x"),
        ("https://example.com:0443/x", "https://example.com/x"),
        ("https://example.com?a=1", "https://example.com/?a=1"),
        ("https://bücher.example/x", "https://xn--bcher-kva.example/x"),
        ("https://BÜCHER.example。/x", "https://xn--bcher-kva.example/x"),
        ("https://аррӏе.com/", "https://xn--80ak6aa92e.com/"),
        ("https://ｅｘａｍｐｌｅ.com/", "https://example.com/"),
        ("https://８.8.8.8/", "https://8.8.8.8/"),
        ("https://[2606:4700:0:0:0:0:0:1111]/", "https://[2606:4700::1111]/"),
        ("https://example.com/דרך?ש=1#ü", "https://example.com/%D7%93%D7%A8%D7%9A?%D7%A9=1#%C3%BC"),
        ('https://example.com/<a>|"b"', "https://example.com/%3Ca%3E%7C%22b%22"),
    ],
)
def test_a_url_has_one_spelling(given_url: str, kept: str) -> None:
    assert require_public(given_url, "url") == kept


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("http://example.com", "url must be https; write it as https://host/path"),
        ("https://me@example.com", "url must not contain a user name"),
        ("https://example.com:0", "url must have a port from 1 to 65535"),
        ("https://10.0.0.1", "url must be on a public host"),
        ("https://2130706433", "url must have a host name, or an IP address as four decimal"),
        ("https://example.com/a b", "url must not contain spaces"),
        (LENGTHS[0], "url must be at most 2048 characters"),
        (LENGTHS[2], "url must be at most 2048 characters"),
    ],
)
def test_a_refusal_names_the_field_the_rule_and_the_fix(url: str, says: str) -> None:
    with pytest.raises(ApiError, match=says):
        require_public(url, "url")


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("http://example.com/x", 'got "http://example.com/x"'),
        ("http://example.com/x?token=secret", 'got "http://example.com/x?…"'),
        ("https://me:secret@example.com/x", 'got "https://***@example.com/x"'),
        ("https://example.com:9443/x?secret", 'got "https://example.com:9443/x?…"'),
    ],
)
def test_a_refusal_shows_the_url_without_what_may_be_secret(url: str, shown: str) -> None:
    with pytest.raises(ApiError) as refusal:
        require_postable(url, "url")
    assert refusal.value.message.endswith(shown)
    assert "secret" not in refusal.value.message


NAME = ".".join(["a" * 61] * 4)  # 247 characters


@pytest.mark.parametrize("end", [".bcdef", ".bcdef."])
def test_a_name_is_as_long_as_names_can_be(end: str) -> None:
    assert require_public(f"https://{NAME}{end}/", "url") == f"https://{NAME}.bcdef/"


@pytest.mark.parametrize("end", [".bcdefg", ".bcdefg.", ".bcdefgh", ".bcdef.."])
def test_a_longer_name_is_none(end: str) -> None:
    with pytest.raises(ApiError, match="must have a valid host"):
        require_public(f"https://{NAME}{end}/", "url")


def test_a_name_beyond_ascii_is_short_or_encoded() -> None:
    """Encoding it takes long: a request with a long one would hold up everybody else's."""
    most = limits.IDNA_LETTERS_MAX
    labels = ["ü" * 20] * (most // 20) + (["ü" * (most % 20)] if most % 20 else [])
    assert require_public(f"https://{'.'.join(labels)}.com/", "url").startswith("https://xn--")
    with pytest.raises(ApiError, match=f"more than {most} letters beyond ASCII"):
        require_public(f"https://{'.'.join([*labels, 'ü'])}.com/", "url")
    assert require_public(f"https://{'a' * 60}.{'b' * 60}.com/", "url")


def test_the_caller_chooses_the_code() -> None:
    with pytest.raises(ApiError) as refusal:
        require_public("http://example.com", "callbackUrl", Code.VALIDATION_ERROR)
    assert refusal.value.code is Code.VALIDATION_ERROR


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1:9000/hook",
        "http://localhost:9000/",
        "https://[::1]:9000/",
        "http://10.0.0.1/",
        "http://receiver:8080/x",
        "http://host.local/",
        "http://host.docker.internal/",
        "https://example.com/x",
    ],
)
def test_in_development_http_and_private_hosts_pass(url: str) -> None:
    assert require_public(url, "webhookUrl", allow_private=True) == url
    assert require_postable(url, "webhookUrl", allow_private=True) == url


@pytest.mark.parametrize(
    "url",
    NO_HOST + CREDENTIALS + CHARACTERS + PORTS + ODD_NUMBERS + LENGTHS
    + ["ftp://localhost", "javascript:alert(1)", "http://", "http://[fe80::1%25eth0]/"],
)  # fmt: skip
def test_in_development_every_other_rule_stands(url: str) -> None:
    with pytest.raises(ApiError):
        require_public(url, "webhookUrl", allow_private=True)


def test_a_webhook_must_be_on_a_port_we_post_to() -> None:
    assert require_postable("https://example.com/x", "webhookUrl") == "https://example.com/x"
    assert require_postable("https://example.com:8443/x", "webhookUrl")
    with pytest.raises(ApiError, match="webhookUrl must be on port 443 or 8443"):
        require_postable("https://example.com:9443/x", "webhookUrl")


def test_finding_tells_apart_what_may_be_posted_to() -> None:
    assert find_postable("https://example.com/x", allow_private=False) == URL(
        "https://example.com/x"
    )
    assert find_postable("http://127.0.0.1:9000/", allow_private=False) is None
    assert find_postable("http://127.0.0.1:9000/", allow_private=True) is not None


HOSTS = st.text("abc019.:-_[]@%/\\?#xX０①。ａüß", max_size=24)
TAILS = st.text('/?#&=%+ab0 @:[]\\üא😀"<', max_size=24)


@given(HOSTS, TAILS)
@example("example.com", "/a?b#c")
@example("[2606:4700::1111]:8443", "?x")
def test_whatever_passes_means_the_same_to_every_parser(host: str, tail: str) -> None:
    try:
        text = require_public(f"https://{host}{tail}", "url")
    except ApiError:
        return
    used, strict = URL(text, encoded=True), URL(text)
    assert require_public(text, "url") == text, "its spelling is final"
    assert text.isascii() and text.isprintable() and " " not in text
    assert (used.raw_host, used.port, used.user) == (strict.raw_host, strict.port, None)
    assert used.raw_authority == text.removeprefix("https://").split("/")[0].split("#")[0]


@given(st.text("0123456789abcdefxX.", min_size=1, max_size=16))
def test_no_spelling_of_a_number_that_the_system_takes_for_an_address_passes(host: str) -> None:
    """What inet_aton reads as an address passes only as four plain decimal numbers."""
    try:
        address = socket.inet_ntoa(socket.inet_aton(host))
    except OSError:
        return
    with suppress(ApiError):
        assert require_public(f"https://{host}", "url") == f"https://{address}"
