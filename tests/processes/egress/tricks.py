"""The tricks: spellings of URLs, answers of name servers, redirects. Each may lead to a canary."""

from ipaddress import IPv4Address

from tests.rules import test_urls

# Where canaries listen: this machine, the cloud's metadata, and private networks.
CANARIES_IPV4 = ["127.0.0.1", "169.254.169.254", "10.1.2.3", "192.168.1.1", "172.16.0.1",
                 "100.64.0.1"]  # fmt: skip
CANARIES_IPV6 = ["::1", "fd00::1"]
CANARY_PORTS = [80, 443, 8080, 8443]
PUBLIC_IPV4, PUBLIC_IPV6 = "8.8.8.8", "2606:4700::1111"

_FULL_WIDTH = str.maketrans("0123456789", "０１２３４５６７８９")
_CIRCLED = str.maketrans("0123456789", "⓪①②③④⑤⑥⑦⑧⑨")


def spellings(address: str) -> list[str]:
    """URLs whose host is, or could be taken for, this IPv4 address."""
    a, b, c, d = (int(part) for part in address.split("."))
    whole = int(IPv4Address(address))
    high, low = f"{a:02x}{b:02x}", f"{c:02x}{d:02x}"
    hosts = [
        address, f"{address}.", f"{address}:443", f"{address}:8443", f"{whole}", f"0x{whole:x}",
        f"0{whole:o}", f"{a}.{whole - (a << 24)}", f"{a}.{b}.{(c << 8) + d}",
        f"0x{a:x}.0x{b:x}.0x{c:x}.0x{d:x}", f"0{a:o}.0{b:o}.0{c:o}.0{d:o}", f"0x{a:x}.{b}.{c}.{d}",
        f"{a:03}.{b:03}.{c:03}.{d:03}", f"{whole + (1 << 32)}", address.replace(".", "%2e"),
        address.translate(_FULL_WIDTH), address.translate(_CIRCLED), address.replace(".", "。"),
        address.replace(".", "．"), address.replace(".", "｡"), address.replace(".", "\u200b."),
        f"{a}\u00ad.{b}.{c}.{d}", f"\u2060{address}", f"{address}\u0000.example.com",
        f"[::ffff:{address}]", f"[::ffff:{high}:{low}]", f"[0:0:0:0:0:ffff:{high}:{low}]",
        f"[::{address}]", f"[64:ff9b::{high}:{low}]", f"[64:ff9b:1::{high}:{low}]",
        f"[2002:{high}:{low}::]", f"[2001:0:{high}:{low}::1]", f"[fe80::5efe:{high}:{low}]",
        f"[::ffff:0:{high}:{low}]", f"[::ffff:{address}%25lo]", f"example.com@{address}",
        f"example.com:443@{address}", f"example.com%40{address}", f"{address}#@example.com",
        f"{address}?@example.com", f"{address}\\@example.com", f"example.com\\@{address}",
        f"{address};example.com", f"{address},example.com", f"{address} example.com",
        f"example.com\r\nHost: {address}", f"{address}\t", f"{address}/../example.com",
        f"[{address}]", f"{address}:443:8443", f"{address}%00.example.com",
    ]  # fmt: skip
    others = [f"http://{address}/", f"//{address}/", f"https:\\\\{address}\\", f"https:/{address}/",
              f"https:{address}", f"HTTPS://{address}/", f"gopher://{address}:80/_GET",
              f"file://{address}/etc/passwd", f"dict://{address}:443/"]  # fmt: skip
    return [*(f"https://{host}/" for host in hosts), *others]


def urls() -> list[str]:
    """Every trick that stands in a URL."""
    ours = [url for address in CANARIES_IPV4[:4] for url in spellings(address)]
    ours += [f"https://[{address}]{port}/" for address in CANARIES_IPV6 for port in ("", ":8443")]
    theirs = [
        *test_urls.NOT_HTTPS, *test_urls.NO_HOST, *test_urls.CREDENTIALS, *test_urls.CHARACTERS,
        *test_urls.PORTS, *test_urls.PRIVATE, *test_urls.ODD_NUMBERS,
    ]  # fmt: skip
    return list(dict.fromkeys([*ours, *theirs]))


def names() -> dict[str, list[list[str]]]:
    """Name servers' tricks: for each name the answers to one look-up after the other; the last is
    given for ever. An answer is an address, or another name (CNAME)."""
    found: dict[str, list[list[str]]] = {}
    for n, address in enumerate([*CANARIES_IPV4, *CANARIES_IPV6]):
        found |= {
            f"plain{n}.example.com": [[address]],
            f"beside{n}.example.com": [[PUBLIC_IPV4, address]],
            f"before{n}.example.com": [[address, PUBLIC_IPV4]],
            f"other-family{n}.example.com": [[PUBLIC_IPV6 if "." in address else PUBLIC_IPV4,
                                             address]],
            f"alias{n}.example.com": [[f"plain{n}.example.com"]],
            f"rebinds{n}.example.com": [[PUBLIC_IPV4], [address]],
        }  # fmt: skip
    for n, address in enumerate(
        ["::ffff:127.0.0.1", "::127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "::",
         "2001:0:7f00:1::1", "fe80::1", "0.0.0.0", "255.255.255.255", "224.0.0.1"]
    ):  # fmt: skip
        found[f"embedded{n}.example.com"] = [[address]]
    found |= {
        "127.0.0.1.nip.example": [["127.0.0.1"]],
        "chain0.example.com": [["chain1.example.com"]],
        "chain1.example.com": [["chain2.example.com"]],
        "chain2.example.com": [["chain3.example.com"]],
        "chain3.example.com": [["169.254.169.254"]],
        "to-localhost.example.com": [["localhost"]],
        "xn--lcalhost-5bg.example.com": [["127.0.0.1"]],
        "flips.example.com": [[PUBLIC_IPV4], ["127.0.0.1"], [PUBLIC_IPV4], ["10.1.2.3"]],
        "public.example.com": [[PUBLIC_IPV4]],
    }
    return found


IN_HOSTS = {"of-the-hosts-file.example.com": "127.0.0.1"}

REDIRECTS = [
    {"Location": f"{scheme}://{host}{port}/"}
    for scheme in ("https", "http")
    for host, port in (("127.0.0.1", ""), ("[::1]", ":8443"), ("169.254.169.254", ""),
                       ("plain0.example.com", ""), ("127.0.0.1", ":8080"))
]  # fmt: skip
STATUSES = (301, 302, 303, 307, 308)
OTHER_HEADERS = [
    (200, {"Alt-Svc": 'h2="127.0.0.1:443"; ma=86400'}), (200, {"Refresh": "0;url=https://[::1]/"}),
    (201, {"Location": "https://127.0.0.1/", "Content-Location": "https://127.0.0.1/"}),
    (300, {"Location": "https://127.0.0.1/"}), (305, {"Location": "https://127.0.0.1/"}),
    (401, {"WWW-Authenticate": 'Basic realm="https://127.0.0.1/"'}),
    (407, {"Proxy-Authenticate": "Basic"}), (200, {"Link": "<https://127.0.0.1/>; rel=preload"}),
    (421, {}), (503, {"Retry-After": "0", "Location": "https://127.0.0.1/"}),
]  # fmt: skip
_VARIABLES = ("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY")
PROXIES = dict.fromkeys(_VARIABLES, "http://127.0.0.1:8080")
