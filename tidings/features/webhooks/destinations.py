"""Where webhooks go, as the queue sees it: jobs to one place stand in one line. Pure.

A line is an account's jobs of one priority (engine/line_claims.py). The account's own address is
one line; every other host that its registered events lead to is one more, however many events
lead there. Two hosts may by chance share a line: they then share its slots, and nothing worse.
"""

from functools import lru_cache
from zlib import crc32

from yarl import URL

OWN_LINE = 5
_FIRST, _COUNT = 100, 30_000


@lru_cache(maxsize=4096)
def authority(url: str) -> str:
    """The host and port that a URL leads to."""
    parsed = URL(url, encoded=True)
    return f"{parsed.raw_host}:{parsed.port}"


def line_of(account_url: str | None, url: str | None) -> int:
    """The line of what goes to `url`, in an account whose own address is `account_url`."""
    if url is None or url == account_url:
        return OWN_LINE
    place = authority(url)
    if account_url is not None and place == authority(account_url):
        return OWN_LINE
    return _FIRST + crc32(place.encode()) % _COUNT
