import { DestinationGuard, RefusedUrlError, systemResolver, type Resolver } from '#egress/destination.js';
import { fetchFollowing, TooManyRedirectsError } from '#egress/follow-redirects.js';
import { AnswerTimeoutError, AnswerTooLargeError, guardedFetch } from '#egress/guarded-fetch.js';

const MAX_MIB = 8;
const TIMEOUT_MS = 20_000;

/** A page cannot be read; the message explains why and contains no address. */
export class UnreadablePageError extends Error {
  override readonly name = 'UnreadablePageError';
}

/** A page as the server sent it, without its extracted text. */
export interface ReadPage {
  bytes: Buffer;
  mediaType: string;
  /** File extension by which its text is extracted. */
  extension: 'html' | 'pdf' | 'md' | 'txt';
}

const EXTENSIONS: Record<string, ReadPage['extension']> = {
  'text/html': 'html',
  'application/xhtml+xml': 'html',
  'application/pdf': 'pdf',
  'text/markdown': 'md',
};

/** Reads the pages that authors name or a web search finds. Each address is checked, redirects included. */
export class PageReader {
  private readonly guard: DestinationGuard;

  constructor(
    settings: { EGRESS_ALLOW_PRIVATE: boolean; EGRESS_PORTS: number[] },
    resolve: Resolver = systemResolver,
    private readonly timeoutMs = TIMEOUT_MS,
  ) {
    this.guard = new DestinationGuard(settings.EGRESS_ALLOW_PRIVATE, resolve, settings.EGRESS_PORTS);
  }

  /** @throws UnreadablePageError; the signal's reason */
  async read(url: string, signal: AbortSignal): Promise<ReadPage> {
    try {
      const fetch = guardedFetch(this.guard, { maxBytes: MAX_MIB * 2 ** 20, timeoutMs: this.timeoutMs });
      return await pageOf((await fetchFollowing(fetch, url, signal)).answer);
    } catch (error) {
      signal.throwIfAborted();
      throw error instanceof UnreadablePageError ? error : new UnreadablePageError(reasonOf(error));
    }
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof RefusedUrlError || error instanceof TooManyRedirectsError) return error.message;
  if (error instanceof AnswerTooLargeError) return `The page is larger than ${MAX_MIB} MiB.`;
  return error instanceof AnswerTimeoutError ? 'The page did not load in time.' : 'The page is unreachable.';
}

async function pageOf(answer: Response): Promise<ReadPage> {
  const [type = '', ...parameters] = (answer.headers.get('content-type') ?? 'text/html').split(';');
  const mediaType = type.trim().toLowerCase();
  const extension = EXTENSIONS[mediaType] ?? (mediaType.startsWith('text/') ? 'txt' : undefined);
  if (answer.status !== 200 || !extension) {
    await answer.body?.cancel();
    throw new UnreadablePageError(
      answer.status === 200
        ? `The page is ${mediaType.slice(0, 100)}. Only web pages, PDF and text can be read by their address.`
        : `The page responds with status ${answer.status}.`,
    );
  }
  const bytes = Buffer.from(await answer.arrayBuffer());
  return { bytes: extension === 'pdf' ? bytes : inUtf8(bytes, parameters), mediaType, extension };
}

const BYTE_ORDER_MARK = '\uFEFF';

/** Converts a text in the encoding that the server names; without a known one, extraction detects it. */
function inUtf8(bytes: Buffer, parameters: string[]): Buffer {
  const [, label] = /charset=["']?([\w.:-]+)/i.exec(parameters.join(';')) ?? [];
  if (!label || /^utf-?8$/i.test(label)) return bytes;
  try {
    return Buffer.from(BYTE_ORDER_MARK + new TextDecoder(label).decode(bytes));
  } catch {
    return bytes;
  }
}
