"""A log line for each status that a message comes to, after the commit.

At level debug: a line takes 30 µs, more than a process has for a message where it sends thousands
a second (docs/operating/logs.md). Where they are not shown, this is one comparison a transaction.
"""

from collections.abc import Iterable

import structlog

from tidings.engine.db.tx import Tx
from tidings.engine.log import shows_debug

from ..model import Message, Status

log = structlog.get_logger()


def log_accepted(tx: Tx, messages: Iterable[Message]) -> None:
    if shows_debug():
        accepted = [(message, message.status) for message in messages]
        tx.after_commit(lambda: _write_accepted(accepted))


def log_changed(tx: Tx, messages: Iterable[Message]) -> None:
    if shows_debug():
        changed = [(message, message.status) for message in messages]
        tx.after_commit(lambda: _write_changed(changed))


def _write_accepted(accepted: list[tuple[Message, Status]]) -> None:
    for message, status in accepted:
        log.debug(
            "message.accepted",
            account=message.account_id,
            message_id=message.id,
            kind=str(message.kind),
            batch=message.batch_id,
            status=status.value,
        )


def _write_changed(changed: list[tuple[Message, Status]]) -> None:
    for message, status in changed:
        log.debug(
            "message.changed",
            account=message.account_id,
            message_id=message.id,
            kind=str(message.kind),
            status=status.value,
            reason=message.reason,
            error=None if message.error is None else message.error.code,
        )
