"""Fields of an event's `data` whose meaning is narrower than that of their name: `Struct.name`."""

# What every event about a message begins with.
_ABOUT = {
    "messageId": "The platform's id of the message; null before it was sent.",
    "meta": "Your own data, as it was given when sending.",
    "eventId": "Your event that the message belongs to, where it has one.",
    "batchId": "The batch that the message was sent in, where it has one.",
    "mediaUrl": "Where to download the file, for 7 days.",
}
_SHARED = {
    f"{struct}.{name}": text
    for struct in (
        "MessageStatusData",
        "MessageDeferredData",
        "MessageReceivedData",
        "GuestReplyData",
        "FeedbackSubmittedData",
    )
    for name, text in _ABOUT.items()
}

EVENT_FIELDS = {
    **_SHARED,
    "AnswerData.type": "What kind of question it is.",
    "AnswerData.value": "1 to 5 of a rating, the option or options of a choice, the text of a"
    " comment; null: not answered.",
    "MessageReceivedData.payload": "What the button sends back, as you gave it; null: no button.",
    "MessageReceivedData.messageId": "The platform's id of the reply.",
    "MessageReceivedData.clientMessageId": "Your id of the message that the reply is about; null:"
    " none was found.",
    "MessageReceivedData.repliedTo": "How the reply was matched to a message; `last_outbound` is a"
    " guess.",
    "MessageReceivedData.windowExpiresAt": "Until when free text may be sent to this person.",
    "GuestReplyData.clientMessageId": "Your id of the message that the reply is about; null: none"
    " was found.",
    "GuestReplyData.replyId": "The platform's id of the reply; null where a person settled it.",
    "GuestReplyData.type": "`text`, `button` or another word of the platform; `settled` where a"
    " person settled the answer.",
    "MessageReceivedData.type": "`text`, `button`, `image`, `reaction` or another word of the"
    " platform.",
    "MessageReceivedData.text": "What the guest wrote; null where there is no text.",
    "GuestReplyData.text": "What the guest wrote; null where there is no text.",
    "GuestReplyData.to": "The number that the invitation went to.",
    "GuestReplyData.messageId": "The platform's id of the message that the reply is about.",
    "GuestReplyData.matchConfidence": "How sure the answer was understood, from 0 to 1.",
    "GuestReplyData.guests": "How many come, where the guest said so; null: not said.",
    "OutboundData.at": "When it was sent; null: not yet.",
    "HealthData.status": "The platform's word, such as `CONNECTED`.",
    "MessageStatusData.status": "The status that the message has reached.",
    "MessageStatusData.at": "When it reached the status.",
    "MessageStatusData.error": "Why it failed; only with `failed`.",
    "MessageStatusData.neverDelivered": "Only with `expired`, and true: it was not delivered,"
    " whether it had been sent or not.",
    "MessageDeferredData.reason": "Why it waits: `SEND_WINDOW`, `NUMBER_LIMIT`, `ACCOUNT_LIMIT`,"
    " `INVOICE_OVERDUE`, `SENDING_PAUSED`, `NUMBER_UNHEALTHY` or `PLATFORM_UNAVAILABLE`.",
    "MessageDeferredData.retryAt": "When it is retried; null where no time is known.",
    "MessageDeferredData.at": "When it began to wait.",
    "BatchProgressData.batchId": "The batch that this is about.",
    "BatchProgressData.total": "How many messages the batch has.",
    "BatchProgressData.sent": "Sent messages, those delivered and read included.",
    "BatchProgressData.delivered": "Delivered messages, those read included.",
    "BatchProgressData.percent": "How much of the batch is sent or has ended, in percent.",
    "FeedbackSubmittedData.at": "When the guest sent the form.",
}
