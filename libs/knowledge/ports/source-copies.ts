import { detailOf, type Detail } from '#contracts/phrases/detail.js';
import { phrase } from '#contracts/phrases/phrase.js';
import type { InThread } from '#kit/graph/ports.js';
import { ThreadLimitError } from '#kit/graph/ports.js';
import type { PageDetails } from '#extraction/html/page-details.js';
import type { IndexerTools } from '../ingest/index-source.js';
import { addContent, type Content } from '../knowledge.js';
import { problemOf, type KnowledgeSource } from '../store/sources.js';
import { indexSources } from './passages.js';
import { pageName, UnreadablePageError, type PageReader } from '../ingest/page-reader.js';

/** A page to store, with the known details. A page without a text is read from its address. */
interface PageToStore {
  url: string;
  title?: string | null;
  author?: string | null;
  date?: string | null;
  text?: string;
}

/** A file of a session to store. */
interface FileToStore {
  name: string;
  mediaType: string;
  objectKey: string;
}

/** A page that could not be stored, and the reason for people. */
interface UnreadPage {
  url: string;
  problem: Detail;
}

const DETAILS_WORKER = new URL('./page-details.worker.js', import.meta.url);
/** Pages that are read concurrently. */
const PAGES_AT_ONCE = 4;
/** Beginning of a page that contains its metadata, in bytes. */
const HEAD_BYTES = 256 * 1024;

/**
 * Stores the pages and files that a run read as sources of a collection, so that citations stay valid if a page changes
 * or disappears. A page that the collection contains is not read again.
 */
export class SourceCopies {
  constructor(
    private readonly tools: IndexerTools,
    private readonly tenantId: string,
    private readonly collectionId: string,
    private readonly reader: PageReader,
    private readonly inThread: InThread,
    private readonly signal: AbortSignal,
  ) {}

  /** Stores pages and indexes them. @returns the sources in the order of the pages, and the pages that failed */
  async keepPages(pages: PageToStore[]): Promise<{ kept: KnowledgeSource[]; unread: UnreadPage[] }> {
    const kept: KnowledgeSource[] = [];
    const unread: UnreadPage[] = [];
    for (let at = 0; at < pages.length; at += PAGES_AT_ONCE) {
      const some = pages.slice(at, at + PAGES_AT_ONCE);
      const results = await Promise.all(some.map((page) => this.keepPage(page)));
      for (const result of results)
        if ('unread' in result) unread.push(result.unread);
        else kept.push(result.source);
    }
    const { ready, failed } = await this.indexed(kept);
    return { kept: ready, unread: [...unread, ...failed.map((source) => unreadOf(source))] };
  }

  /** Stores files of a session and indexes them. @returns the sources, including unreadable files as `failed` */
  async storeFiles(files: FileToStore[]): Promise<{ kept: KnowledgeSource[]; failed: KnowledgeSource[] }> {
    const kept: KnowledgeSource[] = [];
    for (const { name, mediaType, objectKey } of files) {
      const bytes = Buffer.from(await this.tools.store.getBytes(objectKey));
      kept.push(await this.add({ name, mediaType, bytes }));
    }
    const { ready, failed } = await this.indexed(kept);
    return { kept: ready, failed };
  }

  private async keepPage(page: PageToStore): Promise<{ source: KnowledgeSource } | { unread: UnreadPage }> {
    const { tenantId, collectionId } = this;
    const where = { tenantId, collectionId, url: page.url, state: { not: 'failed' } };
    const known = await this.tools.db.knowledgeSource.findFirst({ where });
    if (known) return { source: known };
    try {
      return { source: await this.add(await this.contentOf(page)) };
    } catch (error) {
      if (error instanceof UnreadablePageError)
        return { unread: { url: page.url, problem: detailOf(error) } };
      throw error;
    }
  }

  /** @throws UnreadablePageError */
  private async contentOf({ url, text, ...given }: PageToStore): Promise<Content> {
    const about = { url, fetchedAt: new Date() };
    if (text !== undefined) {
      const { title, author, date: published } = given;
      const bytes = Buffer.from(text.toWellFormed());
      return {
        ...about,
        name: pageName(url, 'md'),
        mediaType: 'text/markdown',
        bytes,
        title,
        author,
        published,
      };
    }
    const { bytes, mediaType, extension } = await this.reader.read(url, this.signal);
    const details = extension === 'html' ? await this.detailsOf(bytes) : null;
    return {
      ...about,
      name: pageName(url, extension),
      mediaType,
      bytes,
      title: given.title ?? details?.title ?? null,
      author: details?.author ?? given.author ?? null,
      published: details?.date ?? given.date ?? null,
    };
  }

  private async detailsOf(bytes: Buffer): Promise<PageDetails | null> {
    const html = bytes.subarray(0, HEAD_BYTES).toString('utf8');
    try {
      return await this.inThread<PageDetails>(DETAILS_WORKER, { html }, this.signal);
    } catch (error) {
      if (error instanceof ThreadLimitError) return null;
      throw error;
    }
  }

  private async add(content: Content): Promise<KnowledgeSource> {
    return (await addContent(this.tools, this.tenantId, this.collectionId, content)).source;
  }

  private async indexed(sources: KnowledgeSource[]) {
    const ids = [...new Set(sources.map(({ id }) => id))];
    await indexSources(this.tools, this.tenantId, ids, this.signal);
    const rows = await this.tools.db.knowledgeSource.findMany({
      where: { tenantId: this.tenantId, id: { in: ids } },
    });
    const inOrder = ids.flatMap((id) => rows.find((row) => row.id === id) ?? []);
    return {
      ready: inOrder.filter(({ state }) => state === 'ready'),
      failed: inOrder.filter(({ state }) => state !== 'ready'),
    };
  }
}

const unreadOf = (source: KnowledgeSource): UnreadPage => ({
  url: source.url ?? '',
  problem: problemOf(source) ?? phrase('source_problem.page'),
});
