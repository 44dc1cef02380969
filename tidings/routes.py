"""The public interface: every address of the service, and every kind of event that it posts.

The numbers are those of the specification, section 4.
"""

from tidings import limits
from tidings.engine.http import dry_run
from tidings.engine.http.endpoint import Auth, Route
from tidings.engine.http.response_types import Page
from tidings.errors import Code
from tidings.features.batches import api as batches
from tidings.features.batches import events as batch_events
from tidings.features.batches import parse as batch_parse
from tidings.features.batches import responses as batch_responses
from tidings.features.billing.invoices import api as invoices
from tidings.features.billing.invoices import responses as invoice_responses
from tidings.features.billing.rules import BillingCode
from tidings.features.billing.usage import api as billing
from tidings.features.billing.usage import responses as billing_responses
from tidings.features.callbacks import api as callbacks
from tidings.features.events import api as events
from tidings.features.events import parse as event_parse
from tidings.features.events import responses as event_responses
from tidings.features.events.rules import EventCode
from tidings.features.feedback.answers import events as feedback_events
from tidings.features.feedback.rules import FeedbackCode
from tidings.features.feedback.sends import api as feedback
from tidings.features.feedback.sends import parse as feedback_parse
from tidings.features.feedback.sends import responses as feedback_responses
from tidings.features.links import api as links
from tidings.features.links.rules import LinkCode
from tidings.features.media import api as media
from tidings.features.media.rules import MediaCode
from tidings.features.messages.accept.rules import MessageCode
from tidings.features.messages.read import api as message_reads
from tidings.features.messages.read import responses as message_responses
from tidings.features.messages.request import api as messages
from tidings.features.messages.request import rich as message_rich
from tidings.features.messages.request import text as message_text
from tidings.features.messages.state import events as message_events
from tidings.features.otp import api as otp
from tidings.features.otp import parse as otp_parse
from tidings.features.otp.rules import OtpCode
from tidings.features.partner import api as partner
from tidings.features.partner import responses as partner_responses
from tidings.features.partner.rules import PartnerCode
from tidings.features.recipients import api as recipients
from tidings.features.recipients import events as recipient_events
from tidings.features.replies import events as reply_events
from tidings.features.replies import media_api as inbound_media
from tidings.features.sandbox import api as sandbox
from tidings.features.sandbox import responses as sandbox_responses
from tidings.features.senders import api as senders
from tidings.features.senders import events as sender_events
from tidings.features.senders import responses as sender_responses
from tidings.features.senders.rules import SenderCode
from tidings.features.templates import api as templates
from tidings.features.templates import responses as template_responses
from tidings.features.templates.rules import TemplateCode
from tidings.features.webhooks import api as webhooks
from tidings.features.webhooks import responses as webhook_responses
from tidings.features.webhooks import trigger as webhook_trigger
from tidings.features.webhooks.event_kinds import EventKind
from tidings.features.webhooks.verification import api as webhook_verify
from tidings.operations import Health, get_docs, get_health, get_openapi

V1 = "/api/v1"
SANDBOX = "/sandbox/v1"

DRY_RUN = (dry_run.ANSWERED,)
REPEATS = ("X-Duplicate-Mismatch",)
MEDIA = (MediaCode.MEDIA_TOO_LARGE, MediaCode.INVALID_MEDIA)
CHARGING = (
    BillingCode.NO_ACTIVE_SUBSCRIPTION,
    BillingCode.SUBSCRIPTION_EXPIRED,
    BillingCode.QUOTA_EXHAUSTED,
    BillingCode.FOLLOWUP_QUOTA_EXHAUSTED,
    BillingCode.INVOICE_OVERDUE,
    BillingCode.USAGE_CREDIT_LIMIT,
    PartnerCode.PARTNER_CAPACITY_EXHAUSTED,
    PartnerCode.PARTNER_CAPACITY_EXPIRED,
)
SENDING = (
    Code.INVALID_PHONE,
    MessageCode.SERVICE_WINDOW_CLOSED,
    MessageCode.RECIPIENT_NOT_ALLOWLISTED,
    MessageCode.DUPLICATE_CLIENT_MESSAGE_ID,
    *CHARGING,
)

API = [
    Route(1, "GET", f"{V1}/health", get_health, Auth.NONE, extra=Health, tag="Service"),
    Route(
        2, "GET", f"{V1}/readiness", templates.get_readiness, Auth.KEY,
        data=template_responses.Readiness, tag="Account",
    ),
    Route(
        3, "GET", f"{V1}/limits", senders.get_limits, Auth.KEY,
        data=sender_responses.Capacities, tag="Account",
    ),
    Route(
        4, "GET", f"{V1}/sender/health", senders.get_health, Auth.KEY,
        data=sender_responses.SenderHealth, tag="Account",
    ),
    Route(
        5, "GET", f"{V1}/templates", templates.get_templates, Auth.KEY,
        query=templates.TemplatesQuery, data=list[template_responses.TemplateShape],
        extra=Page, tag="Account",
    ),
    Route(
        6, "POST", f"{V1}/messages/text", messages.post_text, Auth.KEY,
        body=message_text.TextBody, data=message_responses.SendResult, statuses=(200, 202),
        errors=(
            *SENDING, *MEDIA, *TemplateCode, *SenderCode, Code.INVALID_URL,
            MessageCode.TEMPLATE_REQUIRED, EventCode.EVENT_NOT_FOUND,
        ),
        reads=DRY_RUN, rehearsed=message_responses.Preview, tells=REPEATS, tag="Messages",
    ),
    Route(
        7, "POST", f"{V1}/messages/otp", otp.post_otp, Auth.KEY,
        body=otp_parse.OtpBody, data=otp.PasscodeResult, statuses=(200, 202),
        errors=(
            OtpCode.INVALID_OTP, Code.INVALID_PHONE, MessageCode.RECIPIENT_NOT_ALLOWLISTED,
            MessageCode.DUPLICATE_CLIENT_MESSAGE_ID, *CHARGING,
        ),
        tells=REPEATS, tag="Messages",
    ),
    Route(
        8, "POST", f"{V1}/messages/bulk", batches.post_bulk, Auth.KEY,
        body=batch_parse.BulkBody, data=batch_responses.BulkResult, statuses=(200, 202),
        errors=(
            SenderCode.INVALID_FROM_POLICY, EventCode.EVENT_NOT_FOUND, *CHARGING,
        ),
        reads=DRY_RUN, tag="Messages",
    ),
    Route(
        9, "POST", f"{V1}/messages/rich", messages.post_rich, Auth.KEY,
        body=message_rich.RichBody, data=message_responses.SendResult, statuses=(200, 202),
        errors=(*SENDING, *MEDIA, Code.INVALID_URL), reads=DRY_RUN,
        rehearsed=message_responses.Preview, tells=REPEATS, tag="Messages",
    ),
    Route(
        10, "POST", f"{V1}/messages/upload", media.post_upload, Auth.KEY,
        body=media.UploadBody, data=media.Upload, errors=MEDIA, tag="Messages",
    ),
    Route(
        11, "POST", f"{V1}/feedback/send", feedback.post_feedback, Auth.KEY,
        body=feedback_parse.FeedbackBody, data=feedback_responses.FeedbackResult,
        errors=(
            Code.INVALID_PHONE, MessageCode.RECIPIENT_NOT_ALLOWLISTED, *FeedbackCode,
            MessageCode.DUPLICATE_CLIENT_MESSAGE_ID, *CHARGING,
        ),
        tag="Feedback",
    ),
    Route(
        12, "GET", f"{V1}/messages/{{cid}}", message_reads.get_message, Auth.KEY,
        data=message_responses.MessageStatus, errors=(MessageCode.MESSAGE_NOT_FOUND,),
        tag="Messages",
    ),
    Route(
        13, "POST", f"{V1}/links", links.post_link, Auth.KEY,
        body=links.LinkBody, data=links.Link, errors=(Code.INVALID_URL,), tag="Links",
    ),
    Route(
        14, "GET", f"{V1}/links/{{code}}", links.get_link, Auth.KEY,
        data=links.LinkOpens, errors=(LinkCode.LINK_NOT_FOUND,), tag="Links",
    ),
    Route(
        15, "POST", f"{V1}/batches/{{batchId}}/cancel", batches.post_cancel, Auth.KEY,
        body=batch_parse.CancelBody, body_optional=True, data=batch_responses.Cancelled,
        errors=(Code.NOT_FOUND,), tag="Messages",
    ),
    Route(
        16, "POST", f"{V1}/events", events.post_event, Auth.KEY,
        body=event_parse.EventBody, data=event_responses.RegisteredEvent, statuses=(200, 201),
        errors=(SenderCode.INVALID_SENDER, EventCode.EVENT_LOCKED), tag="Events",
    ),
    Route(
        17, "GET", f"{V1}/events/{{eventId}}", events.get_event, Auth.KEY,
        data=event_responses.EventShape, errors=(EventCode.EVENT_NOT_FOUND,), tag="Events",
    ),
    Route(
        18, "POST", f"{V1}/numbers/check", recipients.post_numbers_check, Auth.KEY,
        body=recipients.NumbersBody, data=recipients.CheckedNumbers,
        errors=(Code.INVALID_PHONE, Code.BATCH_TOO_LARGE), only_checks=True, tag="Recipients",
    ),
    Route(
        19, "POST", f"{V1}/optouts/check", recipients.post_optouts_check, Auth.KEY,
        body=recipients.OptOutsBody, data=recipients.CheckedOptOuts,
        errors=(Code.INVALID_PHONE, Code.BATCH_TOO_LARGE), only_checks=True, tag="Recipients",
    ),
    Route(
        20, "DELETE", f"{V1}/optouts/{{phoneNumber}}", recipients.delete_optout, Auth.KEY,
        data=recipients.RemovedOptOut, errors=(Code.INVALID_PHONE,), tag="Recipients",
    ),
    Route(
        21, "GET", f"{V1}/webhooks/failed", webhooks.get_failed, Auth.KEY,
        query=webhooks.FailedQuery, data=list[webhook_responses.FailedWebhook],
        extra=Page, tag="Webhooks",
    ),
    Route(
        22, "POST", f"{V1}/webhooks/failed/{{webhookId}}/retry", webhooks.post_retry, Auth.KEY,
        data=webhook_responses.Retried, errors=(Code.NOT_FOUND,), tag="Webhooks",
    ),
    Route(
        23, "GET", f"{V1}/media/inbound/{{platform_message_id}}", inbound_media.get_inbound,
        Auth.NONE, query=inbound_media.InboundQuery,
        errors=(
            Code.INVALID_SIGNATURE, Code.RATE_LIMIT_EXCEEDED, MediaCode.MEDIA_NOT_FOUND,
            MediaCode.MEDIA_EXPIRED, MediaCode.META_ERROR,
        ),
        tag="Events",
    ),
    Route(
        24, "GET", f"{V1}/balance", billing.get_balance, Auth.KEY,
        data=billing_responses.Balance, tag="Billing",
    ),
    Route(
        25, "GET", f"{V1}/invoices", invoices.get_invoices, Auth.KEY,
        query=invoices.InvoicesQuery, data=list[invoice_responses.Invoice],
        extra=Page, tag="Billing",
    ),
    Route(
        26, "GET", f"{V1}/invoices/{{number}}", invoices.get_invoice, Auth.KEY,
        data=invoice_responses.InvoiceWithLines, errors=(Code.NOT_FOUND,), tag="Billing",
    ),
    Route(
        27, "GET", f"{V1}/partner/account", partner.get_account, Auth.PARTNER,
        data=partner_responses.PartnerAccount, tag="Partner",
    ),
    Route(
        28, "POST", f"{V1}/partner/topups", partner.post_topup, Auth.PARTNER,
        body=partner.TopupBody, data=partner_responses.Topup,
        errors=(
            PartnerCode.INVALID_QUANTITY, PartnerCode.CREDIT_LIMIT_EXCEEDED,
            PartnerCode.PARTNER_CAPACITY_EXPIRED,
        ),
        tag="Partner",
    ),
    Route(
        29, "POST", f"{V1}/partner/transfers", partner.post_transfer, Auth.PARTNER,
        body=partner.TransferBody, data=partner_responses.ReportedTransfer,
        errors=(
            PartnerCode.REFERENCE_REQUIRED, PartnerCode.INVALID_AMOUNT,
            PartnerCode.DUPLICATE_REFERENCE,
        ),
        tag="Partner",
    ),
    Route(
        30, "GET", f"{V1}/partner/ledger", partner.get_ledger, Auth.PARTNER,
        query=partner.LedgerQuery, data=list[partner_responses.LedgerEntry],
        extra=Page, tag="Partner",
    ),
]  # fmt: skip

BESIDE = [
    Route(None, "GET", f"{V1}/openapi.json", get_openapi, Auth.NONE, tag="Service"),
    Route(None, "GET", "/docs", get_docs, Auth.NONE, tag="Service"),
    Route(
        None, "GET", "/r/{code}", links.get_redirect, Auth.NONE, statuses=(302,), tag="Links"
    ),
    Route(
        None, "POST", f"{V1}/webhooks/failed/retry", webhooks.post_retry_since, Auth.KEY,
        body=webhooks.RetryBody, data=webhook_responses.RetriedMany, tag="Webhooks",
    ),
    Route(
        None, "POST", f"{V1}/webhooks/verify", webhook_verify.post_verify, Auth.KEY,
        body=webhook_verify.VerifyBody, data=webhook_responses.Diagnosis, only_checks=True,
        tag="Webhooks",
    ),
    Route(
        None, "GET", f"{V1}/webhooks/events", webhooks.get_events, Auth.KEY,
        query=webhooks.FeedQuery, data=list[webhook_responses.FeedEntry], extra=Page,
        tag="Webhooks",
    ),
    Route(
        None, "GET", f"{V1}/usage", billing.get_usage, Auth.KEY,
        query=billing.UsageQuery, data=billing_responses.UsageReport, tag="Billing",
    ),
    Route(
        None, "GET", f"{V1}/charges", message_reads.get_charges, Auth.KEY,
        query=message_reads.ChargesQuery, data=list[message_responses.ChargeShape],
        extra=Page, tag="Billing",
    ),
    Route(
        None, "GET", "/platform/whatsapp/webhook", callbacks.get_webhook, Auth.NONE,
        errors=(Code.INVALID_SIGNATURE,), tag="Platform",
    ),
    Route(
        None, "POST", "/platform/whatsapp/webhook", callbacks.post_webhook, Auth.NONE,
        raw_body=True, bytes_max=limits.CALLBACK_BYTES_MAX, errors=(Code.INVALID_SIGNATURE,),
        tag="Platform",
    ),
    Route(
        None, "POST", f"{SANDBOX}/clock", sandbox.post_clock, Auth.SANDBOX,
        body=sandbox.ClockBody, data=sandbox_responses.Clock, tag="Sandbox",
    ),
    Route(
        None, "GET", f"{SANDBOX}/clock", sandbox.get_clock, Auth.SANDBOX,
        data=sandbox_responses.Clock, tag="Sandbox",
    ),
    Route(
        None, "POST", f"{SANDBOX}/webhooks", webhook_trigger.post_trigger, Auth.SANDBOX,
        body=webhook_trigger.TriggerBody, data=webhook_responses.Triggered, tag="Sandbox",
    ),
    Route(
        None, "POST", f"{SANDBOX}/replies", sandbox.post_reply, Auth.SANDBOX,
        body=sandbox.ReplyBody, data=sandbox_responses.Replied,
        errors=(Code.INVALID_PHONE, SenderCode.INVALID_SENDER), tag="Sandbox",
    ),
    Route(
        None, "GET", f"{SANDBOX}/phones/{{number}}", sandbox.get_phone, Auth.SANDBOX,
        data=sandbox_responses.Conversation, errors=(Code.INVALID_PHONE,), tag="Sandbox",
    ),
    Route(
        None, "POST", f"{SANDBOX}/senders/{{number}}", senders.post_sandbox_sender, Auth.SANDBOX,
        body=senders.SandboxSenderBody, data=sender_responses.NumberHealth,
        errors=(SenderCode.INVALID_SENDER,), tag="Sandbox",
    ),
    Route(
        None, "POST", f"{SANDBOX}/invoices/{{number}}/pay", invoices.post_sandbox_payment,
        Auth.SANDBOX, data=invoice_responses.InvoiceWithLines, tag="Sandbox",
    ),
]  # fmt: skip

EVENTS: tuple[EventKind, ...] = (
    *message_events.KINDS,
    *reply_events.KINDS,
    *recipient_events.KINDS,
    *batch_events.KINDS,
    *sender_events.KINDS,
    *feedback_events.KINDS,
)
