"""A restart by systemd refuses no connection: the socket stays, only the service is replaced."""

from pathlib import Path

import pytest

from tests.deploy.socket_parent import SocketParent, stop
from tests.support.database import fresh_database
from tests.support.service import account_toml
from tests.support.serving import KEY, QUICK, Load, Serving

MESSAGES = 5000  # more than are sent


@pytest.mark.parametrize("more", [[], ["--processes", "2"]], ids=["alone", "several"])
def test_a_restart_under_load_fails_no_request(tmp_path: Path, more: list[str]) -> None:
    serving = Serving(tmp_path, fresh_database())
    serving.apply(account_toml(QUICK, name="acme", apiKey=KEY))
    with SocketParent(serving.env, tmp_path / "log") as systemd:
        first = systemd.start(*more)
        load = Load(systemd.url, MESSAGES, room=0)
        load.reach(50)
        first.terminate()
        systemd.wait_for("STOPPING=1")
        assert first.wait(120) == 0
        second = systemd.start(*more)
        load.reach(len(load.answered) + 50)
        load.stop()
        assert stop(second) == 0, (tmp_path / "log").read_text()[-3000:]
    assert load.broken == []
    assert load.unavailable == []
    assert load.refused == {}
