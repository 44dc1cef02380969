/** Sending messages, and what became of them. */
import { randomUUID } from "node:crypto";
import { type Calls, type DryRun, path } from "../calls.js";
import type {
  BulkResult, GetMessagesQuery, MessageItem, MessageStatus, PasscodeResult, Preview, SendResult, Upload,
  UploadBody,
} from "../generated/api.js";
import type { List } from "../list.js";
import type { RequestOptions } from "../transport.js";
import type { BulkMessages, OtpMessage, RichMessage, TextMessage } from "../types.js";

/** The content of a file: what `readFile` or a form's file input gives. */
export type FileContent = Uint8Array | ArrayBuffer | { arrayBuffer(): Promise<ArrayBuffer> };

export class Messages {
  readonly #calls: Calls;

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  /** Sends a template, or free text inside the conversation window. */
  sendText(message: TextMessage, options: DryRun): Promise<Preview>;
  sendText(message: TextMessage, options?: RequestOptions): Promise<SendResult>;
  sendText(message: TextMessage, options?: RequestOptions): Promise<SendResult | Preview> {
    return this.#calls.repeatable("/messages/text", withId(message), options);
  }

  /** Sends reply buttons or one URL button with the text. */
  sendRich(message: RichMessage, options: DryRun): Promise<Preview>;
  sendRich(message: RichMessage, options?: RequestOptions): Promise<SendResult>;
  sendRich(message: RichMessage, options?: RequestOptions): Promise<SendResult | Preview> {
    return this.#calls.repeatable("/messages/rich", withId(message), options);
  }

  /** Sends a one-time passcode. It is never sent late, and the code is not kept. */
  sendOtp(message: OtpMessage, options?: RequestOptions): Promise<PasscodeResult> {
    return this.#calls.repeatable("/messages/otp", withId(message), options);
  }

  /**
   * Sends up to 1,000 messages; each is taken or refused on its own.
   *
   * Where the client had to try again because the first response was lost, the messages are
   * `duplicates` of the first request: none is sent twice. The `batchId` is then that of an empty
   * batch; `batchId` of `messages.get(id)` of a duplicate is the one to watch or cancel.
   */
  sendBulk(batch: BulkMessages, options?: RequestOptions | DryRun): Promise<BulkResult> {
    const body = { ...batch, messages: batch.messages.map(withId) };
    return this.#calls.repeatable("/messages/bulk", body, options);
  }

  /** Uploads a JPEG, PNG or PDF once, to use its `mediaId` in many messages. */
  async upload(
    file: FileContent | UploadBody,
    fields: Omit<UploadBody, "mediaBase64"> = {},
    options?: RequestOptions,
  ): Promise<Upload> {
    const content = "mediaBase64" in file ? file : { mediaBase64: await base64(file) };
    const body = { ...content, ...fields };
    return this.#calls.repeatable("/messages/upload", body, options);
  }

  /** What became of a message, with its timeline. */
  get(clientMessageId: string, options?: RequestOptions): Promise<MessageStatus> {
    return this.#calls.get(path`/messages/${clientMessageId}`, undefined, options);
  }

  /** Messages, the newest first. */
  list(filter?: GetMessagesQuery, options?: RequestOptions): List<MessageItem> {
    return this.#calls.list("/messages", filter, options);
  }
}

/** The id is the same in every try, so that the service sends the message once. */
export function withId<T extends { clientMessageId?: string }>(body: T): T & { clientMessageId: string } {
  return { ...body, clientMessageId: body.clientMessageId ?? randomUUID() };
}

async function base64(file: FileContent): Promise<string> {
  const content = "arrayBuffer" in file ? await file.arrayBuffer() : file;
  const bytes = content instanceof Uint8Array ? content : new Uint8Array(content);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
}
