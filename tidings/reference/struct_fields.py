"""Fields whose meaning in one struct is narrower than that of their name: `Struct.name`.

They win over what the struct itself says, because many structs share one annotated type: a time is
"RFC 3339" in all of them, but it is not the same time.
"""

_NUMBER = "International digits, 8 to 20; a leading 00 is not counted."
_TO = f"The recipient. {_NUMBER}"
_OFFSET = "RFC 3339 with an offset."

_SENDING = {
    "TextBody.clientMessageId": "Your id of the message. The same id within 48 hours answers with"
    " the first result and sends nothing.",
    "RichBody.clientMessageId": "Your id of the message. The same id within 48 hours answers with"
    " the first result and sends nothing.",
    "OtpBody.clientMessageId": "Your id of the message, for 48 hours of de-duplication; without it"
    " the message gets one.",
    "FeedbackBody.clientMessageId": "Your id of the message, for 48 hours of de-duplication;"
    " without it the message gets one.",
    "TextBody.to": _TO,
    "RichBody.to": _TO,
    "OtpBody.to": _TO,
    "FeedbackBody.to": _TO,
    "TextBody.templateParams": "Values for the template's variables: those of the header text, of"
    " the body, then of URL buttons.",
    "RichBody.templateParams": "Values for the template's variables: those of the header text, of"
    " the body, then of URL buttons.",
    "TextBody.kind": "`invitation` asks for an answer and needs `eventId` or `expiresAt`; absent:"
    " `notification`.",
    "TextBody.eventId": "The registered event that the message belongs to.",
    "TextBody.expiresAt": f"Until when the invitation can be answered. {_OFFSET}",
    "TextBody.scheduledFor": f"The message is not sent before then; up to a year ahead. {_OFFSET}",
    "TextBody.deadline": f"If it is not sent by then, it expires and is refunded. {_OFFSET}",
    "TextBody.mediaBase64": "A jpeg, png or PDF of at most 5MB, as base64.",
    "TextBody.mediaId": "A file from POST /messages/upload; valid for 90 days from its last use.",
    "TextBody.type": "How the media is shown: as an `image`, or as a `document` to open.",
    "TextBody.sentFrom": f"Which of your numbers sends it. {_NUMBER}",
    "TextBody.meta": "Your own data, repeated in every event about the message. At most 4 KB as"
    " compact JSON.",
    "OtpBody.meta": "Your own data, repeated in every event about the message. At most 4 KB as"
    " compact JSON.",
    "TextBody.buttonUrl": "Where the template's button leads; opens are counted.",
    "TextBody.buttonPayloads": "What the template's quick-reply buttons send back, in its order;"
    " absent: the clientMessageId.",
    "RichBody.message": "The text above the buttons.",
    "RichBody.buttons": "Up to three `{id, text}`, or one `{text, url}`.",
    "RichBody.headerImage": "A picture above the text: base64, or a data: URI, of a jpeg or png.",
    "RichBody.title": "The line above the text. Beside `headerImage` it becomes the first line of"
    " the text and counts towards its 1,024 characters.",
    "RichBody.copyCode": "Not supported: always refused.",
    "BulkBody.eventId": "The event of those items that name none.",
    "UploadBody.mimetype": "What the file is; it must agree with the content.",
    "UploadBody.filename": "The name that a guest sees of a document.",
}

_MESSAGES = {
    "SendResult.reason": "Why it waits.",
    "PasscodeResult.reason": "Why it waits.",
    "Preview.reason": "Why it would wait or fail; null: it would do neither.",
    "MessageStatus.reason": "Why it waits; null: it does not.",
    "MessageItem.reason": "Why it waits; null: it does not.",
    "MessageStatus.status": "How far the message is.",
    "BatchStatus.accepted": "Messages that were accepted.",
    "BatchStatus.rejected": "Items that were refused.",
    "BatchStatus.duplicates": "Items whose id was used before.",
    "MessageStatus.kind": "What was sent; `prompt` is a text of an event, sent by the service.",
    "MessageItem.kind": "What was sent; `prompt` is a text of an event, sent by the service.",
    "MessageStatus.to": "The recipient, as it was given.",
    "MessageStatus.scheduledFor": "It is not sent before this time; null: at once.",
    "MessageItem.scheduledFor": "It is not sent before this time; null: at once.",
    "Held.reason": "Why it waits.",
    "AtRisk.reason": "Why it may be late.",
    "BulkResult.batchId": "The id to read or cancel the batch with; null with `X-Dry-Run`.",
    "BulkResult.total": "How many items the request had.",
    "Cancelled.batchId": "The batch that was cancelled.",
    "BatchStatus.batchId": "The id to read or cancel the batch with.",
    "BatchStatus.state": "`running` while messages are on the way; `cancelled`: nothing is pending,"
    " and some of it was cancelled.",
    "BatchStatus.percent": "How much of what was accepted is sent or has ended, in percent.",
    "BatchStatus.completedAt": "When the last message was sent or ended; null: not yet.",
    "DuplicateItem.mismatch": "Present where the original message went to another number.",
    "RejectedItem.code": "The error code of this item.",
    "RejectedItem.message": "What is wrong and how to correct it.",
    "RejectedItem.clientMessageId": "Your id of the message; null where the item has none.",
    "SendError.code": "Why it failed, for programs.",
    "Fault.code": "Why it failed, for programs.",
    "Fault.action": "What you can do about it.",
    "Step.status": "The status that it reached.",
    "Step.at": "When it reached it.",
    "Step.reason": "Why it waited or failed.",
    "Attempt.code": "Why the call failed, for programs; empty where it succeeded.",
    "Attempt.at": "When the platform was called.",
    "Cost.unique": "Unique messages: the first to a number within the subscription.",
    "Cost.followup": "Follow-up messages: the second and later to a number.",
    "Invitation.answer": "`yes`, `no`, or null: not answered.",
    "Invitation.expiresAt": "Until when it can be answered.",
    "Invitation.state": "`open` until it is answered or ends. `failed`, `cancelled` and `expired`:"
    " also where its message did, unanswered.",
    "MediaBody.type": "Whether the guest sends a photo or a file.",
}

_EVENTS = {
    "EventBody.eventId": "Your id of the event. The same id again changes its settings.",
    "EventBody.eventDate": f"When the event takes place. {_OFFSET}",
    "EventBody.callbackUrl": "Where this event's webhooks go: https, on a public host.",
    "EventShape.eventId": "Your id of the event.",
    "RegisteredEvent.eventId": "Your id of the event.",
    "RegisteredEvent.duplicate": "Whether the request changed nothing.",
    "RegisteredEvent.locked": "Whether an invitation went out: the date is then fixed.",
    "EventShape.locked": "Whether an invitation went out: the date is then fixed.",
    "EventTexts.expired": "Sent to a guest who answers too late.",
    "EventDefaults.expiresAt": "Until when an invitation can be answered; null: until `eventDate`.",
    "EventDefaults.sentFrom": "The number new guests are written from; null: chosen by itself.",
    "GuestShape.to": "The guest's number.",
    "GuestShape.clientMessageId": "Your id of the newest invitation.",
    "FormSummary.sent": "Sends of all versions together; failed ones do not count.",
    "FormSummary.answered": "Answered sends of all versions together.",
    "FormResults.sent": "Sends of the form; failed ones do not count.",
    "FormResults.questions": "The questions with their answers, in the form's order.",
    "QuestionFigures.average": "The average of a rating, 1 to 5; null: no answer yet.",
    "QuestionFigures.counts": "How many chose each option of a choice, or each of `1` to `5` of a"
    " rating.",
    "GuestShape.text": "The guest's last reply; null: none.",
    "GuestShape.answeredAt": "When the last answer was given; null: none yet.",
    "GuestShape.guests": "How many come; null: not said.",
    "FormSummary.formId": "The id to send the form with.",
    "FormResults.formId": "The form whose answers these are.",
    "QuestionFigures.type": "What kind of question it is.",
    "CommentText.at": "When the guest wrote it.",
    "LinkBody.eventId": "Your event that the link belongs to, to find it by.",
    "LinkBody.clientMessageId": "Your message that the link is in, to find it by.",
    "LinkBody.expiresAt": f"From then on the link leads nowhere. {_OFFSET}",
    "Link.code": "Identifies the link: 12 letters and digits; case matters.",
    "LinkOpens.code": "Identifies the link: 12 letters and digits; case matters.",
    "Link.url": "Where it leads.",
    "LinkOpens.url": "Where it leads.",
}

_WEBHOOKS = {
    "FailedWebhook.type": "The kind of event.",
    "FailedWebhook.createdAt": "When the event happened.",
    "FeedEntry.createdAt": "When the event happened.",
    "AttemptShape.at": "When it was posted.",
    "AttemptShape.status": "The HTTP status that your server answered; null: there was no answer.",
    "AttemptShape.ms": "How long it took, in milliseconds.",
    "Retried.status": "Always `queued`: it is posted as soon as possible.",
    "Triggered.type": "The kind of event.",
    "TriggerBody.type": "The kind of event to post.",
    "FeedEntry.type": "The kind of event.",
    "FailedWebhook.attempts": "The attempts of all retries, in order.",
    "RetriedMany.queued": "Events that are posted again.",
    "RetriedMany.remaining": "Events that are left: call again until it is 0.",
    "FeedEntry.status": "Where its delivery stands: `queued`, `delivered`, `failed`, or `waiting`"
    " where there is no address to post it to.",
    "FeedEntry.data": "What happened; its fields depend on the kind of event.",
    "VerifyBody.headers": "The headers of the post, as you received them.",
    "VerifyBody.body": "The body of the post, as your code signs it.",
    "Finding.code": "What was seen, as a word for programs.",
}

_ACCOUNT = {
    "OptOut.source": "How the person asked: in a `reply`, or at the messaging `platform` itself.",
    "OptOut.since": "When the person asked to stop.",
    "CheckedOptOut.since": "When the person asked to stop; null where the number has not opted"
    " out.",
    "RemovedOptOut.removed": "Whether there was an opt-out to remove.",
    "CheckedNumber.delivered": "true: a message of yours has reached the number; null: none has, so"
    " far.",
    "Readiness.invitationTemplate": "The template of invitations that name none; null: there is no"
    " `defaultTemplate`, or no such template.",
    "NumberCapacity.dailyLimit": "New people in a rolling 24 hours; null: no limit.",
    "NumberCapacity.used": "New people written to; null: there is no limit to count for.",
    "NumberCapacity.remaining": "New people that may be written to; null: no limit.",
    "TotalCapacity.dailyLimit": "New people in a rolling 24 hours; null: no limit.",
    "TotalCapacity.used": "New people written to; null: there is no limit to count for.",
    "TotalCapacity.remaining": "New people that may be written to; null: no limit.",
    "AccountCapacity.dailyLimit": "Messages in a rolling 24 hours; null: no limit.",
    "AccountCapacity.used": "Messages sent; null: there is no limit to count for.",
    "AccountCapacity.remaining": "Messages that may be sent; null: no limit.",
    "AccountCaps.dailyLimit": "Messages in a rolling 24 hours; null: no limit.",
    "NumbersBody.numbers": "At most 500, in international digits.",
    "OptOutsBody.numbers": "At most 500, in international digits.",
    "Readiness.ready": "Whether an invitation could be sent now.",
    "InvitationTemplate.status": "The platform's decision; only `APPROVED` can be sent.",
    "InvitationTemplate.ready": "Whether the template can be sent now.",
    "NumberReadiness.ready": "Whether the number can send now.",
    "TemplateShape.status": "The platform's decision; only `APPROVED` can be sent.",
    "TemplateShape.header": "What stands above the text: `TEXT`, `IMAGE`, `DOCUMENT` or another;"
    " null: nothing.",
    "TemplateShape.headerText": "What it says, of a `TEXT` header.",
    "TemplateShape.footer": "Small text below the body, where there is one.",
    "TemplateShape.category": "`UTILITY`, `MARKETING` or `AUTHENTICATION`.",
    "TemplateShape.reason": "Why it cannot be used now; null: it can.",
    "TemplateButtonShape.text": "What the guest reads on the button.",
    "TemplateButtonShape.url": "The address that the button opens.",
    "SenderHealth.overall": "The health of all numbers together.",
    "SenderHealth.readyForSending": "Whether any number can send now.",
    "SenderHealth.aggregateCapacity": "New people that all numbers together may write to in 24"
    " hours; null: no limit.",
    "NumberHealth.status": "The platform's word, such as `CONNECTED`; `UNKNOWN`: it has not"
    " confirmed the number yet.",
    "NumberHealth.qualityRating": "The platform's rating: `GREEN`, `YELLOW`, `RED` or `UNKNOWN`.",
    "NumberHealth.readyForSending": "Whether the number can send now.",
    "SendHours.from": "From this time of day.",
    "SendHours.to": "Until this time of day.",
    "Capacities.total": "All numbers together.",
    "Capacity.total": "How many messages were bought.",
    "SandboxSenderBody.quality": "The quality rating that the platform would report.",
}

_MONEY = {
    "PartnerAccount.expired": "Whether the agreement has ended.",
    "PartnerAccount.expiresAt": "When the agreement ends; null: it does not.",
    "PartnerAccount.ratePerMessage": "What a message costs; a decimal, up to six places.",
    "PartnerAccount.creditLimit": "How much may be owed; a decimal, two places.",
    "PartnerAccount.creditAvailable": "How much more may be owed; a decimal, two places.",
    "Topup.amount": "What the capacity cost; a decimal, two places.",
    "Topup.debt": "The balance owed after it; a decimal, two places.",
    "Topup.creditAvailable": "How much more may be owed; a decimal, two places.",
    "TopupBody.messages": "How many messages to buy.",
    "Topup.messages": "How many messages were bought.",
    "TransferBody.amount": "What was transferred: above zero, at most two decimal places.",
    "TransferBody.reference": "The bank's reference of the transfer; each is reported once.",
    "TransferBody.transferDate": "The date of the transfer at the bank, YYYY-MM-DD.",
    "PendingTransfer.amount": "What was transferred; a decimal, two places.",
    "ReportedTransfer.amount": "What was transferred; a decimal, two places.",
    "ReportedTransfer.status": "Always `REPORTED`: it waits for the operator's confirmation.",
    "LedgerEntry.kind": "What changed the balance.",
    "LedgerEntry.amount": "By how much; a decimal, two places.",
    "LedgerEntry.messages": "Messages added to the capacity; null: none.",
    "Invoice.kind": "What the invoice is for.",
    "Invoice.number": "Identifies the invoice.",
    "Invoice.status": "`OPEN` until it is paid, `OVERDUE` after `dueAt`; `VOID`: withdrawn.",
    "Invoice.subtotal": "The sum of the lines, before tax; a decimal, two places.",
    "Invoice.vatAmount": "The value added tax; a decimal, two places.",
    "Invoice.total": "What is to be paid; a decimal, two places.",
    "Invoice.dueAt": "Until when it is to be paid.",
    "InvoiceLine.quantity": "How many were charged.",
    "InvoiceLine.unitPrice": "The price of one; a decimal, up to six places.",
    "InvoiceLine.amount": "The price of all; a decimal, two places.",
    "SubscriptionShape.state": "Only an `ACTIVE` one is charged.",
    "SubscriptionShape.usage": "Prices and what is owed so far; only with `USAGE`.",
    "SubscriptionShape.renewsAt": "When the month ends and the quota begins anew; null: it does not"
    " renew.",
    "Balance.suspended": "Whether sending waits for an overdue invoice.",
    "Balance.invoices": "The invoices that are not paid yet.",
    "Usage.pricePerUnique": "The price of a unique message; a decimal, up to six places.",
    "Usage.pricePerFollowup": "The price of a follow-up message; a decimal, up to six places.",
    "Usage.accrued": "What the next invoice comes to so far, before tax; a decimal, two places.",
    "Usage.creditLimit": "How much may be owed; a decimal, two places; null: no limit.",
    "Usage.available": "How much more may be owed; a decimal, two places; null: no limit.",
    "UsageReport.from": "The first day, YYYY-MM-DD in UTC.",
    "UsageReport.to": "The last day, YYYY-MM-DD in UTC.",
    "UsageRow.cost": "Refunds taken off, only with `USAGE`; a decimal, two places.",
    "UsageTotals.cost": "Refunds taken off, only with `USAGE`; a decimal, two places.",
    "Outlook.exhaustedAt": "When they will be used up; null: not before the period ends, if ever.",
    "CreditOutlook.perDay": "What the last days cost on average; a decimal, two places.",
    "CreditOutlook.available": "How much more may be owed; a decimal, two places.",
    "ChargeShape.kind": "What the message was charged to.",
    "ChargeShape.clientMessageId": "Your id of the message; null once the message is no longer"
    " kept.",
    "ChargeShape.to": "The recipient; null once the message is no longer kept.",
    "ChargeShape.state": "`RESERVED` until it is delivered, then `SETTLED`, or `REFUNDED`.",
}
_MONEY |= {
    key.replace("Invoice.", "InvoiceWithLines.", 1): text
    for key, text in _MONEY.items()
    if key.startswith("Invoice.")
}

_SANDBOX = {
    "Conversation.messages": "Oldest first.",
    "Conversation.number": "The guest's number.",
    "ButtonBody.text": "The button by its text.",
    "ButtonBody.clientMessageId": "Your id of the message with the button; absent: the latest.",
    "FormBody.answers": "A value for each question id.",
    "ReplyBody.from": "The guest's number.",
    "ReplyBody.to": "Which of your numbers the guest writes to; absent: the one that wrote last.",
    "ReplyBody.text": "What the guest writes.",
    "ReplyBody.media": "The guest sends a file.",
    "ReplyBody.form": "The guest fills in the latest form.",
    "Replied.messageId": "The platform's id of the guest's message.",
    "ShownMessage.type": "Which kind of content it has, such as `text` or `image`.",
    "ShownMessage.text": "What it says; null: it has no text.",
    "ShownMessage.at": "When it arrived on the phone.",
    "ShownMessage.messageId": "The platform's id of the message.",
    "ShownMessage.clientMessageId": "Your id of the message; null for one of the guest's.",
    "ShownMessage.media": "The image or document; null: none.",
    "ShownMessage.form": "The feedback form; null: none.",
    "ShownButton.type": "What it does when the guest taps it.",
    "ShownButton.text": "What the guest reads on it.",
    "ShownButton.url": "The address that it opens; null: it opens none.",
    "ShownButton.payload": "What it sends back; null: nothing.",
}

_PARAMETERS = {
    "messages/{cid}": "The clientMessageId that was given with the message.",
    "batches/{batchId}": "The batch, from the response of POST /messages/bulk.",
    "events/{eventId}": "Your id of the event.",
    "guests/{to}": "The guest's number, international digits.",
    "forms/{formId}": "The form, from GET /forms.",
    "failed/{webhookId}": "The event's id, equal to X-Webhook-Id.",
    "optouts/{phoneNumber}": "The number that opted out, international digits.",
    "invoices/{number}": "The number of the invoice, from GET /invoices.",
    "phones/{number}": "The guest's number, international digits.",
    "senders/{number}": "One of your own numbers, international digits.",
}

STRUCT_FIELDS = {
    **_SENDING,
    **_MESSAGES,
    **_EVENTS,
    **_WEBHOOKS,
    **_ACCOUNT,
    **_MONEY,
    **_SANDBOX,
    **_PARAMETERS,
}
