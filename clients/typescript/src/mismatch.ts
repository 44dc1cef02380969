/** Why a signature does not match: the usual mistakes are undone one by one, until one explains it. */
import type { Post, Scheme } from "./signatures.js";

const EXPLAINED_BYTES_MAX = 1_000_000;

type Mismatch = { reason: "bad_secret" | "body_changed" | "wrong_secret"; message: string };

export function explainMismatch(scheme: Scheme, post: Post, secrets: readonly string[]): Mismatch {
  for (const [how, body] of restored(post.body)) {
    if (secrets.some((secret) => scheme.matches({ ...post, body }, secret))) {
      const message =
        `The body is not the one that was posted: ${how}. Give the raw body of the request, before` +
        " anything parses or decodes it.";
      return { reason: "body_changed", message };
    }
  }
  for (const [message, repair] of SECRET_MISTAKES) {
    const repaired = secrets.map(repair).filter((secret) => !secrets.includes(secret));
    if (repaired.some((secret) => scheme.matches(post, secret))) return { reason: "bad_secret", message };
  }
  if (secrets.some((secret) => secret.startsWith("td_"))) {
    return { reason: "bad_secret", message: "That is an API key; posts are signed with the secret whsec_…." };
  }
  return {
    reason: "wrong_secret",
    message:
      `This secret did not make ${scheme.signature} for this body. Most likely the secret is another` +
      " account's or environment's, or an old one; else the body was changed on the way." +
      " client.webhooks.checkSignature tells which.",
  };
}

const SECRET_MISTAKES: [string, (secret: string) => string][] = [
  ["The secret has spaces, line ends or quotes around it.", (secret) => secret.trim().replace(/^["']|["']$/g, "")],
  ["The secret lacks its beginning, whsec_.", (secret) => `whsec_${secret}`],
];

/** What the body may have been when it was posted, and what was done to it since. */
function* restored(body: Uint8Array): Generator<[string, Uint8Array]> {
  if (body.length > EXPLAINED_BYTES_MAX) return; // anybody can send such a body
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(body);
  for (const [how, undo] of BODY_MISTAKES) {
    try {
      yield [how, new TextEncoder().encode(undo(text))];
    } catch {
      continue; // not changed in this way
    }
  }
}

const BODY_MISTAKES: [string, (text: string) => string][] = [
  ["white space was added around it", (text) => text.trim()],
  ["its line ends were changed", (text) => text.replaceAll("\r\n", "\n")],
  ["a byte order mark was put before it", (text) => text.replace(/^\uFEFF/, "")],
  ["it was encoded a second time, as a JSON string", (text) => requireText(JSON.parse(text))],
  ["it was base64-encoded", (text) => Buffer.from(text, "base64").toString("utf8")],
  ["its UTF-8 was read as Latin-1", (text) => Buffer.from(text, "latin1").toString("utf8")],
  ["it was parsed and written anew", (text) => JSON.stringify(JSON.parse(text))],
];

function requireText(value: unknown): string {
  if (typeof value !== "string") throw new TypeError("not a string");
  return value;
}
