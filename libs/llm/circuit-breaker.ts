import type { ModelError } from './model-error.js';

/** Calls in a row that fail in spite of their retries before an endpoint counts as down. */
const CALLS_UNTIL_DOWN = 3;

/** Failures that the endpoint, not the request, is the reason of. */
const OF_ENDPOINT = new Set<string>(['model_unavailable', 'model_timeout']);

const failedCalls = new Map<string, number>();

/**
 * Circuit breaker of an endpoint, shared by all calls of the process. While the endpoint is down, a call makes
 * one attempt without retries, so that runs soon ask a person and the endpoint is not flooded. The first
 * answer ends the outage.
 */
export class CircuitBreaker {
  /** @param endpoint its key; undefined for a model without a server, which is never down */
  constructor(private readonly endpoint: string | undefined) {}

  get isDown(): boolean {
    return this.endpoint !== undefined && (failedCalls.get(this.endpoint) ?? 0) >= CALLS_UNTIL_DOWN;
  }

  /** Notes that the endpoint answered, if only with an error of the request. */
  answered(): void {
    if (this.endpoint !== undefined) failedCalls.delete(this.endpoint);
  }

  /** Notes a call that failed, retries included. */
  failed({ code }: ModelError): void {
    if (this.endpoint === undefined) return;
    if (!OF_ENDPOINT.has(code)) return this.answered();
    failedCalls.set(this.endpoint, (failedCalls.get(this.endpoint) ?? 0) + 1);
  }
}
