"""From a fresh clone to a guest's answer verified in own code, by the README alone."""

import shutil
from pathlib import Path

import pytest

from tests.deploy.first_minutes import ANSWERED, Newcomer, clone_into
from tests.support.observed import free_port


@pytest.mark.skipif(not shutil.which("curl"), reason="needs curl")
def test_the_readme_leads_to_an_answer_in_own_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TIDINGS_OPERATOR_ADDRESS", "off")
    port, receiver_port = str(free_port()), str(free_port())
    monkeypatch.setenv("TIDINGS_URL", f"http://127.0.0.1:{port}")
    other = {
        "make run": f"make run ARGS='--port {port}'",
        "8080": port,
        "3000": receiver_port,
    }
    newcomer = Newcomer(clone_into(tmp_path), other)
    newcomer.go()
    assert newcomer.transcript[-1][2] == ANSWERED
