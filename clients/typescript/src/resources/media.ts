/** Files that guests sent. */
import { type Calls, type Download, path } from "../calls.js";
import type { GetMediaInboundPlatformMessageIdQuery } from "../generated/api.js";
import type { RequestOptions } from "../transport.js";

const INBOUND = "/media/inbound/";

export class Media {
  readonly #calls: Calls;

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  /**
   * Downloads a file. Give `mediaUrl` of an event as it came: it carries its own signature, and is
   * read from the client's `baseUrl`, whatever host it names. Possible for 7 days.
   */
  inbound(mediaUrl: string, options?: RequestOptions): Promise<Download> {
    const url = new URL(mediaUrl);
    const id = decodeURIComponent(url.pathname.slice(url.pathname.lastIndexOf("/") + 1));
    if (!url.pathname.endsWith(INBOUND + encodeURIComponent(id))) {
      throw new TypeError(`not a mediaUrl of Tidings: ${mediaUrl}`);
    }
    const query = Object.fromEntries(url.searchParams) as GetMediaInboundPlatformMessageIdQuery;
    return this.#calls.download(path`/media/inbound/${id}`, query, options, true);
  }
}
