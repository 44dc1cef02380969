"""Who opens a link: a person, or a machine that looks ahead for one (contract.md). Pure.

The names are those their operators publish or send (docs/decisions/0012-links.md lists sources).
Browsers inside apps are people: `MetaIAB`, `FBAN`, `Instagram`, `Line/`, `Viber/` after a
browser's name. So are curl and HTTP libraries: somebody's own program.
"""

import re
from collections.abc import Mapping
from functools import lru_cache

USER_AGENT_BYTES_MAX = 1024  # more is not looked at

# Previews in chats and feeds that do not call themselves bots.
_PREVIEWS = (
    "WhatsApp", "facebookexternalhit", "facebookcatalog", "meta-external",
    "meta-webindexer", "Slack-ImgProxy", "SkypeUriPreview", "MicrosoftPreview", "BingPreview",
    "Snap URL Preview", "SnapURLPreview", "vkShare", "line-poker", "kakaotalk-scrap",
    "Yahoo Link Preview", "YahooMailProxy", "Google Web Preview", "GoogleImageProxy",
    "Google-PageRenderer", "Embedly", "Iframely", "OpenGraph", "LinkPreview", "Link Preview",
    "Unfurl", "Onebox", "Mastodon/", "Pleroma", "Misskey", "Friendica", "Lemmy/", "Synapse",
    "FlipboardProxy", "SteamChatURLLookup", "TwilioProxy", "FastmailUA", "Hatena",
)  # fmt: skip
# Search engines, assistants, archives and monitors that do not either.
_READERS = (
    "Mediapartners-Google", "APIs-Google", "FeedFetcher-Google", "GoogleOther", "Google-Read-Aloud",
    "Google-InspectionTool", "Google-Site-Verification", "Google Favicon", "Google-Safety",
    "Chrome-Lighthouse", "ChatGPT-User", "Claude-User", "Perplexity-User", "anthropic-ai",
    "cohere-ai", "Yahoo! Slurp", "ia_archiver", "archive.org", "Qwantify", "Pingdom",
)  # fmt: skip
_NAMES = tuple(name.lower().encode() for name in _PREVIEWS + _READERS)
# What the others say of themselves. CUBOT makes phones; "+http" leads to a crawler's own page.
_WORD = re.compile(rb"(?<!cu)bots?(?![a-z])|crawl|spider|\+https?:|\Aviber")

# Chrome and the standard, browsers before it, Firefox before it, Safari's top sites.
_PURPOSES = (b"sec-purpose", b"purpose", b"x-moz", b"x-purpose")
_AHEAD = (b"prefetch", b"prerender", b"preview")


@lru_cache(maxsize=4096)  # guests have few kinds of phones, and a look at all names takes 20 us
def is_crawler(user_agent: bytes) -> bool:
    lowered = user_agent.lower()
    return any(name in lowered for name in _NAMES) or _WORD.search(lowered) is not None


def is_ahead(headers: Mapping[bytes, bytes]) -> bool:
    """Whether a browser fetches what nobody has asked to see yet."""
    for name in _PURPOSES:
        value = headers.get(name)
        if value is not None and any(word in value.lower() for word in _AHEAD):
            return True
    return False


def is_open(method: str, headers: Mapping[bytes, bytes]) -> bool:
    """Whether this request is a person opening the link. Header names are lower-case."""
    if method != "GET" or is_ahead(headers):
        return False
    return not is_crawler(headers.get(b"user-agent", b"")[:USER_AGENT_BYTES_MAX])
