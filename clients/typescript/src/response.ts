/** Reads a response: the envelope of a success, or the error that it is. */
import { type RequestSent, TidingsError, UnexpectedResponseError } from "./error.js";
import { ERRORS } from "./generated/errors.js";

/** `{ success: true, environment, data, nextCursor }`; `GET /health` has its own fields. */
export interface Envelope {
  data?: unknown;
  nextCursor?: string | null;
  [field: string]: unknown;
}

export interface Reply {
  request: RequestSent;
  status: number;
  headers: { get(name: string): string | null };
  bytes: Uint8Array;
}

export function readEnvelope(reply: Reply): Envelope {
  const body = parse(reply.bytes);
  if (isObject(body) && body["success"] === true) return body as Envelope;
  throw unexpected(reply);
}

/** What most responses are about. */
export function readData(reply: Reply): unknown {
  const { data } = readEnvelope(reply);
  if (data === undefined || data === null || typeof data !== "object") throw unexpected(reply);
  return data;
}

/** A page of a list, and the cursor of the next. */
export function readItems(reply: Reply, asked?: string): { items: unknown[]; nextCursor: string | null } {
  const { data, nextCursor = null } = readEnvelope(reply);
  // One that leads to itself would never end.
  const isCursor = nextCursor === null || (typeof nextCursor === "string" && nextCursor !== asked);
  if (!Array.isArray(data) || !isCursor) throw unexpected(reply);
  return { items: data, nextCursor };
}

export function readError(reply: Reply): TidingsError {
  const body = parse(reply.bytes);
  const error = isObject(body) ? body["error"] : undefined;
  if (!isObject(error) || typeof error["code"] !== "string") return unexpected(reply);
  const { code, message, field, action, requestId, docUrl, ...details } = error;
  const known = Object.hasOwn(ERRORS, code) ? ERRORS[code as keyof typeof ERRORS] : undefined;
  return new (known?.type ?? TidingsError)({
    code,
    message: text(message) ?? code,
    action: text(action) ?? known?.action,
    field: text(field),
    requestId: text(requestId) ?? text(reply.headers.get("x-request-id")),
    docUrl: text(docUrl),
    status: reply.status,
    retryAfter: retryAfter(reply),
    clientMessageIds: reply.request.clientMessageIds,
    details,
  });
}

function unexpected(reply: Reply): UnexpectedResponseError {
  const location = reply.headers.get("location");
  const begins = new TextDecoder().decode(reply.bytes.subarray(0, 200)).trim();
  const what = location ? `a redirect to ${location}` : `no JSON of Tidings: ${begins || "(empty)"}`;
  return new UnexpectedResponseError({
    message: `${reply.request.place} was answered with ${reply.status} and ${what}`,
    status: reply.status,
    requestId: text(reply.headers.get("x-request-id")),
    retryAfter: retryAfter(reply),
    clientMessageIds: reply.request.clientMessageIds,
  });
}

/** In seconds; the other form, a date, is not used by the service. */
function retryAfter(reply: Reply): number | undefined {
  const given = reply.headers.get("retry-after");
  return given !== null && /^\d+$/.test(given) ? Number(given) : undefined;
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
