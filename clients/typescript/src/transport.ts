/** Sends requests: key, time-out, retries. It knows no endpoint. */
import { ConnectionFailedError, type RequestSent, TidingsError, TimedOutError } from "./error.js";
import { type Envelope, type Reply, readData, readEnvelope, readError } from "./response.js";
import { waitBeforeRetry } from "./retries.js";
import { VERSION } from "./version.js";

/** Each call takes these as its last argument. */
export interface RequestOptions {
  /** Milliseconds for each try. */
  timeout?: number;
  /** How often a safe request is tried again. */
  maxRetries?: number;
  /** Aborts the request, and the wait before the next try. */
  signal?: AbortSignal;
}

export interface Call {
  method: "GET" | "POST" | "DELETE";
  path: string;
  query?: object | undefined;
  body?: unknown;
  headers?: Record<string, string>;
  /** Repeating it does no harm: it changes nothing, or the service recognises the repetition. */
  idempotent: boolean;
  /** Without the key: for links that carry their own signature. */
  anonymous?: boolean;
  /** The least time-out, for what takes long by design. */
  timeoutMin?: number;
}

export type Wait = (milliseconds: number, signal?: AbortSignal) => Promise<void>;

export interface Connection {
  apiKey: string;
  baseUrl: string;
  timeout: number;
  maxRetries: number;
  fetch: typeof fetch;
  wait: Wait;
}

// Errors of a connection that was never made.
const NOT_CONNECTED = new Set([
  "ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH", "UND_ERR_CONNECT_TIMEOUT",
]);

const TIMER_MAX = 2 ** 31 - 1; // milliseconds; a longer timer fires at once

export class Transport {
  // Private in earnest: a client that is printed or logged must not show its key.
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** The `data` of the response. */
  async send<T>(call: Call, options?: RequestOptions): Promise<T> {
    return readData(await this.reply(call, options)) as T;
  }

  async envelope(call: Call, options?: RequestOptions): Promise<Envelope> {
    return readEnvelope(await this.reply(call, options));
  }

  /** The response as it came, after the retries that are safe. An error is thrown. */
  async reply(call: Call, options: RequestOptions = {}): Promise<Reply> {
    const maxRetries = options.maxRetries ?? this.#connection.maxRetries;
    for (let tries = 1; ; tries++) {
      const outcome = await this.#try(call, options);
      if (!(outcome instanceof TidingsError)) return outcome;
      const { status, retryAfter } = outcome;
      const failure = { status, retryAfter, maybeDone: !isNotConnected(outcome) };
      const rule = { idempotent: call.idempotent, maxRetries };
      const wait = waitBeforeRetry(failure, tries, rule, Math.random());
      if (wait === null) throw outcome;
      await this.#connection.wait(wait, options.signal);
      options.signal?.throwIfAborted();
    }
  }

  async #try(call: Call, options: RequestOptions): Promise<Reply | TidingsError> {
    const { signal, timeout = this.#connection.timeout } = options;
    const url = address(this.#connection.baseUrl, call);
    const request = sent(call, url);
    const limit = new Limit(Math.max(timeout, call.timeoutMin ?? 0), signal);
    try {
      const response = await this.#connection.fetch(url, {
        method: call.method,
        headers: this.#headers(call),
        body: call.body === undefined ? null : JSON.stringify(call.body),
        signal: limit.signal,
        redirect: "manual", // a redirect would take the key along to another host
      });
      const bytes = new Uint8Array(await response.arrayBuffer());
      const reply = { request, status: response.status, headers: response.headers, bytes };
      return response.ok ? reply : readError(reply);
    } catch (error) {
      signal?.throwIfAborted();
      if (limit.passed) return new TimedOutError(request, limit.milliseconds, error);
      return new ConnectionFailedError(request, error);
    } finally {
      limit.clear();
    }
  }

  #headers(call: Call): Record<string, string> {
    return {
      accept: "application/json",
      "user-agent": `tidings-client-typescript/${VERSION}`,
      ...(call.anonymous ? {} : { "x-api-key": this.#connection.apiKey }),
      ...(call.body === undefined ? {} : { "content-type": "application/json" }),
      ...call.headers,
    };
  }
}

/** A time-out and the caller's signal in one. Node 18 has no AbortSignal.any. */
class Limit {
  readonly #controller = new AbortController();
  readonly #timer: ReturnType<typeof setTimeout>;
  readonly #onAbort = (): void => this.#controller.abort(this.outer?.reason);
  passed = false;

  constructor(readonly milliseconds: number, readonly outer: AbortSignal | undefined) {
    outer?.throwIfAborted();
    outer?.addEventListener("abort", this.#onAbort);
    this.#timer = setTimeout(() => {
      this.passed = true;
      this.#controller.abort();
    }, Math.min(milliseconds, TIMER_MAX));
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.outer?.removeEventListener("abort", this.#onAbort);
  }
}

function address(baseUrl: string, call: Call): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(call.query ?? {})) {
    if (value !== undefined) query.set(name, value instanceof Date ? value.toISOString() : String(value));
  }
  const text = query.toString();
  return baseUrl + call.path + (text ? `?${text}` : "");
}

/** Without the query, which may hold a signature. */
function sent(call: Call, url: string): RequestSent {
  return { place: `${call.method} ${url.split("?")[0]}`, clientMessageIds: messageIds(call.body) };
}

function messageIds(body: unknown): string[] {
  const { clientMessageId, messages } = (body ?? {}) as { clientMessageId?: string; messages?: unknown };
  if (clientMessageId) return [clientMessageId];
  return Array.isArray(messages) ? messages.map((one) => one.clientMessageId) : []; // a top-up has a number
}

function isNotConnected(error: TidingsError): boolean {
  const fromFetch = error.cause as { cause?: { code?: string } } | undefined;
  return error instanceof ConnectionFailedError && NOT_CONNECTED.has(fromFetch?.cause?.code ?? "");
}
