"""Recipients, each scripted by its test."""

import pytest

from tests.support.platform import recipients


@pytest.fixture
def to() -> str:
    """A recipient of this test's own."""
    return next(recipients)
