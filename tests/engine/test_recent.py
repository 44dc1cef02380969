"""A process keeps the last so many values."""

from tidings.engine.recent import Recent


def test_the_oldest_are_dropped() -> None:
    recent: Recent[str, int] = Recent(2)
    recent.put({"a": 1, "b": 2})
    recent.put({"a": 3})
    recent.put({"c": 4})
    assert (recent.get("a"), recent.get("b"), recent.get("c"), len(recent)) == (3, None, 4, 2)


def test_what_is_forgotten_is_gone() -> None:
    recent: Recent[str, int] = Recent(2)
    recent.put({"a": 1})
    recent.forget(["a", "never"])
    assert recent.get("a") is None
