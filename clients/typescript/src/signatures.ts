/** The two ways in which a post is signed. */
import { createHmac, timingSafeEqual } from "node:crypto";

/** The value of a header, whatever the case of its name. */
export type PostHeaders = (name: string) => string | undefined;

export interface Post {
  headers: PostHeaders;
  timestamp: string;
  body: Uint8Array;
}

export interface Scheme {
  /** Names of headers. */
  signature: string;
  timestamp: string;
  required: readonly string[];
  /** What a signature looks like, for who has one that does not. */
  form: string;
  isWellFormed(signature: string): boolean;
  /** Whether the secret made one of the signatures. */
  matches(post: Post, secret: string): boolean;
}

/** HMAC-SHA256 in hex, keyed with the whole secret, over `timestamp.body`. */
export const OURS: Scheme = {
  signature: "X-Signature",
  timestamp: "X-Timestamp",
  required: ["X-Signature", "X-Timestamp"],
  form: "X-Signature must be sha256= and 64 hexadecimal digits in lower case: it was cut off or changed.",
  isWellFormed: (signature) => /^sha256=[0-9a-f]{64}$/.test(signature),
  matches({ headers, timestamp, body }, secret) {
    const digest = createHmac("sha256", secret).update(`${timestamp}.`).update(body).digest("hex");
    // The previous one is there for 24 hours after a new secret was issued.
    const given = [headers("X-Signature"), headers("X-Signature-Previous")];
    return given.some((one) => one !== undefined && isSame(one, `sha256=${digest}`));
  },
};

/** HMAC-SHA256 in base64, keyed with what the secret is the base64 of, over `id.timestamp.body`. */
export const STANDARD: Scheme = {
  signature: "webhook-signature",
  timestamp: "webhook-timestamp",
  required: ["webhook-signature", "webhook-timestamp", "webhook-id"],
  form: "webhook-signature must be v1, and the base64 of 32 bytes: it was cut off or changed.",
  isWellFormed: (signature) => signature.split(" ").some((one) => /^v1,[A-Za-z0-9+/]{43}=$/.test(one)),
  matches({ headers, timestamp, body }, secret) {
    const signed = `${headers("webhook-id")}.${timestamp}.`;
    const digest = createHmac("sha256", standardKey(secret)).update(signed).update(body).digest("base64");
    const given = (headers("webhook-signature") ?? "").split(" ");
    return given.some((one) => isSame(one, `v1,${digest}`));
  },
};

/** A secret that is not base64 is the key as it is. */
function standardKey(secret: string): Uint8Array | string {
  const part = secret.replace(/^whsec_/, "").replace(/=+$/, "");
  if (!/^[A-Za-z0-9+/]+$/.test(part) || part.length % 4 === 1) return secret;
  return Buffer.from(part, "base64");
}

function isSame(one: string, other: string): boolean {
  const [given, expected] = [Buffer.from(one), Buffer.from(other)];
  return given.length === expected.length && timingSafeEqual(given, expected);
}
