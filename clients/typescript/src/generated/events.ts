// Generated from the OpenAPI document by scripts/generate.mjs. Do not edit.
import type {
  MessageStatusEvent,
  MessageDeferredEvent,
  MessageReceivedEvent,
  GuestConfirmedEvent,
  GuestDeclinedEvent,
  GuestRepliedInvalidEvent,
  GuestUnresolvedEvent,
  GuestRepliedLateEvent,
  GuestMessageEvent,
  GuestOptedOutEvent,
  GuestOptedInEvent,
  BatchProgressEvent,
  BatchCompletedEvent,
  SenderHealthEvent,
  FeedbackSubmittedEvent,
} from "./api.js";

/** An event that Tidings posts to your webhook; `type` tells which, and so what `data` holds. */
export type WebhookEvent =
  | MessageStatusEvent
  | MessageDeferredEvent
  | MessageReceivedEvent
  | GuestConfirmedEvent
  | GuestDeclinedEvent
  | GuestRepliedInvalidEvent
  | GuestUnresolvedEvent
  | GuestRepliedLateEvent
  | GuestMessageEvent
  | GuestOptedOutEvent
  | GuestOptedInEvent
  | BatchProgressEvent
  | BatchCompletedEvent
  | SenderHealthEvent
  | FeedbackSubmittedEvent;

/** Every kind of event. */
export const EVENT_TYPES = [
  "message.status",
  "message.deferred",
  "message.received",
  "guest.confirmed",
  "guest.declined",
  "guest.replied_invalid",
  "guest.unresolved",
  "guest.replied_late",
  "guest.message",
  "guest.opted_out",
  "guest.opted_in",
  "batch.progress",
  "batch.completed",
  "sender.health",
  "feedback.submitted",
] as const;
