/** The error that everything here throws; `generated/errors.ts` has a subclass for each code. */
import type { ErrorCode } from "./generated/api.js";

/** Failures that have no code of the service. */
export type ClientErrorCode =
  | "CONFIGURATION"
  | "CONNECTION_FAILED"
  | "TIMEOUT"
  | "UNEXPECTED_RESPONSE"
  | "WEBHOOK_NOT_VERIFIED";

export interface ErrorFields {
  code: string;
  message: string;
  action?: string | undefined;
  field?: string | undefined;
  docUrl?: string | undefined;
  requestId?: string | undefined;
  status?: number | undefined;
  retryAfter?: number | undefined;
  clientMessageIds?: string[] | undefined;
  details?: Record<string, unknown> | undefined;
  cause?: unknown;
}

export class TidingsError extends Error {
  /** What went wrong. It never changes its meaning; a newer service may have codes unknown here. */
  readonly code: ErrorCode | ClientErrorCode | (string & {});
  /** What to do about it. */
  readonly action: string | undefined;
  /** The field at fault, such as `messages[3].to`. */
  readonly field: string | undefined;
  /** The page that explains the code. */
  readonly docUrl: string | undefined;
  /** Give it to support. */
  readonly requestId: string | undefined;
  /** The HTTP status, if there was a response. */
  readonly status: number | undefined;
  /** Seconds to wait before another try, if the service said so. */
  readonly retryAfter: number | undefined;
  /**
   * Of the request's messages in its order, also where the client made them: repeat it with these,
   * and nothing is sent twice.
   */
  readonly clientMessageIds: string[];
  /** The one of a request with one message. */
  readonly clientMessageId: string | undefined;
  /** What else the error has, such as `invoiceNumber` of INVOICE_OVERDUE. */
  readonly details: Record<string, unknown>;

  constructor(fields: ErrorFields) {
    super(fields.message, fields.cause === undefined ? undefined : { cause: fields.cause });
    this.name = new.target.name;
    this.code = fields.code;
    this.action = fields.action;
    this.field = fields.field;
    this.docUrl = fields.docUrl;
    this.requestId = fields.requestId;
    this.status = fields.status;
    this.retryAfter = fields.retryAfter;
    this.clientMessageIds = fields.clientMessageIds ?? [];
    this.clientMessageId = this.clientMessageIds.length === 1 ? this.clientMessageIds[0] : undefined;
    this.details = fields.details ?? {};
  }
}

/** The client lacks something, such as its key. Nothing was sent. */
export class ConfigurationError extends TidingsError {
  declare readonly code: "CONFIGURATION";

  constructor(message: string) {
    super({ code: "CONFIGURATION", message });
  }
}

/** The service was not reached, or the connection broke. */
export class ConnectionFailedError extends TidingsError {
  declare readonly code: "CONNECTION_FAILED";

  constructor(request: RequestSent, cause: unknown) {
    super({
      code: "CONNECTION_FAILED",
      message: `${request.place}: ${rootMessage(cause)}`,
      action: "Check baseUrl (or TIDINGS_URL) and that the service runs.",
      clientMessageIds: request.clientMessageIds,
      cause,
    });
  }
}

/** No response within `timeout`. The request may have been carried out. */
export class TimedOutError extends TidingsError {
  declare readonly code: "TIMEOUT";

  constructor(request: RequestSent, milliseconds: number, cause: unknown) {
    super({
      code: "TIMEOUT",
      message: `${request.place} was not answered within ${milliseconds} ms`,
      action: "Repeat the request with the same clientMessageId, or raise timeout.",
      clientMessageIds: request.clientMessageIds,
      cause,
    });
  }
}

/** A response that is not the service's: often that of a proxy in front of it. */
export class UnexpectedResponseError extends TidingsError {
  declare readonly code: "UNEXPECTED_RESPONSE";

  constructor(fields: Omit<ErrorFields, "code" | "action">) {
    super({
      ...fields,
      code: "UNEXPECTED_RESPONSE",
      action: "Check that baseUrl (or TIDINGS_URL) leads to the service itself.",
    });
  }
}

/** What an error says of its request. */
export interface RequestSent {
  /** Such as `POST http://127.0.0.1:8080/api/v1/messages/text`. */
  place: string;
  clientMessageIds: string[];
}

/** fetch says "fetch failed", and the reason only in the cause of its error. */
function rootMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (!(cause instanceof Error)) return error.message;
  return cause.message || (cause as { code?: string }).code || error.message;
}
