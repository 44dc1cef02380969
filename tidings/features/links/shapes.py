"""Links on the wire: 2.6 and 4.8, as they are answered and as OpenAPI shows them."""

from typing import Annotated

import msgspec
from msgspec import Meta

_Code = Annotated[str, Meta(description="12 letters and digits; case matters.")]
_Short = Annotated[str, Meta(description="The address to hand out.")]


class Link(msgspec.Struct, rename="camel"):
    """2.6"""

    code: _Code
    short_url: _Short
    url: str
    clicks: int
    active: bool


class LinkOpens(msgspec.Struct, rename="camel"):
    """4.8: the link with its opens; the times are null until it is opened."""

    code: _Code
    short_url: _Short
    url: str
    clicks: Annotated[int, Meta(description="Opens by people; previews and crawlers are not.")]
    first_click_at: str | None
    last_click_at: str | None
    active: Annotated[bool, Meta(description="False once expired, or with its account disabled.")]
