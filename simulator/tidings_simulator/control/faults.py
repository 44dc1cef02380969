"""Fault injection: error responses, broken connections, faulty callbacks. Pure.

A fault has a filter (`to`, `number`, `path`), a count (`times`; null: unlimited) and an effect. The
first active fault that matches a request applies; it is removed after `times` requests.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from tidings.errors import ApiError, Code
from tidings_simulator.callbacks.bodies import CallbackEvent, ChangeEvent, InboundEvent, StatusEvent
from tidings_simulator.connection import Hang, Reset, Response
from tidings_simulator.graph.errors import GraphError

ResponseFault = Literal["reset", "reset_before", "refuse", "hang", "slow", "error", "empty"]
CallbackFault = Literal["lost", "doubled", "late", "reordered"]


class Fault(msgspec.Struct, forbid_unknown_fields=True, rename="camel", kw_only=True):
    """The body of `POST /simulator/faults`. Exactly one of `answer` and `callbacks` is given.

    answer: `error` (a Graph error `code`, with its own HTTP `status` or another), `empty` (an HTTP
    `status` and no Graph body), `slow` (right, but after `seconds`), `hang` (never), `reset` (a TCP
    reset after the request was read), `reset_before` (before its body was), `refuse` (at once, when
    the connection is made; knows neither `to` nor `number` nor `path`).
    """

    answer: ResponseFault | None = None
    callbacks: CallbackFault | None = None
    code: int | None = None
    status: Annotated[int, Meta(ge=400, le=599)] | None = None
    subcode: int | None = None
    details: str = ""
    retry_after: int | None = None
    seconds: Annotated[float, Meta(ge=0, le=3600)] = 5.0
    taken: bool = False  # the message is accepted nevertheless, and its callbacks follow
    times: Annotated[int, Meta(ge=1)] | None = 1  # null: until it is removed
    to: str | None = None
    number: str | None = None  # our number, digits or id
    path: str | None = None  # how the path ends, such as /messages or /media
    statuses: list[str] | None = None  # of callbacks: sent, delivered, read, failed, message
    id: str = ""
    struck: int = 0

    def require_whole(self) -> None:
        if (self.answer is None) == (self.callbacks is None):
            raise _refusal("answer", "give exactly one of answer and callbacks")
        if self.answer == "error" and self.code is None:
            raise _refusal("code", "an error needs the platform's code, such as 131016")
        if self.answer in ("refuse", "reset_before") and self.to is not None:
            raise _refusal("to", f"{self.answer} strikes before the recipient is known")
        if self.answer == "refuse" and (self.path or self.number):
            raise _refusal("path", "refuse strikes before anything of the request is known")


@dataclass(frozen=True, slots=True)
class FaultEffect:
    """The effect on one request. `taken`: the request is processed nevertheless."""

    outcome: (
        Response | Reset | Hang | GraphError | None
    )  # None: the normal response, after `seconds`
    taken: bool
    seconds: float = 0.0


@dataclass(slots=True)
class Faults:
    """The active faults, in the order they were added."""

    active: list[Fault] = field(default_factory=list)
    _count: int = 0

    def add(self, fault: Fault) -> Fault:
        fault.require_whole()
        self._count += 1
        fault.id, fault.struck = f"fault-{self._count}", 0
        self.active.append(fault)
        return fault

    def remove(self, id_: str | None = None) -> None:
        self.active = [one for one in self.active if id_ not in (None, one.id)]

    def on_connect(self) -> bool:
        return self._find(lambda one: one.answer == "refuse") is not None

    def on_headers(self, path: str, number: str) -> bool:
        return (
            self._find(
                lambda one: one.answer == "reset_before" and _matches_call(one, path, number, None)
            )
            is not None
        )

    def on_request(self, path: str, number: str, number_digits: str, to: str) -> FaultEffect | None:
        early = ("refuse", "reset_before")
        fault = self._find(
            lambda one: (
                one.answer is not None
                and one.answer not in early
                and (
                    _matches_call(one, path, number, to)
                    or _matches_call(one, path, number_digits, to)
                )
            )
        )
        return None if fault is None else _effect(fault)

    def apply_to_callbacks(
        self, planned: Sequence[tuple[datetime, CallbackEvent]]
    ) -> list[tuple[datetime, CallbackEvent]]:
        """The callbacks of one event, modified by the faults."""
        found: list[tuple[datetime, CallbackEvent]] = []
        for due, event in planned:
            fault = self._find(lambda one, event=event: _affects_callback(one, event))
            if fault is None:
                found.append((due, event))
            elif fault.callbacks == "late":
                found.append((due + timedelta(seconds=fault.seconds), event))
            elif fault.callbacks == "doubled":
                found += [(due, event), (due, _duplicate(event))]
            elif not isinstance(event, StatusEvent):
                event.silent = True  # applied, but not posted
                found.append((due, event))
        return self._reordered(found)

    def _reordered(
        self, planned: list[tuple[datetime, CallbackEvent]]
    ) -> list[tuple[datetime, CallbackEvent]]:
        if not planned:
            return planned
        first = planned[0][1]
        fault = self._find(lambda one: one.callbacks == "reordered" and _matches_event(one, first))
        if fault is None:
            return planned
        dues = sorted(due for due, _ in planned)
        events = [event for _, event in sorted(planned, key=lambda item: item[0], reverse=True)]
        return list(zip(dues, events, strict=True))

    def _find(self, fits: Any) -> Fault | None:
        for fault in self.active:
            if fits(fault):
                fault.struck += 1
                if fault.times is not None and fault.struck >= fault.times:
                    self.active.remove(fault)
                return fault
        return None


def _duplicate(event: CallbackEvent) -> CallbackEvent:
    """A duplicate callback applies its change only once."""
    return replace(event, apply=None) if isinstance(event, ChangeEvent) else event


def _matches_call(fault: Fault, path: str, number: str, to: str | None) -> bool:
    if fault.path is not None and not path.endswith(fault.path):
        return False
    if fault.number is not None and fault.number != number:
        return False
    return fault.to is None or fault.to == to


def _affects_callback(fault: Fault, event: CallbackEvent) -> bool:
    if fault.callbacks not in ("lost", "doubled", "late") or not _matches_event(fault, event):
        return False
    return fault.statuses is None or _event_name(event) in fault.statuses


def _matches_event(fault: Fault, event: CallbackEvent) -> bool:
    if isinstance(event, ChangeEvent):
        return fault.to is None and fault.number is None
    number = event.sent.number if isinstance(event, StatusEvent) else event.number
    guest = event.person.number if event.person else ""
    return fault.to in (None, guest) and fault.number in (None, number.id, number.number)


def _event_name(event: CallbackEvent) -> str:
    if isinstance(event, StatusEvent):
        return event.status
    return "message" if isinstance(event, InboundEvent) else event.field


def _effect(fault: Fault) -> FaultEffect:
    headers = () if fault.retry_after is None else (("Retry-After", str(fault.retry_after)),)
    if fault.answer == "error":
        assert fault.code is not None
        error = GraphError(
            fault.code,
            fault.details,
            status=fault.status or 0,
            subcode=fault.subcode,
            headers=headers,
        )
        return FaultEffect(error, fault.taken)
    if fault.answer == "empty":
        return FaultEffect(Response(fault.status or 503, b"", "text/html", headers), fault.taken)
    if fault.answer == "slow":
        return FaultEffect(None, taken=True, seconds=fault.seconds)
    return FaultEffect(Hang() if fault.answer == "hang" else Reset(), fault.taken)


def _refusal(field_: str, message: str) -> ApiError:
    return ApiError(Code.VALIDATION_ERROR, f"{field_}: {message}", field=field_)
