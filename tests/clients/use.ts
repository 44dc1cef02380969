// A program of a customer: it is compiled against the types generated from our description, and
// run against a real server. `node use.js URL KEY` prints what it got as JSON.
import createClient from "openapi-fetch";
import type { components, paths } from "./api.js";

declare const process: { argv: string[] };

const [baseUrl, key] = process.argv.slice(2);
const tidings = createClient<paths>({ baseUrl, headers: { "x-api-key": key } });

const sent = await tidings.POST("/api/v1/messages/text", {
  body: { clientMessageId: "typescript-0001", to: "972501234567", templateName: "plain" },
});
if (!sent.data) throw new Error(sent.error.error.message);
const result = sent.data.data;
if (!("duplicate" in result)) throw new Error("that was no dry run");
const ok: true = sent.data.success;

const refused = await tidings.POST("/api/v1/messages/text", {
  body: { clientMessageId: "typescript-0002", to: "12", templateName: "plain" },
});
const code: components["schemas"]["ErrorCode"] | undefined = refused.error?.error.code;

// @ts-expect-error: a field that does not exist must not compile.
const misspelt: components["schemas"]["TextBody"] = { clientMessageID: "x", to: "972501234567" };

const status = await tidings.GET("/api/v1/messages/{cid}", {
  params: { path: { cid: "typescript-0001" } },
});
const page = await tidings.GET("/api/v1/templates", { params: { query: { limit: 1 } } });

console.log(JSON.stringify({
  ok,
  status: result.status,
  field: refused.error?.error.field,
  code,
  timeline: status.data?.data.timeline.map((step) => step.status),
  nextCursor: page.data?.nextCursor ?? null,
  misspelt: Object.keys(misspelt).length,
}));
