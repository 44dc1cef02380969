"""Which version of a form is sent, and whether it may be (4.6, "Live accounts"). Pure."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from uuid import UUID

from tidings import times
from tidings.errors import ApiError, ErrorCode
from tidings.features.templates.model import Template
from tidings.platforms import content

from .forms import names, states
from .model import Flow, Send, Stage, Version


class FeedbackCode(ErrorCode):
    """The error codes of feedback forms (section 7)."""

    FORM_NOT_FOUND = (
        404,
        "the account has no feedback form with this id",
        "Use the id of one of the account's forms; the operator adds them with tidings apply.",
    )
    FORM_NOT_SENDABLE = (
        409,
        "the form is not published (sandbox: not approved)",
        "Approve the form (sandbox), or publish it (live), and send again.",
    )
    ALREADY_SENT = (
        409,
        "the form was already sent to this number",
        "A form goes to a number once. previousSendAt says when it went.",
    )


Templates = Mapping[str, Sequence[Template]]  # by name: language versions


def decide_sendable(versions: Iterable[Version], *, sandbox: bool) -> Version | None:
    """The latest version that may be sent: approved (sandbox) or published (live)."""
    allowed = [one for one in versions if states.may_be_sent(one.state, sandbox=sandbox)]
    return max(allowed, key=lambda one: one.version, default=None)


def decide_shown(versions: Sequence[Version], *, sandbox: bool) -> Version:
    """The version that stands for the form: the one that is sent, else the latest approved one,
    else the latest."""
    sendable = decide_sendable(versions, sandbox=sandbox)
    approved = [one for one in versions if one.state in states.APPROVED]
    return sendable or max(approved or versions, key=lambda one: one.version)


def require_version(form_ref: str, versions: Sequence[Version], *, sandbox: bool) -> Version:
    """The version to send for this form id."""
    form_id, number = names.split(form_ref)
    known = [one.version for one in versions]
    if not known or (number is not None and number not in known):
        problem = f"formId: the account has no feedback form {form_ref!r}"
        raise ApiError(FeedbackCode.FORM_NOT_FOUND, problem, field="formId")
    found = decide_sendable(versions, sandbox=sandbox)
    if found is None:
        needed = "approved" if sandbox else "published"
        latest = max(versions, key=lambda one: one.version)
        problem = (
            f"formId: form {form_id!r} is not {needed}: its latest version, {latest.version}, is "
            f"{latest.state.value}"
        )
        raise ApiError(FeedbackCode.FORM_NOT_SENDABLE, problem, field="formId")
    return found


def require_ready(
    version: Version, flows: Sequence[Flow], waba_ids: set[str], known: Templates
) -> None:
    """A live form must exist in every WhatsApp business account that the account sends from."""
    reason = decide_wait(version, flows, waba_ids, known)
    if reason is not None:
        problem = f"formId: form {version.form_id!r} cannot be sent yet: {reason}"
        raise ApiError(FeedbackCode.FORM_NOT_SENDABLE, problem, field="formId")


def decide_wait(
    version: Version, flows: Sequence[Flow], waba_ids: set[str], known: Templates
) -> str | None:
    """What a live form waits for at the platform. None: it can be sent."""
    if not waba_ids:
        return "the account has no number at the platform"
    done = {flow.waba_id for flow in flows if flow.stage is Stage.OFFERED}
    if not waba_ids <= done:
        problem = next((flow.problem for flow in flows if flow.problem), None)
        return problem or "the platform is still being told about it"
    name = names.platform_name(version.key)
    language = version.form.language
    found = next((one for one in known.get(name, ()) if one.language == language), None)
    if found is None:
        return f"the platform has not shown its template {name} yet"
    if not found.usable:
        return f"the platform says that its template {name} is {found.status}"
    return None


def contents(
    version: Version, token: str, flows: Mapping[str, str], *, sandbox: bool
) -> tuple[content.Form, content.Form]:
    """The content inside the customer service window, and outside it. A simulated phone needs the
    questions; a real one gets them from the platform."""
    form = version.form
    inside = content.Form(
        form_id=version.form_id,
        version=version.version,
        title=form.message,
        button=form.button_label,
        token=token,
        flow_id=next(iter(flows.values()), ""),
        questions=form.questions if sandbox else (),
        flows=dict(flows) if len(flows) > 1 else {},
    )
    name = names.platform_name(version.key)
    outside = content.Form(
        form_id=inside.form_id,
        version=inside.version,
        title=inside.title,
        button=inside.button,
        token=token,
        template=name,
        language=form.language,
        questions=inside.questions,
    )
    return inside, outside


def already_sent(send: Send, sent_at: datetime | None) -> ApiError:
    at = times.to_wire(sent_at or send.created_at)
    problem = "to: this form was already sent to this number; a form goes once to each number"
    return ApiError(FeedbackCode.ALREADY_SENT, problem, field="to", previousSendAt=at)


def default_message_id(send_id: UUID) -> str:
    """The clientMessageId of a send if the caller gave none."""
    return f"fb_{send_id.hex}"
