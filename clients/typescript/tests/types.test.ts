/** What must and must not compile; compiling this file is the test. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  EVENT_TYPES, type ErrorCode, InvalidPhoneError, TidingsError, type TextMessage, type WebhookEvent,
} from "@tidings/client";

// @ts-expect-error: a misspelt field
const misspelt: TextMessage = { clientMessageID: "x", to: "972501234567" };
// @ts-expect-error: a template's parameters are strings
const wrong: TextMessage = { to: "972501234567", templateParams: [1] };
// @ts-expect-error: no such code
const code: ErrorCode = "INVALID_PHONES";

function describe(event: WebhookEvent): string {
  switch (event.type) {
    case "guest.confirmed":
      return `${event.data.guests ?? 1} will come`;
    case "message.status":
      return event.data.status;
    case "batch.completed":
      return `${event.data.sent} sent`;
    // @ts-expect-error: no such event
    case "guest.vanished":
      return "";
    default:
      return event.type;
  }
}

test("an event's type tells its data", () => {
  const event = { type: "batch.completed", data: { sent: 3 } } as WebhookEvent;
  assert.equal(describe(event), "3 sent");
  assert.equal(EVENT_TYPES.length, new Set(EVENT_TYPES).size);
});

test("an error's class tells its code", () => {
  const error: TidingsError = new InvalidPhoneError({ code: "INVALID_PHONE", message: "no" });
  if (error instanceof InvalidPhoneError) {
    const known: "INVALID_PHONE" = error.code;
    assert.equal(known, "INVALID_PHONE");
  }
  assert.ok(misspelt && wrong && code);
});
