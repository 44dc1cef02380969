"""Declares the methods of the client: address, arguments and result, once for both clients.

    class Messages(Resource[M]):
        @reads("/api/v1/messages/{client_message_id}")
        def get(self, client_message_id: str) -> MessageStatus:
            "Get the status of a message."

The decorated function is never called: its signature says what the method takes, its annotation
what it returns. Arguments named in the path go there, others into the query of a GET and into the
body of a POST, by their JSON names; None is absent. On a `Tidings` the method returns its result,
on an `AsyncTidings` an awaitable of it.
"""

from __future__ import annotations

import inspect
import re
import typing
from collections.abc import Awaitable, Callable, Iterable
from functools import cached_property, partial, update_wrapper
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar, overload
from urllib.parse import quote
from uuid import uuid4

from .exchange import Request
from .pages import AsyncPages, Pages
from .transport import AsyncTransport, SyncTransport
from .values import encode_fields, encode_query

P = ParamSpec("P")
T = TypeVar("T")
M = TypeVar("M", bound=SyncTransport | AsyncTransport)

Arguments = dict[str, Any]
Prepare = Callable[[Arguments], Arguments]


class Resource(Generic[M]):
    """Some methods of a client, and the transport that they send with."""

    def __init__(self, transport: M) -> None:
        self._transport = transport


class _Declared(Generic[P, T]):
    """A method of the client: builds the requests of one endpoint."""

    def __init__(
        self,
        declared: Callable[..., Any],
        method: str,
        path: str,
        *,
        prepare: Prepare | None = None,
        has_key: bool = True,
        has_bare_result: bool = False,
        is_repeatable: bool = False,
        least_seconds: float = 0.0,
        headers: dict[str, str] | None = None,
        result: Any = None,
    ) -> None:
        self.declared = declared
        self.method = method
        self.path = path
        self.prepare = prepare
        self._has_key = has_key
        self._has_bare_result = has_bare_result
        self._least_seconds = least_seconds
        self._is_repeatable = is_repeatable or method != "POST"
        self._headers = headers or {}
        self._result = result
        self.__doc__ = declared.__doc__

    def request(self, *args: P.args, **kwargs: P.kwargs) -> Request:
        given = self._bind(*args, **kwargs)
        if self.prepare is not None:
            given = self.prepare(given)
        places = set(re.findall(r"{(\w+)}", self.path))
        path = self.path.format_map({name: _in_path(name, given) for name in places})
        rest = {name: value for name, value in given.items() if name not in places}
        is_read = self.method != "POST"
        return Request(
            self.method,
            path,
            self.result,
            query=encode_query(rest) if is_read else {},
            body=encode_fields(rest) if rest and not is_read else None,
            headers=self._headers,
            has_key=self._has_key,
            has_bare_result=self._has_bare_result,
            least_seconds=self._least_seconds,
            is_repeatable=self._is_repeatable,
        )

    def _bind(self, *args: P.args, **kwargs: P.kwargs) -> Arguments:
        """The arguments by name, without those that are None."""
        try:
            bound = self.signature.bind(*args, **kwargs)
        except TypeError as fault:
            raise TypeError(f"{self.declared.__name__}(): {fault}") from None
        return {name: value for name, value in bound.arguments.items() if value is not None}

    @cached_property
    def signature(self) -> inspect.Signature:
        whole = inspect.signature(self.declared)
        _self, *parameters = whole.parameters.values()
        return whole.replace(parameters=parameters)

    @cached_property
    def result(self) -> Any:
        return self._result or typing.get_type_hints(self.declared)["return"]


class Endpoint(_Declared[P, T]):
    """A method with one result."""

    @overload
    def __get__(self, owner: None, kind: Any) -> Endpoint[P, T]: ...
    @overload
    def __get__(self, owner: Resource[SyncTransport], kind: Any) -> Callable[P, T]: ...
    @overload
    def __get__(self, owner: Resource[AsyncTransport], kind: Any) -> Callable[P, Awaitable[T]]: ...
    def __get__(self, owner: Resource[Any] | None, kind: Any = None) -> Any:
        return self if owner is None else update_wrapper(partial(self._send, owner), self.declared)

    def _send(self, owner: Resource[Any], /, *args: P.args, **kwargs: P.kwargs) -> Any:
        return owner._transport.send(self.request(*args, **kwargs))


class Listing(_Declared[P, T]):
    """A method with a list for a result, which is read page by page."""

    cursor = "cursor"  # the parameter that says where to go on

    @overload
    def __get__(self, owner: None, kind: Any) -> Listing[P, T]: ...
    @overload
    def __get__(self, owner: Resource[SyncTransport], kind: Any) -> Callable[P, Pages[T]]: ...
    @overload
    def __get__(self, owner: Resource[AsyncTransport], kind: Any) -> Callable[P, AsyncPages[T]]: ...
    def __get__(self, owner: Resource[Any] | None, kind: Any = None) -> Any:
        return self if owner is None else update_wrapper(partial(self._list, owner), self.declared)

    def _list(self, owner: Resource[Any], /, *args: P.args, **kwargs: P.kwargs) -> Any:
        transport, request = owner._transport, self.request(*args, **kwargs)
        kind = Pages if isinstance(transport, SyncTransport) else AsyncPages
        return kind(transport, request, self.cursor)

    @cached_property
    def result(self) -> Any:
        (item,) = typing.get_args(typing.get_type_hints(self.declared)["return"])
        return item


class Feed(Listing[P, T]):
    """A list that goes on after an item."""

    cursor = "after"


# The decorators. What a method takes and returns is carried over to its endpoint.


def reads(
    path: str,
    *,
    prepare: Prepare | None = None,
    has_key: bool = True,
    has_bare_result: bool = False,
) -> Callable[[Callable[Concatenate[Any, P], T]], Endpoint[P, T]]:
    """A method that reads one thing."""

    def declare(method: Callable[Concatenate[Any, P], T]) -> Endpoint[P, T]:
        return Endpoint(
            method, "GET", path, prepare=prepare, has_key=has_key, has_bare_result=has_bare_result
        )

    return declare


def deletes(path: str) -> Callable[[Callable[Concatenate[Any, P], T]], Endpoint[P, T]]:
    """A method that removes something."""

    def declare(method: Callable[Concatenate[Any, P], T]) -> Endpoint[P, T]:
        return Endpoint(method, "DELETE", path)

    return declare


def posts(
    path: str,
    *,
    prepare: Prepare | None = None,
    is_repeatable: bool = False,
    least_seconds: float = 0.0,
) -> Callable[[Callable[Concatenate[Any, P], T]], Endpoint[P, T]]:
    """A method that does something. `is_repeatable`: doing it twice has the effect of once."""

    def declare(method: Callable[Concatenate[Any, P], T]) -> Endpoint[P, T]:
        return Endpoint(
            method,
            "POST",
            path,
            prepare=prepare,
            is_repeatable=is_repeatable,
            least_seconds=least_seconds,
        )

    return declare


def sends(
    path: str, *, prepare: Prepare | None = None
) -> Callable[[Callable[Concatenate[Any, P], T]], Endpoint[P, T]]:
    """A method that sends a message: the client makes its id where the caller gives none."""
    return posts(path, prepare=prepare or with_id, is_repeatable=True)


def lists(path: str) -> Callable[[Callable[Concatenate[Any, P], Iterable[T]]], Listing[P, T]]:
    """A method that lists things."""

    def declare(method: Callable[Concatenate[Any, P], Iterable[T]]) -> Listing[P, T]:
        return Listing(method, "GET", path)

    return declare


def feeds(path: str) -> Callable[[Callable[Concatenate[Any, P], Iterable[T]]], Feed[P, T]]:
    """A method that lists things after one that the caller has."""

    def declare(method: Callable[Concatenate[Any, P], Iterable[T]]) -> Feed[P, T]:
        return Feed(method, "GET", path)

    return declare


def previews(endpoint: Endpoint[P, Any], result: type[T]) -> Endpoint[P, T]:
    """The same request as a dry run: what would happen, and nothing does."""
    return Endpoint(
        endpoint.declared,
        endpoint.method,
        endpoint.path,
        prepare=endpoint.prepare,
        headers={"X-Dry-Run": "true"},
        is_repeatable=True,
        result=result,
    )


def with_id(given: Arguments) -> Arguments:
    """Adds the id by which the service knows a request that is repeated."""
    return {"client_message_id": str(uuid4()), **given}


def _in_path(name: str, given: Arguments) -> str:
    """Escaped. An empty one or a dot would lead to another address, with the account's key."""
    text = str(given.get(name, ""))
    if text in ("", ".", ".."):
        raise ValueError(f"{name} must not be {text!r}")
    return quote(text, safe="")
