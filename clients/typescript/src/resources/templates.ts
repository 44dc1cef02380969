/** The account's message templates. */
import type { Calls } from "../calls.js";
import type { GetTemplatesQuery } from "../generated/api.js";
import type { List } from "../list.js";
import type { RequestOptions } from "../transport.js";
import type { Template } from "../types.js";

export class Templates {
  readonly #calls: Calls;

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  /** By name and language. */
  list(query?: GetTemplatesQuery, options?: RequestOptions): List<Template> {
    return this.#calls.list("/templates", query, options);
  }
}
