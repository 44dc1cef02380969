"""The public interface: every address of the service, and every kind of event that it posts.

What an endpoint takes and answers is declared with its handler (`@Endpoint`), an event kind in the
slice that publishes it. `API` has the numbers of the specification, section 4; `EXTENSIONS` are the
addresses that it does not know.
"""

from tidings.engine.http.endpoint import at
from tidings.features.batches import api as batches
from tidings.features.batches import events as batch_events
from tidings.features.billing.invoices import api as invoices
from tidings.features.billing.usage import api as billing
from tidings.features.callbacks import api as callbacks
from tidings.features.events import api as events
from tidings.features.feedback.answers import api as forms
from tidings.features.feedback.answers import events as feedback_events
from tidings.features.feedback.sends import api as feedback
from tidings.features.links import api as links
from tidings.features.media import api as media
from tidings.features.messages.read import api as message_reads
from tidings.features.messages.request import api as messages
from tidings.features.messages.state import events as message_events
from tidings.features.otp import api as otp
from tidings.features.partner import api as partner
from tidings.features.recipients import api as recipients
from tidings.features.recipients import events as recipient_events
from tidings.features.replies import api as replies
from tidings.features.replies import events as reply_events
from tidings.features.replies import inbound_media
from tidings.features.sandbox import api as sandbox
from tidings.features.senders import api as senders
from tidings.features.senders import events as sender_events
from tidings.features.templates import api as templates
from tidings.features.webhooks import api as webhooks
from tidings.features.webhooks import trigger as webhook_trigger
from tidings.features.webhooks.event_kinds import EventKind
from tidings.features.webhooks.verification import api as webhook_verify
from tidings.operations import get_docs, get_health, get_openapi

V1 = "/api/v1"
SANDBOX = "/sandbox/v1"

API = [
    at(1, "GET", f"{V1}/health", get_health),
    at(2, "GET", f"{V1}/readiness", templates.get_readiness),
    at(3, "GET", f"{V1}/limits", senders.get_limits),
    at(4, "GET", f"{V1}/sender/health", senders.get_health),
    at(5, "GET", f"{V1}/templates", templates.get_templates),
    at(6, "POST", f"{V1}/messages/text", messages.post_text),
    at(7, "POST", f"{V1}/messages/otp", otp.post_otp),
    at(8, "POST", f"{V1}/messages/bulk", batches.post_bulk),
    at(9, "POST", f"{V1}/messages/rich", messages.post_rich),
    at(10, "POST", f"{V1}/messages/upload", media.post_upload),
    at(11, "POST", f"{V1}/feedback/send", feedback.post_feedback),
    at(12, "GET", f"{V1}/messages/{{cid}}", message_reads.get_message),
    at(13, "POST", f"{V1}/links", links.post_link),
    at(14, "GET", f"{V1}/links/{{code}}", links.get_link),
    at(15, "POST", f"{V1}/batches/{{batchId}}/cancel", batches.post_cancel),
    at(16, "POST", f"{V1}/events", events.post_event),
    at(17, "GET", f"{V1}/events/{{eventId}}", events.get_event),
    at(18, "POST", f"{V1}/numbers/check", recipients.post_numbers_check),
    at(19, "POST", f"{V1}/optouts/check", recipients.post_optouts_check),
    at(20, "DELETE", f"{V1}/optouts/{{phoneNumber}}", recipients.delete_optout),
    at(21, "GET", f"{V1}/webhooks/failed", webhooks.get_failed),
    at(22, "POST", f"{V1}/webhooks/failed/{{webhookId}}/retry", webhooks.post_retry),
    at(23, "GET", f"{V1}/media/inbound/{{platform_message_id}}", inbound_media.get_inbound),
    at(24, "GET", f"{V1}/balance", billing.get_balance),
    at(25, "GET", f"{V1}/invoices", invoices.get_invoices),
    at(26, "GET", f"{V1}/invoices/{{number}}", invoices.get_invoice),
    at(27, "GET", f"{V1}/partner/account", partner.get_account),
    at(28, "POST", f"{V1}/partner/topups", partner.post_topup),
    at(29, "POST", f"{V1}/partner/transfers", partner.post_transfer),
    at(30, "GET", f"{V1}/partner/ledger", partner.get_ledger),
]

EXTENSIONS = [
    at(None, "GET", f"{V1}/openapi.json", get_openapi),
    at(None, "GET", "/docs", get_docs),
    at(None, "GET", "/r/{code}", links.get_redirect),
    at(None, "GET", f"{V1}/links", links.get_links),
    at(None, "GET", f"{V1}/forms", forms.get_forms),
    at(None, "GET", f"{V1}/forms/{{formId}}/results", forms.get_results),
    at(None, "POST", f"{V1}/webhooks/failed/retry", webhooks.post_retry_since),
    at(None, "POST", f"{V1}/webhooks/verify", webhook_verify.post_verify),
    at(None, "GET", f"{V1}/webhooks/events", webhooks.get_events),
    at(None, "GET", f"{V1}/events", events.get_events),
    at(None, "GET", f"{V1}/events/{{eventId}}/guests", events.get_guests),
    at(None, "POST", f"{V1}/events/{{eventId}}/guests/{{to}}/answer", replies.post_answer),
    at(None, "GET", f"{V1}/optouts", recipients.get_optouts),
    at(None, "GET", f"{V1}/usage", billing.get_usage),
    at(None, "GET", f"{V1}/invoices/{{number}}/pdf", invoices.get_invoice_pdf),
    at(None, "GET", f"{V1}/charges", message_reads.get_charges),
    at(None, "GET", f"{V1}/messages", message_reads.get_messages),
    at(None, "GET", f"{V1}/batches", batches.get_batches),
    at(None, "GET", f"{V1}/batches/{{batchId}}", batches.get_batch),
    at(None, "GET", "/platform/whatsapp/webhook", callbacks.get_webhook),
    at(None, "POST", "/platform/whatsapp/webhook", callbacks.post_webhook),
    at(None, "POST", f"{SANDBOX}/clock", sandbox.post_clock),
    at(None, "GET", f"{SANDBOX}/clock", sandbox.get_clock),
    at(None, "POST", f"{SANDBOX}/webhooks", webhook_trigger.post_trigger),
    at(None, "POST", f"{SANDBOX}/replies", sandbox.post_reply),
    at(None, "GET", f"{SANDBOX}/phones/{{number}}", sandbox.get_phone),
    at(None, "POST", f"{SANDBOX}/senders/{{number}}", senders.post_sandbox_sender),
    at(None, "POST", f"{SANDBOX}/invoices/{{number}}/pay", invoices.post_sandbox_payment),
]

EVENTS: tuple[EventKind, ...] = (
    *message_events.KINDS,
    *reply_events.KINDS,
    *recipient_events.KINDS,
    *batch_events.KINDS,
    *sender_events.KINDS,
    *feedback_events.KINDS,
)
