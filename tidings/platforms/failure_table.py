"""What each platform error code means, in terms a customer can act on. Data only. Pure.

Grouped by how we handle the code (contract.md, Sending); each row is (our code, what happened, what
to do). Our codes are part of the public contract and do not change. Look them up with
`failures.explain`.
"""

from tidings.platforms.port import FailureKind

Row = tuple[str, str, str]

# The platform's list of codes. docs/failures.md is generated from this table and links there.
PLATFORM_DOCS = "https://developers.facebook.com/docs/whatsapp/cloud-api/support/error-codes"

_PERMISSION = (
    "PERMISSION_MISSING",
    "The access token may not do this for the sending account.",
    "Grant the app its messaging permission again. Queued messages are then sent automatically.",
)
_TOKEN = (
    "ACCESS_TOKEN_INVALID",
    "The access token of the sending number is invalid, expired or revoked.",
    "Issue a new access token and apply it. Queued messages are then sent automatically.",
)
_UNAVAILABLE = (
    "PLATFORM_UNAVAILABLE",
    "The platform is temporarily unavailable.",
    "Nothing to do: the message is retried automatically.",
)
UNKNOWN_ERROR = (
    "PLATFORM_UNKNOWN_ERROR",
    "The platform failed and gave no reason.",
    "Nothing to do: the message is retried automatically.",
)
_INVALID_REQUEST = (
    "INVALID_REQUEST",
    "The platform did not accept a field of the message.",
    "Check the message's text, template variables and buttons, then send a new one.",
)
_PARAMS_INVALID = (
    "TEMPLATE_PARAMS_INVALID",
    "A template variable has a form that the template does not take.",
    "Compare templateParams with the template's variables, then send a new message.",
)
_TEMPLATE_FORMAT = (
    "TEMPLATE_FORMAT_INVALID",
    "The template's header, body or footer has a form that the platform does not take.",
    "Correct that part of the template and submit it again.",
)

ACCOUNT_FAULTS: dict[int, Row] = {
    0: _TOKEN,
    3: _PERMISSION,
    10: _PERMISSION,
    190: _TOKEN,
    **dict.fromkeys(range(200, 300), _PERMISSION),
    368: (
        "ACCOUNT_BLOCKED",
        "The platform has temporarily blocked the sending account over its policies.",
        "Read the notice in the platform's business manager; appeal, or wait until it ends.",
    ),
    131005: _PERMISSION,
    131031: (
        "ACCOUNT_LOCKED",
        "The platform has locked or restricted the sending account.",
        "Resolve the restriction in the platform's business manager.",
    ),
    131037: (
        "DISPLAY_NAME_NOT_APPROVED",
        "The display name of the sending number is not approved.",
        "Have the display name approved in the platform's business manager.",
    ),
    131042: (
        "PLATFORM_PAYMENT_PROBLEM",
        "The platform cannot charge the sending account.",
        "Correct the payment method in the platform's business manager.",
    ),
    131045: (
        "NUMBER_REGISTRATION_FAULTY",
        "The sending number's registration at the platform is faulty.",
        "Register the sending number again.",
    ),
    131063: (
        "MARKETING_DISABLED",
        "Marketing templates are switched off for the sending account.",
        "Switch marketing templates on in the platform's business manager.",
    ),
    133010: (
        "NUMBER_NOT_REGISTERED",
        "The sending number is not registered at the platform.",
        "Register the sending number.",
    ),
}

# `100` with this subcode: the platform does not know our phone number.
NUMBER_MISSING_SUBCODE = 33
NUMBER_MISSING: Row = (
    "NUMBER_NOT_FOUND",
    "The platform does not know the sending number, or it was deleted there.",
    "Correct the number's phoneNumberId, or connect the number again.",
)

NUMBER_LIMITS: dict[int, Row] = {
    130429: (
        "THROUGHPUT_LIMIT",
        "The sending number sent more messages a second than the platform allows.",
        "Nothing to do: the message goes out when the number may send again.",
    ),
    131048: (
        "SPAM_LIMIT",
        "The platform holds the sending number back: too many people blocked or reported it.",
        "Send less, and only to people who expect it; the number's quality rating tells more.",
    ),
    131056: (
        "PAIR_LIMIT",
        "Too many messages went to this recipient in a short time.",
        "Nothing to do: the message goes out when the recipient may be written to again.",
    ),
    132069: (
        "FORM_THROTTLED",
        "The platform lets this form go out only a few times an hour.",
        "Check the form's health in the platform's business manager.",
    ),
    133016: (
        "REGISTRATION_LIMIT",
        "The sending number was registered and deregistered too often.",
        "Do not register it again for three days.",
    ),
}

ACCOUNT_LIMITS: dict[int, Row] = {
    4: (
        "APP_CALL_LIMIT",
        "Too many calls were made to the platform.",
        "Nothing to do: the message goes out when calls are allowed again.",
    ),
    80007: (
        "ACCOUNT_CALL_LIMIT",
        "Too many calls were made to the platform for the sending account.",
        "Nothing to do: the message goes out when calls are allowed again, within an hour.",
    ),
    131064: (
        "TEMPLATE_CATEGORY_LIMIT",
        "The platform limits the sending account because templates were put in a wrong category.",
        "Correct the templates' categories; the limit ends after some days.",
    ),
}

OUTAGES: dict[int, Row] = {
    1: UNKNOWN_ERROR,
    2: _UNAVAILABLE,
    131000: UNKNOWN_ERROR,
    131016: _UNAVAILABLE,
    131057: (
        "ACCOUNT_MAINTENANCE",
        "The platform is moving the sending number, for about a minute.",
        "Nothing to do: the message is retried automatically.",
    ),
    133004: _UNAVAILABLE,
}

REFUSALS: dict[int, Row] = {
    33: NUMBER_MISSING,
    100: _INVALID_REQUEST,
    131008: (
        "PARAMETER_MISSING",
        "A required field of the message is missing.",
        "Check that the message gives all that its template asks for, then send a new one.",
    ),
    131009: _INVALID_REQUEST,
    131021: (
        "RECIPIENT_IS_SENDER",
        "The recipient is the sending number itself.",
        "Send to another number.",
    ),
    131047: (
        "SERVICE_WINDOW_CLOSED",
        "More than 24 hours have passed since the recipient last wrote to the sending number.",
        "Send an approved template instead of free text.",
    ),
    131051: (
        "MESSAGE_TYPE_UNSUPPORTED",
        "The platform does not support this type of message.",
        "Send it as another type.",
    ),
    131052: (
        "INBOUND_MEDIA_LOST",
        "The platform could not download the file that the guest sent.",
        "Ask the guest to send the file again.",
    ),
    131053: (
        "MEDIA_REJECTED",
        "The platform could not take the message's image or document.",
        "Check that the file opens and is a jpeg, png or pdf, then upload and send it again.",
    ),
    132000: (
        "TEMPLATE_PARAMS_MISMATCH",
        "The number of template variables is not what the template takes.",
        "Give exactly as many templateParams as the template has variables.",
    ),
    132001: (
        "TEMPLATE_NOT_FOUND",
        "The template does not exist in this language, or is not approved.",
        "Choose an approved template and its exact language code.",
    ),
    132005: (
        "TEMPLATE_TEXT_TOO_LONG",
        "With its variables filled in, the template's text is too long.",
        "Shorten the values of templateParams.",
    ),
    132007: (
        "TEMPLATE_POLICY_VIOLATION",
        "The template's content breaks a policy of the platform.",
        "Change the template and have it approved again.",
    ),
    132008: _PARAMS_INVALID,
    132012: _PARAMS_INVALID,
    132018: _PARAMS_INVALID,
    132015: (
        "TEMPLATE_PAUSED",
        "The platform has paused the template because of its low quality.",
        "Use another template, or wait until this one is active again.",
    ),
    132016: (
        "TEMPLATE_DISABLED",
        "The platform has disabled the template for good because of its low quality.",
        "Use another template.",
    ),
    132068: (
        "FORM_BLOCKED",
        "The platform has blocked the form.",
        "Correct the form in the platform's business manager, or publish a new version.",
    ),
    135000: _INVALID_REQUEST,
    **dict.fromkeys(
        range(139000, 139005),
        (
            "FORM_REJECTED",
            "The platform did not accept the form.",
            "Correct the form's questions and publish it again.",
        ),
    ),
    # Errors of template creation; they also occur as subcodes of 100.
    2388019: (
        "TEMPLATE_LIMIT",
        "The account has as many templates as the platform allows.",
        "Delete templates that are no longer used.",
    ),
    2388023: (
        "TEMPLATE_BEING_DELETED",
        "A template of this name and language is being deleted.",
        "Choose another name, or wait four weeks.",
    ),
    2388040: (
        "TEMPLATE_TEXT_TOO_LONG",
        "A text of the template is too long.",
        "Shorten the template's texts and submit it again.",
    ),
    2388047: _TEMPLATE_FORMAT,
    2388072: _TEMPLATE_FORMAT,
    2388073: _TEMPLATE_FORMAT,
    2388293: (
        "TEMPLATE_TOO_MANY_VARIABLES",
        "The template has too many variables for the length of its text.",
        "Use fewer variables or a longer text.",
    ),
    2388299: (
        "TEMPLATE_VARIABLE_AT_EDGE",
        "The template's text begins or ends with a variable.",
        "Put words before the first variable and after the last.",
    ),
}

RECIPIENTS: dict[int, Row] = {
    130472: (
        "RECIPIENT_IN_EXPERIMENT",
        "The recipient is in an experiment of the platform and gets no marketing messages now.",
        "Do not send it again soon; use another way to reach this person.",
    ),
    130497: (
        "COUNTRY_RESTRICTED",
        "The sending account may not write to people of this country.",
        "Do not send to this number from this account.",
    ),
    131026: (
        "RECIPIENT_UNREACHABLE",
        "The number is not on the platform, its app is too old, or it does not take our messages.",
        "Check the number with its owner before sending to it again.",
    ),
    131030: (
        "RECIPIENT_NOT_ON_TEST_LIST",
        "The sending number is a test number and the recipient is not on its list.",
        "Add the recipient to the test number's list at the platform.",
    ),
    131049: (
        "WITHHELD_BY_PLATFORM",
        "The platform chose not to deliver: this person has had many marketing messages lately.",
        "Wait at least 24 hours before sending marketing to this number again.",
    ),
    131050: (
        "RECIPIENT_STOPPED_MARKETING",
        "The recipient has stopped marketing messages from this business.",
        "Send no more marketing to this number.",
    ),
    131062: (
        "PHONE_NUMBER_NEEDED",
        "This message can only go to a phone number, and the platform hides the recipient's.",
        "Ask the person for their number, or send another type of message.",
    ),
    137000: (
        "RECIPIENT_IDENTITY_CHANGED",
        "The recipient's identity at the platform has changed.",
        "Make sure that the number still belongs to the same person, then send a new message.",
    ),
}

TABLE: dict[FailureKind, dict[int, Row]] = {
    FailureKind.ACCOUNT_FAULT: ACCOUNT_FAULTS,
    FailureKind.NUMBER_LIMIT: NUMBER_LIMITS,
    FailureKind.ACCOUNT_LIMIT: ACCOUNT_LIMITS,
    FailureKind.UNAVAILABLE: OUTAGES,
    FailureKind.REFUSED: REFUSALS,
    FailureKind.RECIPIENT: RECIPIENTS,
}
