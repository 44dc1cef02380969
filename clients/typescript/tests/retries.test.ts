/** What is tried again, after how long, and with which id. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ServiceUnavailableError, TidingsError, type TidingsOptions, type Tidings } from "@tidings/client";
import { type Received, answerJson, client, listen, nowhere } from "./world.js";

const HELLO = { to: "972501234567", templateName: "hello", templateParams: ["Dana"] };
const DONE = { success: true, environment: "sandbox", data: { status: "sent" } };

function busy(status: number, headers: Record<string, string> = {}) {
  const code = status === 429 ? "RATE_LIMIT_EXCEEDED" : "SERVICE_UNAVAILABLE";
  return { status, headers, body: { success: false, error: { code, message: "later" } } };
}

type Failing = ReturnType<typeof busy> | "broken" | "silent";

/** A client of a service that fails in these ways and then works, and does not really wait. */
async function failing(t: Parameters<typeof listen>[0], failures: Failing[], options: TidingsOptions = {}) {
  const server = await listen(t, (_request, response, count) => {
    const failure = failures[count - 1];
    if (failure === undefined) answerJson(response, 200, DONE);
    else if (failure === "broken") response.socket?.destroy();
    else if (failure !== "silent") answerJson(response, failure.status, failure.body, failure.headers);
  });
  const waits: number[] = [];
  const wait = async (milliseconds: number) => {
    waits.push(milliseconds);
  };
  return { tidings: client({ baseUrl: server.url, wait, ...options }), received: server.received, waits };
}

function ids(received: Received[]): Set<unknown> {
  return new Set(received.map(({ body }) => JSON.parse(body.toString()).clientMessageId));
}

test("a send is tried again with the same id", async (t) => {
  const { tidings, received, waits } = await failing(t, [busy(503), "broken", busy(502)]);
  assert.equal((await tidings.messages.sendText(HELLO)).status, "sent");
  assert.equal(received.length, 4);
  assert.equal(ids(received).size, 1);
  assert.ok(waits.every((wait, place) => wait <= 500 * 2 ** place), String(waits));
});

test("the messages of a batch keep their ids", async (t) => {
  const { tidings, received } = await failing(t, [busy(503)]);
  await tidings.messages.sendBulk({ messages: [HELLO, HELLO] });
  const [first, second] = received.map(({ body }) => JSON.parse(body.toString()).messages);
  assert.deepEqual(first, second);
  assert.notEqual(first[0].clientMessageId, first[1].clientMessageId);
});

test("Retry-After is waited for, and too long a one is not", async (t) => {
  const soon = await failing(t, [busy(429, { "retry-after": "7" })]);
  await soon.tidings.balance();
  assert.deepEqual(soon.waits, [7000]);
  const late = await failing(t, [busy(503, { "retry-after": "3600" })]);
  const error: unknown = await late.tidings.balance().catch((reason: unknown) => reason);
  assert.ok(error instanceof ServiceUnavailableError);
  assert.deepEqual([error.retryAfter, late.received.length], [3600, 1]);
});

test("a time-out is tried again where that is safe", async (t) => {
  const { tidings, received } = await failing(t, ["silent"], { timeout: 300 });
  await tidings.messages.sendText(HELLO);
  assert.ok(received.length >= 2);
  assert.equal(ids(received).size, 1);
});

test("no more often than told", async (t) => {
  const { tidings, received } = await failing(t, Array(9).fill(busy(503)), { maxRetries: 2 });
  await assert.rejects(tidings.balance(), ServiceUnavailableError);
  assert.equal(received.length, 3);
  await assert.rejects(tidings.balance({ maxRetries: 0 }), ServiceUnavailableError);
  assert.equal(received.length, 4);
});

const ONCE: [string, (tidings: Tidings) => Promise<unknown>][] = [
  ["partner.topUp", ({ partner }) => partner.topUp({ messages: 1 })],
  ["partner.reportTransfer", ({ partner }) => partner.reportTransfer({ amount: 1, reference: "a" })],
  ["links.create", ({ links }) => links.create({ url: "https://example.com" })],
  ["events.answer", ({ events }) => events.answer("dinner", "972501234567", { answer: "yes" })],
  ["webhooks.retry", (tidings) => tidings.webhooks.retry("whk_1")],
  ["sandbox.advanceClock", ({ sandbox }) => sandbox.advanceClock({ advanceSeconds: 1 })],
  ["sandbox.reply", ({ sandbox }) => sandbox.reply({ from: "972501234567", text: "hi" })],
  ["webhooks.retrySince", (tidings) => tidings.webhooks.retrySince({ since: "2036-01-01T00:00:00Z" })],
  ["sandbox.trigger", ({ sandbox }) => sandbox.trigger({ type: "message.status" })],
  ["sandbox.setSender", ({ sandbox }) => sandbox.setSender("972501234567", { quality: "RED" })],
  ["sandbox.payInvoice", ({ sandbox }) => sandbox.payInvoice("DEMO-0001")],
];

// The service recognises a repetition, or nothing changes: an upload has the id of its content.
const REPEATED: [string, (tidings: Tidings) => Promise<unknown>][] = [
  ["messages.sendRich", ({ messages }) => messages.sendRich({ to: "972501234567", message: "hi", buttons: [] })],
  ["messages.sendOtp", ({ messages }) => messages.sendOtp({ to: "972501234567", code: "482913" })],
  ["messages.upload", ({ messages }) => messages.upload(new Uint8Array([1]))],
  ["feedback.send", ({ feedback }) => feedback.send({ formId: "visit", to: "972501234567" })],
  ["batches.cancel", ({ batches }) => batches.cancel("bat_1")],
  ["numbers.check", ({ numbers }) => numbers.check({ numbers: [] })],
  ["optouts.check", ({ optouts }) => optouts.check({ numbers: [] })],
  ["optouts.delete", ({ optouts }) => optouts.delete("972501234567")],
  ["webhooks.checkSignature", ({ webhooks }) => webhooks.checkSignature({ headers: {}, body: "" })],
];

for (const [name, act] of REPEATED) {
  test(`${name} is repeated with the same body`, async (t) => {
    const { tidings, received } = await failing(t, ["broken", busy(503)]);
    await act(tidings);
    assert.equal(received.length, 3);
    assert.equal(new Set(received.map(({ body }) => body.toString())).size, 1);
  });
}

for (const [name, act] of ONCE) {
  test(`${name} is not repeated where it may have been carried out`, async (t) => {
    for (const failure of ["broken", busy(503)] as const) {
      const { tidings, received } = await failing(t, [failure]);
      await assert.rejects(act(tidings), TidingsError);
      assert.equal(received.length, 1);
    }
    const refused = await failing(t, [busy(429)]);
    await act(refused.tidings);
    assert.equal(refused.received.length, 2, "a refusal for the rate limit did nothing");
  });
}

test("what cannot be connected to is tried again, whatever it is", async () => {
  let waits = 0;
  const wait = async () => {
    waits++;
  };
  const tidings = client({ baseUrl: await nowhere(), wait });
  await assert.rejects(tidings.partner.topUp({ messages: 1 }), TidingsError);
  assert.equal(waits, 3);
});

test("errors that stay are not tried again", async (t) => {
  const { tidings, received } = await failing(t, [busy(500)]);
  await assert.rejects(tidings.balance(), TidingsError);
  assert.equal(received.length, 1);
});
