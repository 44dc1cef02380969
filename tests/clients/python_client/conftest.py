"""Clients of an account, as a customer makes them."""

from collections.abc import AsyncIterator, Iterator

import httpx
import pytest

from tests.support.plain_http import NO_TLS
from tests.support.service import TestAccount
from tidings_client import AsyncTidings, Tidings


@pytest.fixture
def client(account: TestAccount) -> Iterator[Tidings]:
    with httpx.Client(verify=NO_TLS) as http:
        yield Tidings(account.key, account.service.url, http=http)


@pytest.fixture
async def async_client(account: TestAccount) -> AsyncIterator[AsyncTidings]:
    async with httpx.AsyncClient(verify=NO_TLS) as http:
        yield AsyncTidings(account.key, account.service.url, http=http)
