"""What a browser calls itself, in two words. Pure; for lists of sessions only."""

import re

# The first that fits: Edge and Opera also say Chrome, and Chrome also says Safari.
_PROGRAMS = (
    ("Edge", r"Edg(?:e|A|iOS)?/"),
    ("Opera", r"OPR/"),
    ("Samsung Internet", r"SamsungBrowser/"),
    ("Firefox", r"Firefox|FxiOS"),
    ("Chrome", r"Chrome/|CriOS/"),
    ("Safari", r"Safari/"),
    ("curl", r"^curl/"),
)
_SYSTEMS = (
    ("iPhone", r"iPhone"),
    ("iPad", r"iPad"),
    ("Android", r"Android"),
    ("Windows", r"Windows"),
    ("macOS", r"Mac OS X|Macintosh"),
    ("ChromeOS", r"CrOS"),
    ("Linux", r"Linux"),
)


def browser_name(user_agent: str) -> tuple[str, str]:
    """Program and system; empty where the browser does not say."""
    return _first(_PROGRAMS, user_agent), _first(_SYSTEMS, user_agent)


def _first(known: tuple[tuple[str, str], ...], text: str) -> str:
    return next((name for name, pattern in known if re.search(pattern, text)), "")
