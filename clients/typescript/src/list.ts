/** A list of the service, read page by page while it is iterated. */
import { readItems } from "./response.js";
import type { Call, RequestOptions, Transport } from "./transport.js";

export interface Page<T> {
  items: T[];
  /** Of the page after this; null at the end. */
  nextCursor: string | null;
}

/** `for await (const message of client.messages.list({ status: "failed" })) …` */
export class List<T> implements AsyncIterable<T> {
  readonly #transport: Transport;
  readonly #call: Call;
  readonly #options: RequestOptions | undefined;
  readonly #cursor: string;

  constructor(transport: Transport, call: Call, options?: RequestOptions, cursor = "cursor") {
    this.#transport = transport;
    this.#call = call;
    this.#options = options;
    this.#cursor = cursor;
  }

  /** One page: the first, or the one that `cursor` leads to. */
  async page(cursor?: string): Promise<Page<T>> {
    const query = cursor === undefined ? this.#call.query : { ...this.#call.query, [this.#cursor]: cursor };
    return readItems(await this.#transport.reply({ ...this.#call, query }, this.#options), cursor) as Page<T>;
  }

  async *pages(): AsyncGenerator<Page<T>, void, undefined> {
    let cursor: string | null | undefined;
    do {
      const page = await this.page(cursor ?? undefined);
      yield page;
      cursor = page.nextCursor;
    } while (cursor !== null);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const page of this.pages()) yield* page.items;
  }

  /** Everything, as an array. For lists that fit in memory. */
  async all(): Promise<T[]> {
    const found: T[] = [];
    for await (const item of this) found.push(item);
    return found;
  }
}
