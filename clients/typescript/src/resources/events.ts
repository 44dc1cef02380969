/** Events that guests are invited to, and what the guests answered. */
import { type Calls, path } from "../calls.js";
import type { GetEventsEventIdGuestsQuery, GetEventsQuery, RegisteredEvent } from "../generated/api.js";
import type { List } from "../list.js";
import type { RequestOptions } from "../transport.js";
import type { Event, Guest, GuestAnswer, NewEvent } from "../types.js";

export class Events {
  readonly #calls: Calls;

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  /** Registers an event, or changes the one with this id. */
  create(event: NewEvent, options?: RequestOptions): Promise<RegisteredEvent> {
    return this.#calls.repeatable("/events", event, options);
  }

  /** Its settings, its invitations and their replies. */
  get(eventId: string, options?: RequestOptions): Promise<Event> {
    return this.#calls.get(path`/events/${eventId}`, undefined, options);
  }

  /** The account's events, the newest first. */
  list(query?: GetEventsQuery, options?: RequestOptions): List<Event> {
    return this.#calls.list("/events", query, options);
  }

  /** The guests of an event, one item for each. */
  guests(eventId: string, filter?: GetEventsEventIdGuestsQuery, options?: RequestOptions): List<Guest> {
    return this.#calls.list(path`/events/${eventId}/guests`, filter, options);
  }

  /** Settles a guest's answer by hand. */
  answer(eventId: string, to: string, answer: GuestAnswer, options?: RequestOptions): Promise<Guest> {
    return this.#calls.once(path`/events/${eventId}/guests/${to}/answer`, answer, options);
  }
}
