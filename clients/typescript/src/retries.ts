/** Whether a request that failed is tried again, and how long to wait before. Pure. */

const FIRST_WAIT = 500; // milliseconds
const WAIT_MAX = 8_000;
const RETRY_AFTER_MAX = 60; // seconds; the caller decides about longer waits
const PASSING = new Set([502, 503, 504]);

export interface Failure {
  /** Of the response, if there was one. */
  status?: number | undefined;
  /** In seconds, as the service said. */
  retryAfter?: number | undefined;
  /** False where the connection could not be made, so that nothing can have been carried out. */
  maybeDone: boolean;
}

/**
 * Milliseconds, or null to give up: exponential backoff with full jitter, unless the service said
 * how long. `tries` have failed so far; `random` is from 0 to 1.
 */
export function waitBeforeRetry(
  failure: Failure,
  tries: number,
  { idempotent, maxRetries }: { idempotent: boolean; maxRetries: number },
  random: number,
): number | null {
  if (tries > maxRetries || !isWorthIt(failure, idempotent)) return null;
  if (failure.retryAfter !== undefined) {
    return failure.retryAfter <= RETRY_AFTER_MAX ? failure.retryAfter * 1000 : null;
  }
  return Math.min(WAIT_MAX, FIRST_WAIT * 2 ** (tries - 1)) * random;
}

function isWorthIt({ status, maybeDone }: Failure, idempotent: boolean): boolean {
  if (status === 429) return true; // refused before anything was done
  if (status !== undefined) return idempotent && PASSING.has(status);
  return idempotent || !maybeDone;
}
