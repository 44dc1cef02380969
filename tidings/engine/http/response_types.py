"""Types that the responses of several slices share. Pure.

A response is a msgspec struct that is encoded as it stands, so OpenAPI describes exactly what is
sent. Timestamps are strings in these structs: msgspec formats a datetime differently.
"""

from typing import Annotated

import msgspec
from msgspec import Meta

Timestamp = Annotated[str, Meta(extra_json_schema={"format": "date-time"})]
Amount = Annotated[str, Meta(description="Decimal, two places.", examples=["12.50"])]
Url = Annotated[str, Meta(extra_json_schema={"format": "uri"})]

# A JSON object that is passed on byte for byte, so that big integers survive.
RawObject = Annotated[msgspec.Raw, Meta(extra_json_schema={"type": "object"})]


class Page(msgspec.Struct, rename="camel"):
    """The envelope field of a list that has pages."""

    next_cursor: Annotated[
        str | None, Meta(description="The `cursor` of the next page; null: this is the last.")
    ]


def raw_or_none(json: str | None) -> msgspec.Raw | None:
    """A caller's JSON as it was received."""
    return None if json is None else msgspec.Raw(json.encode())
