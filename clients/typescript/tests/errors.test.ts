/** What the client throws: a class for each code, with what to do about it. */
import assert from "node:assert/strict";
import { inspect } from "node:util";
import { test } from "node:test";
import {
  ConfigurationError, ConnectionFailedError, InvalidApiKeyError, InvalidPhoneError, MessageNotFoundError,
  Tidings, TidingsError, TimedOutError, UnexpectedResponseError, ValidationError,
} from "@tidings/client";
import { answerJson, client, listen, nowhere } from "./world.js";

const HELLO = { to: "972501234567", templateName: "hello", templateParams: ["Dana"] };

async function thrown(work: Promise<unknown>): Promise<TidingsError> {
  const error: unknown = await work.then(() => assert.fail("nothing was thrown"), (reason) => reason);
  assert.ok(error instanceof TidingsError, inspect(error));
  return error;
}

test("a refusal is the error of its code, and says what to do", async () => {
  const error = await thrown(client().messages.sendText({ ...HELLO, to: "12" }));
  assert.ok(error instanceof InvalidPhoneError);
  assert.deepEqual([error.name, error.code, error.status, error.field], ["InvalidPhoneError", "INVALID_PHONE", 400, "to"]);
  assert.match(error.action ?? "", /international form/);
  assert.match(error.docUrl ?? "", /INVALID_PHONE/);
  assert.ok(error.requestId && error.clientMessageId && error.message);
});

test("errors of other endpoints have classes of their own", async () => {
  assert.ok((await thrown(client().messages.get("nobody-sent-this"))) instanceof MessageNotFoundError);
  assert.ok((await thrown(client().messages.list({ limit: 500 }).all())) instanceof ValidationError);
  assert.ok((await thrown(client({ apiKey: "td_sandbox_x" }).balance())) instanceof InvalidApiKeyError);
});

test("an error keeps the fields that only its code has", async (t) => {
  const error = { code: "INVOICE_OVERDUE", message: "overdue", invoiceNumber: "2026-0001", amount: "10.00" };
  const server = await listen(t, (_request, response) => answerJson(response, 402, { success: false, error }));
  const { details } = await thrown(client({ baseUrl: server.url }).messages.sendText(HELLO));
  assert.deepEqual(details, { invoiceNumber: "2026-0001", amount: "10.00" });
});

test("a code of a newer service is a TidingsError with that code", async (t) => {
  const error = { code: "NEVER_HEARD_OF", message: "new", action: "Update." };
  const server = await listen(t, (_request, response) => answerJson(response, 400, { success: false, error }));
  const found = await thrown(client({ baseUrl: server.url }).balance());
  assert.deepEqual([found.name, found.code, found.action], ["TidingsError", "NEVER_HEARD_OF", "Update."]);
});

test("a proxy's page is not taken for an answer", async (t) => {
  const server = await listen(t, (request, response) => {
    response.writeHead(request.method === "GET" ? 200 : 500).end("<h1>Welcome to nginx</h1>");
  });
  const tidings = client({ baseUrl: server.url });
  for (const call of [tidings.balance(), tidings.links.create({ url: "https://example.com" })]) {
    const error = await thrown(call);
    assert.ok(error instanceof UnexpectedResponseError);
    assert.match(error.message, /Welcome to nginx/);
  }
});

test("a redirect is not followed, so that the key stays here", async (t) => {
  const other = await listen(t, (_request, response) => answerJson(response, 200, { success: true, data: {} }));
  const server = await listen(t, (_request, response) => response.writeHead(302, { location: other.url }).end());
  const error = await thrown(client({ baseUrl: server.url }).balance());
  assert.match(error.message, /redirect to http/);
  assert.equal(other.received.length, 0);
});

test("a service that is not there, or says nothing, is an error of its own", async (t) => {
  const gone = await thrown(client({ baseUrl: await nowhere(), maxRetries: 0 }).balance());
  assert.ok(gone instanceof ConnectionFailedError && gone.status === undefined);
  const silent = await listen(t, () => undefined);
  const late = await thrown(client({ baseUrl: silent.url, maxRetries: 0, timeout: 50 }).messages.sendText(HELLO));
  assert.ok(late instanceof TimedOutError);
  assert.ok(late.clientMessageId, "to repeat the message with");
});

test("a caller's signal ends the request with the caller's reason", async (t) => {
  const controller = new AbortController();
  const server = await listen(t, () => controller.abort(new Error("enough")));
  const call = client({ baseUrl: server.url }).balance({ signal: controller.signal });
  await assert.rejects(call, /enough/);
  await assert.rejects(client({ baseUrl: server.url }).balance({ signal: controller.signal }), /enough/);
  assert.equal(server.received.length, 1);
});

test("a client without a key is refused at once, and one with a key does not show it", () => {
  const kept = process.env["TIDINGS_API_KEY"];
  delete process.env["TIDINGS_API_KEY"];
  assert.throws(() => new Tidings(), ConfigurationError);
  process.env["TIDINGS_API_KEY"] = kept;
  assert.doesNotMatch(inspect(new Tidings({ apiKey: "td_live_secret" }), { depth: 9, showHidden: true }), /td_live/);
});

test("an address without its scheme is refused at once", () => {
  assert.throws(() => client({ baseUrl: "localhost:8080" }), ConfigurationError);
});

test("spaces around the key do no harm", async () => {
  assert.ok(await client({ apiKey: ` ${process.env["TIDINGS_API_KEY"]}\n` }).balance());
});

test("the address may end in a slash or the version", async () => {
  const url = process.env["TIDINGS_URL"];
  for (const end of ["/", "/api/v1", "/api/v1/"]) {
    assert.equal((await client({ baseUrl: url + end }).health()).service, "tidings");
  }
});
