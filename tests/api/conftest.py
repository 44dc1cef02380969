"""An account in conversation, for the tests of what may be said in one."""

import pytest

from tests.support.media import PICTURED
from tests.support.service import GUEST, TEMPLATES, TestAccount, TestService


@pytest.fixture
def talking(service: TestService) -> TestAccount:
    """The guest has just written: the window is open."""
    account = service.account(TEMPLATES + PICTURED)
    account.reply(GUEST, "Hello?")
    return account
