/** Every endpoint once, on a real service. pytest checks that none is missing. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { EVENT_TYPES } from "@tidings/client";
import { PARTNER_KEY, client, eventually, guest, listen } from "./world.js";

const tidings = client();
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const TEXTS = { invalidReply: "Yes or no?", nudge: "Will you come?", expired: "Too late." };
const EVENT = { eventDate: "2035-06-01T18:00:00Z", texts: TEXTS };

test("the account and the service say how they are", async () => {
  assert.equal((await tidings.health()).service, "tidings");
  assert.equal((await tidings.readiness()).ready, true);
  assert.equal((await tidings.limits()).numbers[0]?.number, "972555000001");
  assert.equal((await tidings.senderHealth()).readyForSending, true);
  assert.equal((await tidings.balance()).subscription?.package, "Demo");
  assert.ok((await tidings.usage({ groupBy: "month" })).rows);
  const names = (await tidings.templates.list().all()).map((template) => template.name);
  assert.deepEqual(names.sort(), ["code", "hello", "invite"]);
});

test("a message is sent once, read back and listed", async () => {
  const to = guest();
  const message = { clientMessageId: "endpoint-0001", to, templateName: "hello", templateParams: ["Dana"] };
  const sent = await tidings.messages.sendText(message);
  assert.deepEqual([sent.status, sent.duplicate], ["sent", false]);
  assert.equal((await tidings.messages.sendText(message)).duplicate, true);
  const status = await tidings.messages.get("endpoint-0001");
  assert.deepEqual(status.timeline.map((step) => step.status).slice(0, 3), ["queued", "sending", "sent"]);
  const listed = await tidings.messages.list({ to }).all();
  assert.deepEqual(listed.map((item) => item.clientMessageId), ["endpoint-0001"]);
  const { messages } = await tidings.sandbox.phone(to);
  assert.equal(messages[0]?.text, "Hello Dana, welcome to Tidings!");
});

test("the client makes an id where none is given", async () => {
  const sent = await tidings.messages.sendText({ to: guest(), templateName: "hello", templateParams: ["A"] });
  assert.match(sent.clientMessageId, /^[0-9a-f-]{36}$/);
  assert.equal((await tidings.messages.get(sent.clientMessageId)).status, sent.status);
});

test("a dry run says what would happen and sends nothing", async () => {
  const to = guest();
  const hello = { to, templateName: "hello", templateParams: ["Dana"] };
  const preview = await tidings.messages.sendText(hello, { dryRun: true });
  assert.deepEqual([preview.wouldBe, preview.cost.unique], ["sent", 1]);
  const bulk = await tidings.messages.sendBulk({ messages: [hello] }, { dryRun: true });
  assert.deepEqual([bulk.batchId, bulk.cost?.unique], [null, 1]);
  assert.deepEqual((await tidings.sandbox.phone(to)).messages, []);
});

test("a guest who wrote gets buttons, answers and stops", async () => {
  const to = guest();
  await tidings.messages.sendText({ to, templateName: "hello", templateParams: ["Dana"] });
  await tidings.sandbox.reply({ from: to, text: "hi" });
  const buttons = [{ id: "red", text: "Red" }, { id: "blue", text: "Blue" }];
  const sent = await tidings.messages.sendRich({ to, message: "Which colour?", buttons });
  assert.equal(sent.status, "sent");
  await tidings.sandbox.reply({ from: to, button: { text: "Red" } });
  await tidings.sandbox.reply({ from: to, stop: true });
  assert.equal((await tidings.optouts.check({ numbers: [to] })).numbers[0]?.optedOut, true);
  assert.ok((await tidings.optouts.list().all()).some((optOut) => optOut.number === to));
  assert.deepEqual(await tidings.optouts.delete(to), { number: to, removed: true });
});

test("a passcode is sent, and its code shown nowhere", async () => {
  const to = guest();
  const sent = await tidings.messages.sendOtp({ to, code: "123456" });
  assert.equal(sent.status, "sent");
  assert.doesNotMatch(JSON.stringify(await tidings.sandbox.phone(to)), /123456/);
});

test("a batch is followed and cancelled", async () => {
  const { now } = await tidings.sandbox.clock();
  const scheduledFor = new Date(Date.parse(now) + 30 * 24 * 3600_000).toISOString();
  const hello = { templateName: "hello", templateParams: ["Dana"], scheduledFor };
  const messages = [{ ...hello, to: guest() }, { ...hello, to: guest() }];
  const sent = await tidings.messages.sendBulk({ messages, batchName: "autumn" });
  assert.equal(sent.accepted.length, 2);
  const batchId = sent.batchId ?? "";
  assert.equal((await tidings.batches.get(batchId)).batchName, "autumn");
  assert.equal((await tidings.batches.cancel(batchId)).cancelled, 2);
  assert.ok((await tidings.batches.list().all()).some((batch) => batch.batchId === batchId));
});

test("a file is uploaded from bytes, a Blob or base64", async () => {
  const uploaded = await tidings.messages.upload(PNG, { filename: "dot.png" });
  assert.deepEqual([uploaded.mimetype, uploaded.bytes], ["image/png", PNG.length]);
  assert.equal((await tidings.messages.upload(new Blob([new Uint8Array(PNG)]))).bytes, PNG.length);
  const again = await tidings.messages.upload({ mediaBase64: PNG.toString("base64") });
  assert.equal(again.bytes, PNG.length);
});

test("guests of an event answer, and one is settled by hand", async (t) => {
  const receiver = await listen(t, (_request, response) => response.writeHead(204).end());
  const [yes, unclear] = [guest(), guest()];
  const created = await tidings.events.create({
    ...EVENT, eventId: "endpoints-dinner", callbackUrl: receiver.url,
  });
  assert.equal(created.duplicate, false);
  for (const to of [yes, unclear]) {
    const invitation = { to, kind: "invitation", eventId: "endpoints-dinner" } as const;
    await tidings.messages.sendText({ ...invitation, templateName: "invite", templateParams: ["Dana", "Friday"] });
  }
  await tidings.sandbox.reply({ from: yes, button: { text: "Yes" } });
  const confirmed = await eventually(async () =>
    (await tidings.events.guests("endpoints-dinner", { state: "confirmed" }).all())[0]);
  assert.deepEqual([confirmed.to, confirmed.answer], [yes, "yes"]);
  const settled = await tidings.events.answer("endpoints-dinner", unclear, { answer: "yes", guests: 3 });
  assert.equal(settled.guests, 3);
  assert.equal((await tidings.events.get("endpoints-dinner")).replies.headcount, 4);
  assert.ok((await tidings.events.list().all()).some((event) => event.eventId === "endpoints-dinner"));
});

test("a form is sent, filled in and counted", async () => {
  const to = guest();
  assert.equal((await tidings.feedback.send({ formId: "stay", to })).status, "queued");
  await tidings.sandbox.advanceClock({ advanceSeconds: 5 });
  await tidings.sandbox.reply({ from: to, form: { answers: { q1: 5, q2: "Lovely" } } });
  assert.equal((await tidings.forms.list().all())[0]?.formId, "stay");
  const results = await eventually(async () => {
    const found = await tidings.forms.results("stay");
    return found.answered > 0 ? found : undefined;
  });
  assert.equal(results.questions[0]?.average, 5);
});

test("a link is made and its opens counted", async () => {
  const link = await tidings.links.create({ url: "https://example.com/menu" });
  assert.equal((await tidings.links.get(link.code)).clicks, 0);
  assert.ok((await tidings.links.list().all()).some((one) => one.code === link.code));
});

test("numbers are checked", async () => {
  const to = guest();
  const { numbers } = await tidings.numbers.check({ numbers: [to] });
  assert.deepEqual(numbers, [{ number: to, delivered: null }]);
});

test("a guest's file is downloaded by its link", async () => {
  const from = guest();
  await tidings.messages.sendText({ to: from, templateName: "hello", templateParams: ["Dana"] });
  await tidings.sandbox.reply({ from, media: { type: "image", caption: "the cake" } });
  const mediaUrl = await eventually(async () => {
    for await (const entry of tidings.webhooks.events()) {
      if (entry.payload.type === "guest.message" && entry.payload.data.from === from) {
        return entry.payload.data.mediaUrl;
      }
    }
    return undefined;
  });
  const file = await tidings.media.inbound(mediaUrl);
  assert.match(file.contentType, /^image\//);
  assert.ok(file.data.length > 0);
});

test("events that failed are listed and retried", async (t) => {
  const receiver = await listen(t, (_request, response) => response.writeHead(500).end());
  await tidings.events.create({ ...EVENT, eventId: "endpoints-failing", callbackUrl: receiver.url });
  for (const clientMessageId of ["failing-0001", "failing-0002"]) {
    const hello = { to: guest(), templateName: "hello", templateParams: ["Dana"] };
    await tidings.messages.sendText({ ...hello, clientMessageId, eventId: "endpoints-failing" });
  }
  const failed = await eventually(async () => {
    await tidings.sandbox.advanceClock({ advanceSeconds: 3 * 3600 });
    const found = await tidings.webhooks.failed().all();
    return found.length > 1 ? found : undefined;
  });
  const [first] = failed;
  assert.equal(first?.url, receiver.url);
  assert.equal((await tidings.webhooks.retry(first?.webhookId ?? "")).status, "queued");
  assert.ok((await tidings.webhooks.retrySince({ since: "2020-01-01T00:00:00Z" })).queued > 0);
});

test("the service says what is wrong with a signature", async () => {
  const headers = { "X-Timestamp": "1799740800", "X-Signature": "sha256=00" };
  const diagnosis = await tidings.webhooks.checkSignature({ headers, body: "{}" });
  assert.equal(diagnosis.valid, false);
  assert.ok(diagnosis.findings.some((finding) => finding.code === "bad_digits"));
});

test("invoices are read, printed and paid", async () => {
  assert.equal((await tidings.invoices.list({ status: "OPEN" }).all())[0]?.number, "DEMO-0001");
  assert.equal((await tidings.invoices.get("DEMO-0001")).lines[0]?.amount, "100.00");
  const pdf = await tidings.invoices.pdf("DEMO-0001");
  assert.equal(Buffer.from(pdf.subarray(0, 5)).toString(), "%PDF-");
  assert.equal((await tidings.sandbox.payInvoice("DEMO-0001")).status, "PAID");
});

test("charges are listed, and written as CSV", async () => {
  await tidings.messages.sendText({ to: guest(), templateName: "hello", templateParams: ["Dana"] });
  const { items } = await tidings.charges.list({ limit: 1 }).page();
  assert.equal(items.length, 1);
  assert.match(await tidings.charges.csv(), /clientMessageId/);
});

test("a partner tops up, reports a transfer and reads the ledger", async () => {
  const { partner } = client({ apiKey: PARTNER_KEY });
  assert.equal((await partner.topUp({ messages: 100 })).amount, "5.00");
  assert.equal((await partner.reportTransfer({ amount: 5, reference: "bank-1" })).status, "REPORTED");
  assert.equal((await partner.account()).capacity.total, 100);
  const kinds = (await partner.ledger().all()).map((entry) => entry.kind);
  assert.deepEqual(kinds, ["TRANSFER_REPORTED", "TOPUP"]);
});

test("the sandbox's clock, numbers and events do as told", async () => {
  const before = await tidings.sandbox.clock();
  const after = await tidings.sandbox.advanceClock({ advanceSeconds: 60 });
  assert.ok(after.offsetSeconds >= before.offsetSeconds + 60);
  const number = await tidings.sandbox.setSender("972555000001", { quality: "GREEN" });
  assert.equal(number.qualityRating, "GREEN");
  for (const type of EVENT_TYPES) assert.equal((await tidings.sandbox.trigger({ type })).type, type);
});
