"""The browser of this machine: Chromium without a window where there is one, for it starts fastest
and does not draw its own toolbars; or else the whole of it."""

import shutil

NEEDED = "needs a browser (Debian: chromium-headless-shell or chromium)"
_NAMES = ("chromium-headless-shell", "chromium", "chromium-browser")


def find_browser() -> str | None:
    return next((path for name in _NAMES if (path := shutil.which(name))), None)
