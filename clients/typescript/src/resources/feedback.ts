/** Feedback forms: sending them, and what guests answered. */
import { type Calls, path } from "../calls.js";
import type { FeedbackBody, FeedbackResult, FormResults, GetFormsQuery } from "../generated/api.js";
import type { List } from "../list.js";
import type { RequestOptions } from "../transport.js";
import type { Form } from "../types.js";
import { withId } from "./messages.js";

export class Feedback {
  readonly #calls: Calls;

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  /** Sends a form; once to each number. */
  send(form: FeedbackBody, options?: RequestOptions): Promise<FeedbackResult> {
    return this.#calls.repeatable("/feedback/send", withId(form), options);
  }
}

export class Forms {
  readonly #calls: Calls;

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  /** The account's forms, the newest first. */
  list(query?: GetFormsQuery, options?: RequestOptions): List<Form> {
    return this.#calls.list("/forms", query, options);
  }

  /** What guests answered, question by question. */
  results(formId: string, options?: RequestOptions): Promise<FormResults> {
    return this.#calls.get(path`/forms/${formId}/results`, undefined, options);
  }
}
