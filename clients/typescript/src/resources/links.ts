/** Redirect links that count how often people open them. */
import { type Calls, path } from "../calls.js";
import type { GetLinksQuery, Link, LinkBody, LinkOpens } from "../generated/api.js";
import type { List } from "../list.js";
import type { RequestOptions } from "../transport.js";

export class Links {
  readonly #calls: Calls;

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  create(link: LinkBody, options?: RequestOptions): Promise<Link> {
    return this.#calls.once("/links", link, options);
  }

  /** How often a link was opened, and when first and last. */
  get(code: string, options?: RequestOptions): Promise<LinkOpens> {
    return this.#calls.get(path`/links/${code}`, undefined, options);
  }

  /** The account's links with their opens, the newest first. */
  list(filter?: GetLinksQuery, options?: RequestOptions): List<LinkOpens> {
    return this.#calls.list("/links", filter, options);
  }
}
