/** Lists are read page by page while they are iterated. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { client, guest } from "./world.js";

const tidings = client();

async function send(to: string, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, (_, place) => `listed-${to}-${place}`);
  for (const clientMessageId of ids) {
    await tidings.messages.sendText({ clientMessageId, to, templateName: "hello", templateParams: ["Dana"] });
  }
  return ids.reverse();
}

test("iteration goes on over all pages", async () => {
  const to = guest();
  const ids = await send(to, 5);
  const found: string[] = [];
  for await (const message of tidings.messages.list({ to, limit: 2 })) found.push(message.clientMessageId);
  assert.deepEqual(found, ids);
});

test("no page is asked for that nobody needs", async () => {
  const to = guest();
  const [newest] = await send(to, 3);
  let requests = 0;
  const counting: typeof fetch = (input, init) => {
    requests++;
    return fetch(input, init);
  };
  for await (const message of client({ fetch: counting }).messages.list({ to, limit: 2 })) {
    assert.equal(message.clientMessageId, newest);
    break;
  }
  assert.equal(requests, 1);
});

test("pages can be taken one by one, and gone on with later", async () => {
  const to = guest();
  const ids = await send(to, 3);
  const list = tidings.messages.list({ to, limit: 2 });
  const first = await list.page();
  assert.ok(first.nextCursor);
  const second = await list.page(first.nextCursor);
  assert.equal(second.nextCursor, null);
  assert.deepEqual([...first.items, ...second.items].map((item) => item.clientMessageId), ids);
  const sizes: number[] = [];
  for await (const page of list.pages()) sizes.push(page.items.length);
  assert.deepEqual(sizes, [2, 1]);
});

test("the feed goes on after the last event", async () => {
  await send(guest(), 2);
  const all = (await tidings.webhooks.events().all()).map((entry) => entry.webhookId);
  const small = (await tidings.webhooks.events({ limit: 1 }).all()).map((entry) => entry.webhookId);
  assert.deepEqual(small.slice(0, all.length), all);
  const [last] = (await tidings.webhooks.events({ after: "latest" }).page()).items;
  assert.ok(last && new Set(small).size === small.length);
});
