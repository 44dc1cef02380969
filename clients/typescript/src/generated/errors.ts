// Generated from the OpenAPI document by scripts/generate.mjs. Do not edit.
import { TidingsError, type ErrorFields } from "../error.js";
import type { ErrorCode } from "./api.js";

/** 401: the x-api-key header is missing. */
export class UnauthorizedError extends TidingsError {
  declare readonly code: "UNAUTHORIZED";
}

/** 401: the API key is unknown. */
export class InvalidApiKeyError extends TidingsError {
  declare readonly code: "INVALID_API_KEY";
}

/** 403: the account is disabled. */
export class AppInactiveError extends TidingsError {
  declare readonly code: "APP_INACTIVE";
}

/** 429: the account's requests per minute are used up; see Retry-After. */
export class RateLimitExceededError extends TidingsError {
  declare readonly code: "RATE_LIMIT_EXCEEDED";
}

/** 400: a field is missing or invalid. */
export class ValidationError extends TidingsError {
  declare readonly code: "VALIDATION_ERROR";
}

/** 400: the number is not 8 to 20 digits. */
export class InvalidPhoneError extends TidingsError {
  declare readonly code: "INVALID_PHONE";
}

/** 400: the batch is above the limit. */
export class BatchTooLargeError extends TidingsError {
  declare readonly code: "BATCH_TOO_LARGE";
}

/** 400: the URL is not https or its host is not public. */
export class InvalidUrlError extends TidingsError {
  declare readonly code: "INVALID_URL";
}

/** 403: the signature of the media link is invalid. */
export class InvalidSignatureError extends TidingsError {
  declare readonly code: "INVALID_SIGNATURE";
}

/** 404: there is nothing at this address. */
export class NotFoundError extends TidingsError {
  declare readonly code: "NOT_FOUND";
}

/** 403: for partner accounts only. */
export class NotAPartnerError extends TidingsError {
  declare readonly code: "NOT_A_PARTNER";
}

/** 500: something failed on our side; nothing was half done. */
export class InternalError extends TidingsError {
  declare readonly code: "INTERNAL_ERROR";
}

/** 503: the service is too busy or stopping; try again shortly. */
export class ServiceUnavailableError extends TidingsError {
  declare readonly code: "SERVICE_UNAVAILABLE";
}

/** 400: free text outside the conversation window; use a template. */
export class ServiceWindowClosedError extends TidingsError {
  declare readonly code: "SERVICE_WINDOW_CLOSED";
}

/** 403: the recipient is not on the account's allowed list. */
export class RecipientNotAllowlistedError extends TidingsError {
  declare readonly code: "RECIPIENT_NOT_ALLOWLISTED";
}

/** 409: the clientMessageId is already used for another message of the account. */
export class DuplicateClientMessageIdError extends TidingsError {
  declare readonly code: "DUPLICATE_CLIENT_MESSAGE_ID";
}

/** 402: the account has no active subscription. */
export class NoActiveSubscriptionError extends TidingsError {
  declare readonly code: "NO_ACTIVE_SUBSCRIPTION";
}

/** 402: the subscription has expired. */
export class SubscriptionExpiredError extends TidingsError {
  declare readonly code: "SUBSCRIPTION_EXPIRED";
}

/** 402: the unique messages are used up. */
export class QuotaExhaustedError extends TidingsError {
  declare readonly code: "QUOTA_EXHAUSTED";
}

/** 402: a second message to the same number needs follow-up credit. */
export class FollowupQuotaExhaustedError extends TidingsError {
  declare readonly code: "FOLLOWUP_QUOTA_EXHAUSTED";
}

/** 402: an invoice is overdue; sending is paused until it is paid. */
export class InvoiceOverdueError extends TidingsError {
  declare readonly code: "INVOICE_OVERDUE";
}

/** 402: the pay-as-you-go balance has reached its limit. */
export class UsageCreditLimitError extends TidingsError {
  declare readonly code: "USAGE_CREDIT_LIMIT";
}

/** 402: the partner's capacity is used up; request a top-up. */
export class PartnerCapacityExhaustedError extends TidingsError {
  declare readonly code: "PARTNER_CAPACITY_EXHAUSTED";
}

/** 402: the partner agreement has ended. */
export class PartnerCapacityExpiredError extends TidingsError {
  declare readonly code: "PARTNER_CAPACITY_EXPIRED";
}

/** 400: the media is above 5MB. */
export class MediaTooLargeError extends TidingsError {
  declare readonly code: "MEDIA_TOO_LARGE";
}

/** 400: the media is not jpeg, png or pdf. */
export class InvalidMediaError extends TidingsError {
  declare readonly code: "INVALID_MEDIA";
}

/** 400: the template's button is not on the service's domain, so buttonUrl is not accepted. */
export class ButtonUrlUnsupportedError extends TidingsError {
  declare readonly code: "BUTTON_URL_UNSUPPORTED";
}

/** 400: buttonPayloads must be 1 to 10 strings of 1 to 128 characters. */
export class InvalidButtonPayloadError extends TidingsError {
  declare readonly code: "INVALID_BUTTON_PAYLOAD";
}

/** 400: fromPolicy is not one of prefer, strict, auto. */
export class InvalidFromPolicyError extends TidingsError {
  declare readonly code: "INVALID_FROM_POLICY";
}

/** 400: the number is not one of the account's. */
export class InvalidSenderError extends TidingsError {
  declare readonly code: "INVALID_SENDER";
}

/** 400: templateName is required for invitations, as the account has no default template. */
export class TemplateRequiredError extends TidingsError {
  declare readonly code: "TEMPLATE_REQUIRED";
}

/** 404: there is no event with this id. */
export class EventNotFoundError extends TidingsError {
  declare readonly code: "EVENT_NOT_FOUND";
}

/** 400: the code is not 1 to 15 characters, or contains spaces or links. */
export class InvalidOtpError extends TidingsError {
  declare readonly code: "INVALID_OTP";
}

/** 400: a message's field stands on the batch envelope. */
export class FieldNotAllowedInBulkError extends TidingsError {
  declare readonly code: "FIELD_NOT_ALLOWED_IN_BULK";
}

/** 404: the account has no feedback form with this id. */
export class FormNotFoundError extends TidingsError {
  declare readonly code: "FORM_NOT_FOUND";
}

/** 409: the form is not published (sandbox: not approved). */
export class FormNotSendableError extends TidingsError {
  declare readonly code: "FORM_NOT_SENDABLE";
}

/** 409: the form was already sent to this number. */
export class AlreadySentError extends TidingsError {
  declare readonly code: "ALREADY_SENT";
}

/** 404: there is no message with this id. */
export class MessageNotFoundError extends TidingsError {
  declare readonly code: "MESSAGE_NOT_FOUND";
}

/** 404: there is no link with this code. */
export class LinkNotFoundError extends TidingsError {
  declare readonly code: "LINK_NOT_FOUND";
}

/** 409: the date cannot change after invitations went out, unless confirmLockedChange is true. */
export class EventLockedError extends TidingsError {
  declare readonly code: "EVENT_LOCKED";
}

/** 404: there is no media for this message. */
export class MediaNotFoundError extends TidingsError {
  declare readonly code: "MEDIA_NOT_FOUND";
}

/** 410: the media expired at the platform (7 days). */
export class MediaExpiredError extends TidingsError {
  declare readonly code: "MEDIA_EXPIRED";
}

/** 502: the download from the platform failed. */
export class MetaError extends TidingsError {
  declare readonly code: "META_ERROR";
}

/** 400: messages must be 1 to 10,000,000. */
export class InvalidQuantityError extends TidingsError {
  declare readonly code: "INVALID_QUANTITY";
}

/** 402: the top-up exceeds the credit limit. */
export class CreditLimitExceededError extends TidingsError {
  declare readonly code: "CREDIT_LIMIT_EXCEEDED";
}

/** 400: a transfer needs a reference. */
export class ReferenceRequiredError extends TidingsError {
  declare readonly code: "REFERENCE_REQUIRED";
}

/** 400: the amount is invalid. */
export class InvalidAmountError extends TidingsError {
  declare readonly code: "INVALID_AMOUNT";
}

/** 409: the reference was already reported. */
export class DuplicateReferenceError extends TidingsError {
  declare readonly code: "DUPLICATE_REFERENCE";
}

/** The class of each code, and what to do about it. */
export const ERRORS: Record<
  ErrorCode,
  { type: new (fields: ErrorFields) => TidingsError; action: string }
> = {
  UNAUTHORIZED: { type: UnauthorizedError, action: "Send the account's key in the header x-api-key." },
  INVALID_API_KEY: { type: InvalidApiKeyError, action: "Check the key for a typing error or a missing part. A rotated key ends when its overlap is over: use the new one." },
  APP_INACTIVE: { type: AppInactiveError, action: "Ask the operator to enable the account. What waits is kept meanwhile." },
  RATE_LIMIT_EXCEEDED: { type: RateLimitExceededError, action: "Wait as many seconds as Retry-After says, then repeat the request. Many messages cost one request with POST /messages/bulk." },
  VALIDATION_ERROR: { type: ValidationError, action: "Correct the field that error.field names; the message states its rule." },
  INVALID_PHONE: { type: InvalidPhoneError, action: "Give the number in international form, digits only: 972501234567." },
  BATCH_TOO_LARGE: { type: BatchTooLargeError, action: "Split the batch: at most 1,000 text and 50 media messages, or 500 numbers to check." },
  INVALID_URL: { type: InvalidUrlError, action: "Give an https address on a public host name." },
  INVALID_SIGNATURE: { type: InvalidSignatureError, action: "Use the address exactly as it came in mediaUrl; it cannot be put together by hand." },
  NOT_FOUND: { type: NotFoundError, action: "Check the address, the method and the id; things of other accounts are not found either." },
  NOT_A_PARTNER: { type: NotAPartnerError, action: "Use the key of a partner account." },
  INTERNAL_ERROR: { type: InternalError, action: "Repeat the request with the same clientMessageId; if it stays, tell support the requestId." },
  SERVICE_UNAVAILABLE: { type: ServiceUnavailableError, action: "Wait as many seconds as Retry-After says and repeat the request with the same clientMessageId." },
  SERVICE_WINDOW_CLOSED: { type: ServiceWindowClosedError, action: "Give templateName, or wait until the guest writes: free text is allowed for 24 hours after that." },
  RECIPIENT_NOT_ALLOWLISTED: { type: RecipientNotAllowlistedError, action: "Add the number to the account's allowlist, or send to one that is on it." },
  DUPLICATE_CLIENT_MESSAGE_ID: { type: DuplicateClientMessageIdError, action: "Use a new clientMessageId: this one belongs to a message of another kind, or to another form or recipient." },
  NO_ACTIVE_SUBSCRIPTION: { type: NoActiveSubscriptionError, action: "Add a subscription to the account: the operator's table [accounts.subscription], applied with tidings apply." },
  SUBSCRIPTION_EXPIRED: { type: SubscriptionExpiredError, action: "Renew the subscription: a later endsAt, or a new one." },
  QUOTA_EXHAUSTED: { type: QuotaExhaustedError, action: "Wait for the next period, or raise the subscription's unique messages. GET /balance shows what is left." },
  FOLLOWUP_QUOTA_EXHAUSTED: { type: FollowupQuotaExhaustedError, action: "Wait for the next period, or raise the subscription's follow-up messages." },
  INVOICE_OVERDUE: { type: InvoiceOverdueError, action: "Pay the invoice that invoiceNumber names; sending goes on by itself then." },
  USAGE_CREDIT_LIMIT: { type: UsageCreditLimitError, action: "Pay open invoices, or have the credit limit raised." },
  PARTNER_CAPACITY_EXHAUSTED: { type: PartnerCapacityExhaustedError, action: "The partner adds capacity with POST /partner/topups." },
  PARTNER_CAPACITY_EXPIRED: { type: PartnerCapacityExpiredError, action: "Renew the partner agreement with the operator." },
  MEDIA_TOO_LARGE: { type: MediaTooLargeError, action: "Make the file smaller than 5MB (5,242,880 bytes before base64)." },
  INVALID_MEDIA: { type: InvalidMediaError, action: "Send a JPEG, PNG or PDF file as base64; its content is looked at, not its name." },
  BUTTON_URL_UNSUPPORTED: { type: ButtonUrlUnsupportedError, action: "Use a template with a URL button on the service's own domain, or leave buttonUrl out." },
  INVALID_BUTTON_PAYLOAD: { type: InvalidButtonPayloadError, action: "Give 1 to 10 strings of 1 to 128 characters, in the order of the template's buttons." },
  INVALID_FROM_POLICY: { type: InvalidFromPolicyError, action: "Use prefer, strict or auto, or leave the field out." },
  INVALID_SENDER: { type: InvalidSenderError, action: "Use one of the numbers that GET /sender/health lists." },
  TEMPLATE_REQUIRED: { type: TemplateRequiredError, action: "Give templateName, or set the account's defaultTemplate." },
  EVENT_NOT_FOUND: { type: EventNotFoundError, action: "Register the event with POST /events first, with the same key." },
  INVALID_OTP: { type: InvalidOtpError, action: "Give a code of 1 to 15 characters without spaces or links." },
  FIELD_NOT_ALLOWED_IN_BULK: { type: FieldNotAllowedInBulkError, action: "Move the field into each item of messages." },
  FORM_NOT_FOUND: { type: FormNotFoundError, action: "Use the id of one of the account's forms; the operator adds them with tidings apply." },
  FORM_NOT_SENDABLE: { type: FormNotSendableError, action: "Approve the form (sandbox), or publish it (live), and send again." },
  ALREADY_SENT: { type: AlreadySentError, action: "A form goes to a number once. previousSendAt says when it went." },
  MESSAGE_NOT_FOUND: { type: MessageNotFoundError, action: "Check the clientMessageId and that the key is of the account which sent it." },
  LINK_NOT_FOUND: { type: LinkNotFoundError, action: "Use the code from the answer to POST /links of the same account." },
  EVENT_LOCKED: { type: EventLockedError, action: "Invitations went out already: repeat the request with confirmLockedChange: true to move the date." },
  MEDIA_NOT_FOUND: { type: MediaNotFoundError, action: "Check that the message brought media, and use mediaUrl as it came." },
  MEDIA_EXPIRED: { type: MediaExpiredError, action: "Fetch media within 7 days of its receipt; after that it is gone." },
  META_ERROR: { type: MetaError, action: "Try again in a minute. The message quotes what the platform answered." },
  INVALID_QUANTITY: { type: InvalidQuantityError, action: "Give messages as a whole number from 1 to 10,000,000." },
  CREDIT_LIMIT_EXCEEDED: { type: CreditLimitExceededError, action: "Ask for at most maxTopupMessages, or report a transfer that lowers the debt first." },
  REFERENCE_REQUIRED: { type: ReferenceRequiredError, action: "Give the bank's reference of the transfer." },
  INVALID_AMOUNT: { type: InvalidAmountError, action: "Give a positive amount with at most two decimals." },
  DUPLICATE_REFERENCE: { type: DuplicateReferenceError, action: "This transfer is known already; give each transfer a reference of its own." },
};
