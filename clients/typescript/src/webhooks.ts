/**
 * Verifies what Tidings posts to a webhook, by either of its signatures: our own X-Signature or
 * that of Standard Webhooks. A post that must not be trusted throws an error that says why.
 */
import { TidingsError } from "./error.js";
import type { WebhookEvent } from "./generated/events.js";
import { OURS, type PostHeaders, type Scheme, STANDARD } from "./signatures.js";
import { explainMismatch } from "./mismatch.js";

export type VerificationReason =
  /** The signature or the timestamp is not among the headers. */
  | "missing_header"
  /** The timestamp is not Unix time in seconds. */
  | "bad_timestamp"
  /** Signed longer ago than the tolerance: an old post that somebody repeats, or your clock is ahead. */
  | "too_old"
  /** Signed in the future: your clock is behind. */
  | "too_new"
  /** The signature was cut off or changed on the way. */
  | "bad_signature"
  /** The secret is empty, an API key, incomplete, or has spaces around it. */
  | "bad_secret"
  /** The body was parsed, and maybe written anew, before it was verified. */
  | "body_changed"
  /** Another secret made the signature, or the body was changed. */
  | "wrong_secret"
  /** The signature is right, and the body no event. */
  | "bad_body";

/** The post must not be trusted; `reason` says why in a word, `message` in a sentence. */
export class WebhookVerificationError extends TidingsError {
  declare readonly code: "WEBHOOK_NOT_VERIFIED";
  readonly reason: VerificationReason;

  constructor(reason: VerificationReason, message: string) {
    super({ code: "WEBHOOK_NOT_VERIFIED", message });
    this.reason = reason;
  }
}

/** As node:http, Express, Fastify, Hono and fetch have them. */
export type HeadersLike =
  | { get(name: string): string | null | undefined }
  | Record<string, string | string[] | undefined>;

export interface VerifyOptions {
  /** Seconds between the timestamp and now; 300 unless given. */
  tolerance?: number;
  /** Unix time in seconds; for tests. */
  now?: number;
}

const TOLERANCE = 300;

/**
 * The event, or a WebhookVerificationError.
 *
 * `body` is the raw body of the request, as it came: `express.raw({ type: "application/json" })`,
 * `await request.text()`. `secret` is the account's signing secret, or several while you change it.
 * A newer service may post a `type` that is unknown here: pass over it.
 */
export function verify(
  body: string | Uint8Array | ArrayBuffer,
  headers: HeadersLike,
  secret: string | readonly string[],
  options: VerifyOptions = {},
): WebhookEvent {
  const bytes = rawBytes(body);
  const secrets = requireSecrets(secret);
  const given = lowerCased(headers);
  let refusal: unknown;
  for (const scheme of presented(given)) {
    try {
      requireSigned(scheme, given, bytes, secrets, options);
      return readEvent(bytes);
    } catch (error) {
      refusal ??= error;
    }
  }
  throw refusal;
}

function rawBytes(body: unknown): Uint8Array {
  if (typeof body === "string") return new TextEncoder().encode(body);
  if (body instanceof Uint8Array) return body;
  if (body instanceof ArrayBuffer) return new Uint8Array(body);
  throw new WebhookVerificationError(
    "body_changed",
    "The body was parsed already. Give the raw body as it came, a string or bytes: in Express with" +
      ' express.raw({ type: "application/json" }) in place of express.json().',
  );
}

function requireSecrets(secret: string | readonly string[]): readonly string[] {
  const secrets = typeof secret === "string" ? [secret] : [...(secret ?? [])];
  if (secrets.length === 0 || !secrets.every(isSecret)) {
    const problem = "There is no signing secret: it is empty, not set, or no text.";
    throw new WebhookVerificationError("bad_secret", problem);
  }
  return secrets;
}

/** Of spaces or the bare prefix, anybody could guess it. */
function isSecret(text: unknown): boolean {
  return typeof text === "string" && !["", "whsec_"].includes(text.trim());
}

/** One that came twice is both with a comma, as in HTTP: which of them counts is not ours to guess. */
function lowerCased(headers: HeadersLike): PostHeaders {
  const get = (headers as { get?: unknown }).get;
  if (typeof get === "function") return (name) => (get.call(headers, name) as string | null) ?? undefined;
  const plain = new Map<string, string>();
  for (const [name, value] of Object.entries(headers as Record<string, string | string[] | undefined>)) {
    if (value === undefined) continue;
    const found = plain.get(name.toLowerCase());
    const texts = [...(found === undefined ? [] : [found]), ...(Array.isArray(value) ? value : [value])];
    plain.set(name.toLowerCase(), texts.join(", "));
  }
  return (name) => plain.get(name.toLowerCase());
}

/** Those whose headers are there; our own, where none is, so that its headers are named as missing. */
function presented(headers: PostHeaders): Scheme[] {
  const found = [OURS, STANDARD].filter((scheme) => headers(scheme.signature));
  return found.length > 0 ? found : [OURS];
}

function requireSigned(
  scheme: Scheme,
  headers: PostHeaders,
  body: Uint8Array,
  secrets: readonly string[],
  options: VerifyOptions,
): void {
  requireHeaders(scheme, headers);
  const timestamp = requireTimestamp(scheme, headers);
  const post = { headers, timestamp, body };
  if (!secrets.some((secret) => scheme.matches(post, secret))) {
    const { reason, message } = explainMismatch(scheme, post, secrets);
    throw new WebhookVerificationError(reason, message);
  }
  requireFresh(scheme, Number(timestamp), options);
}

function requireHeaders(scheme: Scheme, headers: PostHeaders): void {
  const missing = scheme.required.filter((name) => !headers(name));
  if (missing.length > 0) {
    throw new WebhookVerificationError(
      "missing_header",
      `${missing.join(" and ")} ${missing.length > 1 ? "are" : "is"} missing. Does a proxy or framework` +
        " in front of your code drop or rename it? Or is this not a post of Tidings?",
    );
  }
  if (!scheme.isWellFormed(headers(scheme.signature) ?? "")) {
    throw new WebhookVerificationError("bad_signature", scheme.form);
  }
}

function requireTimestamp(scheme: Scheme, headers: PostHeaders): string {
  const text = headers(scheme.timestamp) ?? "";
  if (!/^\d{1,11}$/.test(text)) {
    const message = `${scheme.timestamp} must be Unix time in seconds, in digits and no more: ${text.slice(0, 20)}`;
    throw new WebhookVerificationError("bad_timestamp", message);
  }
  return text;
}

/** After the signature: the age of a post that is not ours says nothing. */
function requireFresh(scheme: Scheme, timestamp: number, options: VerifyOptions): void {
  const { tolerance = TOLERANCE, now = Date.now() / 1000 } = options;
  const age = Math.round(now - timestamp);
  if (Math.abs(now - timestamp) <= tolerance) return;
  const where = age > 0 ? `${age} seconds ago` : `${-age} seconds in the future`;
  throw new WebhookVerificationError(
    age > 0 ? "too_old" : "too_new",
    `${scheme.timestamp} is ${where}, more than ${tolerance}. That is right for an old post; for a` +
      " fresh one, set your clock.",
  );
}

function readEvent(body: Uint8Array): WebhookEvent {
  try {
    const event: unknown = JSON.parse(new TextDecoder().decode(body));
    if (typeof (event as { type?: unknown } | null)?.type === "string") return event as WebhookEvent;
  } catch {
    // Said below.
  }
  throw new WebhookVerificationError("bad_body", "The signature is right, but the body is no event.");
}
