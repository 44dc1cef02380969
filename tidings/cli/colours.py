"""The colours of states on a terminal: what went well, what needs somebody, what waits. Pure."""

STATES = frozenset({"status", "state", "outcome"})  # names of columns and fields

_WORDS = {
    "green": "accepted active approved changed completed confirmed connected delivered paid"
    " published read sent usable",
    "red": "blocked declined disabled expired failed opted_out overdue rejected unavailable",
    "yellow": "deferred draft invited open paused pending processing queued reported scheduled"
    " sending submitted unclear unresolved",
    "bright_black": "cancelled inactive superseded unchanged void",
}
_COLOURS = {word: colour for colour, words in _WORDS.items() for word in words.split()}


def state_colour(state: str) -> str | None:
    """None: a state that is neither good nor bad."""
    return _COLOURS.get(state.lower())
