/** Invoices, and every charge. */
import { type Calls, path } from "../calls.js";
import type { GetChargesQuery, GetInvoicesQuery, Invoice, InvoiceWithLines } from "../generated/api.js";
import type { List } from "../list.js";
import type { RequestOptions } from "../transport.js";
import type { Charge } from "../types.js";

export class Invoices {
  readonly #calls: Calls;

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  /** The account's invoices, the newest first. */
  list(filter?: GetInvoicesQuery, options?: RequestOptions): List<Invoice> {
    return this.#calls.list("/invoices", filter, options);
  }

  /** An invoice with its lines. */
  get(number: string, options?: RequestOptions): Promise<InvoiceWithLines> {
    return this.#calls.get(path`/invoices/${number}`, undefined, options);
  }

  /** An invoice as a PDF. */
  async pdf(number: string, options?: RequestOptions): Promise<Uint8Array> {
    return (await this.#calls.download(path`/invoices/${number}/pdf`, undefined, options)).data;
  }
}

export class Charges {
  readonly #calls: Calls;

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  /** Every charge and what became of it, the newest first. */
  list(filter?: Omit<GetChargesQuery, "format">, options?: RequestOptions): List<Charge> {
    return this.#calls.list("/charges", filter, options);
  }

  /** The whole statement as CSV. */
  async csv(period?: Pick<GetChargesQuery, "from" | "to">, options?: RequestOptions): Promise<string> {
    const { data } = await this.#calls.download("/charges", { ...period, format: "csv" }, options);
    return new TextDecoder().decode(data);
  }
}
