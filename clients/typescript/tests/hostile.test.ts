/** Responses that no service of ours gives: each is a TidingsError, and nothing is done twice. */
import assert from "node:assert/strict";
import { inspect } from "node:util";
import { test, type TestContext } from "node:test";
import {
  ConfigurationError, ConnectionFailedError, type Tidings, TidingsError, TimedOutError, UnexpectedResponseError,
} from "@tidings/client";
import { client, listen } from "./world.js";

const HELLO = { to: "972501234567", templateName: "hello", templateParams: ["Dana"] };

type Act = (tidings: Tidings) => Promise<unknown>;
const ACTS: Act[] = [
  (tidings) => tidings.balance(),
  (tidings) => tidings.messages.sendText(HELLO),
  (tidings) => tidings.messages.list().all(),
];

/** A client of a server that gives this answer, whatever it is asked. */
async function answering(t: TestContext, status: number, body: string, headers: Record<string, string> = {}) {
  const server = await listen(t, (_request, response) => void response.writeHead(status, headers).end(body));
  return { tidings: client({ baseUrl: server.url, maxRetries: 0 }), received: server.received };
}

async function failure(work: Promise<unknown>): Promise<TidingsError> {
  const error: unknown = await work.then(() => assert.fail("nothing was thrown"), (reason) => reason);
  assert.ok(error instanceof TidingsError, inspect(error));
  return error;
}

test("a success without its data is none", async (t) => {
  const bodies = [
    "", "{}", "null", '"sent"', '{"success": true}', '{"success": true, "data": null}',
    '{"success": true, "data": "sent"}', '{"success": false, "data": {}}', '{"success": "true", "data": {}}',
    '{"success": true, "data": {"status": "se', "[".repeat(100_000),
  ];
  for (const body of bodies) {
    const { tidings } = await answering(t, 200, body);
    for (const act of ACTS) assert.ok((await failure(act(tidings))) instanceof UnexpectedResponseError, body);
  }
});

test("an error of another shape is an error all the same", async (t) => {
  const errors = [
    ['{"code": "INVALID_PHONE", "message": null, "action": 5}', "INVALID_PHONE"],
    ['{"code": "NEW_RULE"}', "NEW_RULE"],
    ['{"code": "constructor"}', "constructor"],
    ['{"code": ["A"], "message": "no"}', "UNEXPECTED_RESPONSE"],
    ['"no"', "UNEXPECTED_RESPONSE"],
  ] as const;
  for (const [error, code] of errors) {
    const { tidings } = await answering(t, 400, `{"success": false, "error": ${error}}`);
    assert.equal((await failure(tidings.balance())).code, code);
  }
});

test("a strange Retry-After is neither waited for nor a fault", async (t) => {
  for (const wait of ["²", "-1", "1e9", "9".repeat(400), "Wed, 21 Oct 2099 07:28:00 GMT"]) {
    const { tidings } = await answering(t, 429, "", { "retry-after": wait });
    assert.ok((await failure(tidings.balance())) instanceof UnexpectedResponseError);
  }
});

test("a body that is cut off is a broken connection", async (t) => {
  const server = await listen(t, (_request, response) => {
    response.writeHead(200, { "content-length": "1000" }).write('{"success": true, "data": {}}');
    setImmediate(() => response.destroy());
  });
  const call = client({ baseUrl: server.url, maxRetries: 0 }).messages.sendText(HELLO);
  assert.ok((await failure(call)) instanceof ConnectionFailedError);
});

test("a body that comes in drops is a time-out", async (t) => {
  const server = await listen(t, (_request, response) => {
    response.writeHead(200);
    const drops = setInterval(() => response.write(" "), 20);
    response.on("close", () => clearInterval(drops));
  });
  const call = client({ baseUrl: server.url, maxRetries: 0, timeout: 300 }).balance();
  assert.ok((await failure(call)) instanceof TimedOutError);
});

test("a list that leads to itself ends", async (t) => {
  const { tidings, received } = await answering(t, 200, '{"success": true, "data": [], "nextCursor": "again"}');
  assert.ok((await failure(tidings.messages.list().all())) instanceof UnexpectedResponseError);
  assert.equal(received.length, 2);
});

test("a batch that failed says which ids to repeat it with", async (t) => {
  const { tidings, received } = await answering(t, 502, "<html>Bad gateway");
  const messages = [HELLO, { ...HELLO, clientMessageId: "mine-0001" }];
  const error = await failure(tidings.messages.sendBulk({ messages }));
  const sent = JSON.parse(String(received[0]?.body)).messages;
  assert.deepEqual(error.clientMessageIds, sent.map((one: { clientMessageId: string }) => one.clientMessageId));
  assert.deepEqual([error.clientMessageIds[1], error.clientMessageId], ["mine-0001", undefined]);
});

test("an id cannot lead to another address", async (t) => {
  const { tidings, received } = await answering(t, 200, "{}");
  for (const id of ["", ".", ".."]) {
    assert.throws(() => tidings.messages.get(id), /an id must not be/);
    assert.throws(() => tidings.optouts.delete(id), /an id must not be/);
  }
  assert.equal(received.length, 0);
});

test("a key that cannot be one is refused, and not shown", () => {
  for (const apiKey of ["td_live_a b", "td_live_a\nb", "td_live_א", "", " "]) {
    assert.throws(() => client({ apiKey }), (error) => {
      assert.ok(error instanceof ConfigurationError);
      assert.doesNotMatch(error.message, /td_live/);
      return true;
    });
  }
  assert.throws(() => client({ baseUrl: "" }), ConfigurationError);
  assert.throws(() => client({ baseUrl: "http://" }), ConfigurationError);
});

test("a time-out longer than a timer can be is no time-out at once", async () => {
  for (const timeout of [Infinity, 2 ** 40]) assert.ok(await client({ timeout, maxRetries: 0 }).health());
});
