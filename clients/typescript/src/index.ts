/** The TypeScript client of Tidings. Start with `new Tidings()`. */
export { Tidings, type TidingsOptions } from "./client.js";
export type { Download, DryRun } from "./calls.js";
export {
  ConfigurationError, ConnectionFailedError, TidingsError, TimedOutError, UnexpectedResponseError,
} from "./error.js";
export type { ClientErrorCode } from "./error.js";
export * from "./generated/errors.js";
export { EVENT_TYPES, type WebhookEvent } from "./generated/events.js";
export { List, type Page } from "./list.js";
export type { FileContent } from "./resources/messages.js";
export type { RequestOptions } from "./transport.js";
export type * from "./types.js";
export { VERSION } from "./version.js";
export * as webhooks from "./webhooks.js";
export { WebhookVerificationError } from "./webhooks.js";
export type { VerificationReason } from "./webhooks.js";
