"""Feedback on the wire: the send result (2.7) and feedback.submitted (6.2). Pure."""

from collections.abc import Sequence
from datetime import datetime

from tidings import times
from tidings.features.messages.model import WAITING, Message, Status
from tidings.features.messages.read.present import about

from . import names
from .model import Answer, Send


def send_result(send: Send, message: Message, *, duplicate: bool) -> dict[str, object]:
    """`queued` on acceptance, whatever it waits for; of a repeat the status as it is now."""
    status = message.status
    if not duplicate and (status in WAITING or status is Status.SENDING):
        status = Status.QUEUED
    result: dict[str, object] = {
        "sendId": names.send_ref(send.id),
        "jobId": names.job_ref(message.id),
        "formId": send.form_id,
        "version": send.version,
        "to": message.to,
        "status": status.value,
        "duplicate": duplicate,
    }
    if message.error is not None and status is Status.FAILED:
        error = message.error
        result["error"] = {
            "code": error.code, "explanation": error.explanation, "action": error.action,
        }  # fmt: skip
    return result


def submitted(
    send: Send, message: Message, answers: Sequence[Answer], at: datetime
) -> dict[str, object]:
    """feedback.submitted: every question of the version, null where nothing was answered."""
    return about(message) | {
        "sendId": names.send_ref(send.id),
        "formId": send.form_id,
        "version": send.version,
        "answers": [
            {
                "questionId": answer.question.id,
                "question": answer.question.text,
                "type": answer.question.type,
                "value": answer.value,
            }
            for answer in answers
        ],
        "at": times.to_wire(at),
    }
