/** Sandbox accounts only: be the guest, the platform and the clock. */
import { type Calls, path } from "../calls.js";
import type {
  Clock, ClockBody, Conversation, InvoiceWithLines, NumberHealth, Replied, ReplyBody, SandboxSenderBody,
  Triggered,
} from "../generated/api.js";
import type { WebhookEvent } from "../generated/events.js";
import type { RequestOptions } from "../transport.js";

const CLOCK_TIMEOUT = 90_000; // a call works for half a minute, and may wait 40 seconds for another

export class Sandbox {
  readonly #calls: Calls;

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  /** The account's time, and how far it runs ahead. */
  clock(options?: RequestOptions): Promise<Clock> {
    return this.#calls.sandbox({ method: "GET", path: "/clock" }, options);
  }

  /** Advances the account's clock; what falls due on the way has run when this returns. */
  advanceClock(body: ClockBody, options?: RequestOptions): Promise<Clock> {
    const call = { method: "POST", path: "/clock", body, timeoutMin: CLOCK_TIMEOUT } as const;
    return this.#calls.sandbox(call, options);
  }

  /** The conversation as the guest sees it. */
  phone(number: string, options?: RequestOptions): Promise<Conversation> {
    return this.#calls.sandbox({ method: "GET", path: path`/phones/${number}` }, options);
  }

  /** Answers as the guest: `{ from, text }`, `{ from, button: { text } }`, `{ from, stop: true }` … */
  reply(body: ReplyBody, options?: RequestOptions): Promise<Replied> {
    return this.#calls.sandbox({ method: "POST", path: "/replies", body }, options);
  }

  /** Has an example of an event posted to the account's webhook and feed. */
  trigger(body: { type: WebhookEvent["type"] }, options?: RequestOptions): Promise<Triggered> {
    return this.#calls.sandbox({ method: "POST", path: "/webhooks", body }, options);
  }

  /** Changes a number's quality or status, as the platform would. */
  setSender(number: string, body: SandboxSenderBody, options?: RequestOptions): Promise<NumberHealth> {
    return this.#calls.sandbox({ method: "POST", path: path`/senders/${number}`, body }, options);
  }

  /** Pays an invoice at once. */
  payInvoice(number: string, options?: RequestOptions): Promise<InvoiceWithLines> {
    return this.#calls.sandbox({ method: "POST", path: path`/invoices/${number}/pay` }, options);
  }
}
