import type { SourceCopies } from '#knowledge/ports/source-copies.js';
import { z } from 'zod';
import type { FoundPassage, ResearchPort } from '../graph/ports.js';
import type { CopiedPassages } from './copied-passages.js';
import type { SearchLedger } from './search-ledger.js';
import { askServer, type JsonServer } from './json-server.js';

/** Maximum number of passages per page, so that no page dominates. */
const OF_PAGE = 2;
/** Name of searches in the usage ledger. */
const LEDGER_NAME = 'searxng';

/** Used part of SearXNG's response to `GET /search?format=json`. */
const answerSchema = z.object({
  results: z.array(
    z.object({
      url: z.string().max(2_000),
      title: z.string().nullish(),
      author: z.string().nullish(),
      publishedDate: z.string().nullish(),
    }),
  ),
});
const pageSchema = z.object({
  url: z.string(),
  title: z.string().nullable(),
  author: z.string().nullable(),
  date: z.string().nullable(),
});

/**
 * Web research with a SearXNG server of the operator (A6). SearXNG finds the pages; they are read from their addresses
 * and stored, so that citations rest on the copies. Pages that cannot be read are left out.
 */
export class SearxngResearch implements ResearchPort {
  constructor(
    private readonly server: JsonServer,
    private readonly ledger: SearchLedger,
    private readonly copies: () => Promise<SourceCopies>,
    private readonly passages: CopiedPassages,
    private readonly signal: AbortSignal,
  ) {}

  async find(query: string, limit: number, effectKey: string): Promise<FoundPassage[]> {
    const call = { name: LEDGER_NAME, cost: 0, query, limit, effectKey };
    const pages = z.array(pageSchema).parse(await this.ledger.once(call, () => this.ask(query)));
    const { kept } = await (await this.copies()).keepPages(pages.slice(0, limit));
    return this.passages.findInEach(kept, query, limit, OF_PAGE);
  }

  private async ask(query: string) {
    const path = `/search?${new URLSearchParams({ q: query, format: 'json' }).toString()}`;
    const { results } = await askServer(this.server, { path }, answerSchema, this.signal);
    const pages = results.filter(({ url }) => isWebAddress(url));
    return {
      result: pages.map(({ url, title, author, publishedDate }) => ({
        url,
        title: shortLine(title),
        author: shortLine(author),
        date: dayOf(publishedDate),
      })),
    };
  }
}

const MAX_LINE = 300;

/** Returns a text of a search server on one line, at most 300 characters; null if nothing is left. */
export const shortLine = (value: string | null | undefined): string | null =>
  value
    ?.toWellFormed()
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_LINE)
    // The limit may split a character of two units.
    .replace(/[\ud800-\udbff]$/, '') || null;

/** Returns the date of a page as `YYYY-MM-DD`; null if it is unknown. */
export const dayOf = (published: string | null | undefined): string | null =>
  /^\d{4}-\d{2}-\d{2}/.exec(published ?? '')?.[0] ?? null;

/** Returns whether a page can be cited by its address. */
export const isWebAddress = (url: string): boolean => /^https?:\/\/[^\s<>]+$/.test(url);
