/** For partner accounts: capacity, debt and credit. */
import type { Calls } from "../calls.js";
import type {
  GetPartnerLedgerQuery, LedgerEntry, PartnerAccount, ReportedTransfer, Topup, TopupBody, TransferBody,
} from "../generated/api.js";
import type { List } from "../list.js";
import type { RequestOptions } from "../transport.js";

export class Partner {
  readonly #calls: Calls;

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  account(options?: RequestOptions): Promise<PartnerAccount> {
    return this.#calls.get("/partner/account", undefined, options);
  }

  /** Buys capacity, active at once. It is not repeated by itself: look at the ledger after a time-out. */
  topUp(topup: TopupBody, options?: RequestOptions): Promise<Topup> {
    return this.#calls.once("/partner/topups", topup, options);
  }

  /** Reports a transfer; the balance stays as it is until receipt is confirmed. */
  reportTransfer(transfer: TransferBody, options?: RequestOptions): Promise<ReportedTransfer> {
    return this.#calls.once("/partner/transfers", transfer, options);
  }

  /** Every entry with the balance owed after it, the newest first. */
  ledger(query?: GetPartnerLedgerQuery, options?: RequestOptions): List<LedgerEntry> {
    return this.#calls.list("/partner/ledger", query, options);
  }
}
