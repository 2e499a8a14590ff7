import { detailOf } from '#contracts/phrases/detail.js';
import { phrase } from '#contracts/phrases/phrase.js';
import type { ToolsSettings } from '#config/settings.js';
import type { Resolver } from '#egress/destination.js';
import { downloadFailure, PageDownload } from '#egress/page-download.js';
import { ExtractionError } from '#extraction/errors.js';
import type { ExtractionPool } from '#kit/runtime/extraction-pool.js';
import type { FetchedPage } from '../tools/ports.js';
import { ToolCallError } from '../tools/tool.js';

/** File name under which a page's text is extracted. */
const PAGE_NAME = 'page.html';
const TEXTS = /^(?:text\/|application\/(?:[\w.+-]*\+)?(?:json|xml)\b|application\/(?:x-)?(?:yaml|ndjson)\b)/;

/** Fetches pages for plans if the operator allows it. */
export class PageFetcher {
  private readonly download: PageDownload;

  constructor(
    private readonly settings: Pick<ToolsSettings, 'FETCH_URL' | 'EGRESS_ALLOW_PRIVATE' | 'EGRESS_PORTS'>,
    private readonly extraction: ExtractionPool,
    resolve?: Resolver,
    timeoutMs?: number,
  ) {
    this.download = new PageDownload(settings, resolve, timeoutMs);
  }

  /**
   * @param staysOnHost whether redirects to another host are refused
   * @throws ToolCallError; the signal's reason
   */
  async fetch(tenantId: string, url: string, signal: AbortSignal, staysOnHost = false): Promise<FetchedPage> {
    if (!this.settings.FETCH_URL) throw new ToolCallError('not_allowed', phrase('tool_error.fetching_off'));
    try {
      return await this.pageOf(tenantId, await this.download.get(url, signal, staysOnHost), signal);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ToolCallError) throw error;
      if (error instanceof ExtractionError)
        throw new ToolCallError(
          'not_text',
          phrase('tool_error.page_unreadable', { reason: detailOf(error) }),
        );
      const { code, detail } = downloadFailure(error);
      throw new ToolCallError(code, detail);
    }
  }

  private async pageOf(tenantId: string, answer: Response, signal: AbortSignal): Promise<FetchedPage> {
    const mediaType = (answer.headers.get('content-type') ?? 'text/plain')
      .split(';')[0]!
      .trim()
      .toLowerCase();
    if (!TEXTS.test(mediaType)) {
      await answer.body?.cancel();
      throw new ToolCallError(
        'not_text',
        phrase('tool_error.page_no_text', { type: mediaType.slice(0, 100) }),
      );
    }
    const bytes = new Uint8Array(await answer.arrayBuffer());
    const text =
      mediaType === 'text/html'
        ? (await this.extraction.extractDecoded(tenantId, { bytes, name: PAGE_NAME }, signal)).text
        : new TextDecoder('utf-8').decode(bytes);
    return { status: answer.status, mediaType, text };
  }
}
