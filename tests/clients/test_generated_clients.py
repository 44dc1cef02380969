"""A client that a customer generates from the OpenAPI document, and uses on a real server.

A customer's generator is less patient than a validator: what it cannot express becomes `Any`, or a
class for every place where something is said again. How TypeScript takes it is shown by our own
client, whose types are generated (typescript_client).
"""

import importlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.support.service import GUEST, TestAccount, TestService

CLASSES_MAX = 300  # one for each schema, and none for each endpoint's errors


@pytest.fixture(scope="module")
def description(service: TestService, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("description") / "openapi.json"
    path.write_bytes(service.http.get("/api/v1/openapi.json").content)
    return path


@pytest.fixture(scope="module")
def generated(description: Path) -> Iterator[ModuleType]:
    """The Python client, by openapi-python-client."""
    folder = description.parent
    config = folder / "config.yaml"
    # The generator knows bytes by one name only, and has this setting for others.
    overrides = "content_type_overrides:\n  application/pdf: application/octet-stream\n"
    config.write_text(f"post_hooks: []\n{overrides}")
    done = subprocess.run(
        [
            sys.executable, "-m", "openapi_python_client", "generate", "--meta", "none",
            "--path", description, "--config", config, "--output-path", folder / "generated_client",
        ],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Warning" not in done.stdout + done.stderr, done.stdout + done.stderr
    sys.path.insert(0, str(folder))
    yield importlib.import_module("generated_client")
    sys.path.remove(str(folder))


def test_a_python_client_has_a_class_for_each_thing_and_no_more(generated: ModuleType) -> None:
    assert generated.__file__ is not None
    models = list((Path(generated.__file__).parent / "models").glob("*.py"))
    assert 100 < len(models) < CLASSES_MAX


def test_a_python_client_sends_reads_and_is_refused(
    generated: ModuleType, account: TestAccount
) -> None:
    client = generated.Client(base_url=account.service.url, headers=account.headers)
    text, body = endpoint("messages.post_messages_text"), model("text_body", "TextBody")
    sent = text.sync(client=client, body=body("python-0001", GUEST, template_name="plain"))
    assert sent.success is True and sent.environment == "sandbox"
    assert sent.data.status == "sent" and sent.data.sent_at.year > 2000, "times are times"
    status = endpoint("messages.get_messages_cid").sync("python-0001", client=client)
    assert [step.status for step in status.data.timeline] == ["queued", "sending", "sent"]
    refused = text.sync(client=client, body=body("python-0002", "12", template_name="plain"))
    assert isinstance(refused, model("error", "Error"))
    assert refused.error.code == "INVALID_PHONE" and refused.error.field == "to"
    page = endpoint("account.get_templates").sync(client=client, limit=1)
    assert len(page.data) == 1 and page.next_cursor


def endpoint(name: str) -> ModuleType:
    return importlib.import_module(f"generated_client.api.{name}")


def model(module: str, name: str) -> Any:
    return getattr(importlib.import_module(f"generated_client.models.{module}"), name)
