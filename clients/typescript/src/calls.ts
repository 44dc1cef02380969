/** The kinds of calls that resources make; each says whether it may be repeated. */
import { List } from "./list.js";
import type { Call, RequestOptions, Transport } from "./transport.js";

const V1 = "/api/v1";
const SANDBOX = "/sandbox/v1";

/** A call that can be previewed: `{ dryRun: true }` sends, stores and charges nothing. */
export interface DryRun extends RequestOptions {
  dryRun: true;
}

export interface Download {
  data: Uint8Array;
  contentType: string;
}

/**
 * A path with its parameters escaped: path`/links/${code}`. An empty one or a dot would lead to
 * another address, with the account's key.
 */
export function path(parts: TemplateStringsArray, ...values: string[]): string {
  for (const value of values) {
    if (["", ".", ".."].includes(value)) throw new TypeError(`an id must not be ${JSON.stringify(value)}`);
  }
  return parts.reduce((all, part, place) => all + encodeURIComponent(values[place - 1] ?? "") + part);
}

export class Calls {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  get<T>(path: string, query?: object, options?: RequestOptions): Promise<T> {
    return this.#transport.send({ method: "GET", path: V1 + path, query, idempotent: true }, options);
  }

  list<T>(path: string, query?: object, options?: RequestOptions, cursor?: string): List<T> {
    const call: Call = { method: "GET", path: V1 + path, query, idempotent: true };
    return new List<T>(this.#transport, call, options, cursor);
  }

  /** A POST that may be repeated: it changes nothing, or the service recognises the repetition. */
  repeatable<T>(path: string, body: unknown, options?: RequestOptions | DryRun): Promise<T> {
    const dryRun = options !== undefined && "dryRun" in options && options.dryRun;
    const headers: Record<string, string> = dryRun ? { "x-dry-run": "true" } : {};
    const call: Call = { method: "POST", path: V1 + path, body, headers, idempotent: true };
    return this.#transport.send(call, options);
  }

  /** A POST that would act twice: it is tried again only where it cannot have been carried out. */
  once<T>(path: string, body?: unknown, options?: RequestOptions): Promise<T> {
    return this.#transport.send({ method: "POST", path: V1 + path, body, idempotent: false }, options);
  }

  delete<T>(path: string, options?: RequestOptions): Promise<T> {
    return this.#transport.send({ method: "DELETE", path: V1 + path, idempotent: true }, options);
  }

  /** Of the sandbox, where a POST makes something happen each time. */
  sandbox<T>(call: Omit<Call, "idempotent">, options?: RequestOptions): Promise<T> {
    const idempotent = call.method === "GET";
    return this.#transport.send({ ...call, path: SANDBOX + call.path, idempotent }, options);
  }

  /** A response without the envelope that the others have in common. */
  async bare<T>(path: string, options?: RequestOptions): Promise<T> {
    const call: Call = { method: "GET", path: V1 + path, idempotent: true, anonymous: true };
    const { success, ...rest } = await this.#transport.envelope(call, options);
    return rest as T;
  }

  async download(path: string, query?: object, options?: RequestOptions, anonymous = false): Promise<Download> {
    const call: Call = {
      method: "GET",
      path: V1 + path,
      query,
      headers: { accept: "*/*" },
      idempotent: true,
      anonymous,
    };
    const reply = await this.#transport.reply(call, options);
    return { data: reply.bytes, contentType: reply.headers.get("content-type") ?? "" };
  }
}
