/** Who was reached before, and who wants no messages. */
import { type Calls, path } from "../calls.js";
import type {
  CheckedNumbers, CheckedOptOuts, GetOptoutsQuery, NumbersBody, OptOut, OptOutsBody, RemovedOptOut,
} from "../generated/api.js";
import type { List } from "../list.js";
import type { RequestOptions } from "../transport.js";

export class Numbers {
  readonly #calls: Calls;

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  /** Which numbers a message of the account has reached before. */
  check(numbers: NumbersBody, options?: RequestOptions): Promise<CheckedNumbers> {
    return this.#calls.repeatable("/numbers/check", numbers, options);
  }
}

export class OptOuts {
  readonly #calls: Calls;

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  /** Who of these asked to stop the account's messages, and since when. */
  check(numbers: OptOutsBody, options?: RequestOptions): Promise<CheckedOptOuts> {
    return this.#calls.repeatable("/optouts/check", numbers, options);
  }

  /** Everyone who asked to stop, the latest first. */
  list(query?: GetOptoutsQuery, options?: RequestOptions): List<OptOut> {
    return this.#calls.list("/optouts", query, options);
  }

  /** Removes an opt-out; only at the request of the number's owner. */
  delete(phoneNumber: string, options?: RequestOptions): Promise<RemovedOptOut> {
    return this.#calls.delete(path`/optouts/${phoneNumber}`, options);
  }
}
