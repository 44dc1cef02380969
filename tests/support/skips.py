"""A test that is skipped everywhere has never run: each run says how many were skipped."""

import pytest


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    skipped = terminalreporter.stats.get("skipped", [])
    terminalreporter.write_line(f"Tests skipped: {len(skipped)}")
