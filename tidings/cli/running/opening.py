"""`tidings open`: a page of the portal or the documentation in the browser."""

import os
import sys
from collections.abc import Mapping

from tidings.cli.output import remark, say

OUTSIDE = {"docs": "/docs", "guide": "/guide", "portal": "/portal"}
SCREENS = ("BROWSER", "DISPLAY", "WAYLAND_DISPLAY")  # one of them says that there is a browser


def open_page(page: str, url: str) -> None:
    """Print the address; on a terminal with a browser open it, too."""
    address = url.rstrip("/") + OUTSIDE.get(page, f"/portal/{page}")
    say(address)
    if not sys.stdout.isatty():
        return
    if not (has_browser(os.environ, sys.platform) and _open(address)):
        remark("No browser was found here: open the address in yours.")


def has_browser(env: Mapping[str, str], platform: str) -> bool:
    """Not a browser in text mode, which would take over the terminal."""
    return platform in ("darwin", "win32") or any(env.get(name) for name in SCREENS)


def _open(address: str) -> bool:
    import webbrowser

    return webbrowser.open(address)
