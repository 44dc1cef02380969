/** The whole way: invite a guest, be the guest, receive and verify the event in a server of ours. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type WebhookEvent, webhooks } from "@tidings/client";
import { SECRET, client, eventually, guest, listen } from "./world.js";

test("a guest's answer arrives, verified and typed", async (t) => {
  const tidings = client();
  const events: WebhookEvent[] = [];
  const receiver = await listen(t, (request, response) => {
    events.push(webhooks.verify(request.body, request.headers, SECRET));
    response.writeHead(204).end();
  });
  const to = guest();
  await tidings.events.create({
    eventId: "received-dinner",
    eventDate: "2035-06-01T18:00:00Z",
    callbackUrl: receiver.url,
    texts: { invalidReply: "Yes or no?", nudge: "Will you come?", expired: "Too late." },
  });
  await tidings.messages.sendText({
    to,
    kind: "invitation",
    eventId: "received-dinner",
    templateName: "invite",
    templateParams: ["Dana", "Friday"],
    meta: { table: 7 },
  });
  await tidings.sandbox.reply({ from: to, text: "Yes, we'll be 4" });

  const confirmed = await eventually(() => events.find((event) => event.type === "guest.confirmed"));
  assert.equal(confirmed.type, "guest.confirmed");
  assert.deepEqual([confirmed.data.answer, confirmed.data.guests], ["yes", 4]);
  assert.deepEqual(confirmed.data.meta, { table: 7 });

  const [post] = receiver.received;
  assert.ok(post);
  const headers = { ...post.headers, "x-signature": undefined, "x-timestamp": undefined };
  assert.equal(webhooks.verify(post.body, headers, SECRET).id, post.headers["webhook-id"]);
});
