"""The platform's errors: `GraphError`, and the table of codes. Pure.

Status numbers and titles are those of platform.md, section 7. A fault asked for by its code alone
(`faults.py`) and the `errors` of a failed status take theirs from the same table.
"""

from dataclasses import dataclass, field
from typing import Any

HELP_URL = "https://developers.facebook.com/docs/whatsapp/cloud-api/support/error-codes/"
READ_THE_DOCS = (
    "Please read the Graph API documentation at https://developers.facebook.com/docs/graph-api"
)
OBJECT_MISSING_SUBCODE = 33

# code: HTTP status, title
CODES: dict[int, tuple[int, str]] = {
    0: (401, "We were unable to authenticate the app user"),
    1: (400, "An unknown error occurred"),
    2: (503, "Service temporarily unavailable"),
    3: (500, "Capability or permissions issue"),
    4: (400, "Application request limit reached"),
    10: (403, "Application does not have permission for this action"),
    100: (400, "Invalid parameter"),
    190: (401, "Error validating access token"),
    200: (403, "You do not have the necessary permissions"),
    368: (403, "Temporarily blocked for policies violations"),
    80007: (400, "Rate limit issues"),
    130429: (400, "Rate limit hit"),
    130472: (400, "User's number is part of an experiment"),
    130497: (403, "Business account is restricted from messaging users in this country"),
    131000: (500, "Something went wrong"),
    131005: (403, "Access denied"),
    131008: (400, "Required parameter is missing"),
    131009: (400, "Parameter value is not valid"),
    131016: (500, "Service unavailable"),
    131021: (400, "Recipient cannot be sender"),
    131026: (400, "Message undeliverable"),
    131030: (400, "Recipient phone number not in allowed list"),
    131031: (403, "Account has been locked"),
    131037: (400, "Display name approval needed"),
    131042: (400, "Business eligibility payment issue"),
    131045: (500, "Incorrect certificate"),
    131047: (400, "Re-engagement message"),
    131048: (400, "Spam rate limit hit"),
    131049: (
        400,
        "This message was not delivered to maintain healthy ecosystem engagement.",
    ),
    131050: (400, "User has stopped receiving marketing messages from this business"),
    131051: (400, "Unsupported message type"),
    131052: (400, "Media download error"),
    131053: (400, "Media upload error"),
    131056: (400, "(Business Account, Consumer Account) pair rate limit hit"),
    131057: (500, "Account in maintenance mode"),
    131062: (400, "Business-scoped user id is not supported for this message"),
    131063: (400, "Marketing templates are disabled for this account"),
    131064: (400, "Messaging is limited because of template classification"),
    132000: (400, "Number of parameters does not match the expected number of params"),
    132001: (404, "Template name does not exist in the translation"),
    132005: (400, "Translated text too long"),
    132007: (400, "Template format character policy violated"),
    132008: (400, "Parameter value is not valid for the template"),
    132012: (400, "Parameter format does not match format in the created template"),
    132015: (400, "Template is paused"),
    132016: (400, "Template is disabled"),
    132018: (400, "There was an issue with the parameters in your template"),
    132068: (400, "Flow is blocked"),
    132069: (400, "Flow is throttled"),
    133004: (503, "Server temporarily unavailable"),
    133010: (400, "Account not registered"),
    133016: (400, "Account register deregister rate limit exceeded"),
    135000: (400, "Generic user error"),
    137000: (400, "Recipient identity key hash mismatch"),
    139001: (400, "Flow can't be updated"),
    139002: (400, "Publishing Flow in invalid state"),
    139003: (400, "Can't deprecate unpublished Flow"),
    139004: (400, "Can't delete published Flow"),
}
_DETAILS = {  # details where only the code is known
    131026: "Message Undeliverable.",
    131047: "Message failed to send because more than 24 hours have passed since the customer "
    "last replied to this number.",
    131049: "In order to maintain a healthy ecosystem engagement, the message failed to be "
    "delivered.",
    131050: "User has stopped receiving marketing messages from this business.",
    131053: "Unable to upload the media used in the message.",
}


@dataclass(eq=False)
class GraphError(Exception):
    """An error response (platform.md, 1.10)."""

    code: int
    details: str = ""
    message: str = ""  # "": the title of the code
    status: int = 0  # 0: the status of the code
    type: str = "OAuthException"
    subcode: int | None = None
    headers: tuple[tuple[str, str], ...] = ()
    extra: dict[str, Any] = field(default_factory=dict)  # error_user_title, is_transient

    @property
    def http_status(self) -> int:
        return self.status or CODES.get(self.code, (400, ""))[0]

    def body(self, trace: str) -> dict[str, Any]:
        error: dict[str, Any] = {
            "message": self.message or f"(#{self.code}) {title(self.code)}",
            "type": self.type,
            "code": self.code,
        }
        if self.details:
            error["error_data"] = {"messaging_product": "whatsapp", "details": self.details}
        if self.subcode is not None:
            error["error_subcode"] = self.subcode
        return {"error": {**error, **self.extra, "fbtrace_id": trace}}


def title(code: int) -> str:
    return CODES.get(code, (400, "Something went wrong"))[1]


def status_error(code: int) -> dict[str, Any]:
    """One of the `errors` of a failed status."""
    name = title(code)
    return {
        "code": code,
        "title": name,
        "message": name,
        "error_data": {"details": _DETAILS.get(code, name)},
        "href": HELP_URL,
    }


def no_such_object(method: str, id_: str) -> GraphError:
    verb = {"GET": "get", "DELETE": "delete"}.get(method, "post")
    text = (
        f"Unsupported {verb} request. Object with ID '{id_}' does not exist, cannot be loaded due "
        f"to missing permissions, or does not support this operation. {READ_THE_DOCS}"
    )
    return GraphError(
        100, message=text, type="GraphMethodException", subcode=OBJECT_MISSING_SUBCODE
    )


def unknown_path(edge: str) -> GraphError:
    return GraphError(2500, message=f"Unknown path components: /{edge}", status=400)


def unauthenticated(missing: bool) -> GraphError:
    if missing:
        text = "An access token is required to request this resource."
    else:
        text = "Invalid OAuth access token - Cannot parse access token"
    return GraphError(190, message=text)


def required(param: str) -> GraphError:
    return GraphError(100, message=f"(#100) The parameter {param} is required.")


def param_must(param: str, rule: str) -> GraphError:
    return GraphError(100, message=f"(#100) Param {param} must {rule}")


def invalid(details: str) -> GraphError:
    return GraphError(100, details)


def bad_value(details: str) -> GraphError:
    return GraphError(131009, details)
