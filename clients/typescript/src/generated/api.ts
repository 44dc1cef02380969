// Generated from the OpenAPI document by scripts/generate.mjs. Do not edit.
export interface components {
    schemas: {
        /** @description All messages of the account. */
        AccountCapacity: {
            /** @description Messages in a rolling 24 hours; null: no limit. */
            dailyLimit: number | null;
            /** @description Messages sent; null: there is no limit to count for. */
            used: number | null;
            /** @description Messages that may be sent; null: no limit. */
            remaining: number | null;
            /** @description API requests that the account may make in a minute. */
            requestsPerMinute: number;
        };
        /** @description The limits that the account sets itself, beside those of the platform. */
        AccountCaps: {
            /** @description Messages in a rolling 24 hours; null: no limit. */
            dailyLimit: number | null;
            /** @description The hours in which messages are sent; null: always. */
            sendWindow: components["schemas"]["SendHours"] | null;
            /** @description API requests that the account may make in a minute. */
            requestsPerMinute: number;
            /** @description Whether sending is paused. */
            paused: boolean;
        };
        /** @description The guest's answer, as a person understood it. */
        AnswerBody: {
            /**
             * @description What the guest meant.
             * @enum {string}
             */
            answer: "no" | "yes";
            /** @description How many come; only with `yes`. Absent: not known, counted as one. */
            guests?: number;
        };
        /** @description The answer to one question. */
        AnswerData: {
            /** @description The question's id in the form. */
            questionId: string;
            /** @description Its text, as it was when the form was sent. */
            question: string;
            /**
             * @description What kind of question it is.
             * @enum {string}
             */
            type: "rating" | "single" | "multi" | "comment";
            /** @description 1 to 5 of a rating, the option or options of a choice, the text of a comment; null: not answered. */
            value: number | string | string[] | null;
        };
        /** @description An accepted item that may miss its deadline. */
        AtRisk: {
            /** @description Your id of the message. */
            clientMessageId: string;
            /** @description Why it may be late. */
            reason: string;
            /** @description When it is expected to be sent. */
            estimatedAt: string | null;
            /**
             * Format: date-time
             * @description After this time it would expire unsent.
             */
            deadline: string;
        };
        /** @description One call to the platform. */
        Attempt: {
            /** @description Which attempt it is, counted from 1. */
            attempt: number;
            /**
             * Format: date-time
             * @description When the platform was called.
             */
            at: string;
            /** @description The sending number, international digits. */
            sentFrom: string;
            /** @description What the platform responded. */
            outcome: string;
            /**
             * @description Why the call failed, for programs; empty where it succeeded.
             * @default
             */
            code?: string;
        };
        /** @description One attempt to post the event. */
        AttemptShape: {
            /** @description 1 to 6; a retry counts from 1 again. */
            attempt: number;
            /**
             * Format: date-time
             * @description When it was posted.
             */
            at: string;
            /** @description The HTTP status that your server answered; null: there was no answer. */
            status: number | null;
            /** @description Why there was no answer: timeout, connection failed, tls failed, blocked or bad response. */
            error: string | null;
            /** @description How long it took, in milliseconds. */
            ms: number;
        };
        /** @description What is left. A partner has `capacity` in place of `subscription`; the accounts of a partner have `partner` as well. */
        Balance: {
            /**
             * @description `ENFORCED` blocks what is not paid for, `REPORT_ONLY` only counts, `OFF` does neither.
             * @enum {string}
             */
            billingMode: "ENFORCED" | "OFF" | "REPORT_ONLY";
            /** @description Whether sending waits for an overdue invoice. */
            suspended: boolean;
            /** @description The invoices that are not paid yet. */
            invoices: components["schemas"]["Invoice"][];
            /** @description The account's subscription; null: there is none. */
            subscription?: components["schemas"]["SubscriptionShape"] | null;
            /** @description The partner's name. */
            partner?: string;
            /** @description Messages that may be sent. */
            capacity?: components["schemas"]["Capacity"];
        };
        /** @description All of a batch have left us: once. */
        BatchCompletedEvent: {
            /** @description Equals X-Webhook-Id. */
            id: string;
            /**
             * Format: date-time
             * @description When it happened, in the account's time.
             */
            createdAt: string;
            /** @description `live` sends for real; in `sandbox` messages reach no one. */
            environment: components["schemas"]["Environment"];
            /** @description The account it happened in. */
            accountId: string;
            /**
             * @description The kind of event.
             * @constant
             */
            type: "batch.completed";
            /** @description How many messages of the batch have reached each status. */
            data: components["schemas"]["BatchProgressData"];
        };
        /** @description How many messages of the batch have reached each status. */
        BatchProgressData: {
            /** @description The batch that this is about. */
            batchId: string;
            /** @description A name of your own, shown in events and reports. */
            batchName: string | null;
            /** @description How many messages the batch has. */
            total: number;
            /** @description Sent messages, those delivered and read included. */
            sent: number;
            /** @description Delivered messages, those read included. */
            delivered: number;
            /** @description Messages that were read. */
            read: number;
            /** @description Messages that failed. */
            failed: number;
            /** @description Messages that expired unsent or undelivered. */
            expired: number;
            /** @description Messages that will not be sent. */
            cancelled: number;
            /** @description Those without a result yet. */
            pending: number;
            /** @description How much of the batch is sent or has ended, in percent. */
            percent: number;
        };
        /** @description A batch is under way: every 5% or 60 seconds. */
        BatchProgressEvent: {
            /** @description Equals X-Webhook-Id. */
            id: string;
            /**
             * Format: date-time
             * @description When it happened, in the account's time.
             */
            createdAt: string;
            /** @description `live` sends for real; in `sandbox` messages reach no one. */
            environment: components["schemas"]["Environment"];
            /** @description The account it happened in. */
            accountId: string;
            /**
             * @description The kind of event.
             * @constant
             */
            type: "batch.progress";
            /** @description How many messages of the batch have reached each status. */
            data: components["schemas"]["BatchProgressData"];
        };
        /** @description A batch and how far it is. */
        BatchStatus: {
            /** @description The id to read or cancel the batch with. */
            batchId: string;
            /** @description A name of your own, shown in events and reports. */
            batchName: string;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * @description `running` while messages are on the way; `cancelled`: nothing is pending, and some of it was cancelled.
             * @enum {string}
             */
            state: "cancelled" | "completed" | "running";
            /** @description Items that were given. */
            total: number;
            /** @description Messages that were accepted. */
            accepted: number;
            /** @description Items that were refused. */
            rejected: number;
            /** @description Items whose id was used before. */
            duplicates: number;
            /** @description The accepted messages, by their status now. */
            counts: {
                [key: string]: number;
            };
            /** @description How much of what was accepted is sent or has ended, in percent. */
            percent: number;
            /** @description When the last message is expected to be sent, at the latest. */
            estimatedCompletionAt: string | null;
            /** @description When the last message was sent or ended; null: not yet. */
            completedAt: string | null;
        };
        /** @description Up to 1000 messages, sent as one batch. */
        BulkBody: {
            /** @description At most 1000 text and 50 media messages, each with the fields of POST /messages/text. */
            messages: unknown[];
            /** @description A name of your own, shown in events and reports. */
            batchName?: string;
            /** @description The event of those items that name none. */
            eventId?: string;
            /**
             * @description What to do when `sentFrom` cannot send now: `prefer` uses another number, `strict` waits for it, `auto` ignores `sentFrom`.
             * @enum {string}
             */
            fromPolicy?: "prefer" | "strict" | "auto";
        };
        /** @description What became of each item of the batch. */
        BulkResult: {
            /** @description The id to read or cancel the batch with; null with `X-Dry-Run`. */
            batchId: string | null;
            /** @description A name of your own, shown in events and reports. */
            batchName: string;
            /** @description Your id of the event; null where there is none. */
            eventId: string | null;
            /** @description How many items the request had. */
            total: number;
            /** @description Items that were accepted. */
            accepted: components["schemas"]["Named"][];
            /** @description Accepted items that wait, with the reason. */
            held: components["schemas"]["Held"][];
            /** @description Accepted items that may miss their deadline. */
            atRisk: components["schemas"]["AtRisk"][];
            /** @description Items that were refused, each with its code. */
            rejected: components["schemas"]["RejectedItem"][];
            /** @description Items whose id was used within the last 48 hours. */
            duplicates: components["schemas"]["DuplicateItem"][];
            /** @description When the last message is expected to be sent, at the latest. */
            estimatedCompletionAt: string | null;
            /** @description Units of the quota that it uses. */
            cost?: components["schemas"]["Cost"];
        };
        /** @description The button that the guest taps, by its text or its payload. */
        ButtonBody: {
            /** @description The button by its text. */
            text?: string;
            /** @description What the button sends back. */
            payload?: string;
            /** @description Your id of the message with the button; absent: the latest. */
            clientMessageId?: string;
        };
        /** @description An empty object; the body may also be left out. */
        CancelBody: Record<string, unknown>;
        /** @description What the cancellation stopped, and what it came too late for. */
        Cancelled: {
            /** @description The batch that was cancelled. */
            batchId: string;
            /** @description Messages that will not be sent. */
            cancelled: number;
            /** @description Messages being sent right now: their outcome follows as an event. */
            inFlight: number;
            /** @description Messages that had been sent before. */
            alreadySent: number;
            /** @description Messages whose charge was refunded. */
            refunded: number;
        };
        /** @description What can still be sent, over a rolling 24 hours. */
        Capacities: {
            /** @description When the next place of a limit frees up. Null: none is taken. */
            resetsAt: string | null;
            /** @description One entry for each number. */
            numbers: components["schemas"]["NumberCapacity"][];
            /** @description All numbers together. */
            total: components["schemas"]["TotalCapacity"];
            /** @description What the account itself may send. */
            account: components["schemas"]["AccountCapacity"];
        };
        /** @description Messages: bought, used and left. */
        Capacity: {
            /** @description How many messages were bought. */
            total: number;
            /** @description Messages used so far. */
            used: number;
            /** @description Messages left. */
            remaining: number;
            /** @description How much is used, in percent, never rounded up. */
            pct: number;
        };
        /** @description A charge, and what became of it. */
        ChargeShape: {
            /** @description Your id of the message; null once the message is no longer kept. */
            clientMessageId: string | null;
            /** @description The recipient; null once the message is no longer kept. */
            to: string | null;
            /**
             * @description What the message was charged to.
             * @enum {string}
             */
            kind: "CAPACITY" | "FOLLOWUP" | "UNIQUE";
            /** @description The name of the package. */
            package: string | null;
            /** @description What it cost, a decimal. */
            price: string;
            /** @description Three letters, as in ISO 4217. */
            currency: string | null;
            /**
             * @description `RESERVED` until it is delivered, then `SETTLED`, or `REFUNDED`.
             * @enum {string}
             */
            state: "REFUNDED" | "RESERVED" | "SETTLED";
            /**
             * Format: date-time
             * @description When the message was accepted.
             */
            chargedAt: string;
            /** @description When it was settled or refunded; null: neither yet. */
            resolvedAt: string | null;
        };
        /** @description A number, and whether a message has reached it. */
        CheckedNumber: {
            /** @description The phone number, international digits. */
            number: string;
            /** @description true: a message of yours has reached the number; null: none has, so far. */
            delivered: true | null;
        };
        /** @description The numbers in the order of the request, repeats included. */
        CheckedNumbers: {
            /** @description One entry for each number. */
            numbers: components["schemas"]["CheckedNumber"][];
        };
        /** @description A number, and whether its owner opted out. */
        CheckedOptOut: {
            /** @description The phone number, international digits. */
            number: string;
            /** @description Whether the guest asked to stop the account's messages. */
            optedOut: boolean;
            /** @description When the person asked to stop; null where the number has not opted out. */
            since: string | null;
        };
        /** @description The numbers in the order of the request, repeats included. */
        CheckedOptOuts: {
            /** @description One entry for each number. */
            numbers: components["schemas"]["CheckedOptOut"][];
        };
        /** @description The time of the sandbox account. */
        Clock: {
            /**
             * Format: date-time
             * @description The present time; in a sandbox account, by its own clock.
             */
            now: string;
            /** @description How far the account's clock runs ahead. */
            offsetSeconds: number;
            /** @description How many of the account's jobs (sends, platform callbacks, timers, webhooks) are due and not done: 0 unless something is slow. */
            pending: number;
        };
        /** @description How far to move the clock. */
        ClockBody: {
            /** @description How far to move the account's clock ahead. */
            advanceSeconds: number;
        };
        /** @description One guest's comment. */
        CommentText: {
            /** @description What the guest wrote. */
            text: string;
            /**
             * Format: date-time
             * @description When the guest wrote it.
             */
            at: string;
        };
        /** @description All messages to and from one guest. */
        Conversation: {
            /** @description The guest's number. */
            number: string;
            /** @description Oldest first. */
            messages: components["schemas"]["ShownMessage"][];
        };
        /** @description Units of the quota that a request uses. */
        Cost: {
            /** @description Unique messages: the first to a number within the subscription. */
            unique: number;
            /** @description Follow-up messages: the second and later to a number. */
            followup: number;
        };
        /** @description How long the credit lasts at this rate. */
        CreditOutlook: {
            /**
             * @description What the last days cost on average; a decimal, two places.
             * @example 12.50
             */
            perDay: string;
            /**
             * @description How much more may be owed; a decimal, two places.
             * @example 12.50
             */
            available: string;
            /** @description When it will be used up at this rate; null: no forecast. */
            exhaustedAt: string | null;
        };
        /** @description For messages of this event that do not say it themselves. */
        DefaultsBody: {
            /**
             * Format: date-time
             * @description Until when an invitation can be answered; absent: until eventDate.
             */
            expiresAt?: string;
            /** @description A message not delivered by then expires and is refunded; absent: 30 days. */
            undeliveredTimeoutMinutes?: number;
            /** @description From the first reply that was not understood; absent: 120. */
            nudgeAfterMinutes?: number;
            /** @description Each new guest starts on it; null: automatic. */
            sentFrom?: string | null;
        };
        /** @description What is right or wrong with the signature. */
        Diagnosis: {
            /** @description Whether a correct receiver would take this post. */
            valid: boolean;
            /** @description What was seen, the most likely cause first. */
            findings: components["schemas"]["Finding"][];
        };
        /** @description An item whose id was used before; nothing is sent for it. */
        DuplicateItem: {
            /** @description Your id of the message. */
            clientMessageId: string;
            /**
             * @description Present where the original message went to another number.
             * @enum {string}
             */
            mismatch?: "to";
        };
        /**
         * @description `live` sends for real; in `sandbox` messages reach no one.
         * @enum {string}
         */
        Environment: "live" | "sandbox";
        /**
         * @description Codes never change their meaning.
         * @enum {string}
         */
        ErrorCode: "UNAUTHORIZED" | "INVALID_API_KEY" | "APP_INACTIVE" | "RATE_LIMIT_EXCEEDED" | "VALIDATION_ERROR" | "INVALID_PHONE" | "BATCH_TOO_LARGE" | "INVALID_URL" | "INVALID_SIGNATURE" | "NOT_FOUND" | "NOT_A_PARTNER" | "INTERNAL_ERROR" | "SERVICE_UNAVAILABLE" | "SERVICE_WINDOW_CLOSED" | "RECIPIENT_NOT_ALLOWLISTED" | "DUPLICATE_CLIENT_MESSAGE_ID" | "NO_ACTIVE_SUBSCRIPTION" | "SUBSCRIPTION_EXPIRED" | "QUOTA_EXHAUSTED" | "FOLLOWUP_QUOTA_EXHAUSTED" | "INVOICE_OVERDUE" | "USAGE_CREDIT_LIMIT" | "PARTNER_CAPACITY_EXHAUSTED" | "PARTNER_CAPACITY_EXPIRED" | "MEDIA_TOO_LARGE" | "INVALID_MEDIA" | "BUTTON_URL_UNSUPPORTED" | "INVALID_BUTTON_PAYLOAD" | "INVALID_FROM_POLICY" | "INVALID_SENDER" | "TEMPLATE_REQUIRED" | "EVENT_NOT_FOUND" | "INVALID_OTP" | "FIELD_NOT_ALLOWED_IN_BULK" | "FORM_NOT_FOUND" | "FORM_NOT_SENDABLE" | "ALREADY_SENT" | "MESSAGE_NOT_FOUND" | "LINK_NOT_FOUND" | "EVENT_LOCKED" | "MEDIA_NOT_FOUND" | "MEDIA_EXPIRED" | "META_ERROR" | "INVALID_QUANTITY" | "CREDIT_LIMIT_EXCEEDED" | "REFERENCE_REQUIRED" | "INVALID_AMOUNT" | "DUPLICATE_REFERENCE";
        /** @description An event that guests are invited to. */
        EventBody: {
            /** @description Your id of the event. The same id again changes its settings. */
            eventId: string;
            /**
             * Format: date-time
             * @description When the event takes place. RFC 3339 with an offset.
             */
            eventDate: string;
            /**
             * Format: uri
             * @description Where this event's webhooks go: https, on a public host.
             */
            callbackUrl: string;
            /** @description What guests are sent in the event's name. */
            texts: components["schemas"]["TextsBody"];
            /** @description Deadlines and the sending number of this event's invitations. */
            defaults?: components["schemas"]["DefaultsBody"];
            /** @description Change eventDate although invitations went out. */
            confirmLockedChange?: boolean;
        };
        /** @description For messages of this event that do not say it themselves; null where none was given. */
        EventDefaults: {
            /** @description Until when an invitation can be answered; null: until `eventDate`. */
            expiresAt: string | null;
            /** @description After so long without delivery an invitation expires. */
            undeliveredTimeoutMinutes: number | null;
            /** @description How long after an unclear reply the nudge goes out. */
            nudgeAfterMinutes: number | null;
            /** @description The number new guests are written from; null: chosen by itself. */
            sentFrom: string | null;
        };
        /** @description Guests counted by their last answer, each once however many invitations they have. */
        EventReplies: {
            /** @description An invitation went out to them. Cumulative: answered or not. */
            invited: number;
            /** @description An invitation arrived, or they replied. Cumulative. */
            delivered: number;
            /** @description Their last answer is yes. */
            confirmed: number;
            /** @description Their last answer is no. */
            declined: number;
            /** @description No answer; it ended with a reply that was not understood. */
            unresolved: number;
            /** @description No answer yet, and an invitation is still open. */
            pending: number;
            /** @description Those `pending` whose last reply was not understood. */
            unclear: number;
            /** @description Replied after the end; they may be in another count too. */
            late: number;
            /** @description People who come: the sum of `guests`, one where none was given. */
            headcount: number;
        };
        /** @description An event: its settings, and how its guests have replied. */
        EventShape: {
            /** @description Your id of the event. */
            eventId: string;
            /**
             * Format: date-time
             * @description When the event takes place.
             */
            eventDate: string;
            /** @description Where this event's webhooks go. */
            callbackUrl: string;
            /** @description What guests are sent in the event's name. */
            texts: components["schemas"]["EventTexts"];
            /** @description Deadlines and the sending number of this event's invitations. */
            defaults: components["schemas"]["EventDefaults"];
            /** @description Whether an invitation went out: the date is then fixed. */
            locked: boolean;
            /** @description Invitations that went out. */
            sentInvitations: number;
            /** @description The answers, counted by guest. */
            replies: components["schemas"]["EventReplies"];
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When its settings changed last.
             */
            updatedAt: string;
        };
        /** @description What guests are sent in the event's name. */
        EventTexts: {
            /** @description Sent once to a guest whose reply was not understood. */
            invalidReply: string;
            /** @description Sent once to a guest who has not given a clear answer. */
            nudge: string;
            /** @description Sent to a guest who answers too late. */
            expired: string;
        };
        /** @description An event whose six attempts were exhausted. */
        FailedWebhook: {
            /** @description The event's id, equal to X-Webhook-Id. */
            webhookId: string;
            /** @description The kind of event. */
            type: string;
            /** @description Where a retry would go now. */
            url: string | null;
            /**
             * Format: date-time
             * @description When the event happened.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the last attempt failed.
             */
            failedAt: string;
            /** @description The attempts of all retries, in order. */
            attempts: components["schemas"]["AttemptShape"][];
            /** @description The body as it is posted: id, type, createdAt, environment, accountId, data. */
            payload: Record<string, unknown>;
        };
        /** @description Why a message failed, in words that its sender can act on. */
        Fault: {
            /** @description Why it failed, for programs. */
            code: string;
            /** @description What went wrong, in words. */
            explanation: string;
            /** @description What you can do about it. */
            action: string;
            /** @description The platform's own error code; null: none. */
            platformCode: number | null;
        };
        /** @description An event of the feed, with the state of its delivery. */
        FeedEntry: {
            /** @description The event's id, equal to X-Webhook-Id. */
            webhookId: string;
            /** @description The same as webhookId. */
            id: string;
            /** @description The kind of event. */
            type: string;
            /**
             * Format: date-time
             * @description When the event happened.
             */
            createdAt: string;
            /** @description `live` sends for real; in `sandbox` messages reach no one. */
            environment: string;
            /** @description The account it happened in. */
            accountId: string;
            /** @description What happened; its fields depend on the kind of event. */
            data: Record<string, unknown>;
            /** @description Where its delivery stands: `queued`, `delivered`, `failed`, or `waiting` where there is no address to post it to. */
            status: string;
            /** @description The body as it is posted: id, type, createdAt, environment, accountId, data. */
            payload: Record<string, unknown>;
        };
        /** @description A form for one recipient. */
        FeedbackBody: {
            /** @description A form, or any version of it (`visit@2`); the latest published one goes. */
            formId: string;
            /** @description The recipient. International digits, 8 to 20; a leading 00 is not counted. */
            to: string;
            /** @description Your id of the message, for 48 hours of de-duplication; without it the message gets one. */
            clientMessageId?: string;
        };
        /** @description This send of the form, as it stands now. */
        FeedbackResult: {
            /** @description This send of the form. */
            sendId: string;
            /** @description The send in the queue. */
            jobId: string;
            /** @description The form that was sent. */
            formId: string;
            /** @description Which version of the form. */
            version: number;
            /** @description The recipient, as it was given. */
            to: string;
            status: components["schemas"]["Status"];
            /** @description Whether this is the result of an earlier request with the same id. */
            duplicate: boolean;
            /** @description Why the message failed. */
            error?: components["schemas"]["SendError"];
        };
        /** @description The guest's answers: only the first time that the form is filled in. */
        FeedbackSubmittedData: {
            /** @description Your id of the message. */
            clientMessageId: string;
            /** @description The platform's id of the message; null before it was sent. */
            messageId: string | null;
            /** @description The recipient, as it was given. */
            to: string;
            /** @description Your own data, as it was given when sending. */
            meta: Record<string, unknown> | null;
            /** @description Your event that the message belongs to, where it has one. */
            eventId?: string;
            /** @description The batch that the message was sent in, where it has one. */
            batchId?: string;
            /** @description This send of the form. */
            sendId: string;
            /** @description The form that was sent. */
            formId: string;
            /** @description Which version of the form. */
            version: number;
            /** @description The answers, by question. */
            answers: components["schemas"]["AnswerData"][];
            /**
             * Format: date-time
             * @description When the guest sent the form.
             */
            at: string;
        };
        /** @description A guest's first answer to a form. */
        FeedbackSubmittedEvent: {
            /** @description Equals X-Webhook-Id. */
            id: string;
            /**
             * Format: date-time
             * @description When it happened, in the account's time.
             */
            createdAt: string;
            /** @description `live` sends for real; in `sandbox` messages reach no one. */
            environment: components["schemas"]["Environment"];
            /** @description The account it happened in. */
            accountId: string;
            /**
             * @description The kind of event.
             * @constant
             */
            type: "feedback.submitted";
            /** @description The guest's answers: only the first time that the form is filled in. */
            data: components["schemas"]["FeedbackSubmittedData"];
        };
        /** @description One observation about the signature. */
        Finding: {
            /** @description What was seen, as a word for programs. */
            code: string;
            /** @description What is wrong, and the remedy. */
            message: string;
        };
        /** @description When what the account pays with will be used up; what it does not have is absent. */
        Forecast: {
            /** @description How many days of use the forecast looks at. */
            basedOnDays: number;
            /** @description Unique messages: the first to a number within the subscription. */
            unique?: components["schemas"]["Outlook"];
            /** @description Follow-up messages: the second and later to a number. */
            followup?: components["schemas"]["Outlook"];
            /** @description Messages that may be sent. */
            capacity?: components["schemas"]["Outlook"];
            /** @description When the credit will be used up. */
            credit?: components["schemas"]["CreditOutlook"];
        };
        /** @description The form as the guest fills it in. */
        FormBody: {
            /** @description A value for each question id. */
            answers: Record<string, unknown>;
        };
        /** @description The answers to all versions of a form; questions of earlier versions come last. */
        FormResults: {
            /** @description The form whose answers these are. */
            formId: string;
            /** @description Which version of the form. */
            version: number;
            /** @description Sends of the form; failed ones do not count. */
            sent: number;
            /** @description How many guests filled it in. */
            answered: number;
            /** @description The questions with their answers, in the form's order. */
            questions: components["schemas"]["QuestionFigures"][];
        };
        /** @description A form, by the version that is sent, or while none may be, by the latest. */
        FormSummary: {
            /** @description The id to send the form with. */
            formId: string;
            /** @description Shown above the questions. */
            title: string;
            /**
             * @description `draft` until an operator has approved the form.
             * @enum {string}
             */
            state: "approved" | "draft" | "published";
            /** @description Which version of the form. */
            version: number;
            /** @description Sends of all versions together; failed ones do not count. */
            sent: number;
            /** @description Answered sends of all versions together. */
            answered: number;
        };
        GetBatchesQuery: {
            /**
             * @description How many to list.
             * @default 50
             */
            limit?: number;
            /** @description `nextCursor` of the page before; absent: the first page. */
            cursor?: string;
        };
        GetChargesQuery: {
            /**
             * Format: date
             * @description YYYY-MM-DD, UTC.
             */
            from?: string;
            /**
             * Format: date
             * @description YYYY-MM-DD, UTC.
             */
            to?: string;
            /**
             * @description csv: the whole statement as a file, without pages.
             * @enum {string}
             */
            format?: "csv" | "json";
            /**
             * @description How many to list.
             * @default 50
             */
            limit?: number;
            /** @description `nextCursor` of the page before; absent: the first page. */
            cursor?: string;
        };
        GetEventsEventIdGuestsQuery: {
            /**
             * @description Only guests in this state.
             * @enum {string}
             */
            state?: "confirmed" | "declined" | "delivered" | "expired" | "failed" | "invited" | "opted_out" | "unclear" | "unresolved";
            /**
             * @description How many to list.
             * @default 50
             */
            limit?: number;
            /** @description `nextCursor` of the page before; absent: the first page. */
            cursor?: string;
        };
        GetEventsQuery: {
            /**
             * @description How many to list.
             * @default 50
             */
            limit?: number;
            /** @description `nextCursor` of the page before; absent: the first page. */
            cursor?: string;
        };
        GetFormsQuery: {
            /**
             * @description How many to list.
             * @default 50
             */
            limit?: number;
            /** @description `nextCursor` of the page before; absent: the first page. */
            cursor?: string;
        };
        GetInvoicesQuery: {
            /**
             * @description Only invoices of this status.
             * @enum {string}
             */
            status?: "OPEN" | "OVERDUE" | "PAID" | "VOID";
            /**
             * @description How many to list.
             * @default 50
             */
            limit?: number;
            /** @description `nextCursor` of the page before; absent: the first page. */
            cursor?: string;
        };
        GetLinksQuery: {
            /** @description Only links of this event. */
            eventId?: string;
            /**
             * Format: date-time
             * @description Only links created at this time or later.
             */
            since?: string;
            /**
             * Format: date-time
             * @description Only links created before this time.
             */
            until?: string;
            /**
             * @description How many to list.
             * @default 50
             */
            limit?: number;
            /** @description `nextCursor` of the page before; absent: the first page. */
            cursor?: string;
        };
        GetMediaInboundPlatformMessageIdQuery: {
            /**
             * @description The account.
             * @default
             */
            a?: string;
            /**
             * @description When the link ends, in seconds since 1970.
             * @default
             */
            e?: string;
            /**
             * @description The signature over all of it.
             * @default
             */
            s?: string;
        };
        GetMessagesQuery: {
            /** @description Only to this number, with or without 00. */
            to?: string;
            /** @description Only in this status; several with commas between. */
            status?: string;
            /**
             * @description Only of this kind.
             * @enum {string}
             */
            kind?: "feedback" | "invitation" | "notification" | "otp" | "prompt";
            /** @description Only of this event. */
            eventId?: string;
            /** @description Only of this batch. */
            batchId?: string;
            /**
             * Format: date-time
             * @description Only those created then or later.
             */
            since?: string;
            /**
             * Format: date-time
             * @description Only those created before then.
             */
            until?: string;
            /**
             * @description How many to list.
             * @default 50
             */
            limit?: number;
            /** @description `nextCursor` of the page before; absent: the first page. */
            cursor?: string;
        };
        GetOptoutsQuery: {
            /**
             * @description How many to list.
             * @default 50
             */
            limit?: number;
            /** @description `nextCursor` of the page before; absent: the first page. */
            cursor?: string;
        };
        GetPartnerLedgerQuery: {
            /**
             * @description How many to list.
             * @default 50
             */
            limit?: number;
            /** @description `nextCursor` of the page before; absent: the first page. */
            cursor?: string;
        };
        GetTemplatesQuery: {
            /**
             * @description How many to list.
             * @default 50
             */
            limit?: number;
            /** @description `nextCursor` of the page before; absent: the first page. */
            cursor?: string;
        };
        GetUsageQuery: {
            /**
             * Format: date
             * @description YYYY-MM-DD, UTC.
             */
            from?: string;
            /**
             * Format: date
             * @description YYYY-MM-DD, UTC.
             */
            to?: string;
            /**
             * @description Rows by day or by month.
             * @enum {string}
             */
            groupBy?: "day" | "month";
        };
        GetWebhooksEventsQuery: {
            /** @description The webhookId of the last event you have; absent: from the oldest that is kept. `latest` answers with the newest event alone, to begin from there. */
            after?: string;
            /**
             * @description How many to list.
             * @default 50
             */
            limit?: number;
            /** @description How long to wait where there is nothing yet; absent: not at all. */
            wait?: number;
        };
        GetWebhooksFailedQuery: {
            /**
             * @description How many to list.
             * @default 50
             */
            limit?: number;
            /**
             * Format: date-time
             * @description Only what failed then or later.
             */
            since?: string;
            /** @description `nextCursor` of the page before; absent: the first page. */
            cursor?: string;
        };
        /** @description A guest says yes, also after a no, or changes how many come. */
        GuestConfirmedEvent: {
            /** @description Equals X-Webhook-Id. */
            id: string;
            /**
             * Format: date-time
             * @description When it happened, in the account's time.
             */
            createdAt: string;
            /** @description `live` sends for real; in `sandbox` messages reach no one. */
            environment: components["schemas"]["Environment"];
            /** @description The account it happened in. */
            accountId: string;
            /**
             * @description The kind of event.
             * @constant
             */
            type: "guest.confirmed";
            /** @description The reply, and what it was understood to mean. */
            data: components["schemas"]["GuestReplyData"];
        };
        /** @description A guest says no, also after a yes. */
        GuestDeclinedEvent: {
            /** @description Equals X-Webhook-Id. */
            id: string;
            /**
             * Format: date-time
             * @description When it happened, in the account's time.
             */
            createdAt: string;
            /** @description `live` sends for real; in `sandbox` messages reach no one. */
            environment: components["schemas"]["Environment"];
            /** @description The account it happened in. */
            accountId: string;
            /**
             * @description The kind of event.
             * @constant
             */
            type: "guest.declined";
            /** @description The reply, and what it was understood to mean. */
            data: components["schemas"]["GuestReplyData"];
        };
        /** @description Something else a guest wrote. */
        GuestMessageEvent: {
            /** @description Equals X-Webhook-Id. */
            id: string;
            /**
             * Format: date-time
             * @description When it happened, in the account's time.
             */
            createdAt: string;
            /** @description `live` sends for real; in `sandbox` messages reach no one. */
            environment: components["schemas"]["Environment"];
            /** @description The account it happened in. */
            accountId: string;
            /**
             * @description The kind of event.
             * @constant
             */
            type: "guest.message";
            /** @description The reply, and what it was understood to mean. */
            data: components["schemas"]["GuestReplyData"];
        };
        /** @description A person wants messages again. */
        GuestOptedInEvent: {
            /** @description Equals X-Webhook-Id. */
            id: string;
            /**
             * Format: date-time
             * @description When it happened, in the account's time.
             */
            createdAt: string;
            /** @description `live` sends for real; in `sandbox` messages reach no one. */
            environment: components["schemas"]["Environment"];
            /** @description The account it happened in. */
            accountId: string;
            /**
             * @description The kind of event.
             * @constant
             */
            type: "guest.opted_in";
            /** @description The person, and where they said it. */
            data: components["schemas"]["PreferenceData"];
        };
        /** @description A person wants no more messages. */
        GuestOptedOutEvent: {
            /** @description Equals X-Webhook-Id. */
            id: string;
            /**
             * Format: date-time
             * @description When it happened, in the account's time.
             */
            createdAt: string;
            /** @description `live` sends for real; in `sandbox` messages reach no one. */
            environment: components["schemas"]["Environment"];
            /** @description The account it happened in. */
            accountId: string;
            /**
             * @description The kind of event.
             * @constant
             */
            type: "guest.opted_out";
            /** @description The person, and where they said it. */
            data: components["schemas"]["PreferenceData"];
        };
        /** @description A reply to an open invitation was not understood. */
        GuestRepliedInvalidEvent: {
            /** @description Equals X-Webhook-Id. */
            id: string;
            /**
             * Format: date-time
             * @description When it happened, in the account's time.
             */
            createdAt: string;
            /** @description `live` sends for real; in `sandbox` messages reach no one. */
            environment: components["schemas"]["Environment"];
            /** @description The account it happened in. */
            accountId: string;
            /**
             * @description The kind of event.
             * @constant
             */
            type: "guest.replied_invalid";
            /** @description The reply, and what it was understood to mean. */
            data: components["schemas"]["GuestReplyData"];
        };
        /** @description A reply came after the invitation was over. */
        GuestRepliedLateEvent: {
            /** @description Equals X-Webhook-Id. */
            id: string;
            /**
             * Format: date-time
             * @description When it happened, in the account's time.
             */
            createdAt: string;
            /** @description `live` sends for real; in `sandbox` messages reach no one. */
            environment: components["schemas"]["Environment"];
            /** @description The account it happened in. */
            accountId: string;
            /**
             * @description The kind of event.
             * @constant
             */
            type: "guest.replied_late";
            /** @description The reply, and what it was understood to mean. */
            data: components["schemas"]["GuestReplyData"];
        };
        /** @description The reply, and what it was understood to mean. */
        GuestReplyData: {
            /** @description Your id of the message that the reply is about; null: none was found. */
            clientMessageId: string | null;
            /** @description The platform's id of the message that the reply is about. */
            messageId: string | null;
            /** @description The number that the invitation went to. */
            to: string | null;
            /** @description Your own data, as it was given when sending. */
            meta: Record<string, unknown> | null;
            /** @description Your event that the message belongs to, where it has one. */
            eventId?: string;
            /** @description The batch that the message was sent in, where it has one. */
            batchId?: string;
            /** @description The guest's number. */
            from: string | null;
            /** @description The platform's id of the reply; null where a person settled it. */
            replyId: string | null;
            /** @description `text`, `button` or another word of the platform; `settled` where a person settled the answer. */
            type: string;
            /** @description What the guest wrote; null where there is no text. */
            text: string | null;
            /** @description `yes`, `no`, or null where it was not understood. */
            answer: ("no" | "yes") | null;
            /** @description How many come, where the guest said so; null: not said. */
            guests: number | null;
            /** @description How sure the answer was understood, from 0 to 1. */
            matchConfidence: number;
            /**
             * @description How the reply found its invitation; `settled`: by a person.
             * @enum {string}
             */
            slotMatch: "button" | "latest_open" | "none" | "only_open" | "quoted" | "settled";
            /**
             * Format: date-time
             * @description When the platform received it.
             */
            receivedAt: string;
            /**
             * Format: uri
             * @description Where to download the file, for 7 days.
             */
            mediaUrl?: string;
            /** @description The platform's message, as it came. */
            raw?: unknown;
            /**
             * @description Only where a language model has read a reply that was unclear.
             * @enum {string}
             */
            source?: "second_opinion";
        };
        /** @description A guest of an event, over all invitations to it. */
        GuestShape: {
            /** @description The guest's number. */
            to: string;
            /** @description Your id of the newest invitation. */
            clientMessageId: string;
            /**
             * @description `confirmed`, `declined`: the last answer. `unclear`: the last reply was not understood; `unresolved`: and then it ended. `expired`: it ended unanswered. `failed`: no invitation arrived.
             * @enum {string}
             */
            state: "confirmed" | "declined" | "delivered" | "expired" | "failed" | "invited" | "opted_out" | "unclear" | "unresolved";
            /** @description The last answer; null: none yet. */
            answer: ("no" | "yes") | null;
            /** @description How many come; null: not said. */
            guests: number | null;
            /** @description How sure the answer was understood. 1: a button, or settled by a person; 0: the last reply was not understood; null: no answer. */
            matchConfidence: number | null;
            /** @description The guest's last reply; null: none. */
            text: string | null;
            /** @description When the last answer was given; null: none yet. */
            answeredAt: string | null;
            /**
             * Format: date-time
             * @description When the newest invitation ends.
             */
            expiresAt: string;
        };
        /** @description An invitation ended, and its reply was not understood. */
        GuestUnresolvedEvent: {
            /** @description Equals X-Webhook-Id. */
            id: string;
            /**
             * Format: date-time
             * @description When it happened, in the account's time.
             */
            createdAt: string;
            /** @description `live` sends for real; in `sandbox` messages reach no one. */
            environment: components["schemas"]["Environment"];
            /** @description The account it happened in. */
            accountId: string;
            /**
             * @description The kind of event.
             * @constant
             */
            type: "guest.unresolved";
            /** @description The reply, and what it was understood to mean. */
            data: components["schemas"]["GuestReplyData"];
        };
        /** @description A number's health at one time. */
        HealthData: {
            /** @description The platform's word, such as `CONNECTED`. */
            status: string;
            /** @description The platform's rating. */
            qualityRating: string;
        };
        /** @description An accepted item that waits. */
        Held: {
            /** @description Your id of the message. */
            clientMessageId: string;
            /** @description Why it waits. */
            reason: string;
            /** @description Until when it waits, as far as is known. */
            until: string | null;
        };
        /** @description Where the invitation stands. */
        Invitation: {
            /** @description Your id of the event; null where there is none. */
            eventId: string | null;
            /**
             * @description `open` until it is answered or ends. `failed`, `cancelled` and `expired`: also where its message did, unanswered.
             * @enum {string}
             */
            state: "cancelled" | "confirmed" | "declined" | "expired" | "failed" | "open";
            /** @description `yes`, `no`, or null: not answered. */
            answer: ("no" | "yes") | null;
            /** @description When the guest answered last. */
            answeredAt: string | null;
            /**
             * Format: date-time
             * @description Until when it can be answered.
             */
            expiresAt: string;
        };
        /** @description The account's `defaultTemplate`, in an approved language if there is one. */
        InvitationTemplate: {
            /** @description The template's name, as `templateName` takes it. */
            name: string;
            /** @description The language's code, such as `en` or `pt_BR`. */
            language: string;
            /** @description The platform's decision; only `APPROVED` can be sent. */
            status: string;
            /** @description Whether the template can be sent now. */
            ready: boolean;
        };
        /** @description An invoice without its lines. */
        Invoice: {
            /** @description Identifies the invoice. */
            number: string;
            /**
             * @description What the invoice is for.
             * @example USAGE
             */
            kind: string;
            /**
             * @description `OPEN` until it is paid, `OVERDUE` after `dueAt`; `VOID`: withdrawn.
             * @enum {string}
             */
            status: "OPEN" | "OVERDUE" | "PAID" | "VOID";
            /**
             * @description The sum of the lines, before tax; a decimal, two places.
             * @example 12.50
             */
            subtotal: string;
            /** @description The rate of value added tax in percent. */
            vatPct: number;
            /**
             * @description The value added tax; a decimal, two places.
             * @example 12.50
             */
            vatAmount: string;
            /**
             * @description What is to be paid; a decimal, two places.
             * @example 12.50
             */
            total: string;
            /**
             * @description Three letters, as in ISO 4217.
             * @example ILS
             */
            currency: string;
            /**
             * Format: date-time
             * @description When it was issued.
             */
            issuedAt: string;
            /**
             * Format: date-time
             * @description Until when it is to be paid.
             */
            dueAt: string;
        };
        /** @description One thing that the invoice charges for. */
        InvoiceLine: {
            /** @description What is charged for. */
            description: string;
            /** @description How many were charged. */
            quantity: number;
            /** @description The price of one; a decimal, up to six places. */
            unitPrice: string;
            /**
             * @description The price of all; a decimal, two places.
             * @example 12.50
             */
            amount: string;
        };
        /** @description An invoice with what it charges for. */
        InvoiceWithLines: {
            /** @description Identifies the invoice. */
            number: string;
            /**
             * @description What the invoice is for.
             * @example USAGE
             */
            kind: string;
            /**
             * @description `OPEN` until it is paid, `OVERDUE` after `dueAt`; `VOID`: withdrawn.
             * @enum {string}
             */
            status: "OPEN" | "OVERDUE" | "PAID" | "VOID";
            /**
             * @description The sum of the lines, before tax; a decimal, two places.
             * @example 12.50
             */
            subtotal: string;
            /** @description The rate of value added tax in percent. */
            vatPct: number;
            /**
             * @description The value added tax; a decimal, two places.
             * @example 12.50
             */
            vatAmount: string;
            /**
             * @description What is to be paid; a decimal, two places.
             * @example 12.50
             */
            total: string;
            /**
             * @description Three letters, as in ISO 4217.
             * @example ILS
             */
            currency: string;
            /**
             * Format: date-time
             * @description When it was issued.
             */
            issuedAt: string;
            /**
             * Format: date-time
             * @description Until when it is to be paid.
             */
            dueAt: string;
            /** @description What the invoice charges for. */
            lines: components["schemas"]["InvoiceLine"][];
        };
        /** @description A change of the balance owed; `amount` is what was bought, reported, received or adjusted by. */
        LedgerEntry: {
            /** @description Identifies this entry. */
            id: string;
            /**
             * @description What changed the balance.
             * @enum {string}
             */
            kind: "ADJUSTMENT" | "TOPUP" | "TRANSFER_CONFIRMED" | "TRANSFER_REJECTED" | "TRANSFER_REPORTED";
            /**
             * Format: date-time
             * @description When it happened.
             */
            at: string;
            /** @description Messages added to the capacity; null: none. */
            messages: number | null;
            /**
             * @description By how much; a decimal, two places.
             * @example 12.50
             */
            amount: string;
            /**
             * @description The balance owed after this entry.
             * @example 12.50
             */
            balanceAfter: string;
            /** @description The bank's reference of the transfer. */
            reference: string | null;
            /** @description A remark of your own. */
            note: string | null;
        };
        /** @description The link that was created. */
        Link: {
            /** @description Identifies the link: 12 letters and digits; case matters. */
            code: string;
            /** @description The address to hand out. */
            shortUrl: string;
            /** @description Where it leads. */
            url: string;
            /** @description Opens counted; previews by known crawlers are not opens. */
            clicks: number;
            /** @description Whether the link still redirects. */
            active: boolean;
        };
        /** @description Where the link leads. */
        LinkBody: {
            /**
             * Format: uri
             * @description Where it leads: https, on a public host.
             */
            url: string;
            /** @description Your event that the link belongs to, to find it by. */
            eventId?: string;
            /** @description Your message that the link is in, to find it by. */
            clientMessageId?: string;
            /**
             * Format: date-time
             * @description From then on the link leads nowhere. RFC 3339 with an offset.
             */
            expiresAt?: string;
        };
        /** @description A link with its opens. */
        LinkOpens: {
            /** @description Identifies the link: 12 letters and digits; case matters. */
            code: string;
            /** @description The address to hand out. */
            shortUrl: string;
            /** @description Where it leads. */
            url: string;
            /** @description Opens by people; previews and crawlers are not. */
            clicks: number;
            /** @description When it was first opened; null: never. */
            firstClickAt: string | null;
            /** @description When it was last opened; null: never. */
            lastClickAt: string | null;
            /** @description False once expired, or with its account disabled. */
            active: boolean;
        };
        /** @description The file that the guest sends. */
        MediaBody: {
            /**
             * @description Whether the guest sends a photo or a file.
             * @enum {string}
             */
            type: "image" | "document";
            /** @description The text below the media. */
            caption?: string;
        };
        /** @description The message that waits, and why. */
        MessageDeferredData: {
            /** @description Your id of the message. */
            clientMessageId: string;
            /** @description The platform's id of the message; null before it was sent. */
            messageId: string | null;
            /** @description The recipient, as it was given. */
            to: string;
            /** @description Your own data, as it was given when sending. */
            meta: Record<string, unknown> | null;
            /** @description Your event that the message belongs to, where it has one. */
            eventId?: string;
            /** @description The batch that the message was sent in, where it has one. */
            batchId?: string;
            /** @description Why it waits: `SEND_WINDOW`, `NUMBER_LIMIT`, `ACCOUNT_LIMIT`, `INVOICE_OVERDUE`, `SENDING_PAUSED`, `NUMBER_UNHEALTHY` or `PLATFORM_UNAVAILABLE`. */
            reason: string;
            /** @description When it is retried; null where no time is known. */
            retryAt: string | null;
            /**
             * Format: date-time
             * @description When it began to wait.
             */
            at: string;
        };
        /** @description A message must wait: once for each reason. */
        MessageDeferredEvent: {
            /** @description Equals X-Webhook-Id. */
            id: string;
            /**
             * Format: date-time
             * @description When it happened, in the account's time.
             */
            createdAt: string;
            /** @description `live` sends for real; in `sandbox` messages reach no one. */
            environment: components["schemas"]["Environment"];
            /** @description The account it happened in. */
            accountId: string;
            /**
             * @description The kind of event.
             * @constant
             */
            type: "message.deferred";
            /** @description The message that waits, and why. */
            data: components["schemas"]["MessageDeferredData"];
        };
        /** @description A message in a list. */
        MessageItem: {
            /** @description Your id of the message. */
            clientMessageId: string;
            /** @description The platform's id of the message; null until the platform has accepted it. */
            messageId: string | null;
            /** @description The recipient, as it was given. */
            to: string;
            /**
             * @description What was sent; `prompt` is a text of an event, sent by the service.
             * @enum {string}
             */
            kind: "notification" | "invitation" | "otp" | "feedback" | "prompt";
            status: components["schemas"]["Status"];
            /** @description Why it waits; null: it does not. */
            reason: components["schemas"]["Reason"] | null;
            /** @description When it is retried; null where no time is known. */
            retryAt: string | null;
            /** @description It is not sent before this time; null: at once. */
            scheduledFor: string | null;
            /** @description The sending number, international digits. */
            sentFrom: string | null;
            /** @description The batch that it was sent in; null where it was sent alone. */
            batchId: string | null;
            /** @description Your id of the event; null where there is none. */
            eventId: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /** @description The state of the invitation; null for other kinds. */
            invitation: components["schemas"]["Invitation"] | null;
            /** @description Why the message failed. */
            error: components["schemas"]["Fault"] | null;
            /** @description Your own data, as it was given. */
            meta: Record<string, unknown> | null;
        };
        /** @description The reply as it came; what it means is for you to say. */
        MessageReceivedData: {
            /** @description The platform's id of the reply. */
            messageId: string;
            /** @description The guest's number. */
            from: string | null;
            /** @description Your number that it was sent to. */
            to: string;
            /** @description `text`, `button`, `image`, `reaction` or another word of the platform. */
            type: string;
            /** @description What the guest wrote; null where there is no text. */
            text: string | null;
            /** @description What the button sends back, as you gave it; null: no button. */
            payload: string | null;
            /** @description Where to download the file, for 7 days. */
            mediaUrl: string | null;
            /**
             * @description How the reply was matched to a message; `last_outbound` is a guess.
             * @enum {string}
             */
            repliedTo: "button_payload" | "last_outbound" | "none" | "quoted_message";
            /** @description Your id of the message that the reply is about; null: none was found. */
            clientMessageId: string | null;
            /** @description Your own data, as it was given when sending. */
            meta: Record<string, unknown> | null;
            /** @description Your event that the message belongs to, where it has one. */
            eventId?: string;
            /** @description The batch that the message was sent in, where it has one. */
            batchId?: string;
            /** @description Our last message to this guest; null: none. */
            lastOutbound: components["schemas"]["OutboundData"] | null;
            /** @description Our last message of each kind to this guest. */
            lastOutboundByKind: {
                [key: string]: components["schemas"]["OutboundData"];
            };
            /** @description Until when free text may be sent to this person. */
            windowExpiresAt: string | null;
            /**
             * Format: date-time
             * @description When the platform received it.
             */
            receivedAt: string;
            /** @description The platform's message, as it came. */
            raw: unknown;
        };
        /** @description Raw accounts: somebody has replied. */
        MessageReceivedEvent: {
            /** @description Equals X-Webhook-Id. */
            id: string;
            /**
             * Format: date-time
             * @description When it happened, in the account's time.
             */
            createdAt: string;
            /** @description `live` sends for real; in `sandbox` messages reach no one. */
            environment: components["schemas"]["Environment"];
            /** @description The account it happened in. */
            accountId: string;
            /**
             * @description The kind of event.
             * @constant
             */
            type: "message.received";
            /** @description The reply as it came; what it means is for you to say. */
            data: components["schemas"]["MessageReceivedData"];
        };
        /** @description A message with its timeline and attempts. */
        MessageStatus: {
            /** @description Your id of the message. */
            clientMessageId: string;
            /** @description The platform's id of the message; null until the platform has accepted it. */
            messageId: string | null;
            /** @description The recipient, as it was given. */
            to: string;
            /**
             * @description What was sent; `prompt` is a text of an event, sent by the service.
             * @enum {string}
             */
            kind: "notification" | "invitation" | "otp" | "feedback" | "prompt";
            /** @description How far the message is. */
            status: components["schemas"]["Status"];
            /** @description Why it waits; null: it does not. */
            reason: components["schemas"]["Reason"] | null;
            /** @description When it is retried; null where no time is known. */
            retryAt: string | null;
            /** @description It is not sent before this time; null: at once. */
            scheduledFor: string | null;
            /** @description The sending number, international digits. */
            sentFrom: string | null;
            /** @description The batch that it was sent in; null where it was sent alone. */
            batchId: string | null;
            /** @description Your id of the event; null where there is none. */
            eventId: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /** @description The state of the invitation; null for other kinds. */
            invitation: components["schemas"]["Invitation"] | null;
            /** @description Why the message failed. */
            error: components["schemas"]["Fault"] | null;
            /** @description Your own data, as it was given. */
            meta: Record<string, unknown> | null;
            /** @description The statuses it went through, oldest first. */
            timeline: components["schemas"]["Step"][];
            /** @description The calls to the platform, in order. */
            attempts: components["schemas"]["Attempt"][];
        };
        /** @description The message and its new status. */
        MessageStatusData: {
            /** @description Your id of the message. */
            clientMessageId: string;
            /** @description The platform's id of the message; null before it was sent. */
            messageId: string | null;
            /** @description The recipient, as it was given. */
            to: string;
            /** @description Your own data, as it was given when sending. */
            meta: Record<string, unknown> | null;
            /** @description Your event that the message belongs to, where it has one. */
            eventId?: string;
            /** @description The batch that the message was sent in, where it has one. */
            batchId?: string;
            /**
             * @description The status that the message has reached.
             * @enum {string}
             */
            status: "delivered" | "expired" | "failed" | "read" | "sent";
            /**
             * Format: date-time
             * @description When it reached the status.
             */
            at: string;
            /** @description Why it failed; only with `failed`. */
            error?: components["schemas"]["Fault"];
            /** @description Only with `expired`, and true: it was not delivered, whether it had been sent or not. */
            neverDelivered?: boolean;
        };
        /** @description A message was sent, delivered or read, or failed or expired. */
        MessageStatusEvent: {
            /** @description Equals X-Webhook-Id. */
            id: string;
            /**
             * Format: date-time
             * @description When it happened, in the account's time.
             */
            createdAt: string;
            /** @description `live` sends for real; in `sandbox` messages reach no one. */
            environment: components["schemas"]["Environment"];
            /** @description The account it happened in. */
            accountId: string;
            /**
             * @description The kind of event.
             * @constant
             */
            type: "message.status";
            /** @description The message and its new status. */
            data: components["schemas"]["MessageStatusData"];
        };
        /** @description An item that was accepted. */
        Named: {
            /** @description Your id of the message. */
            clientMessageId: string;
        };
        /** @description New people that this number may write to; numbers of one portfolio show what they share. */
        NumberCapacity: {
            /** @description The phone number, international digits. */
            number: string;
            /**
             * @description The platform's daily limit, by its name.
             * @enum {string}
             */
            tier: "TIER_100K" | "TIER_10K" | "TIER_250" | "TIER_2K" | "TIER_UNLIMITED";
            /** @description New people in a rolling 24 hours; null: no limit. */
            dailyLimit: number | null;
            /** @description New people written to; null: there is no limit to count for. */
            used: number | null;
            /** @description New people that may be written to; null: no limit. */
            remaining: number | null;
            /** @description Messages that it may send in a second. */
            perSecond: number;
        };
        /** @description A number as the platform rates it. */
        NumberHealth: {
            /** @description The phone number, international digits. */
            number: string;
            /** @description The name guests see. */
            displayName: string;
            /** @description The platform's word, such as `CONNECTED`; `UNKNOWN`: it has not confirmed the number yet. */
            status: string;
            /** @description The platform's rating: `GREEN`, `YELLOW`, `RED` or `UNKNOWN`. */
            qualityRating: string;
            /**
             * @description The platform's daily limit, by its name.
             * @enum {string}
             */
            tier: "TIER_100K" | "TIER_10K" | "TIER_250" | "TIER_2K" | "TIER_UNLIMITED";
            /** @description Whether the number can send now. */
            readyForSending: boolean;
            /** @description Why it is not ready, in the platform's words if it gave any. */
            reason: string | null;
        };
        /** @description A number of the account, and whether it can send. */
        NumberReadiness: {
            /** @description The phone number, international digits. */
            number: string;
            /** @description Whether the number can send now. */
            ready: boolean;
            /** @description Why it is not ready. */
            reason: string | null;
        };
        /** @description The numbers to look up. */
        NumbersBody: {
            /** @description At most 500, in international digits. */
            numbers: string[];
        };
        /** @description A number whose owner asked to stop the messages. */
        OptOut: {
            /** @description The phone number, international digits. */
            number: string;
            /**
             * Format: date-time
             * @description When the person asked to stop.
             */
            since: string;
            /** @description How the person asked: in a `reply`, or at the messaging `platform` itself. */
            source: string;
        };
        /** @description The numbers to look up. */
        OptOutsBody: {
            /** @description At most 500, in international digits. */
            numbers: string[];
        };
        /** @description A passcode for one recipient. */
        OtpBody: {
            /** @description The recipient. International digits, 8 to 20; a leading 00 is not counted. */
            to: string;
            /** @description The passcode: no spaces, invisible characters or links. Erased once sent. */
            code: string;
            /** @description Your id of the message, for 48 hours of de-duplication; without it the message gets one. */
            clientMessageId?: string;
            /**
             * @description Not sent within this time, the passcode expires and is never sent late.
             * @default 600
             */
            ttlSeconds?: number;
            /** @description Your own data, repeated in every event about the message. At most 4 KB as compact JSON. */
            meta?: {
                [key: string]: unknown;
            };
        };
        /** @description A message that you sent. */
        OutboundData: {
            /** @description Your id of the message. */
            clientMessageId: string;
            /** @description The platform's id of the message; null until the platform has accepted it. */
            messageId: string | null;
            /** @description What kind of message it is: `notification`, `invitation`, `otp`, `feedback` or `prompt`. */
            kind: string;
            /** @description When it was sent; null: not yet. */
            at: string | null;
        };
        /** @description How long the messages last at this rate. */
        Outlook: {
            /** @description Net use of the last days, on average. */
            perDay: number;
            /** @description Messages left. */
            remaining: number;
            /** @description When they will be used up; null: not before the period ends, if ever. */
            exhaustedAt: string | null;
        };
        /** @description What the partner has bought, owes and may still buy. */
        PartnerAccount: {
            /** @description Three letters, as in ISO 4217. */
            currency: string;
            /** @description What a message costs; a decimal, up to six places. */
            ratePerMessage: string;
            /** @description Messages that may be sent. */
            capacity: components["schemas"]["Capacity"];
            /**
             * @description The balance owed; below zero it is credit.
             * @example 12.50
             */
            debt: string;
            /**
             * @description How much may be owed; a decimal, two places.
             * @example 12.50
             */
            creditLimit: string;
            /**
             * @description How much more may be owed; a decimal, two places.
             * @example 12.50
             */
            creditAvailable: string;
            /** @description The largest top-up possible now. */
            maxTopupMessages: number;
            /** @description When the agreement ends; null: it does not. */
            expiresAt: string | null;
            /** @description Whether the agreement has ended. */
            expired: boolean;
            /** @description Reported and not yet confirmed. */
            pendingTransfers: components["schemas"]["PendingTransfer"][];
        };
        /** @description The passcode's message as it stands now, without the code. */
        PasscodeResult: {
            /** @description Your id of the message. */
            clientMessageId: string;
            /** @description The platform's id of the message; null until the platform has accepted it. */
            messageId: string | null;
            status: components["schemas"]["Status"];
            /** @description The sending number, international digits. */
            sentFrom: string | null;
            /** @description Whether this is the result of an earlier request with the same id. */
            duplicate: boolean;
            /** @description Why it waits. */
            reason?: components["schemas"]["Reason"];
            /** @description When it is retried; null where no time is known. */
            retryAt?: string | null;
            /** @description Why the message failed. */
            error?: components["schemas"]["SendError"];
        };
        /** @description A transfer that was reported and not yet confirmed. */
        PendingTransfer: {
            /** @description The bank's reference of the transfer. */
            reference: string;
            /**
             * @description What was transferred; a decimal, two places.
             * @example 12.50
             */
            amount: string;
            /** @description The date of the transfer at the bank. */
            transferDate: string | null;
            /**
             * Format: date-time
             * @description When the transfer was reported.
             */
            reportedAt: string;
        };
        /** @description The person, and where they said it. */
        PreferenceData: {
            /** @description The guest's number. */
            from: string | null;
            /**
             * @description Where the person opted out or in: in a `reply`, or at the `platform`.
             * @enum {string}
             */
            source: "platform" | "reply";
        };
        /** @description What the same request would do without `X-Dry-Run`. */
        Preview: {
            /** @description Your id of the message. */
            clientMessageId: string;
            /**
             * @description The status that the same request would get without X-Dry-Run.
             * @enum {string}
             */
            wouldBe: "deferred" | "duplicate" | "failed" | "queued" | "scheduled" | "sent";
            /** @description Why it would wait or fail; null: it would do neither. */
            reason: string | null;
            /** @description When it is retried; null where no time is known. */
            retryAt: string | null;
            /** @description It is not sent before this time. */
            scheduledFor: string | null;
            /** @description The sending number, international digits. */
            sentFrom: string | null;
            /** @description Whether another number than the asked one, or the template instead of the free text, was used. */
            fallbackUsed: boolean;
            /** @description Units of the quota that it uses. */
            cost: components["schemas"]["Cost"];
        };
        /** @description The answers to one question, counted. */
        QuestionFigures: {
            /** @description The question's id in the form. */
            questionId: string;
            /** @description Its text, as in the latest version that has it. */
            question: string;
            /**
             * @description What kind of question it is.
             * @enum {string}
             */
            type: "rating" | "single" | "multi" | "comment";
            /** @description People who answered this question. */
            answered: number;
            /** @description The average of a rating, 1 to 5; null: no answer yet. */
            average?: number | null;
            /** @description How many chose each option of a choice, or each of `1` to `5` of a rating. */
            counts?: {
                [key: string]: number;
            };
            /** @description The newest 200, the newest first. */
            comments?: components["schemas"]["CommentText"][];
        };
        /** @description A number of messages, and how much of it is used. */
        Quota: {
            /** @description Messages included in this period. */
            quota: number;
            /** @description Messages used so far. */
            used: number;
            /** @description Messages left. */
            remaining: number;
        };
        /** @description Whether an invitation that names no template could be sent now, hours of sending aside. */
        Readiness: {
            /** @description Whether an invitation could be sent now. */
            ready: boolean;
            /** @description Everything that stands against it; empty where ready. */
            reasons: string[];
            /** @description The template of invitations that name none; null: there is no `defaultTemplate`, or no such template. */
            invitationTemplate: components["schemas"]["InvitationTemplate"] | null;
            /** @description One entry for each number. */
            numbers: components["schemas"]["NumberReadiness"][];
        };
        /**
         * @description Why a message waits: `SEND_WINDOW` outside the hours of sending, `NUMBER_LIMIT` and `ACCOUNT_LIMIT` a limit is reached, `INVOICE_OVERDUE` a payment is missing, `SENDING_PAUSED` somebody paused sending, `NUMBER_UNHEALTHY` the number may not send now, `PLATFORM_UNAVAILABLE` the platform does not answer.
         * @enum {string}
         */
        Reason: "ACCOUNT_LIMIT" | "INVOICE_OVERDUE" | "NUMBER_LIMIT" | "NUMBER_UNHEALTHY" | "PLATFORM_UNAVAILABLE" | "SENDING_PAUSED" | "SEND_WINDOW";
        /** @description The event as it is registered now. */
        RegisteredEvent: {
            /** @description Your id of the event. */
            eventId: string;
            /**
             * Format: date-time
             * @description When the event takes place.
             */
            eventDate: string;
            /** @description Where this event's webhooks go. */
            callbackUrl: string;
            /** @description What guests are sent in the event's name. */
            texts: components["schemas"]["EventTexts"];
            /** @description Deadlines and the sending number of this event's invitations. */
            defaults: components["schemas"]["EventDefaults"];
            /** @description Whether an invitation went out: the date is then fixed. */
            locked: boolean;
            /** @description Invitations that went out. */
            sentInvitations: number;
            /** @description The answers, counted by guest. */
            replies: components["schemas"]["EventReplies"];
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When its settings changed last.
             */
            updatedAt: string;
            /** @description Whether the request changed nothing. */
            duplicate: boolean;
        };
        /** @description An item that was refused. */
        RejectedItem: {
            /** @description Position in `messages`, counted from 0. */
            index: number;
            /** @description Your id of the message; null where the item has none. */
            clientMessageId: string | null;
            /** @description The error code of this item. */
            code: string;
            /** @description What is wrong and how to correct it. */
            message: string;
        };
        /** @description The number whose opt-out was removed. */
        RemovedOptOut: {
            /** @description The phone number, international digits. */
            number: string;
            /** @description Whether there was an opt-out to remove. */
            removed: boolean;
        };
        /** @description The guest's message. */
        Replied: {
            /** @description The platform's id of the guest's message. */
            messageId: string;
        };
        /** @description What the guest does: exactly one of `text`, `button`, `media`, `form`, `stop`. */
        ReplyBody: {
            /** @description The guest's number. */
            from: string;
            /** @description Which of your numbers the guest writes to; absent: the one that wrote last. */
            to?: string;
            /** @description What the guest writes. */
            text?: string;
            /** @description The guest taps a button. */
            button?: components["schemas"]["ButtonBody"];
            /** @description The guest sends a file. */
            media?: components["schemas"]["MediaBody"];
            /** @description The guest fills in the latest form. */
            form?: components["schemas"]["FormBody"];
            /** @description The guest asks to stop. */
            stop?: boolean;
            /** @description The clientMessageId of the message that the guest quotes. */
            quoted?: string;
        };
        /** @description The transfer as it was reported. */
        ReportedTransfer: {
            /** @description The bank's reference of the transfer. */
            reference: string;
            /**
             * @description What was transferred; a decimal, two places.
             * @example 12.50
             */
            amount: string;
            /**
             * @description Always `REPORTED`: it waits for the operator's confirmation.
             * @enum {string}
             */
            status: "REPORTED";
            /**
             * Format: date-time
             * @description When the transfer was reported.
             */
            reportedAt: string;
        };
        /** @description The event that is posted again. */
        Retried: {
            /** @description The event's id, equal to X-Webhook-Id. */
            webhookId: string;
            /** @description Always `queued`: it is posted as soon as possible. */
            status: string;
        };
        /** @description How many events are posted again, and how many are left. */
        RetriedMany: {
            /**
             * Format: date-time
             * @description The time asked for.
             */
            since: string;
            /** @description Events that are posted again. */
            queued: number;
            /** @description Events that are left: call again until it is 0. */
            remaining: number;
        };
        /** @description Which failed events to retry. */
        RetryBody: {
            /**
             * Format: date-time
             * @description Retry all that failed then or later.
             */
            since: string;
        };
        /** @description A message with buttons to one recipient. */
        RichBody: {
            /** @description Your id of the message. The same id within 48 hours answers with the first result and sends nothing. */
            clientMessageId: string;
            /** @description The recipient. International digits, 8 to 20; a leading 00 is not counted. */
            to: string;
            /** @description The text above the buttons. */
            message: string;
            /** @description Up to three `{id, text}`, or one `{text, url}`. */
            buttons: ({
                /** @description Comes back when it is pressed. */
                id: string;
                /** @description What the guest sees. */
                text: string;
            } | {
                /** @description What the guest sees. */
                text: string;
                /**
                 * Format: uri
                 * @description Where it leads.
                 */
                url: string;
            })[];
            /** @description A picture above the text: base64, or a data: URI, of a jpeg or png. */
            headerImage?: string;
            /** @description The line above the text. Beside `headerImage` it becomes the first line of the text and counts towards its 1,024 characters. */
            title?: string;
            /** @description Small text below the body. */
            footer?: string;
            /** @description An approved template; needed outside the conversation window. */
            templateName?: string;
            /** @description The template's language code, such as `en` or `pt_BR`. */
            templateLang?: string;
            /** @description Values for the template's variables: those of the header text, of the body, then of URL buttons. */
            templateParams?: string[];
        };
        /** @description The new quality, the new status, or both. */
        SandboxSenderBody: {
            /**
             * @description The quality rating that the platform would report.
             * @enum {string}
             */
            quality?: "GREEN" | "RED" | "YELLOW";
            /**
             * @description A RESTRICTED number sends nothing; its messages wait.
             * @enum {string}
             */
            status?: "CONNECTED" | "RESTRICTED";
        };
        /** @description Why the platform refused the message. */
        SendError: {
            /** @description Why it failed, for programs. */
            code: string;
            /** @description What went wrong, in words. */
            explanation: string;
            /** @description What to do about it. */
            action: string;
        };
        /** @description When messages may be sent, by the clocks of the time zone; may cross midnight. */
        SendHours: {
            /**
             * @description From this time of day.
             * @example 08:00
             */
            from: string;
            /**
             * @description Until this time of day.
             * @example 21:00
             */
            to: string;
            /**
             * @description An IANA time zone, such as `Asia/Jerusalem`.
             * @example Asia/Jerusalem
             */
            timezone: string;
        };
        /** @description The message as it stands now. */
        SendResult: {
            /** @description Your id of the message. */
            clientMessageId: string;
            /** @description The platform's id of the message; null until the platform has accepted it. */
            messageId: string | null;
            status: components["schemas"]["Status"];
            /** @description The sending number, international digits. */
            sentFrom: string | null;
            /** @description Whether another number than the asked one, or the template instead of the free text, was used. */
            fallbackUsed: boolean;
            /** @description When the platform accepted it; null until then. */
            sentAt: string | null;
            /** @description Whether this is the result of an earlier request with the same id. */
            duplicate: boolean;
            /**
             * Format: date-time
             * @description It is not sent before this time.
             */
            scheduledFor?: string;
            /** @description Why it waits. */
            reason?: components["schemas"]["Reason"];
            /** @description When it is retried; null where no time is known. */
            retryAt?: string | null;
            /** @description Why the message failed. */
            error?: components["schemas"]["SendError"];
        };
        /** @description The health of all numbers: `GREEN` all are well, `YELLOW` some are, `RED` none is, `UNKNOWN` the platform has not said it yet. */
        SenderHealth: {
            /**
             * @description The health of all numbers together.
             * @enum {string}
             */
            overall: "GREEN" | "RED" | "UNKNOWN" | "YELLOW";
            /** @description Whether any number can send now. */
            readyForSending: boolean;
            /** @description New people that all numbers together may write to in 24 hours; null: no limit. */
            aggregateCapacity: number | null;
            /**
             * @description The platform's rating.
             * @enum {string}
             */
            qualityRating: "GREEN" | "RED" | "UNKNOWN" | "YELLOW";
            /** @description One entry for each number. */
            numbers: components["schemas"]["NumberHealth"][];
            /** @description Limits that the account's own settings impose. */
            fromApplication: components["schemas"]["AccountCaps"];
        };
        /** @description The number, with its health before and after. */
        SenderHealthData: {
            /** @description The phone number, international digits. */
            number: string;
            /** @description The number's health before. */
            previous: components["schemas"]["HealthData"];
            /** @description The number's health now. */
            current: components["schemas"]["HealthData"];
        };
        /** @description A number's status or quality changed at the platform. */
        SenderHealthEvent: {
            /** @description Equals X-Webhook-Id. */
            id: string;
            /**
             * Format: date-time
             * @description When it happened, in the account's time.
             */
            createdAt: string;
            /** @description `live` sends for real; in `sandbox` messages reach no one. */
            environment: components["schemas"]["Environment"];
            /** @description The account it happened in. */
            accountId: string;
            /**
             * @description The kind of event.
             * @constant
             */
            type: "sender.health";
            /** @description The number, with its health before and after. */
            data: components["schemas"]["SenderHealthData"];
        };
        /** @description A button as the guest sees it. */
        ShownButton: {
            /** @description What it does when the guest taps it. */
            type: string;
            /** @description What the guest reads on it. */
            text: string;
            /** @description What it sends back; null: nothing. */
            payload: string | null;
            /** @description The address that it opens; null: it opens none. */
            url: string | null;
        };
        /** @description A message on the guest's phone. */
        ShownMessage: {
            /**
             * @description `in`: written by the guest; `out`: sent by us.
             * @enum {string}
             */
            direction: "in" | "out";
            /**
             * Format: date-time
             * @description When it arrived on the phone.
             */
            at: string;
            /** @description The platform's id of the message. */
            messageId: string | null;
            /** @description Your id of the message; null for one of the guest's. */
            clientMessageId: string | null;
            /** @description Which kind of content it has, such as `text` or `image`. */
            type: string;
            /** @description What it says; null: it has no text. */
            text: string | null;
            /** @description The header text. */
            title: string | null;
            /** @description Small text below the body. */
            footer: string | null;
            /** @description The image or document; null: none. */
            media: Record<string, unknown> | null;
            /** @description The buttons, in order. */
            buttons: components["schemas"]["ShownButton"][];
            /** @description The feedback form; null: none. */
            form: Record<string, unknown> | null;
        };
        /**
         * @description `queued` and `sending` are on the way to the platform; `scheduled` and `deferred` wait; `sent`, `delivered` and `read` follow each other; `failed`, `expired` and `cancelled` are final and refunded.
         * @enum {string}
         */
        Status: "cancelled" | "deferred" | "delivered" | "expired" | "failed" | "queued" | "read" | "scheduled" | "sending" | "sent";
        /** @description A change of the message's status. */
        Step: {
            /** @description The status that it reached. */
            status: string;
            /**
             * Format: date-time
             * @description When it reached it.
             */
            at: string;
            /**
             * @description Why it waited or failed.
             * @default
             */
            reason?: string;
        };
        /** @description What the account pays with. */
        SubscriptionShape: {
            /** @description The name of the package. */
            package: string;
            /**
             * @description `PACKAGE` is prepaid, `MONTHLY` renews, `USAGE` is invoiced as used.
             * @enum {string}
             */
            billingType: "MONTHLY" | "PACKAGE" | "USAGE";
            /**
             * @description Only an `ACTIVE` one is charged.
             * @enum {string}
             */
            state: "ACTIVE" | "CANCELLED" | "EXPIRED";
            /** @description Unique messages: the first to a number within the subscription. */
            unique: components["schemas"]["Quota"];
            /** @description Follow-up messages: the second and later to a number. */
            followup: components["schemas"]["Quota"];
            /** @description Prices and what is owed so far; only with `USAGE`. */
            usage?: components["schemas"]["Usage"];
            /**
             * Format: date-time
             * @description When the subscription begins.
             */
            startsAt: string;
            /** @description When the subscription ends; null: it does not. */
            endsAt: string | null;
            /** @description When the month ends and the quota begins anew; null: it does not renew. */
            renewsAt: string | null;
        };
        /** @description A button of the template. */
        TemplateButtonShape: {
            /** @description QUICK_REPLY, URL, PHONE_NUMBER, FLOW or COPY_CODE. */
            type: string;
            /** @description What the guest reads on the button. */
            text: string;
            /** @description The address that the button opens. */
            url?: string;
            /** @description The number that the button calls. */
            phone?: string;
        };
        /** @description One language version of a template. */
        TemplateShape: {
            /** @description The template's name, as `templateName` takes it. */
            name: string;
            /** @description The language's code, such as `en` or `pt_BR`. */
            language: string;
            /** @description The platform's decision; only `APPROVED` can be sent. */
            status: string;
            /** @description `UTILITY`, `MARKETING` or `AUTHENTICATION`. */
            category: string;
            /** @description How many `templateParams` it takes. */
            variables: number;
            /** @description What stands above the text: `TEXT`, `IMAGE`, `DOCUMENT` or another; null: nothing. */
            header: string | null;
            /** @description The text, with its variables as `{{1}}`. */
            body: string;
            /** @description The buttons, in order. */
            buttons: components["schemas"]["TemplateButtonShape"][];
            /** @description Whether a message with it could be sent now. */
            usable: boolean;
            /** @description Why it cannot be used now; null: it can. */
            reason: string | null;
            /** @description What it says, of a `TEXT` header. */
            headerText?: string;
            /** @description Small text below the body, where there is one. */
            footer?: string;
        };
        /** @description A message to one recipient: a template, or free text. */
        TextBody: {
            /** @description Your id of the message. The same id within 48 hours answers with the first result and sends nothing. */
            clientMessageId: string;
            /** @description The recipient. International digits, 8 to 20; a leading 00 is not counted. */
            to: string;
            /** @description An approved template; needed outside the conversation window. */
            templateName?: string;
            /** @description The template's language code, such as `en` or `pt_BR`. */
            templateLang?: string;
            /** @description Values for the template's variables: those of the header text, of the body, then of URL buttons. */
            templateParams?: string[];
            /** @description Free text; outside the conversation window a template is needed. */
            message?: string;
            /**
             * @description `invitation` asks for an answer and needs `eventId` or `expiresAt`; absent: `notification`.
             * @enum {string}
             */
            kind?: "notification" | "invitation";
            /** @description The registered event that the message belongs to. */
            eventId?: string;
            /**
             * Format: date-time
             * @description Until when the invitation can be answered. RFC 3339 with an offset.
             */
            expiresAt?: string;
            /**
             * Format: date-time
             * @description The message is not sent before then; up to a year ahead. RFC 3339 with an offset.
             */
            scheduledFor?: string;
            /**
             * Format: date-time
             * @description If it is not sent by then, it expires and is refunded. RFC 3339 with an offset.
             */
            deadline?: string;
            /** @description A jpeg, png or PDF of at most 5MB, as base64. */
            mediaBase64?: string;
            /** @description A file from POST /messages/upload; valid for 90 days from its last use. */
            mediaId?: string;
            /**
             * @description How the media is shown: as an `image`, or as a `document` to open.
             * @enum {string}
             */
            type?: "image" | "document";
            /** @description Which of your numbers sends it. International digits, 8 to 20; a leading 00 is not counted. */
            sentFrom?: string;
            /**
             * @description What to do when `sentFrom` cannot send now: `prefer` uses another number, `strict` waits for it, `auto` ignores `sentFrom`.
             * @enum {string}
             */
            fromPolicy?: "prefer" | "strict" | "auto";
            /** @description Your own data, repeated in every event about the message. At most 4 KB as compact JSON. */
            meta?: {
                [key: string]: unknown;
            };
            /**
             * Format: uri
             * @description Where the template's button leads; opens are counted.
             */
            buttonUrl?: string;
            /** @description What the template's quick-reply buttons send back, in its order; absent: the clientMessageId. */
            buttonPayloads?: string[];
        };
        /** @description What guests are sent in the event's name, each text once for an invitation. */
        TextsBody: {
            /** @description After a reply that was not understood. */
            invalidReply: string;
            /** @description When nothing was understood for a while. */
            nudge: string;
            /** @description After a reply that came too late. */
            expired: string;
        };
        /** @description The capacity after the purchase, and what it cost. */
        Topup: {
            /** @description How many messages were bought. */
            messages: number;
            /**
             * @description What the capacity cost; a decimal, two places.
             * @example 12.50
             */
            amount: string;
            /** @description Three letters, as in ISO 4217. */
            currency: string;
            /** @description Messages that may be sent. */
            capacity: components["schemas"]["Capacity"];
            /**
             * @description The balance owed after it; a decimal, two places.
             * @example 12.50
             */
            debt: string;
            /**
             * @description How much more may be owed; a decimal, two places.
             * @example 12.50
             */
            creditAvailable: string;
        };
        /** @description How much capacity to buy. */
        TopupBody: {
            /** @description How many messages to buy. */
            messages: number;
        };
        /** @description All numbers together, each portfolio once. */
        TotalCapacity: {
            /** @description New people in a rolling 24 hours; null: no limit. */
            dailyLimit: number | null;
            /** @description New people written to; null: there is no limit to count for. */
            used: number | null;
            /** @description New people that may be written to; null: no limit. */
            remaining: number | null;
        };
        /** @description A bank transfer that you have made. */
        TransferBody: {
            /** @description What was transferred: above zero, at most two decimal places. */
            amount: number;
            /** @description The bank's reference of the transfer; each is reported once. */
            reference: string;
            /**
             * Format: date
             * @description The date of the transfer at the bank, YYYY-MM-DD.
             */
            transferDate?: string;
            /** @description A remark of your own. */
            note?: string;
        };
        /** @description Which event to post. */
        TriggerBody: {
            /** @description The kind of event to post. */
            type: string;
        };
        /** @description The event that was posted. */
        Triggered: {
            /** @description The event's id, equal to X-Webhook-Id. */
            webhookId: string;
            /** @description The kind of event. */
            type: string;
        };
        /** @description The uploaded file. */
        Upload: {
            /** @description Identifies the file in later messages. */
            mediaId: string;
            /** @description What the content was found to be. */
            mimetype: string;
            /** @description The size of the file. */
            bytes: number;
        };
        /** @description A file, as base64. */
        UploadBody: {
            /** @description A jpeg, png or pdf of at most 5MB, in standard base64 with padding. */
            mediaBase64: string;
            /**
             * @description What the file is; it must agree with the content.
             * @example image/jpeg
             * @example image/png
             * @example application/pdf
             */
            mimetype?: string;
            /** @description The name that a guest sees of a document. */
            filename?: string;
        };
        /** @description Pay as you go: the prices, and what the next invoice comes to so far. */
        Usage: {
            /** @description Three letters, as in ISO 4217. */
            currency: string;
            /**
             * @description The price of a unique message; a decimal, up to six places.
             * @example 0.20
             */
            pricePerUnique: string;
            /**
             * @description The price of a follow-up message; a decimal, up to six places.
             * @example 0.20
             */
            pricePerFollowup: string;
            /**
             * @description What the next invoice comes to so far, before tax; a decimal, two places.
             * @example 12.50
             */
            accrued: string;
            /** @description How much may be owed; a decimal, two places; null: no limit. */
            creditLimit: string | null;
            /** @description How much more may be owed; a decimal, two places; null: no limit. */
            available: string | null;
        };
        /** @description Messages charged and refunded, by day or month. */
        UsageReport: {
            /**
             * @description The first day, YYYY-MM-DD in UTC.
             * @example 2026-11-15
             */
            from: string;
            /**
             * @description The last day, YYYY-MM-DD in UTC.
             * @example 2026-11-15
             */
            to: string;
            /**
             * @description Rows by day or by month.
             * @enum {string}
             */
            groupBy: "day" | "month";
            /** @description Three letters, as in ISO 4217. */
            currency: string | null;
            /** @description One for each day or month. */
            rows: components["schemas"]["UsageRow"][];
            /** @description The sum of the rows. */
            totals: components["schemas"]["UsageTotals"];
            /** @description How long the rest will last at this rate; null: no forecast. */
            forecast: components["schemas"]["Forecast"] | null;
        };
        /** @description One day or month: messages by the day they were charged, refunds by the day they were refunded. */
        UsageRow: {
            /** @description A day, or a month such as 2026-11. */
            period: string;
            /** @description Messages charged. */
            messages: number;
            /** @description Unique messages: the first to a number within the subscription. */
            unique: number;
            /** @description Follow-up messages: the second and later to a number. */
            followup: number;
            /** @description Messages whose charge was refunded. */
            refunded: number;
            /**
             * @description Refunds taken off, only with `USAGE`; a decimal, two places.
             * @example 12.50
             */
            cost: string;
        };
        /** @description All rows together. */
        UsageTotals: {
            /** @description Messages charged. */
            messages: number;
            /** @description Unique messages: the first to a number within the subscription. */
            unique: number;
            /** @description Follow-up messages: the second and later to a number. */
            followup: number;
            /** @description Messages whose charge was refunded. */
            refunded: number;
            /**
             * @description Refunds taken off, only with `USAGE`; a decimal, two places.
             * @example 12.50
             */
            cost: string;
        };
        /** @description A post as you received it. */
        VerifyBody: {
            /** @description The headers of the post, as you received them. */
            headers: {
                [key: string]: string;
            };
            /** @description The body of the post, as your code signs it. */
            body: string;
            /** @description What your code uses as the signing secret. */
            secret?: string;
            /** @description The signature that your code worked out. */
            computed?: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type AccountCapacity = components['schemas']['AccountCapacity'];
export type AccountCaps = components['schemas']['AccountCaps'];
export type AnswerBody = components['schemas']['AnswerBody'];
export type AnswerData = components['schemas']['AnswerData'];
export type AtRisk = components['schemas']['AtRisk'];
export type Attempt = components['schemas']['Attempt'];
export type AttemptShape = components['schemas']['AttemptShape'];
export type Balance = components['schemas']['Balance'];
export type BatchCompletedEvent = components['schemas']['BatchCompletedEvent'];
export type BatchProgressData = components['schemas']['BatchProgressData'];
export type BatchProgressEvent = components['schemas']['BatchProgressEvent'];
export type BatchStatus = components['schemas']['BatchStatus'];
export type BulkBody = components['schemas']['BulkBody'];
export type BulkResult = components['schemas']['BulkResult'];
export type ButtonBody = components['schemas']['ButtonBody'];
export type CancelBody = components['schemas']['CancelBody'];
export type Cancelled = components['schemas']['Cancelled'];
export type Capacities = components['schemas']['Capacities'];
export type Capacity = components['schemas']['Capacity'];
export type ChargeShape = components['schemas']['ChargeShape'];
export type CheckedNumber = components['schemas']['CheckedNumber'];
export type CheckedNumbers = components['schemas']['CheckedNumbers'];
export type CheckedOptOut = components['schemas']['CheckedOptOut'];
export type CheckedOptOuts = components['schemas']['CheckedOptOuts'];
export type Clock = components['schemas']['Clock'];
export type ClockBody = components['schemas']['ClockBody'];
export type CommentText = components['schemas']['CommentText'];
export type Conversation = components['schemas']['Conversation'];
export type Cost = components['schemas']['Cost'];
export type CreditOutlook = components['schemas']['CreditOutlook'];
export type DefaultsBody = components['schemas']['DefaultsBody'];
export type Diagnosis = components['schemas']['Diagnosis'];
export type DuplicateItem = components['schemas']['DuplicateItem'];
export type Environment = components['schemas']['Environment'];
export type ErrorCode = components['schemas']['ErrorCode'];
export type EventBody = components['schemas']['EventBody'];
export type EventDefaults = components['schemas']['EventDefaults'];
export type EventReplies = components['schemas']['EventReplies'];
export type EventShape = components['schemas']['EventShape'];
export type EventTexts = components['schemas']['EventTexts'];
export type FailedWebhook = components['schemas']['FailedWebhook'];
export type Fault = components['schemas']['Fault'];
export type FeedEntry = components['schemas']['FeedEntry'];
export type FeedbackBody = components['schemas']['FeedbackBody'];
export type FeedbackResult = components['schemas']['FeedbackResult'];
export type FeedbackSubmittedData = components['schemas']['FeedbackSubmittedData'];
export type FeedbackSubmittedEvent = components['schemas']['FeedbackSubmittedEvent'];
export type Finding = components['schemas']['Finding'];
export type Forecast = components['schemas']['Forecast'];
export type FormBody = components['schemas']['FormBody'];
export type FormResults = components['schemas']['FormResults'];
export type FormSummary = components['schemas']['FormSummary'];
export type GetBatchesQuery = components['schemas']['GetBatchesQuery'];
export type GetChargesQuery = components['schemas']['GetChargesQuery'];
export type GetEventsEventIdGuestsQuery = components['schemas']['GetEventsEventIdGuestsQuery'];
export type GetEventsQuery = components['schemas']['GetEventsQuery'];
export type GetFormsQuery = components['schemas']['GetFormsQuery'];
export type GetInvoicesQuery = components['schemas']['GetInvoicesQuery'];
export type GetLinksQuery = components['schemas']['GetLinksQuery'];
export type GetMediaInboundPlatformMessageIdQuery = components['schemas']['GetMediaInboundPlatformMessageIdQuery'];
export type GetMessagesQuery = components['schemas']['GetMessagesQuery'];
export type GetOptoutsQuery = components['schemas']['GetOptoutsQuery'];
export type GetPartnerLedgerQuery = components['schemas']['GetPartnerLedgerQuery'];
export type GetTemplatesQuery = components['schemas']['GetTemplatesQuery'];
export type GetUsageQuery = components['schemas']['GetUsageQuery'];
export type GetWebhooksEventsQuery = components['schemas']['GetWebhooksEventsQuery'];
export type GetWebhooksFailedQuery = components['schemas']['GetWebhooksFailedQuery'];
export type GuestConfirmedEvent = components['schemas']['GuestConfirmedEvent'];
export type GuestDeclinedEvent = components['schemas']['GuestDeclinedEvent'];
export type GuestMessageEvent = components['schemas']['GuestMessageEvent'];
export type GuestOptedInEvent = components['schemas']['GuestOptedInEvent'];
export type GuestOptedOutEvent = components['schemas']['GuestOptedOutEvent'];
export type GuestRepliedInvalidEvent = components['schemas']['GuestRepliedInvalidEvent'];
export type GuestRepliedLateEvent = components['schemas']['GuestRepliedLateEvent'];
export type GuestReplyData = components['schemas']['GuestReplyData'];
export type GuestShape = components['schemas']['GuestShape'];
export type GuestUnresolvedEvent = components['schemas']['GuestUnresolvedEvent'];
export type HealthData = components['schemas']['HealthData'];
export type Held = components['schemas']['Held'];
export type Invitation = components['schemas']['Invitation'];
export type InvitationTemplate = components['schemas']['InvitationTemplate'];
export type Invoice = components['schemas']['Invoice'];
export type InvoiceLine = components['schemas']['InvoiceLine'];
export type InvoiceWithLines = components['schemas']['InvoiceWithLines'];
export type LedgerEntry = components['schemas']['LedgerEntry'];
export type Link = components['schemas']['Link'];
export type LinkBody = components['schemas']['LinkBody'];
export type LinkOpens = components['schemas']['LinkOpens'];
export type MediaBody = components['schemas']['MediaBody'];
export type MessageDeferredData = components['schemas']['MessageDeferredData'];
export type MessageDeferredEvent = components['schemas']['MessageDeferredEvent'];
export type MessageItem = components['schemas']['MessageItem'];
export type MessageReceivedData = components['schemas']['MessageReceivedData'];
export type MessageReceivedEvent = components['schemas']['MessageReceivedEvent'];
export type MessageStatus = components['schemas']['MessageStatus'];
export type MessageStatusData = components['schemas']['MessageStatusData'];
export type MessageStatusEvent = components['schemas']['MessageStatusEvent'];
export type Named = components['schemas']['Named'];
export type NumberCapacity = components['schemas']['NumberCapacity'];
export type NumberHealth = components['schemas']['NumberHealth'];
export type NumberReadiness = components['schemas']['NumberReadiness'];
export type NumbersBody = components['schemas']['NumbersBody'];
export type OptOut = components['schemas']['OptOut'];
export type OptOutsBody = components['schemas']['OptOutsBody'];
export type OtpBody = components['schemas']['OtpBody'];
export type OutboundData = components['schemas']['OutboundData'];
export type Outlook = components['schemas']['Outlook'];
export type PartnerAccount = components['schemas']['PartnerAccount'];
export type PasscodeResult = components['schemas']['PasscodeResult'];
export type PendingTransfer = components['schemas']['PendingTransfer'];
export type PreferenceData = components['schemas']['PreferenceData'];
export type Preview = components['schemas']['Preview'];
export type QuestionFigures = components['schemas']['QuestionFigures'];
export type Quota = components['schemas']['Quota'];
export type Readiness = components['schemas']['Readiness'];
export type Reason = components['schemas']['Reason'];
export type RegisteredEvent = components['schemas']['RegisteredEvent'];
export type RejectedItem = components['schemas']['RejectedItem'];
export type RemovedOptOut = components['schemas']['RemovedOptOut'];
export type Replied = components['schemas']['Replied'];
export type ReplyBody = components['schemas']['ReplyBody'];
export type ReportedTransfer = components['schemas']['ReportedTransfer'];
export type Retried = components['schemas']['Retried'];
export type RetriedMany = components['schemas']['RetriedMany'];
export type RetryBody = components['schemas']['RetryBody'];
export type RichBody = components['schemas']['RichBody'];
export type SandboxSenderBody = components['schemas']['SandboxSenderBody'];
export type SendError = components['schemas']['SendError'];
export type SendHours = components['schemas']['SendHours'];
export type SendResult = components['schemas']['SendResult'];
export type SenderHealth = components['schemas']['SenderHealth'];
export type SenderHealthData = components['schemas']['SenderHealthData'];
export type SenderHealthEvent = components['schemas']['SenderHealthEvent'];
export type ShownButton = components['schemas']['ShownButton'];
export type ShownMessage = components['schemas']['ShownMessage'];
export type Status = components['schemas']['Status'];
export type Step = components['schemas']['Step'];
export type SubscriptionShape = components['schemas']['SubscriptionShape'];
export type TemplateButtonShape = components['schemas']['TemplateButtonShape'];
export type TemplateShape = components['schemas']['TemplateShape'];
export type TextBody = components['schemas']['TextBody'];
export type TextsBody = components['schemas']['TextsBody'];
export type Topup = components['schemas']['Topup'];
export type TopupBody = components['schemas']['TopupBody'];
export type TotalCapacity = components['schemas']['TotalCapacity'];
export type TransferBody = components['schemas']['TransferBody'];
export type TriggerBody = components['schemas']['TriggerBody'];
export type Triggered = components['schemas']['Triggered'];
export type Upload = components['schemas']['Upload'];
export type UploadBody = components['schemas']['UploadBody'];
export type Usage = components['schemas']['Usage'];
export type UsageReport = components['schemas']['UsageReport'];
export type UsageRow = components['schemas']['UsageRow'];
export type UsageTotals = components['schemas']['UsageTotals'];
export type VerifyBody = components['schemas']['VerifyBody'];
