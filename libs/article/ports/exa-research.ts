import type { FoundPassage, ResearchPort } from '../graph/ports.js';
import type { SourceCopies } from '#knowledge/ports/source-copies.js';
import type { CopiedPassages } from './copied-passages.js';
import { citable, exaAnswerSchema, type ExaPage } from './exa-answer.js';
import { askServer, type JsonServer } from './json-server.js';
import type { SearchLedger } from './search-ledger.js';

interface ExaConfig extends JsonServer {
  apiKey: string;
  /** Reserved cost per search in millionths of the currency; Exa reports the actual cost. */
  cost: number;
}

/** Maximum number of characters requested per page. */
const PAGE_LENGTH = 8_000;
/** Maximum number of passages per page, so that no page dominates. */
const OF_PAGE = 2;
/** Name of searches in the usage ledger. */
const LEDGER_NAME = 'exa';

/**
 * Web research with Exa's HTTP API (A6). No page is fetched from here: Exa returns the text, which is stored, so that
 * citations rest on the copies.
 */
export class ExaResearch implements ResearchPort {
  constructor(
    private readonly config: ExaConfig,
    private readonly ledger: SearchLedger,
    private readonly copies: () => Promise<SourceCopies>,
    private readonly passages: CopiedPassages,
    private readonly signal: AbortSignal,
  ) {}

  async find(query: string, limit: number, effectKey: string): Promise<FoundPassage[]> {
    const call = { name: LEDGER_NAME, cost: this.config.cost, query, limit, effectKey };
    const pages = citable((await this.ledger.once(call, () => this.ask(query, limit))) as ExaPage[]);
    const { kept } = await (await this.copies()).keepPages(pages);
    const found = await this.passages.findInEach(kept, query, limit, OF_PAGE);
    const summaries = new Map(pages.map(({ url, summary }) => [url, summary]));
    return found.map((passage) => ({ ...passage, summary: summaries.get(passage.url) ?? null }));
  }

  /** @throws RunFailure `research_unavailable`, `research_refused` */
  private async ask(query: string, limit: number): Promise<{ result: ExaPage[]; cost?: number }> {
    const contents = { text: { maxCharacters: PAGE_LENGTH }, summary: true };
    const request = {
      path: '/search',
      body: { query, numResults: limit, contents },
      headers: { 'x-api-key': this.config.apiKey },
    };
    const { results, costDollars } = await askServer(this.config, request, exaAnswerSchema, this.signal);
    return {
      result: results,
      ...(costDollars && { cost: Math.ceil(costDollars.total * 1_000_000) }),
    };
  }
}
