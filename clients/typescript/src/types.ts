/** The types of arguments and results, under the names that callers use. */
import type * as api from "./generated/api.js";
import type { WebhookEvent } from "./generated/events.js";

/** `T`, where the client makes a clientMessageId unless one is given. */
export type IdOptional<T extends { clientMessageId?: string }> = Omit<T, "clientMessageId"> & {
  /** Your own id, 8 to 128 characters: a repetition within 48 hours answers the original. */
  clientMessageId?: string;
};

export type TextMessage = IdOptional<api.TextBody>;
export type RichMessage = IdOptional<api.RichBody>;
export type OtpMessage = api.OtpBody;
export type BulkMessages = Omit<api.BulkBody, "messages"> & { messages: TextMessage[] };
export type Form = api.FormSummary;
export type Event = api.EventShape;
export type NewEvent = api.EventBody;
export type Guest = api.GuestShape;
export type GuestAnswer = api.AnswerBody;
export type Charge = api.ChargeShape;
export type Template = api.TemplateShape;
export type Batch = api.BatchStatus;
export type Health = { service: string; now: string };

/** An entry of the catch-up feed; `payload` is the event as it was posted. */
export type FeedEntry = Omit<api.FeedEntry, "type" | "data" | "payload"> & {
  type: WebhookEvent["type"];
  data: WebhookEvent["data"];
  payload: WebhookEvent;
};
export type FailedWebhook = Omit<api.FailedWebhook, "type" | "payload"> & {
  type: WebhookEvent["type"];
  payload: WebhookEvent;
};

export type {
  Attempt, Balance, BulkResult, Cancelled, Capacities, CheckedNumber, CheckedNumbers, CheckedOptOut,
  CheckedOptOuts, Clock, Conversation, Cost, Diagnosis, Environment, ErrorCode, FeedbackBody,
  FeedbackResult, FormResults, Invitation, Invoice, InvoiceWithLines, LedgerEntry, Link, LinkBody,
  LinkOpens, MessageItem, MessageStatus, NumberHealth, OptOut, PartnerAccount, PasscodeResult, Preview,
  Readiness, RegisteredEvent, RemovedOptOut, Replied, ReplyBody, ReportedTransfer, Retried, RetriedMany,
  SandboxSenderBody, SenderHealth, SendResult, Status, Topup, TransferBody, Triggered, Upload, UploadBody,
  UsageReport, VerifyBody,
  MessageStatusEvent, MessageDeferredEvent, MessageReceivedEvent, GuestConfirmedEvent, GuestDeclinedEvent,
  GuestRepliedInvalidEvent, GuestUnresolvedEvent, GuestRepliedLateEvent, GuestMessageEvent,
  GuestOptedOutEvent, GuestOptedInEvent, BatchProgressEvent, BatchCompletedEvent, SenderHealthEvent,
  FeedbackSubmittedEvent,
} from "./generated/api.js";
