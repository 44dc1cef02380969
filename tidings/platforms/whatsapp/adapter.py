"""The platform of live accounts: WhatsApp's Cloud API, through the contract of `port.py`.

Each message is one call, never retried here. Its response, or the lack of one, becomes one of the
port's outcomes (contract.md, "Sending"). A file is uploaded first; a failed upload is never an
unknown outcome, because the message itself has not been sent. docs/decisions/0016-live-adapter.md
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
from tidings.platforms.content import MediaRef, Passcode
from tidings.platforms.port import (
    Accepted,
    AccountInactive,
    DeadlineExceeded,
    DispatchOutcome,
    DispatchResult,
    Failure,
    FailureKind,
    FileMissing,
    Files,
    FileUnavailable,
    Rejected,
    Send,
    UnknownOutcome,
)
from tidings.platforms.whatsapp.call_errors import (
    GraphCallError,
    GraphErrorResponse,
    NoResponse,
    Unreachable,
)
from tidings.platforms.whatsapp.client import Graph
from tidings.platforms.whatsapp.payloads import find_media, request_body

# A send that has not started by then is returned to the queue: its lease must outlive the call.
BEGIN_MAX = limits.JOB_LEASE - limits.SEND_LEASE_LEFT_MIN - limits.SLOT_WAIT_MAX
# Error codes that an expired media id can cause, even within its 30 days.
FILE_CODES = frozenset({100, 131009, 131053})

AccountFaults = dict[str, Rejected]  # by phone number id
UploadKey = tuple[str, str, str]  # account, our id of the file, phone number id

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
        concurrency: int = limits.PLATFORM_SENDS_MAX,
    ) -> None:
        """`concurrency`: calls in flight, except passcodes, which have slots of their own.
        `stopped`: accounts that may not send, checked right before each call."""
        self._graph = graph
        self._uploads = Uploads(graph, files)
        self._clock = clock
        self._stopped = stopped
        self._slots = asyncio.Semaphore(concurrency)
        self._passcode_slots = asyncio.Semaphore(limits.OTP_SLOTS)
        self._is_lost = False  # the last call did not reach the platform

    async def send(self, sends: Sequence[Send]) -> list[DispatchResult]:
        faults: AccountFaults = {}
        if len(sends) == 1:  # the usual case, without a task
            return [DispatchResult(await self._dispatch(sends[0], faults))]
        answers = await asyncio.gather(*(self._dispatch(send, faults) for send in sends))
        return [DispatchResult(answer) for answer in answers]

    async def _dispatch(self, send: Send, faults: AccountFaults) -> DispatchOutcome:
        started = self._clock.monotonic()
        number = send.sender.phone_number_id
        async with self._passcode_slots if isinstance(send.content, Passcode) else self._slots:
            if number in faults:
                return faults[number]  # an account fault rejects every message of the number
            outcome = await self._upload_and_post(send, started)
        self._note(outcome)
        if isinstance(outcome, Rejected) and outcome.failure.kind is FailureKind.ACCOUNT_FAULT:
            faults[number] = outcome
        return outcome

    def _note(self, outcome: DispatchOutcome) -> None:
        """An outage is a line when it begins and one when it ends, not one for each message."""
        failure = outcome.failure if isinstance(outcome, Rejected) else None
        if failure is failures.PLATFORM_UNREACHABLE:
            if not self._is_lost:
                self._is_lost = True
                log.warning("platform.lost")
        elif self._is_lost and (isinstance(outcome, Accepted) or _is_answer(failure)):
            self._is_lost = False
            log.warning("platform.recovered")

    async def _upload_and_post(self, send: Send, started: float) -> DispatchOutcome:
        media_id = await self._upload(send)
        if isinstance(media_id, Rejected):
            return media_id
        waited = timedelta(seconds=self._clock.monotonic() - started)
        if send.deadline is not None and send.at + waited >= send.deadline:
            return DeadlineExceeded()
        if send.account in self._stopped:
            return AccountInactive()
        if waited >= BEGIN_MAX:
            return Rejected(failures.OVERLOADED)
        outcome = await self._post(send, media_id)
        if media_id and isinstance(outcome, Rejected):
            await self._drop_upload(send, outcome)
        return outcome

    async def _upload(self, send: Send) -> str | Rejected:
        """The platform's id of the message's file; "" for a message without one."""
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
            response = await self._graph.post_json(path, token, request_body(send, media_id))
        except NoResponse as fault:
            self._log_lost(send, str(fault))
            return UnknownOutcome()
        except GraphCallError as fault:
            return _rejected(send, fault)
        platform_id = find_platform_id(response)
        if platform_id is None:
            self._log_lost(send, "no message id")
            return UnknownOutcome()
        return Accepted(platform_id)

    def _log_lost(self, send: Send, reason: str) -> None:
        account = f"acc_{send.account}"
        log.warning("platform.response_lost", account=account, send_id=send.send_id, reason=reason)

    async def _drop_upload(self, send: Send, outcome: Rejected) -> None:
        """If the media id may have caused the error, the next message uploads the file again."""
        media = find_media(send.content)
        if media is not None and outcome.failure.platform_code in FILE_CODES:
            with suppress(FileUnavailable):
                await self._uploads.delete(send, media)


class Uploads:
    """Uploads each file once per phone number; concurrent sends of a file share one upload.

    A media id belongs to the number it was uploaded for and is valid for 30 days.
    """

    def __init__(self, graph: Graph, files: Files) -> None:
        self._graph = graph
        self._files = files
        self._running: dict[UploadKey, asyncio.Task[str]] = {}

    async def media_id(self, send: Send, media: MediaRef) -> str:
        """The platform's id of the file. Raises GraphCallError, FileMissing, FileUnavailable."""
        key = _upload_key(send, media)
        task = self._running.get(key)
        if task is None:
            task = asyncio.create_task(self._find_or_upload(send, media))
            self._running[key] = task
            task.add_done_callback(lambda _: self._running.pop(key))
        return await asyncio.shield(
            task
        )  # cancelling one waiter must not cancel the upload for the others

    async def delete(self, send: Send, media: MediaRef) -> None:
        await self._files.delete_upload(*_upload_key(send, media))

    async def _find_or_upload(self, send: Send, media: MediaRef) -> str:
        key = _upload_key(send, media)
        stored = await self._files.find_upload(*key)
        if stored is not None:
            return stored
        data = await self._files.read(send.account, media.id)
        sender = send.sender
        token = "" if sender.access_token is None else sender.access_token.reveal()
        platform_id = await self._graph.upload(
            sender.phone_number_id, token, data, media.mimetype, media.filename or "file"
        )
        await self._files.save_upload(*key, platform_id)
        return platform_id


def _upload_key(send: Send, media: MediaRef) -> UploadKey:
    return (send.account, media.id, send.sender.phone_number_id)


def find_platform_id(response: Mapping[str, Any]) -> str | None:
    """The id in `{"messages": [{"id": "wamid..."}]}`."""
    match response:
        case {"messages": [{"id": str(platform_id)}, *_]} if platform_id:
            return platform_id
    return None


def _is_answer(failure: Failure | None) -> bool:
    """Whether the platform itself refused, and not this process."""
    return failure is not None and failure.platform_code is not None


def _rejected(send: Send, fault: GraphCallError) -> Rejected:
    account = f"acc_{send.account}"
    if not isinstance(fault, GraphErrorResponse):
        reason = str(fault)
        log.debug("platform.call_failed", account=account, send_id=send.send_id, reason=reason)
        retry_after = fault.retry_after if isinstance(fault, Unreachable) else None
        return Rejected(failures.PLATFORM_UNREACHABLE, retry_after)
    error = fault.error
    log.info(
        "platform.refused",
        account=account,
        send_id=send.send_id,
        platform_code=error.code,
        subcode=error.subcode,
        status=fault.status,
        platform_trace=error.trace,
    )
    # The platform may quote the message, and a passcode must not be stored.
    details = "" if isinstance(send.content, Passcode) else error.details
    failure = failures.explain(
        error.code, subcode=error.subcode, status=fault.status, details=details
    )
    return Rejected(failure, fault.retry_after)
