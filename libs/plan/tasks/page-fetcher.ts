import type { ToolsSettings } from '#config/settings.js';
import { DestinationGuard, RefusedUrlError, systemResolver, type Resolver } from '#egress/destination.js';
import { fetchFollowing, TooManyRedirectsError } from '#egress/follow-redirects.js';
import { AnswerTimeoutError, AnswerTooLargeError, guardedFetch } from '#egress/guarded-fetch.js';
import { ExtractionError } from '#extraction/errors.js';
import type { ExtractionPool } from '#kit/runtime/extraction-pool.js';
import type { FetchedPage } from '../tools/ports.js';
import { ToolCallError } from '../tools/tool.js';

const MAX_BYTES = 8 * 1024 * 1024;
const TIMEOUT_MS = 20_000;
/** File name under which a page's text is extracted. */
const PAGE_NAME = 'page.html';
const TEXTS = /^(?:text\/|application\/(?:[\w.+-]*\+)?(?:json|xml)\b|application\/(?:x-)?(?:yaml|ndjson)\b)/;

/**
 * Fetches pages for plans if the operator allows it. Each address, including redirects, is checked, and the
 * connection uses the checked address.
 */
export class PageFetcher {
  private readonly guard: DestinationGuard;

  constructor(
    private readonly settings: Pick<ToolsSettings, 'FETCH_URL' | 'EGRESS_ALLOW_PRIVATE' | 'EGRESS_PORTS'>,
    private readonly extraction: ExtractionPool,
    resolve: Resolver = systemResolver,
    private readonly timeoutMs = TIMEOUT_MS,
  ) {
    this.guard = new DestinationGuard(settings.EGRESS_ALLOW_PRIVATE, resolve, settings.EGRESS_PORTS);
  }

  /** @throws ToolCallError */
  async fetch(tenantId: string, url: string, signal: AbortSignal): Promise<FetchedPage> {
    if (!this.settings.FETCH_URL)
      throw new ToolCallError('not_allowed', 'Fetching URLs is disabled on this installation.');
    try {
      return await this.page(tenantId, url, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ToolCallError) throw error;
      if (error instanceof RefusedUrlError) throw new ToolCallError('refused_address', error.message);
      if (error instanceof TooManyRedirectsError)
        throw new ToolCallError('too_many_redirects', error.message);
      if (error instanceof AnswerTooLargeError)
        throw new ToolCallError('too_large', 'The page is larger than 8 MiB.');
      if (error instanceof AnswerTimeoutError)
        throw new ToolCallError('timeout', 'The page did not load in time.');
      if (error instanceof ExtractionError) throw new ToolCallError('not_text', `${error.message}.`);
      throw new ToolCallError('unreachable', 'The page is unreachable.');
    }
  }

  private async page(tenantId: string, first: string, signal: AbortSignal): Promise<FetchedPage> {
    const fetch = guardedFetch(this.guard, { maxBytes: MAX_BYTES, timeoutMs: this.timeoutMs });
    const { answer } = await fetchFollowing(fetch, first, signal);
    return this.pageOf(tenantId, answer, signal);
  }

  private async pageOf(tenantId: string, answer: Response, signal: AbortSignal): Promise<FetchedPage> {
    const mediaType = (answer.headers.get('content-type') ?? 'text/plain')
      .split(';')[0]!
      .trim()
      .toLowerCase();
    if (!TEXTS.test(mediaType)) {
      await answer.body?.cancel();
      throw new ToolCallError('not_text', `The page is ${mediaType.slice(0, 100)}, not text.`);
    }
    const bytes = new Uint8Array(await answer.arrayBuffer());
    const text =
      mediaType === 'text/html'
        ? (await this.extraction.extractDecoded(tenantId, { bytes, name: PAGE_NAME }, signal)).text
        : new TextDecoder('utf-8').decode(bytes);
    return { status: answer.status, mediaType, text };
  }
}
