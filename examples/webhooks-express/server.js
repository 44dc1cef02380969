// Receives Tidings webhooks with Express: each post is verified, each event is handled once.
import express from "express";
import { webhooks } from "@tidings/client";

const secret = process.env.TIDINGS_WEBHOOK_SECRET;
if (!secret) throw new Error("set TIDINGS_WEBHOOK_SECRET to your signing secret");

const app = express();
const seen = new Set(); // a real program keeps them in its database, and commits them with the work

// express.raw hands over the bytes that were signed; express.json would parse them away.
app.post("/hooks", express.raw({ type: () => true, limit: "1mb" }), (request, response) => {
  let event;
  try {
    event = webhooks.verify(request.body, request.headers, secret);
  } catch (error) {
    if (!(error instanceof webhooks.WebhookVerificationError)) throw error;
    response.status(400).type("text/plain").send(error.message);
    return;
  }
  if (!seen.has(event.id)) {
    // An exception is answered with 500, and Tidings posts the event again. What takes longer
    // than a second or two belongs into a queue: the answer must come within ten.
    handle(event);
    seen.add(event.id);
  }
  response.sendStatus(204);
});

function handle(event) {
  if (event.type === "guest.confirmed") console.log(`${event.data.from} comes`);
  console.log(`handled ${event.type} ${event.id}`);
}

app.listen(Number(process.env.PORT ?? 3000), "127.0.0.1");
