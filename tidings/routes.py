"""Every address of the service. The numbers are those of the specification, section 4."""

from tidings.engine.http.messages import Auth, Route
from tidings.errors import Code
from tidings.features.batches import api as batches
from tidings.features.batches import parse as batch_parse
from tidings.features.batches import shapes as batch_shapes
from tidings.features.links import api as links
from tidings.features.links import shapes as link_shapes
from tidings.features.media import api as media
from tidings.features.media import shapes as media_shapes
from tidings.features.messages import api as messages
from tidings.features.messages import parse as message_parse
from tidings.features.messages import rich as message_rich
from tidings.features.messages import shapes as message_shapes
from tidings.features.otp import api as otp
from tidings.features.otp import parse as otp_parse
from tidings.features.otp import shapes as otp_shapes
from tidings.features.recipients import api as recipients
from tidings.features.recipients import shapes as recipient_shapes
from tidings.features.sandbox import api as sandbox
from tidings.features.sandbox import shapes as sandbox_shapes
from tidings.features.senders import api as senders
from tidings.features.senders import shapes as sender_shapes
from tidings.features.templates import api as templates
from tidings.features.templates import shapes as template_shapes
from tidings.operations import Health, get_docs, get_health, get_openapi

V1 = "/api/v1"
SANDBOX = "/sandbox/v1"

DRY_RUN = (
    (
        "X-Dry-Run",
        "true: answer what would happen; nothing is stored, charged or sent.",
    ),
)
MEDIA = (Code.MEDIA_TOO_LARGE, Code.INVALID_MEDIA)
SENDING = (
    Code.INVALID_PHONE,
    Code.SERVICE_WINDOW_CLOSED,
    Code.RECIPIENT_NOT_ALLOWLISTED,
)

API = [
    Route(1, "GET", f"{V1}/health", get_health, Auth.NONE, extra=Health, tag="Service"),
    Route(
        2, "GET", f"{V1}/readiness", templates.get_readiness, Auth.KEY,
        data=template_shapes.Readiness, tag="Account",
    ),
    Route(
        3, "GET", f"{V1}/limits", senders.get_limits, Auth.KEY,
        data=sender_shapes.Capacities, tag="Account",
    ),
    Route(
        4, "GET", f"{V1}/sender/health", senders.get_health, Auth.KEY,
        data=sender_shapes.SenderHealth, tag="Account",
    ),
    Route(
        5, "GET", f"{V1}/templates", templates.get_templates, Auth.KEY,
        query=templates.TemplatesQuery, data=list[template_shapes.TemplateShape],
        extra=template_shapes.Page, tag="Account",
    ),
    Route(
        6, "POST", f"{V1}/messages/text", messages.post_text, Auth.KEY,
        body=message_parse.TextBody, data=message_shapes.SendResult, statuses=(200, 202),
        errors=(
            *SENDING, *MEDIA, Code.TEMPLATE_REQUIRED, Code.INVALID_SENDER, Code.INVALID_URL,
            Code.BUTTON_URL_UNSUPPORTED, Code.INVALID_BUTTON_PAYLOAD, Code.INVALID_FROM_POLICY,
            Code.EVENT_NOT_FOUND,
        ),
        reads=DRY_RUN, tag="Messages",
    ),
    Route(
        7, "POST", f"{V1}/messages/otp", otp.post_otp, Auth.KEY,
        body=otp_parse.OtpBody, data=otp_shapes.PasscodeResult, statuses=(200, 202),
        errors=(Code.INVALID_OTP, Code.INVALID_PHONE, Code.RECIPIENT_NOT_ALLOWLISTED),
        tag="Messages",
    ),
    Route(
        8, "POST", f"{V1}/messages/bulk", batches.post_bulk, Auth.KEY,
        body=batch_parse.BulkBody, data=batch_shapes.BulkResult, statuses=(200, 202),
        errors=(
            Code.BATCH_TOO_LARGE, Code.FIELD_NOT_ALLOWED_IN_BULK, Code.INVALID_FROM_POLICY,
            Code.EVENT_NOT_FOUND,
        ),
        reads=DRY_RUN, tag="Messages",
    ),
    Route(
        9, "POST", f"{V1}/messages/rich", messages.post_rich, Auth.KEY,
        body=message_rich.RichBody, data=message_shapes.SendResult, statuses=(200, 202),
        errors=(*SENDING, *MEDIA, Code.INVALID_URL), reads=DRY_RUN, tag="Messages",
    ),
    Route(
        10, "POST", f"{V1}/messages/upload", media.post_upload, Auth.KEY,
        body=media.UploadBody, data=media_shapes.Upload, errors=MEDIA, tag="Messages",
    ),
    Route(
        12, "GET", f"{V1}/messages/{{cid}}", messages.get_message, Auth.KEY,
        data=message_shapes.MessageStatus, errors=(Code.MESSAGE_NOT_FOUND,), tag="Messages",
    ),
    Route(
        13, "POST", f"{V1}/links", links.post_link, Auth.KEY,
        body=links.LinkBody, data=link_shapes.Link, errors=(Code.INVALID_URL,), tag="Links",
    ),
    Route(
        14, "GET", f"{V1}/links/{{code}}", links.get_link, Auth.KEY,
        data=link_shapes.LinkOpens, errors=(Code.LINK_NOT_FOUND,), tag="Links",
    ),
    Route(
        15, "POST", f"{V1}/batches/{{batchId}}/cancel", batches.post_cancel, Auth.KEY,
        data=batch_shapes.Cancelled, errors=(Code.NOT_FOUND,), tag="Messages",
    ),
    Route(
        18, "POST", f"{V1}/numbers/check", recipients.post_numbers_check, Auth.KEY,
        body=recipients.NumbersBody, data=recipient_shapes.CheckedNumbers,
        errors=(Code.INVALID_PHONE, Code.BATCH_TOO_LARGE), tag="Recipients",
    ),
    Route(
        19, "POST", f"{V1}/optouts/check", recipients.post_optouts_check, Auth.KEY,
        body=recipients.OptOutsBody, data=recipient_shapes.CheckedOptOuts,
        errors=(Code.INVALID_PHONE, Code.BATCH_TOO_LARGE), tag="Recipients",
    ),
    Route(
        20, "DELETE", f"{V1}/optouts/{{phoneNumber}}", recipients.delete_optout, Auth.KEY,
        data=recipient_shapes.RemovedOptOut, errors=(Code.INVALID_PHONE,), tag="Recipients",
    ),
]  # fmt: skip

BESIDE = [
    Route(None, "GET", f"{V1}/openapi.json", get_openapi, Auth.NONE, tag="Service"),
    Route(None, "GET", "/docs", get_docs, Auth.NONE, tag="Service"),
    Route(
        None, "GET", "/r/{code}", links.get_redirect, Auth.NONE, statuses=(302,), tag="Links"
    ),
    Route(
        None, "POST", f"{SANDBOX}/clock", sandbox.post_clock, Auth.SANDBOX,
        body=sandbox.ClockBody, data=sandbox_shapes.Clock, tag="Sandbox",
    ),
    Route(
        None, "GET", f"{SANDBOX}/clock", sandbox.get_clock, Auth.SANDBOX,
        data=sandbox_shapes.Clock, tag="Sandbox",
    ),
    Route(
        None, "POST", f"{SANDBOX}/replies", sandbox.post_reply, Auth.SANDBOX,
        body=sandbox.ReplyBody, data=sandbox_shapes.Replied,
        errors=(Code.INVALID_PHONE, Code.INVALID_SENDER), tag="Sandbox",
    ),
    Route(
        None, "GET", f"{SANDBOX}/phones/{{number}}", sandbox.get_phone, Auth.SANDBOX,
        data=sandbox_shapes.Conversation, errors=(Code.INVALID_PHONE,), tag="Sandbox",
    ),
    Route(
        None, "POST", f"{SANDBOX}/senders/{{number}}", senders.post_sandbox_sender, Auth.SANDBOX,
        body=senders.SandboxSenderBody, data=sender_shapes.NumberHealth,
        errors=(Code.INVALID_SENDER,), tag="Sandbox",
    ),
]  # fmt: skip
