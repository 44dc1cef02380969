/** Events that could not be delivered, and the feed of all events. */
import { type Calls, path } from "../calls.js";
import type {
  Diagnosis, GetWebhooksEventsQuery, GetWebhooksFailedQuery, RetriedMany, Retried, RetryBody, VerifyBody,
} from "../generated/api.js";
import type { List } from "../list.js";
import type { RequestOptions } from "../transport.js";
import type { FailedWebhook, FeedEntry } from "../types.js";

export class Webhooks {
  readonly #calls: Calls;

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  /** Events whose six attempts were exhausted, the newest first. */
  failed(filter?: GetWebhooksFailedQuery, options?: RequestOptions): List<FailedWebhook> {
    return this.#calls.list("/webhooks/failed", filter, options);
  }

  /** Posts a failed event again: the same id, six new attempts. */
  retry(webhookId: string, options?: RequestOptions): Promise<Retried> {
    return this.#calls.once(path`/webhooks/failed/${webhookId}/retry`, undefined, options);
  }

  /** Posts all events again that failed since a time; at most 1,000 a call. */
  retrySince(since: RetryBody, options?: RequestOptions): Promise<RetriedMany> {
    return this.#calls.once("/webhooks/failed/retry", since, options);
  }

  /** The feed: every event of the last 30 days, delivered or not, oldest first. */
  events(query?: GetWebhooksEventsQuery, options?: RequestOptions): List<FeedEntry> {
    return this.#calls.list("/webhooks/events", query, options, "after");
  }

  /** Asks the service what is right or wrong with a post's signature. */
  checkSignature(post: VerifyBody, options?: RequestOptions): Promise<Diagnosis> {
    return this.#calls.repeatable("/webhooks/verify", post, options);
  }
}
