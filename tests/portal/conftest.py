"""What tests over all pages share."""

import pytest

from tests.support import demo_world
from tests.support.demo_world import DemoWorld
from tests.support.service import TestService


@pytest.fixture(scope="session")
def world(service: TestService, tmp_path_factory: pytest.TempPathFactory) -> DemoWorld:
    return demo_world.build(service, tmp_path_factory.mktemp("demo"))
