"""The platform of live accounts: WhatsApp's Cloud API, through the contract of `port.py`.

A message is one call, made once. What comes back, or does not, becomes one of the port's answers
(contract.md, "Sending"); a file goes first, and nothing that befalls it is an unknown outcome,
because the message itself has not been sent. docs/decisions/0016-live-adapter.md
"""

import asyncio
from collections.abc import Container, Mapping, Sequence
from contextlib import suppress
from datetime import timedelta
from typing import Any

import structlog

from tidings import limits
from tidings.clock import Clock
from tidings.platforms import failures
from tidings.platforms.content import Passcode
from tidings.platforms.port import (
    Accepted,
    AccountInactive,
    DeadlineExceeded,
    DispatchOutcome,
    DispatchResult,
    FailureKind,
    FileMissing,
    Files,
    FileUnavailable,
    Rejected,
    Send,
    UnknownOutcome,
)
from tidings.platforms.whatsapp.client import (
    Graph,
    GraphCallError,
    GraphErrorResponse,
    NoResponse,
    Unreachable,
)
from tidings.platforms.whatsapp.payloads import find_media, request_body
from tidings.platforms.whatsapp.uploads import Uploads

# A send that has not begun by then goes back: its lease must outlive the call.
BEGIN_MAX = limits.JOB_LEASE - limits.SEND_LEASE_LEFT_MIN - limits.SLOT_WAIT_MAX
# Refusals that a file may cause which the platform has forgotten, whatever it was promised for.
FILE_CODES = frozenset({100, 131009, 131053})

Faults = dict[str, Rejected]  # by phone number id

log = structlog.get_logger()


class WhatsApp:
    """Implements `port.Platform`."""

    def __init__(
        self,
        graph: Graph,
        files: Files,
        clock: Clock,
        *,
        stopped: Container[str] = frozenset(),
        at_once: int = limits.PLATFORM_SENDS_MAX,
    ) -> None:
        """`at_once`: messages on their way, passcodes aside, which never stand behind others.
        `stopped`: accounts that may not send, looked at right before each call."""
        self._graph = graph
        self._uploads = Uploads(graph, files)
        self._clock = clock
        self._stopped = stopped
        self._gate = asyncio.Semaphore(at_once)
        self._passcodes = asyncio.Semaphore(limits.OTP_SLOTS)

    async def send(self, sends: Sequence[Send]) -> list[DispatchResult]:
        faults: Faults = {}
        answers = await asyncio.gather(*(self._hand_over(send, faults) for send in sends))
        return [DispatchResult(answer) for answer in answers]

    async def _hand_over(self, send: Send, faults: Faults) -> DispatchOutcome:
        began = self._clock.monotonic()
        place = send.sender.phone_number_id
        async with self._passcodes if isinstance(send.content, Passcode) else self._gate:
            if place in faults:
                return faults[place]  # just refused for all of them: no need to ask for each
            answer = await self._deliver(send, began)
        if isinstance(answer, Rejected) and answer.failure.kind is FailureKind.ACCOUNT_FAULT:
            faults[place] = answer
        return answer

    async def _deliver(self, send: Send, began: float) -> DispatchOutcome:
        media_id = await self._upload(send)
        if isinstance(media_id, Rejected):
            return media_id
        waited = timedelta(seconds=self._clock.monotonic() - began)
        if send.deadline is not None and send.at + waited >= send.deadline:
            return DeadlineExceeded()
        if send.account in self._stopped:
            return AccountInactive()
        if waited >= BEGIN_MAX:
            return Rejected(failures.OVERLOADED)
        answer = await self._post(send, media_id)
        if media_id and isinstance(answer, Rejected):
            await self._doubt_file(send, answer)
        return answer

    async def _upload(self, send: Send) -> str | Rejected:
        """The platform's id of the message's file, "" where it has none."""
        media = find_media(send.content)
        if media is None:
            return ""
        try:
            return await self._uploads.media_id(send, media)
        except FileMissing:
            return Rejected(failures.FILE_MISSING)
        except FileUnavailable:
            return Rejected(failures.FILE_UNAVAILABLE)
        except GraphCallError as fault:
            return _rejected(send, fault)

    async def _post(self, send: Send, media_id: str) -> DispatchOutcome:
        sender = send.sender
        token = "" if sender.access_token is None else sender.access_token.reveal()
        path = f"{sender.phone_number_id}/messages"
        try:
            answer = await self._graph.post_json(path, token, request_body(send, media_id))
        except NoResponse as fault:
            log.warning("platform.unanswered", send_id=send.send_id, reason=str(fault))
            return UnknownOutcome()
        except GraphCallError as fault:
            return _rejected(send, fault)
        platform_id = find_platform_id(answer)
        if platform_id is None:
            log.warning("platform.unanswered", send_id=send.send_id, reason="no message id")
            return UnknownOutcome()
        return Accepted(platform_id)

    async def _doubt_file(self, send: Send, answer: Rejected) -> None:
        """Perhaps it was the file's id: the next message uploads the file anew."""
        media = find_media(send.content)
        if media is not None and answer.failure.platform_code in FILE_CODES:
            with suppress(FileUnavailable):
                await self._uploads.forget(send, media)


def find_platform_id(answer: Mapping[str, Any]) -> str | None:
    """Of `{"messages": [{"id": "wamid..."}]}`."""
    match answer:
        case {"messages": [{"id": str(platform_id)}, *_]} if platform_id:
            return platform_id
    return None


def _rejected(send: Send, fault: GraphCallError) -> Rejected:
    if not isinstance(fault, GraphErrorResponse):
        log.warning("platform.unreachable", send_id=send.send_id, reason=str(fault))
        asked = fault.retry_after if isinstance(fault, Unreachable) else None
        return Rejected(failures.PLATFORM_UNREACHABLE, asked)
    error = fault.error
    log.info(
        "platform.refused",
        send_id=send.send_id,
        platform_code=error.code,
        subcode=error.subcode,
        status=fault.status,
        trace=error.trace,
    )
    # The platform may quote what it was given, and a code must not be written down.
    details = "" if isinstance(send.content, Passcode) else error.details
    failure = failures.explain(
        error.code, subcode=error.subcode, status=fault.status, details=details
    )
    return Rejected(failure, fault.retry_after)
