"""Maps a method and a raw path to a route. Static paths need one dictionary lookup. Pure.

Paths are matched raw, segment by segment, and decoded afterwards: `%2F` inside an id never becomes
a separator, and `..` has no special meaning.
"""

from collections.abc import Iterable, Mapping
from typing import Generic, Protocol, TypeVar
from urllib.parse import unquote_to_bytes

from tidings.errors import ApiError, Code

# Replaces a path value that cannot be an id: invalid UTF-8 or NUL. A Unicode noncharacter, which a
# text column accepts, so the lookup finds nothing.
UNFINDABLE = "\ufdd0"

_NONE: Mapping[str, str] = {}


class Addressed(Protocol):
    """What is served at an address: an endpoint of the API, or a page."""

    @property
    def method(self) -> str: ...
    @property
    def path(self) -> str: ...


R = TypeVar("R", bound=Addressed)


class WrongMethod(ApiError):
    """405 with `Allow`; section 7 has no code of its own for it (contract.md, General)."""

    status = 405

    def __init__(self, method: str, allowed: list[str]) -> None:
        self.allow = ", ".join(allowed)
        super().__init__(Code.NOT_FOUND, f"{method} is not offered here; use {self.allow}")


class Routing(Generic[R]):
    """The lookup tables of all routes."""

    def __init__(self, routes: Iterable[R]) -> None:
        self._static: dict[bytes, dict[str, R]] = {}
        self._patterns: dict[tuple[str | None, ...], tuple[list[str], dict[str, R]]] = {}
        for route in routes:
            self._add(route)
        self._by_length: dict[
            int, list[tuple[tuple[str | None, ...], list[str], dict[str, R]]]
        ] = {}
        for pattern, (names, methods) in self._patterns.items():
            self._by_length.setdefault(len(pattern), []).append((pattern, names, methods))
        for methods in [*self._static.values(), *(entry[1] for entry in self._patterns.values())]:
            if "GET" in methods:
                methods.setdefault("HEAD", methods["GET"])

    def _add(self, route: R) -> None:
        segments = route.path.split("/")
        names = [segment[1:-1] for segment in segments if segment.startswith("{")]
        if names:
            pattern = tuple(None if part.startswith("{") else part for part in segments)
            known, methods = self._patterns.setdefault(pattern, (names, {}))
            assert known == names, f"{route.path}: one address, two sets of names"
        else:
            methods = self._static.setdefault(route.path.encode(), {})
        assert route.method not in methods, f"{route.method} {route.path} stands twice"
        methods[route.method] = route

    def require(self, method: str, raw_path: bytes) -> tuple[R, Mapping[str, str]]:
        """The route and the values in its path, or NOT_FOUND, or 405."""
        static = self._static.get(raw_path)
        if static is not None:
            route = static.get(method)
            if route is not None:
                return route, _NONE
        return self._require_pattern(method, raw_path, static)

    def _require_pattern(
        self, method: str, raw_path: bytes, static: dict[str, R] | None
    ) -> tuple[R, Mapping[str, str]]:
        segments = _split(raw_path)
        allowed = set(static or ())
        for pattern, names, methods in self._by_length.get(len(segments), ()):
            values = _match(pattern, segments)
            if values is None:
                continue
            route = methods.get(method)
            if route is not None:
                return route, dict(zip(names, values, strict=True))
            allowed.update(methods)
        if allowed:
            raise WrongMethod(method, sorted(allowed))
        raise not_found()


def not_found() -> ApiError:
    return ApiError(
        Code.NOT_FOUND, "there is nothing at this address; see the reference for those there are"
    )


def _match(pattern: tuple[str | None, ...], segments: list[str]) -> list[str] | None:
    values = []
    for expected, found in zip(pattern, segments, strict=True):
        if expected is None:
            if not found:
                return None
            values.append(found)
        elif expected != found:
            return None
    return values


def _split(raw_path: bytes) -> list[str]:
    if b"%" not in raw_path and raw_path.isascii():
        return raw_path.decode().split("/")
    return [_decode(part) for part in raw_path.split(b"/")]


def _decode(segment: bytes) -> str:
    try:
        text = unquote_to_bytes(segment).decode()
    except UnicodeDecodeError:
        return UNFINDABLE
    return UNFINDABLE if "\0" in text else text
