"""What each object of the interface is, in a sentence for its reader.

A struct that is not listed is described by its docstring, which is written for us: it may name a
section of the specification. The responses and events themselves are described by the generator.
"""

_MESSAGES = {
    "TextBody": "A message to one recipient: a template, or free text.",
    "SendResult": "The message as it stands now.",
    "SendError": "Why the platform refused the message.",
    "Preview": "What the same request would do without `X-Dry-Run`.",
    "Cost": "Units of the quota that a request uses.",
    "Status": "`queued` and `sending` are on the way to the platform; `scheduled` and `deferred`"
    " wait; `sent`, `delivered` and `read` follow each other; `failed`, `expired` and `cancelled`"
    " are final and refunded.",
    "Reason": "Why a message waits: `SEND_WINDOW` outside the hours of sending, `NUMBER_LIMIT` and"
    " `ACCOUNT_LIMIT` a limit is reached, `INVOICE_OVERDUE` a payment is missing, `SENDING_PAUSED`"
    " somebody paused sending, `NUMBER_UNHEALTHY` the number may not send now,"
    " `PLATFORM_UNAVAILABLE` the platform does not answer.",
    "OtpBody": "A passcode for one recipient.",
    "PasscodeResult": "The passcode's message as it stands now, without the code.",
    "RichBody": "A message with buttons to one recipient.",
    "UploadBody": "A file, as base64.",
    "Upload": "The uploaded file.",
    "MessageStatus": "A message with its timeline and attempts.",
    "MessageItem": "A message in a list.",
    "Invitation": "Where the invitation stands.",
    "Fault": "Why a message failed, in words that its sender can act on.",
    "Step": "A change of the message's status.",
    "Attempt": "One call to the platform.",
}

_BATCHES = {
    "BulkBody": "Up to 1000 messages, sent as one batch.",
    "BulkResult": "What became of each item of the batch.",
    "Named": "An item that was accepted.",
    "Held": "An accepted item that waits.",
    "AtRisk": "An accepted item that may miss its deadline.",
    "RejectedItem": "An item that was refused.",
    "DuplicateItem": "An item whose id was used before; nothing is sent for it.",
    "CancelBody": "An empty object; the body may also be left out.",
    "Cancelled": "What the cancellation stopped, and what it came too late for.",
    "BatchStatus": "A batch and how far it is.",
}

_EVENTS = {
    "EventBody": "An event that guests are invited to.",
    "TextsBody": "What guests are sent in the event's name, each text once for an invitation.",
    "DefaultsBody": "For messages of this event that do not say it themselves.",
    "RegisteredEvent": "The event as it is registered now.",
    "EventShape": "An event: its settings, and how its guests have replied.",
    "EventTexts": "What guests are sent in the event's name.",
    "EventDefaults": "For messages of this event that do not say it themselves; null where none"
    " was given.",
    "EventReplies": "Guests counted by their last answer, each once however many invitations they"
    " have.",
    "GuestShape": "A guest of an event, over all invitations to it.",
    "AnswerBody": "The guest's answer, as a person understood it.",
    "FeedbackBody": "A form for one recipient.",
    "FeedbackResult": "This send of the form, as it stands now.",
    "FormSummary": "A form, by the version that is sent, or while none may be, by the latest.",
    "FormResults": "The answers to all versions of a form; questions of earlier versions come"
    " last.",
    "QuestionFigures": "The answers to one question, counted.",
    "CommentText": "One guest's comment.",
    "LinkBody": "Where the link leads.",
    "Link": "The link that was created.",
    "LinkOpens": "A link with its opens.",
}

_WEBHOOKS = {
    "FailedWebhook": "An event whose six attempts were exhausted.",
    "AttemptShape": "One attempt to post the event.",
    "Retried": "The event that is posted again.",
    "RetryBody": "Which failed events to retry.",
    "RetriedMany": "How many events are posted again, and how many are left.",
    "VerifyBody": "A post as you received it.",
    "Diagnosis": "What is right or wrong with the signature.",
    "Finding": "One observation about the signature.",
    "FeedEntry": "An event of the feed, with the state of its delivery.",
    "TriggerBody": "Which event to post.",
    "Triggered": "The event that was posted.",
}

_ACCOUNT = {
    "NumbersBody": "The numbers to look up.",
    "CheckedNumbers": "The numbers in the order of the request, repeats included.",
    "CheckedNumber": "A number, and whether a message has reached it.",
    "OptOutsBody": "The numbers to look up.",
    "CheckedOptOuts": "The numbers in the order of the request, repeats included.",
    "CheckedOptOut": "A number, and whether its owner opted out.",
    "RemovedOptOut": "The number whose opt-out was removed.",
    "OptOut": "A number whose owner asked to stop the messages.",
    "Readiness": "Whether an invitation that names no template could be sent now, hours of sending"
    " aside.",
    "InvitationTemplate": "The account's `defaultTemplate`, in an approved language if there is"
    " one.",
    "NumberReadiness": "A number of the account, and whether it can send.",
    "Capacities": "What can still be sent, over a rolling 24 hours.",
    "NumberCapacity": "New people that this number may write to; numbers of one portfolio show what"
    " they share.",
    "TotalCapacity": "All numbers together, each portfolio once.",
    "AccountCapacity": "All messages of the account.",
    "SenderHealth": "The health of all numbers: `GREEN` all are well, `YELLOW` some are, `RED` none"
    " is, `UNKNOWN` the platform has not said it yet.",
    "NumberHealth": "A number as the platform rates it.",
    "AccountCaps": "The limits that the account sets itself, beside those of the platform.",
    "SendHours": "When messages may be sent, by the clocks of the time zone; may cross midnight.",
    "TemplateShape": "One language version of a template.",
    "TemplateButtonShape": "A button of the template.",
}

_MONEY = {
    "Balance": "What is left. A partner has `capacity` in place of `subscription`; the accounts of"
    " a partner have `partner` as well.",
    "Invoice": "An invoice without its lines.",
    "InvoiceWithLines": "An invoice with what it charges for.",
    "InvoiceLine": "One thing that the invoice charges for.",
    "SubscriptionShape": "What the account pays with.",
    "Quota": "A number of messages, and how much of it is used.",
    "Usage": "Pay as you go: the prices, and what the next invoice comes to so far.",
    "Capacity": "Messages: bought, used and left.",
    "UsageReport": "Messages charged and refunded, by day or month.",
    "UsageRow": "One day or month: messages by the day they were charged, refunds by the day they"
    " were refunded.",
    "UsageTotals": "All rows together.",
    "Forecast": "When what the account pays with will be used up; what it does not have is absent.",
    "Outlook": "How long the messages last at this rate.",
    "CreditOutlook": "How long the credit lasts at this rate.",
    "ChargeShape": "A charge, and what became of it.",
    "PartnerAccount": "What the partner has bought, owes and may still buy.",
    "PendingTransfer": "A transfer that was reported and not yet confirmed.",
    "TopupBody": "How much capacity to buy.",
    "Topup": "The capacity after the purchase, and what it cost.",
    "TransferBody": "A bank transfer that you have made.",
    "ReportedTransfer": "The transfer as it was reported.",
    "LedgerEntry": "A change of the balance owed; `amount` is what was bought, reported, received"
    " or adjusted by.",
}

_SANDBOX = {
    "ClockBody": "How far to move the clock.",
    "Clock": "The time of the sandbox account.",
    "ReplyBody": "What the guest does: exactly one of `text`, `button`, `media`, `form`, `stop`.",
    "ButtonBody": "The button that the guest taps, by its text or its payload.",
    "MediaBody": "The file that the guest sends.",
    "FormBody": "The form as the guest fills it in.",
    "Replied": "The guest's message.",
    "Conversation": "All messages to and from one guest.",
    "ShownMessage": "A message on the guest's phone.",
    "ShownButton": "A button as the guest sees it.",
    "SandboxSenderBody": "The new quality, the new status, or both.",
}

_EVENT_DATA = {
    "MessageStatusData": "The message and its new status.",
    "MessageDeferredData": "The message that waits, and why.",
    "MessageReceivedData": "The reply as it came; what it means is for you to say.",
    "OutboundData": "A message that you sent.",
    "GuestReplyData": "The reply, and what it was understood to mean.",
    "PreferenceData": "The person, and where they said it.",
    "BatchProgressData": "How many messages of the batch have reached each status.",
    "SenderHealthData": "The number, with its health before and after.",
    "HealthData": "A number's health at one time.",
    "FeedbackSubmittedData": "The guest's answers: only the first time that the form is filled in.",
    "AnswerData": "The answer to one question.",
}

STRUCTS = {
    **_MESSAGES,
    **_BATCHES,
    **_EVENTS,
    **_WEBHOOKS,
    **_ACCOUNT,
    **_MONEY,
    **_SANDBOX,
    **_EVENT_DATA,
}
