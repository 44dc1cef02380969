/** `webhooks.verify` takes what is ours and says why it refuses the rest. */
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { test } from "node:test";
import { type WebhookEvent, WebhookVerificationError, webhooks } from "@tidings/client";

const SECRET = `whsec_${Buffer.from("0123456789abcdef0123456789abcdef").toString("base64")}`;
const NOW = 1769851800;
const ID = "whk_019f2c5e8a7b7c3d9e1f2a3b4c5d6e7f";
const EVENT = { id: ID, type: "guest.message", data: { text: "שלום, “hi”", guests: null } };
const BODY = JSON.stringify(EVENT);

type PostHeaders = Record<string, string>;

function ours(body = BODY, secret = SECRET, at = NOW): PostHeaders {
  const digest = createHmac("sha256", secret).update(`${at}.${body}`).digest("hex");
  return { "X-Timestamp": String(at), "X-Signature": `sha256=${digest}` };
}

function standard(body = BODY, secret = SECRET, at = NOW): PostHeaders {
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  const digest = createHmac("sha256", key).update(`${ID}.${at}.${body}`).digest("base64");
  return { "webhook-id": ID, "webhook-timestamp": String(at), "webhook-signature": `v1,${digest}` };
}

function verify(body: unknown, headers: webhooks.HeadersLike, secret: string | string[] = SECRET): WebhookEvent {
  return webhooks.verify(body as string, headers, secret, { now: NOW });
}

function refusal(body: unknown, headers: webhooks.HeadersLike, secret: string | string[] = SECRET) {
  try {
    verify(body, headers, secret);
  } catch (error) {
    assert.ok(error instanceof WebhookVerificationError, String(error));
    return error;
  }
  return assert.fail("it was taken");
}

for (const [name, sign] of [["X-Signature", ours], ["Standard Webhooks", standard]] as const) {
  test(`${name}: text, bytes and every kind of headers are taken`, () => {
    const headers = sign();
    const lower = Object.fromEntries(Object.entries(headers).map(([key, value]) => [key.toLowerCase(), value]));
    assert.deepEqual(verify(BODY, headers), EVENT);
    assert.deepEqual(verify(Buffer.from(BODY), lower), EVENT);
    assert.deepEqual(verify(new TextEncoder().encode(BODY).buffer, new Headers(headers)), EVENT);
    const many = Object.fromEntries(Object.entries(headers).map(([key, value]) => [key, [value]]));
    assert.deepEqual(verify(BODY, many), EVENT);
  });

  test(`${name}: one of several secrets is enough`, () => {
    assert.deepEqual(verify(BODY, sign(), ["whsec_b2xk", SECRET]), EVENT);
  });

  test(`${name}: another secret or a changed body is refused`, () => {
    assert.equal(refusal(BODY, sign(), "whsec_b2xk").reason, "wrong_secret");
    assert.equal(refusal(BODY.replace("hi", "ho"), sign()).reason, "wrong_secret");
  });

  test(`${name}: an old post and one of the future are refused`, () => {
    assert.deepEqual(verify(BODY, sign(BODY, SECRET, NOW - 300)), EVENT);
    assert.equal(refusal(BODY, sign(BODY, SECRET, NOW - 301)).reason, "too_old");
    assert.equal(refusal(BODY, sign(BODY, SECRET, NOW + 301)).reason, "too_new");
  });

  test(`${name}: what frameworks do to a body is named`, () => {
    const anew = JSON.stringify(EVENT, null, 2);
    assert.match(refusal(anew, sign()).message, /parsed and written anew/);
    assert.match(refusal(`${BODY}\n`, sign()).message, /white space/);
    assert.match(refusal(JSON.stringify(BODY), sign()).message, /second time/);
    assert.match(refusal(Buffer.from(BODY).toString("base64"), sign()).message, /base64/);
    assert.equal(refusal(anew, sign()).reason, "body_changed");
    const parsed = refusal(EVENT, sign());
    assert.match(parsed.message, /express.raw/);
    assert.equal(parsed.reason, "body_changed");
  });

  test(`${name}: what people do to a secret is named`, () => {
    for (const secret of ["", [], "td_sandbox_key", ` ${SECRET}\n`, `"${SECRET}"`]) {
      assert.equal(refusal(BODY, sign(), secret).reason, "bad_secret", String(secret));
    }
  });
}

test("a secret without its beginning is named, where it matters", () => {
  assert.match(refusal(BODY, ours(), SECRET.slice("whsec_".length)).message, /whsec_/);
  assert.deepEqual(verify(BODY, standard(), SECRET.slice("whsec_".length)), EVENT);
});

test("missing and malformed headers are named", () => {
  assert.match(refusal(BODY, {}).message, /X-Signature and X-Timestamp are missing/);
  const { "X-Timestamp": _, ...rest } = ours();
  assert.equal(refusal(BODY, rest).reason, "missing_header");
  const { "webhook-id": id, ...others } = standard();
  assert.match(refusal(BODY, others).message, /webhook-id is missing/);
  assert.ok(id);
  for (const text of ["soon", "1769851800.5", "-1", "1769851800000"]) {
    assert.equal(refusal(BODY, { ...ours(), "X-Timestamp": text }).reason, "bad_timestamp");
  }
  assert.equal(refusal(BODY, { ...ours(), "X-Signature": "sha256=00" }).reason, "bad_signature");
  assert.equal(refusal(BODY, { ...standard(), "webhook-signature": "v1,00" }).reason, "bad_signature");
});

test("while a secret is changed, either of the two is taken", () => {
  const fresh = `whsec_${Buffer.from("f".repeat(32)).toString("base64")}`;
  const headers = { ...ours(BODY, fresh), "X-Signature-Previous": ours()["X-Signature"] ?? "" };
  assert.deepEqual(verify(BODY, headers), EVENT);
  assert.deepEqual(verify(BODY, headers, fresh), EVENT);
  const both = `${standard(BODY, fresh)["webhook-signature"]} ${standard()["webhook-signature"]}`;
  assert.deepEqual(verify(BODY, { ...standard(), "webhook-signature": both }), EVENT);
});

test("a secret of one's own choice that is no base64 is the key as it is", () => {
  const secret = "not base64!";
  const digest = createHmac("sha256", secret).update(`${ID}.${NOW}.${BODY}`).digest("base64");
  const headers = { ...standard(), "webhook-signature": `v1,${digest}` };
  assert.deepEqual(verify(BODY, headers, secret), EVENT);
});

test("one good signature of two is enough, as a proxy may drop the others", () => {
  assert.deepEqual(verify(BODY, { ...standard(), "X-Signature": "sha256=cut" }), EVENT);
});

test("a signed body that is no event is refused", () => {
  for (const body of ["null", "[]", "hello", "{}"]) {
    assert.equal(refusal(body, ours(body)).reason, "bad_body");
  }
});

test("a secret that anybody could guess is none", () => {
  for (const secret of [" ", "\n", "whsec_", " whsec_ ", [SECRET, ""]]) {
    const key = typeof secret === "string" ? secret : SECRET;
    assert.equal(refusal(BODY, ours(BODY, key), secret).reason, "bad_secret");
  }
});

for (const [name, sign, at] of [["X-Signature", ours, "X-Timestamp"], ["Standard Webhooks", standard, "webhook-timestamp"]] as const) {
  test(`${name}: a header that came twice is neither of the two`, () => {
    const twice = new Headers(sign());
    twice.append(at, String(NOW));
    const cases = { ...sign(), [at.toUpperCase()]: "1", [at === "X-Timestamp" ? "x-timestamp" : "Webhook-Timestamp"]: "1" };
    for (const headers of [twice, { ...sign(), [at]: [String(NOW), "1"] }, cases]) {
      assert.equal(refusal(BODY, headers).reason, "bad_timestamp");
    }
  });
}

test("a time in other words is not the one that was signed", () => {
  for (const text of ["١٧٦٩٨٥١٨٠٠", `0${NOW}`, `${NOW} `, ` ${NOW}`, `+${NOW}`, `${NOW}\n`]) {
    const { reason } = refusal(BODY, { ...ours(), "X-Timestamp": text });
    assert.ok(["bad_timestamp", "wrong_secret"].includes(reason), `${text}: ${reason}`);
  }
});

test("a signature of one scheme says nothing about the headers of the other", () => {
  const forged = { "X-Timestamp": String(NOW), "X-Signature": `sha256=${"0".repeat(64)}` };
  assert.equal(refusal(BODY, { ...standard(BODY, SECRET, NOW - 900), ...forged }).reason, "wrong_secret");
});

test("a body too large to look for mistakes in is refused all the same", () => {
  const large = JSON.stringify({ ...EVENT, filler: "x".repeat(1_000_001) });
  assert.equal(refusal(`${large}\n`, ours(large)).reason, "wrong_secret");
});
