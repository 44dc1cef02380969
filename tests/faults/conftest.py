"""Recipients of whom each test's platform is told what to do."""

import pytest

from tests.support.platform import recipients


@pytest.fixture
def to() -> str:
    """A recipient of this test's own."""
    return next(recipients)
