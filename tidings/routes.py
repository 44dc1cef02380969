"""Every address of the service. The numbers are those of the specification, section 4."""

from tidings.engine.http.messages import Auth, Route
from tidings.errors import Code
from tidings.features.messages import api as messages
from tidings.features.messages import parse as message_parse
from tidings.features.messages import shapes as message_shapes
from tidings.features.sandbox import api as sandbox
from tidings.features.sandbox import shapes as sandbox_shapes
from tidings.operations import get_docs, get_health, get_openapi

V1 = "/api/v1"
SANDBOX = "/sandbox/v1"

SENDING = (
    Code.INVALID_PHONE,
    Code.TEMPLATE_REQUIRED,
    Code.SERVICE_WINDOW_CLOSED,
    Code.INVALID_FROM_POLICY,
    Code.INVALID_SENDER,
    Code.INVALID_BUTTON_PAYLOAD,
    Code.RECIPIENT_NOT_ALLOWLISTED,
)

API = [
    Route(1, "GET", f"{V1}/health", get_health, Auth.NONE, tag="Service"),
    Route(
        6, "POST", f"{V1}/messages/text", messages.post_text, Auth.KEY,
        body=message_parse.TextBody, data=message_shapes.SendResult, statuses=(200, 202),
        errors=SENDING, tag="Messages",
    ),
    Route(
        12, "GET", f"{V1}/messages/{{cid}}", messages.get_message, Auth.KEY,
        data=message_shapes.MessageStatus, errors=(Code.MESSAGE_NOT_FOUND,), tag="Messages",
    ),
]  # fmt: skip

BESIDE = [
    Route(None, "GET", f"{V1}/openapi.json", get_openapi, Auth.NONE, tag="Service"),
    Route(None, "GET", "/docs", get_docs, Auth.NONE, tag="Service"),
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
]  # fmt: skip
