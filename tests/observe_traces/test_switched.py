"""Tracing is off without TIDINGS_OTLP_URL, and refused without its libraries."""

import os
import subprocess
import sys

from tests.support.service import TestService

WITHOUT = """
import sys
sys.modules["opentelemetry"] = None  # as where the extra is not installed
from tidings.cli.main import main
main()
"""


def test_a_service_does_not_trace_unasked(service: TestService) -> None:
    assert service.ctx.tracer is None


def test_the_setting_without_the_extra_is_refused_before_processes_are_started() -> None:
    env = {"PATH": os.defpath, "TIDINGS_OTLP_URL": "http://127.0.0.1:4318"}
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT, "serve", "--processes", "2"],
        env=env,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 1
    assert "TIDINGS_OTLP_URL needs the extra traces: pip install 'tidings[traces]'" in done.stderr
