"""Tell people who open a link from crawlers, link previews and prefetching (contract.md). Pure.

The names are those that their operators publish or send (sources: docs/decisions/0012-links.md).
In-app browsers count as people: `MetaIAB`, `FBAN`, `Instagram`, `Line/`, `Viber/` after a browser's
name. So do curl and HTTP libraries.
"""

import re
from collections.abc import Mapping
from functools import lru_cache

USER_AGENT_BYTES_MAX = 1024  # the rest is ignored

# Link previews whose user agent does not match _WORD.
_PREVIEWS = (
    "WhatsApp", "facebookexternalhit", "facebookcatalog", "meta-external",
    "meta-webindexer", "Slack-ImgProxy", "SkypeUriPreview", "MicrosoftPreview", "BingPreview",
    "Snap URL Preview", "SnapURLPreview", "vkShare", "line-poker", "kakaotalk-scrap",
    "Yahoo Link Preview", "YahooMailProxy", "Google Web Preview", "GoogleImageProxy",
    "Google-PageRenderer", "Embedly", "Iframely", "OpenGraph", "LinkPreview", "Link Preview",
    "Unfurl", "Onebox", "Mastodon/", "Pleroma", "Misskey", "Friendica", "Lemmy/", "Synapse",
    "FlipboardProxy", "SteamChatURLLookup", "TwilioProxy", "FastmailUA", "Hatena",
)  # fmt: skip
# Search engines, assistants, archives and monitors whose user agent does not match it either.
_READERS = (
    "Mediapartners-Google", "APIs-Google", "FeedFetcher-Google", "GoogleOther", "Google-Read-Aloud",
    "Google-InspectionTool", "Google-Site-Verification", "Google Favicon", "Google-Safety",
    "Chrome-Lighthouse", "ChatGPT-User", "Claude-User", "Perplexity-User", "anthropic-ai",
    "cohere-ai", "Yahoo! Slurp", "ia_archiver", "archive.org", "Qwantify", "Pingdom",
)  # fmt: skip
_NAMES = tuple(name.lower().encode() for name in _PREVIEWS + _READERS)
# Generic crawler names. CUBOT is a phone brand; "+http" precedes the URL of a crawler's page.
_WORD = re.compile(rb"(?<!cu)bots?(?![a-z])|crawl|spider|\+https?:|\Aviber")

# The standard header (Chrome), older browsers, older Firefox, Safari's top sites.
_PURPOSES = (b"sec-purpose", b"purpose", b"x-moz", b"x-purpose")
_PREFETCH = (b"prefetch", b"prerender", b"preview")


@lru_cache(maxsize=4096)  # user agents repeat, and matching all names takes 20 us
def is_crawler(user_agent: bytes) -> bool:
    lowered = user_agent.lower()
    return any(name in lowered for name in _NAMES) or _WORD.search(lowered) is not None


def is_prefetch(headers: Mapping[bytes, bytes]) -> bool:
    """Whether a browser prefetches or prerenders the page."""
    for name in _PURPOSES:
        value = headers.get(name)
        if value is not None and any(word in value.lower() for word in _PREFETCH):
            return True
    return False


def is_open(method: str, headers: Mapping[bytes, bytes]) -> bool:
    """Whether this request is a person opening the link. Header names are lower-case."""
    if method != "GET" or is_prefetch(headers):
        return False
    return not is_crawler(headers.get(b"user-agent", b"")[:USER_AGENT_BYTES_MAX])
