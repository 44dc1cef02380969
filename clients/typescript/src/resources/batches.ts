/** Batches that were sent with `messages.sendBulk`. */
import { type Calls, path } from "../calls.js";
import type { Cancelled, GetBatchesQuery } from "../generated/api.js";
import type { List } from "../list.js";
import type { RequestOptions } from "../transport.js";
import type { Batch } from "../types.js";

export class Batches {
  readonly #calls: Calls;

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  /** How far a batch is. */
  get(batchId: string, options?: RequestOptions): Promise<Batch> {
    return this.#calls.get(path`/batches/${batchId}`, undefined, options);
  }

  /** Batches, the newest first. */
  list(query?: GetBatchesQuery, options?: RequestOptions): List<Batch> {
    return this.#calls.list("/batches", query, options);
  }

  /** Cancels what has not been sent, and refunds it. */
  cancel(batchId: string, options?: RequestOptions): Promise<Cancelled> {
    return this.#calls.repeatable(path`/batches/${batchId}/cancel`, undefined, options);
  }
}
