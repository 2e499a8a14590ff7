import { phrase, type Phrase } from '#contracts/phrases/phrase.js';
import { DestinationGuard, RefusedUrlError, systemResolver, type Resolver } from './destination.js';
import { AnswerTimeoutError, AnswerTooLargeError, guardedFetch, type GuardedFetch } from './guarded-fetch.js';

const MAX_REDIRECTS = 3;
const MAX_MIB = 8;
const TIMEOUT_MS = 20_000;

class TooManyRedirectsError extends Error {}
class OtherHostError extends Error {}

/** Downloads web pages. Each address is checked, redirects included, and the connection uses the checked address. */
export class PageDownload {
  /** Sends one request. @throws errors that `downloadFailure` explains; the signal's reason */
  readonly fetch: GuardedFetch;

  constructor(
    settings: { EGRESS_ALLOW_PRIVATE: boolean; EGRESS_PORTS: number[] },
    resolve: Resolver = systemResolver,
    timeoutMs = TIMEOUT_MS,
  ) {
    const guard = new DestinationGuard(settings.EGRESS_ALLOW_PRIVATE, resolve, settings.EGRESS_PORTS);
    this.fetch = guardedFetch(guard, { maxBytes: MAX_MIB * 2 ** 20, timeoutMs });
  }

  /**
   * Gets a page and follows its redirects.
   *
   * @param headers sent to the first host only
   * @param staysOnHost whether redirects to another host or port are refused
   * @throws errors that `downloadFailure` explains; the signal's reason
   */
  async get(
    first: string,
    signal: AbortSignal,
    { headers = {}, staysOnHost = false }: { headers?: Record<string, string>; staysOnHost?: boolean } = {},
  ): Promise<Response> {
    let url = first;
    for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
      const given = new URL(url).host === new URL(first).host ? headers : {};
      const answer = await this.fetch(url, { headers: { 'user-agent': 'Scriptorium', ...given }, signal });
      const location = answer.headers.get('location');
      if (answer.status < 300 || answer.status >= 400 || location === null) return answer;
      await answer.body?.cancel();
      const next = new URL(location, url);
      if (staysOnHost && next.host !== new URL(first).host)
        throw new OtherHostError('The page redirects to another host.');
      url = next.href;
    }
    throw new TooManyRedirectsError(`The page redirects more than ${MAX_REDIRECTS} times.`);
  }
}

/** Returns why a page could not be downloaded, or a request was not answered; the message names no address. */
export function downloadFailure(error: unknown): { code: string; detail: Phrase } {
  if (error instanceof RefusedUrlError) return { code: 'refused_address', detail: error.phrase };
  if (error instanceof TooManyRedirectsError)
    return {
      code: 'too_many_redirects',
      detail: phrase('tool_error.page_redirects', { max: MAX_REDIRECTS }),
    };
  if (error instanceof OtherHostError)
    return { code: 'refused_address', detail: phrase('tool_error.page_other_host') };
  if (error instanceof AnswerTooLargeError)
    return { code: 'too_large', detail: phrase('tool_error.response_too_large', { max: MAX_MIB }) };
  if (error instanceof AnswerTimeoutError)
    return { code: 'timeout', detail: phrase('tool_error.server_timeout') };
  return { code: 'unreachable', detail: phrase('tool_error.server_unreachable') };
}
