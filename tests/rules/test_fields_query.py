"""Query strings: what is taken, and that a refusal names the parameter; any bytes for both."""

from typing import Literal

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET, UnsetType

from tidings.engine.http.fields import decode, query
from tidings.engine.http.pagination import Cursor, Limit
from tidings.errors import ApiError, Code


class Page(msgspec.Struct, forbid_unknown_fields=True):
    limit: Limit = 50
    cursor: Cursor | UnsetType = UNSET
    status: Literal["OPEN", "PAID"] | UnsetType = UNSET
    all: bool = False


@pytest.mark.parametrize(
    ("raw", "field"),
    [
        (b"limit=0", "limit"),
        (b"limit=1_0", "limit"),
        (b"limit=%31%30x", "limit"),
        (b"status=open", "status"),
        (b"all=1", "all"),
        (b"cursor=a&cursor=a", "cursor"),
        (b"curser=a", "curser"),
        (b"a.b=1", "a.b"),
        (b"%ff=1", "query"),
    ],
)
def test_a_faulty_query_names_its_parameter(raw, field):
    with pytest.raises(ApiError) as caught:
        query(Page, raw)
    assert (caught.value.code, caught.value.field) == (Code.VALIDATION_ERROR, field)


def test_a_good_query_is_typed():
    page = query(Page, b"limit=%32%30&cursor=a+b%26&all=true&&status=PAID")
    assert (page.limit, page.cursor, page.all, page.status) == (20, "a b&", True, "PAID")
    assert query(Page, b"").limit == 50


@given(st.binary())
def test_whatever_comes_as_bytes_is_refused_and_never_breaks(raw):
    for read in (decode, query):
        try:
            read(Page, raw)
        except ApiError as fault:
            assert fault.field is not None
