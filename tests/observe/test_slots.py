"""What processes that share a folder have counted, after one of them has ended."""

import subprocess
import sys
from pathlib import Path

from tests.support.observed import total
from tidings.engine.metrics import SHARED_FOLDER, forget_gauges, render_shared

PROCESS = """
import sys
from tidings.engine.metrics import Metrics
metrics = Metrics.of_slot(int(sys.argv[1]))
metrics.messages_accepted.labels("notification", "live").inc(2)
metrics.dispatch_seconds.observe(0.1, ("live", "accepted"))
metrics.flush()
metrics.jobs_running.labels("send").set(3)
metrics.jobs_dead.labels("send").set(1)
metrics.callback_dead_letters.set(7)
metrics.database_up.set(sys.argv[2] == "up")
"""


def run(folder: Path, slot: int, database: str = "up") -> None:
    command = [sys.executable, "-c", PROCESS, str(slot), database]
    subprocess.run(command, env={SHARED_FOLDER: str(folder)}, check=True, timeout=120)


def test_a_process_that_ended_leaves_its_counters_and_takes_its_gauges(tmp_path: Path) -> None:
    run(tmp_path, 0, "down")
    run(tmp_path, 1)
    page = render_shared(tmp_path).decode()
    assert total(page, "tidings_jobs_running") == 6
    assert total(page, "tidings_database_up") == 0

    forget_gauges(tmp_path, 0)
    page = render_shared(tmp_path).decode()
    assert total(page, "tidings_jobs_running") == 3
    assert total(page, "tidings_database_up") == 1
    assert total(page, "tidings_messages_accepted_total") == 4
    assert total(page, "tidings_dispatch_seconds_count") == 2

    run(tmp_path, 0)
    page = render_shared(tmp_path).decode()
    assert total(page, "tidings_jobs_running") == 6
    assert total(page, "tidings_messages_accepted_total") == 6
    assert total(page, "tidings_dispatch_seconds_count") == 3


def test_without_any_process_no_gauge_is_left(tmp_path: Path) -> None:
    run(tmp_path, 0)
    forget_gauges(tmp_path, 0)
    page = render_shared(tmp_path).decode()
    for gauge in ("jobs_running", "jobs_dead_lettered", "callback_dead_letters", "database_up"):
        assert f"tidings_{gauge}" not in page
    assert total(page, "tidings_messages_accepted_total") == 2


def test_a_process_that_is_just_starting_is_not_in_the_way(tmp_path: Path) -> None:
    run(tmp_path, 0)
    (tmp_path / "gauge_livesum_1.db").touch()  # made, and not filled yet
    assert total(render_shared(tmp_path).decode(), "tidings_jobs_running") == 3
