/** The client: one object, a resource for each part of the service. */
import { setTimeout as sleep } from "node:timers/promises";
import { Calls } from "./calls.js";
import { ConfigurationError } from "./error.js";
import type {
  Balance, Capacities, GetUsageQuery, Readiness, SenderHealth, UsageReport,
} from "./generated/api.js";
import { Batches } from "./resources/batches.js";
import { Charges, Invoices } from "./resources/billing.js";
import { Events } from "./resources/events.js";
import { Feedback, Forms } from "./resources/feedback.js";
import { Links } from "./resources/links.js";
import { Media } from "./resources/media.js";
import { Messages } from "./resources/messages.js";
import { Partner } from "./resources/partner.js";
import { Numbers, OptOuts } from "./resources/recipients.js";
import { Sandbox } from "./resources/sandbox.js";
import { Templates } from "./resources/templates.js";
import { Webhooks } from "./resources/webhooks.js";
import { type RequestOptions, Transport, type Wait } from "./transport.js";
import type { Health } from "./types.js";

export interface TidingsOptions {
  /** The account's key; else from TIDINGS_API_KEY. */
  apiKey?: string | undefined;
  /** Where the service is; else from TIDINGS_URL, else http://127.0.0.1:8080. */
  baseUrl?: string | undefined;
  /** Milliseconds for each try; 60,000 unless given. */
  timeout?: number | undefined;
  /** How often a request that failed is tried again where that is safe; 3 unless given. */
  maxRetries?: number | undefined;
  /** In place of the global `fetch`, for a proxy or a test. */
  fetch?: typeof fetch | undefined;
  /** How to wait before the next try; for tests. */
  wait?: Wait | undefined;
}

const LOCAL = "http://127.0.0.1:8080"; // where `make run` serves
const TIMEOUT = 60_000;
const MAX_RETRIES = 3;

/** `const client = new Tidings(); await client.messages.sendText({ to, templateName: "hello" });` */
export class Tidings {
  readonly #calls: Calls;
  readonly messages: Messages;
  readonly batches: Batches;
  readonly events: Events;
  readonly feedback: Feedback;
  readonly forms: Forms;
  readonly links: Links;
  readonly numbers: Numbers;
  readonly optouts: OptOuts;
  readonly templates: Templates;
  readonly media: Media;
  readonly webhooks: Webhooks;
  readonly invoices: Invoices;
  readonly charges: Charges;
  readonly partner: Partner;
  readonly sandbox: Sandbox;

  constructor(options: TidingsOptions = {}) {
    const calls = new Calls(connect(options));
    this.#calls = calls;
    this.messages = new Messages(calls);
    this.batches = new Batches(calls);
    this.events = new Events(calls);
    this.feedback = new Feedback(calls);
    this.forms = new Forms(calls);
    this.links = new Links(calls);
    this.numbers = new Numbers(calls);
    this.optouts = new OptOuts(calls);
    this.templates = new Templates(calls);
    this.media = new Media(calls);
    this.webhooks = new Webhooks(calls);
    this.invoices = new Invoices(calls);
    this.charges = new Charges(calls);
    this.partner = new Partner(calls);
    this.sandbox = new Sandbox(calls);
  }

  /** Whether the service is up. */
  health(options?: RequestOptions): Promise<Health> {
    return this.#calls.bare("/health", options);
  }

  /** Whether an invitation could leave now, and if not, why. */
  readiness(options?: RequestOptions): Promise<Readiness> {
    return this.#calls.get("/readiness", undefined, options);
  }

  /** What the numbers and the account can still send, over a rolling 24 hours. */
  limits(options?: RequestOptions): Promise<Capacities> {
    return this.#calls.get("/limits", undefined, options);
  }

  /** How the account's numbers are doing at the platform. */
  senderHealth(options?: RequestOptions): Promise<SenderHealth> {
    return this.#calls.get("/sender/health", undefined, options);
  }

  /** What is left of the subscription, and what is to be paid. */
  balance(options?: RequestOptions): Promise<Balance> {
    return this.#calls.get("/balance", undefined, options);
  }

  /** Messages charged and refunded by day or month, and when the rest will be used up. */
  usage(period?: GetUsageQuery, options?: RequestOptions): Promise<UsageReport> {
    return this.#calls.get("/usage", period, options);
  }
}

function connect(options: TidingsOptions): Transport {
  const apiKey = (options.apiKey ?? process.env["TIDINGS_API_KEY"] ?? "").trim();
  if (!apiKey) throw new ConfigurationError("there is no API key: give apiKey, or set TIDINGS_API_KEY");
  if (!/^[!-~]+$/.test(apiKey)) { // fetch would refuse it with an error that shows it
    throw new ConfigurationError("the API key has spaces or other characters that no key has");
  }
  const baseUrl = (options.baseUrl ?? (process.env["TIDINGS_URL"] || LOCAL)).trim();
  if (!/^https?:\/\/./.test(baseUrl)) {
    throw new ConfigurationError(`baseUrl must begin with https:// or http://: ${baseUrl}`);
  }
  return new Transport({
    apiKey,
    baseUrl: baseUrl.replace(/\/+$/, "").replace(/\/api\/v1$/, ""),
    timeout: options.timeout ?? TIMEOUT,
    maxRetries: options.maxRetries ?? MAX_RETRIES,
    fetch: options.fetch ?? fetch,
    wait: options.wait ?? pause,
  });
}

async function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal });
}
