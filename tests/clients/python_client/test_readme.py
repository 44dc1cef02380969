"""The samples of the client's README are run as they stand, in order, with the demo account."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tests.clients.python_client.test_every_endpoint import declared
from tests.support.receiver import Receiver
from tests.support.service import TestService
from tidings.cli.running import demo
from tidings_client import __version__

PROJECT = Path(__file__).parents[3] / "clients" / "python"


@pytest.fixture
def environment(
    service: TestService,
    receiver: Receiver,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """That of the demo, with a webhook address."""
    file = demo.read_or_make(tmp_path).replace(
        'replies = "guest"\n', f'replies = "guest"\nwebhookUrl = "{receiver.url}"\n', 1
    )
    service.apply(file.replace('name = "demo', 'name = "python-readme-demo'))
    account = tomllib.loads(file)["accounts"][1]
    monkeypatch.setenv("TIDINGS_URL", service.url)
    monkeypatch.setenv("TIDINGS_API_KEY", account["apiKey"])
    monkeypatch.setenv("TIDINGS_SIGNING_SECRET", account["signingSecret"])


@pytest.mark.usefixtures("environment")
def test_every_sample_works(receiver: Receiver, capsys: pytest.CaptureFixture[str]) -> None:
    samples = re.findall(r"```python\n(.*?)```", (PROJECT / "README.md").read_text(), re.DOTALL)
    names: dict[str, Any] = {"__name__": "reader"}
    for sample in samples:
        exec(compile(sample, "README.md", "exec"), names)
    printed = capsys.readouterr().out
    for expected in ("sent ", "sent 1", "otp sent", "to Give the number", "in Yes"):
        assert expected in printed, printed
    # The sample that receives: with what the service posted meanwhile.
    for request in receiver.wait_for(3):
        assert names["receive"](request.body, request.headers) == (204, "")
    assert names["receive"](b"{}", receiver.requests[0].headers) == (400, "wrong_secret")


def test_the_table_names_every_method() -> None:
    table = re.findall(r"\| `client(?:\.(\w+))?` \| `(.+)` \|", (PROJECT / "README.md").read_text())
    named = {(resource or "account", name) for resource, row in table for name in row.split()}
    assert named == {(kind.__name__.lower(), name) for kind, name, _ in declared()}


def test_the_package_and_its_changelog_have_one_version() -> None:
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text())["project"]
    assert project["version"] == __version__
    assert f"## {__version__}" in (PROJECT / "CHANGELOG.md").read_text()
