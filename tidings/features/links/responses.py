"""The responses about links (2.6, 4.8). Pure."""

from datetime import datetime
from typing import Annotated

import msgspec
from msgspec import Meta

from tidings import times
from tidings.features.accounts.model import Account

from . import model, rules

CodeText = Annotated[str, Meta(description="12 letters and digits; case matters.")]
ShortUrl = Annotated[str, Meta(description="The address to hand out.")]


class Link(msgspec.Struct, rename="camel"):
    """2.6"""

    code: CodeText
    short_url: ShortUrl
    url: str
    clicks: int
    active: bool


class LinkOpens(msgspec.Struct, rename="camel"):
    """4.8: the link with its opens; the times are null until it is opened."""

    code: CodeText
    short_url: ShortUrl
    url: str
    clicks: Annotated[int, Meta(description="Opens by people; previews and crawlers are not.")]
    first_click_at: str | None
    last_click_at: str | None
    active: Annotated[bool, Meta(description="False once expired, or with its account disabled.")]


def link_opens(link: model.Link, account: Account, public_url: str, now: datetime) -> LinkOpens:
    """`now` is by the account's clock."""
    return LinkOpens(
        code=link.code,
        short_url=rules.short_url(public_url, link.code),
        url=link.url,
        clicks=link.clicks,
        first_click_at=times.to_wire_or_none(link.first_click_at),
        last_click_at=times.to_wire_or_none(link.last_click_at),
        active=rules.is_active(link.expires_at, now, switched_on=link.active and account.active),
    )
