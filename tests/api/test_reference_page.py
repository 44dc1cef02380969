"""The reference at /docs as a browser shows it: the script has run, and every sample is there."""

import html
import re
import subprocess
from pathlib import Path

import pytest

from tests.support.browsers import NEEDED, find_browser
from tests.support.service import TestService

BROWSER = find_browser()


@pytest.mark.skipif(BROWSER is None, reason=NEEDED)
def test_a_browser_shows_every_endpoint_with_its_sample(
    service: TestService, tmp_path: Path
) -> None:
    page = shown(f"{service.url}/docs", tmp_path)
    document = service.http.get("/api/v1/openapi.json").json()
    commands = [
        sample["source"]
        for methods in document["paths"].values()
        for operation in methods.values()
        for sample in operation.get("x-codeSamples", ())
        if sample["label"] == "curl"
    ]
    shown_code = re.findall(r"<pre[^>]*>(.*?)</pre>", page, re.DOTALL)
    printed = [html.unescape(re.sub(r"<[^>]+>", "", text)) for text in shown_code]
    assert sorted(text for text in printed if text.startswith("curl ")) == sorted(commands)
    content = re.sub(r"<script>.*?</script>", "", page, flags=re.DOTALL)
    assert "[object" not in content and "undefined" not in content
    first = re.search(r'<article class="operation" id="(\w+)"', page)
    assert first is not None and first[1] == "postMessagesText"


def shown(url: str, profile: Path) -> str:
    """The page's elements once its script has finished."""
    assert BROWSER is not None
    done = subprocess.run(
        [
            BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic",
            "--no-first-run", "--disable-background-networking", "--disable-component-update",
            "--disable-sync", f"--user-data-dir={profile}", "--virtual-time-budget=30000",
            "--dump-dom", url,
        ],
        capture_output=True, text=True, timeout=120, check=True,
    )  # fmt: skip
    return done.stdout
