import { sha256 } from '#contracts/sha256.js';
import { phraseOf, textOf, type Detail } from '#contracts/phrases/detail.js';
import { phrase, type Phrase } from '#contracts/phrases/phrase.js';
import { downloadFailure, PageDownload } from '#egress/page-download.js';

/** A page cannot be read; the message explains why and contains no address. */
export class UnreadablePageError extends Error {
  override readonly name = 'UnreadablePageError';
  readonly phrase: Phrase | undefined;

  /** @param status of the response, if it is the reason */
  constructor(
    detail: Detail,
    readonly status?: number,
  ) {
    super(textOf(detail));
    this.phrase = phraseOf(detail);
  }
}

/** A page as the server sent it, without its extracted text. */
interface ReadPage {
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

/** Reads the pages that authors name or a web search finds. */
export class PageReader {
  private readonly download: PageDownload;

  constructor(...given: ConstructorParameters<typeof PageDownload>) {
    this.download = new PageDownload(...given);
  }

  /** @throws UnreadablePageError; the signal's reason */
  async read(url: string, signal: AbortSignal): Promise<ReadPage> {
    try {
      return await pageOf(await this.download.get(url, signal));
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof UnreadablePageError) throw error;
      throw new UnreadablePageError(downloadFailure(error).detail);
    }
  }
}

async function pageOf(answer: Response): Promise<ReadPage> {
  const [type = '', ...parameters] = (answer.headers.get('content-type') ?? 'text/html').split(';');
  const mediaType = type.trim().toLowerCase();
  const extension = EXTENSIONS[mediaType] ?? (mediaType.startsWith('text/') ? 'txt' : undefined);
  if (answer.status !== 200 || !extension) {
    await answer.body?.cancel();
    throw new UnreadablePageError(
      answer.status === 200
        ? phrase('source_problem.page_type', { type: mediaType.slice(0, 100) })
        : phrase('source_problem.page_status', { status: answer.status }),
      answer.status,
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

/** Returns a name that is unique for the address and that people recognise. */
export function pageName(url: string, extension: string): string {
  const { host, pathname } = new URL(url);
  const hash = sha256(url).slice(0, 12);
  return `${`${host}${pathname}`.replace(/[\p{Cc}\p{Cs}]/gu, '').slice(0, 150)} ${hash}.${extension}`;
}
