import { sha256 } from '#contracts/sha256.js';
import { cutAt, visibleLine } from '#contracts/text.js';
import { phrase, type Phrase } from '#contracts/phrases/phrase.js';
import { type InThread, BudgetExceededError } from '#kit/graph/ports.js';
import type { AgentRunnerSettings } from '#config/settings.js';
import type { ArticleRunInputs } from '../contract.js';
import type { ResearchPort, FoundPassage } from '../graph/ports.js';
import { RunFailure, type HeldRun } from '#engine/kind.js';
import type { IndexerTools } from '#knowledge/ingest/index-source.js';
import { openNamedSources } from '#knowledge/ports/named-sources.js';
import { PageReader } from '#knowledge/ingest/page-reader.js';
import { SourceCopies } from '#knowledge/ports/source-copies.js';
import { type SemanticSearch, search } from '#knowledge/search/search.js';
import { derivedId } from '#contracts/ids.js';
import { type Database, Prisma } from '#db/client.js';
import { CollectionRepository } from '#knowledge/store/collections.js';
import type { KnowledgeSource } from '#knowledge/store/sources.js';
import { askServer, type JsonServer } from './json-server.js';
import { z } from 'zod';
import { MAX_COLLECTIONS_SEARCHED, type KnowledgePurpose } from '#knowledge/contract.js';
import { indexSources, firstPassages, passageOf, type PassageRow } from '#knowledge/ports/passages.js';
import { ModelUsageRepository, type ModelStep } from '#db/repositories/model-usage.js';
import { StaleEpochError } from '#engine/runs/fence.js';
import { ObjectNotFoundError, type ObjectStore } from '#storage/object-store.js';
import { sessionKey } from '#storage/session-keys.js';

/** A search with a provider of the web. */
interface WebSearchCall {
  /** Name of the provider in the usage ledger. */
  name: string;
  /** Reserved cost in millionths of the currency. */
  cost: number;
  query: string;
  limit: number;
  effectKey: string;
}

/** Searches that the providers of a run have made, all together. */
const WEB_SEARCHES = ['exa', 'searxng'];

/**
 * Ledger of web searches. A search is recorded like a model call and counts toward budgets; repeated searches of a
 * session are read from its stored results.
 */
class SearchLedger {
  private readonly usage: ModelUsageRepository;

  constructor(
    private readonly db: Database,
    private readonly store: ObjectStore,
    private readonly run: HeldRun,
    private readonly searchesPerRun: number,
  ) {
    this.usage = new ModelUsageRepository(db);
  }

  /**
   * Returns the stored result of a search, or makes and stores it.
   *
   * @param ask makes the search; `cost` is what the provider charged, if it says so
   * @throws BudgetExceededError, StaleEpochError, RunFailure `research_quota`; errors of `ask`
   */
  async once(call: WebSearchCall, ask: () => Promise<{ result: unknown; cost?: number }>): Promise<unknown> {
    const seed = sha256(`${call.name}\n${call.limit}\n${call.query}`);
    const key = sessionKey(this.run.tenantId, this.run.sessionId, 'results', `research-${seed}.json`);
    const known = await this.known(key);
    if (known !== undefined) return known;
    const result = await this.metered(call, ask);
    await this.store.put(key, Buffer.from(JSON.stringify(result)), { contentType: 'application/json' });
    return result;
  }

  private async known(key: string): Promise<unknown> {
    try {
      return JSON.parse(Buffer.from(await this.store.getBytes(key)).toString('utf8')) as unknown;
    } catch (error) {
      if (error instanceof ObjectNotFoundError) return undefined;
      throw error;
    }
  }

  private async metered(
    { name, cost: reserved, effectKey }: WebSearchCall,
    ask: () => Promise<{ result: unknown; cost?: number }>,
  ): Promise<unknown> {
    const { tenantId, id: runId, fence } = this.run;
    const searches = await this.db.modelCall.count({
      where: { tenantId, runId, model: { in: WEB_SEARCHES } },
    });
    if (searches >= this.searchesPerRun)
      throw new RunFailure('research_quota', phrase('run_error.research_quota'));
    const step: ModelStep = { runId, epoch: fence.epoch, effectKey: `${runId}/${effectKey}` };
    const held = await this.usage.reserve(tenantId, step, { tokens: 0, cost: reserved });
    if (held === 'stale') throw new StaleEpochError(fence);
    if (held !== 'reserved') throw new BudgetExceededError(held);
    try {
      const { result, cost } = await ask();
      const entry = { model: name, inputTokens: 0, outputTokens: 0, cost: cost ?? reserved };
      await this.usage.settle(
        tenantId,
        step,
        { ...entry, estimated: cost === undefined && reserved > 0 },
        true,
      );
      return result;
    } catch (error) {
      await this.usage.giveBack(tenantId, step);
      throw error;
    }
  }
}

/** Name of searches in the usage ledger. */
const SEARXNG_LEDGER = 'searxng';

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
class SearxngResearch implements ResearchPort {
  constructor(
    private readonly server: JsonServer,
    private readonly ledger: SearchLedger,
    private readonly copies: () => Promise<SourceCopies>,
    private readonly passages: CopiedPassages,
    private readonly signal: AbortSignal,
  ) {}

  async find(query: string, limit: number, effectKey: string): Promise<FoundPassage[]> {
    const call = { name: SEARXNG_LEDGER, cost: 0, query, limit, effectKey };
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
  cutAt(visibleLine(value ?? ''), MAX_LINE) || null;

/** Returns the date of a page as `YYYY-MM-DD`; null if it is unknown. */
const dayOf = (published: string | null | undefined): string | null =>
  /^\d{4}-\d{2}-\d{2}/.exec(published ?? '')?.[0] ?? null;

/** Returns whether a page can be cited by its address. */
const isWebAddress = (url: string): boolean => /^https?:\/\/[^\s<>]+$/.test(url);

/** Returns a passage in the form of the graph. A source without a page gets its address in the API. */
const foundPassage = (row: PassageRow, kind: FoundPassage['kind']): FoundPassage => {
  const { url, ...passage } = passageOf(row);
  return {
    ...passage,
    url: url ?? `/api/knowledge/collections/${row.collection_id}/sources/${row.source_id}`,
    kind: url === null ? kind : 'web',
    summary: null,
  };
};

/** Searches copies of pages and files (A6). */
export class CopiedPassages {
  constructor(
    private readonly tools: Pick<IndexerTools, 'db'>,
    private readonly tenantId: string,
    private readonly semantic?: SemanticSearch,
  ) {}

  /**
   * Returns the passages of some copies that match a query best.
   *
   * @param ofSource maximum number of passages of a source, so that no source dominates
   */
  async find(
    copies: KnowledgeSource[],
    query: string,
    limit: number,
    ofSource = limit,
  ): Promise<FoundPassage[]> {
    if (copies.length === 0 || query === '') return [];
    const collections = [...new Set(copies.map(({ collectionId }) => collectionId))];
    const filters = { source_ids: copies.map(({ id }) => id) };
    const k = Math.min(100, limit * Math.max(1, copies.length));
    const { hits } = await search(
      this.tools.db,
      this.tenantId,
      { collections, query, k, filters },
      this.semantic,
    );
    const taken = new Map<string, number>();
    const best = hits.filter(({ source_id: id }) => {
      taken.set(id, (taken.get(id) ?? 0) + 1);
      return taken.get(id)! <= ofSource;
    });
    return best.slice(0, limit).map((hit) => foundPassage(hit, 'file'));
  }

  /** Like `find`, plus the first passage of each copy without a match: a search of the web found its page. */
  async findInEach(
    copies: KnowledgeSource[],
    query: string,
    limit: number,
    ofSource: number,
  ): Promise<FoundPassage[]> {
    const found = await this.find(copies, query, limit, ofSource);
    const matched = new Set(found.map(({ source_id: id }) => id));
    const others = await this.first(copies.filter(({ id }) => !matched.has(id)));
    return [...found, ...others].slice(0, limit);
  }

  /** Returns the first passage of each copy. */
  async first(copies: KnowledgeSource[]): Promise<FoundPassage[]> {
    const rows = await firstPassages(
      this.tools.db,
      this.tenantId,
      copies.map(({ id }) => id),
    );
    return rows.map((row) => foundPassage(row, 'file'));
  }
}

/** Dependencies of the research providers. */
interface ResearchTools {
  tools: IndexerTools;
  settings: AgentRunnerSettings;
  semantic: SemanticSearch | undefined;
  inThread: InThread;
  signal: AbortSignal;
}

/**
 * Creates the research of a run: what the author names, then collections or the web (A6). The web comes after the
 * collections that a run names.
 */
export function researchOf(
  outside: ResearchTools,
  run: HeldRun,
  { research = 'collections', sources = [], collections }: ArticleRunInputs,
): ResearchPort {
  const { tools, settings, semantic, signal } = outside;
  const passages = new CopiedPassages(tools, run.tenantId, semantic);
  const copies = copiesOf(outside, run);
  const inCollections = () => new CollectionResearch(tools, run, collections, signal, semantic);
  const onWeb = () => webResearch(outside, run, passages, async () => (await copies()).copies);
  const searched = {
    collections: inCollections,
    web: () => (collections ? new CombinedResearch(inCollections(), onWeb()) : onWeb()),
    named: () => null,
  }[research]();
  if (sources.length === 0) return searched ?? nothingNamed;
  const open = async () => {
    const target = await copies();
    const mayFetch = settings.FETCH_URL;
    return openNamedSources({ db: tools.db, mayFetch, ...target }, run, sources);
  };
  const named = new NamedResearch(passages, open);
  return searched ? new CombinedResearch(named, searched) : named;
}

/** Returns a function that creates the collection of the session's copies when they are needed. */
function copiesOf({ tools, settings, inThread, signal }: ResearchTools, run: HeldRun) {
  const { tenantId, sessionId } = run;
  return async () => {
    const collectionId = await sessionCollection(tools.db, tenantId, sessionId);
    const reader = new PageReader(settings);
    return {
      collectionId,
      copies: new SourceCopies(tools, tenantId, collectionId, reader, inThread, signal),
    };
  };
}

/** A provider that fails on first use, not when a run resumes: a run past its research needs no provider. */
const failing = (code: string, detail: Phrase): ResearchPort => ({
  find: () => Promise.reject(new RunFailure(code, detail)),
});

const nothingNamed = failing('no_named_source', phrase('run_error.no_named_source'));

function webResearch(
  { tools, settings, signal }: ResearchTools,
  run: HeldRun,
  passages: CopiedPassages,
  copies: () => Promise<SourceCopies>,
): ResearchPort {
  const ledger = new SearchLedger(tools.db, tools.store, run, settings.RESEARCH_SEARCHES_PER_RUN);
  const timeoutMs = settings.EXA_TIMEOUT_SECONDS * 1_000;
  const {
    SEARXNG_URL: searxng,
    EXA_API_KEY: apiKey,
    EXA_BASE_URL: baseUrl,
    EXA_SEARCH_COST: cost,
  } = settings;
  if (searxng !== undefined)
    return new SearxngResearch({ baseUrl: searxng, timeoutMs }, ledger, copies, passages, signal);
  if (apiKey === undefined) return failing('no_research_provider', phrase('run_error.no_research_provider'));
  return new ExaResearch({ apiKey, baseUrl, cost, timeoutMs }, ledger, copies, passages, signal);
}

/**
 * Returns the ID of the collection with the pages and files that the research of a session read, and creates it if
 * necessary. It is deleted with the session.
 */
async function sessionCollection(db: Database, tenantId: string, sessionId: string): Promise<string> {
  const id = derivedId('col', `${sessionId}/research`);
  const session = await db.session.findFirst({ where: { id: sessionId, tenantId }, select: { title: true } });
  const name = `Research: ${session?.title ?? 'article'}`.slice(0, 200);
  await new CollectionRepository(db).create(tenantId, { id, name, purpose: 'research', sessionId });
  return id;
}

/** Research with two providers. Passages of the first one come first and leave half of the room to the second one. */
class CombinedResearch implements ResearchPort {
  constructor(
    private readonly first: ResearchPort,
    private readonly second: ResearchPort,
  ) {}

  async find(query: string, limit: number, effectKey: string): Promise<FoundPassage[]> {
    const found = await this.first.find(query, Math.ceil(limit / 2), effectKey);
    return [...found, ...(await this.second.find(query, limit - found.length, effectKey))];
  }

  async unfound(found: ReadonlySet<string>): Promise<FoundPassage[]> {
    return (await this.first.unfound?.(found)) ?? [];
  }
}

/** Research in the pages and files that the author names. */
class NamedResearch implements ResearchPort {
  private sources: Promise<KnowledgeSource[]> | null = null;

  constructor(
    private readonly passages: CopiedPassages,
    private readonly open: () => Promise<KnowledgeSource[]>,
  ) {}

  async find(query: string, limit: number): Promise<FoundPassage[]> {
    return this.passages.find(await this.named(), query, limit);
  }

  /** Returns the first passage of each named source that no search found: its author wants it to be read. */
  async unfound(found: ReadonlySet<string>): Promise<FoundPassage[]> {
    const sources = await this.named();
    return this.passages.first(sources.filter(({ id }) => !found.has(id)));
  }

  private named(): Promise<KnowledgeSource[]> {
    this.sources ??= this.open();
    return this.sources;
  }
}

/** Research in the tenant's own collections (A6). */
class CollectionResearch implements ResearchPort {
  private collections: Promise<string[]> | null = null;
  private prepared: { query: string; limit: number; found: Promise<FoundPassage[]> } | null = null;

  constructor(
    private readonly tools: IndexerTools,
    private readonly run: HeldRun,
    private readonly named: string[] | undefined,
    private readonly signal: AbortSignal,
    private readonly semantic?: SemanticSearch,
  ) {}

  prepare(query: string, limit: number): void {
    if (this.prepared?.query === query && this.prepared.limit === limit) return;
    const found = this.look(query, limit);
    // `find` reports the error to its caller.
    found.catch(() => undefined);
    this.prepared = { query, limit, found };
  }

  find(query: string, limit: number): Promise<FoundPassage[]> {
    const { prepared } = this;
    this.prepared = null;
    return prepared?.query === query && prepared.limit === limit ? prepared.found : this.look(query, limit);
  }

  private async look(query: string, limit: number): Promise<FoundPassage[]> {
    this.collections ??= openCollections(this.tools, this.run, 'knowledge', this.named, this.signal);
    const collections = await this.collections;
    if (collections.length === 0 || query === '') return [];
    const { hits } = await search(
      this.tools.db,
      this.run.tenantId,
      { collections, query, k: limit, filters: { priorities: ['primary', 'supporting'] } },
      this.semantic,
    );
    return hits.map((hit) => foundPassage(hit, 'collection'));
  }
}

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
class ExaResearch implements ResearchPort {
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

/** Page found by a web search. */
interface ExaPage {
  url: string;
  title: string;
  author: string | null;
  /** `YYYY-MM-DD`; null if it is unknown. Absent in pages stored by an older release. */
  date?: string | null;
  text: string;
  summary: string | null;
}

const prose = (value: string): string => value.replaceAll('\u0000', '').toWellFormed();

/** Used part of Exa's response to `POST /search`. */
const exaAnswerSchema = z.object({
  results: z.array(
    z
      .object({
        url: z.string().max(2_000),
        title: z.string().nullish(),
        author: z.string().nullish(),
        publishedDate: z.string().nullish(),
        text: z.string().nullish(),
        summary: z.string().nullish(),
      })
      .transform(({ url, title, author, publishedDate, text, summary }): ExaPage => ({
        url,
        title: shortLine(title) ?? url,
        author: shortLine(author),
        date: dayOf(publishedDate),
        text: prose(text ?? ''),
        summary: shortLine(summary),
      })),
  ),
  /** Cost in the currency of the account. */
  costDollars: z.object({ total: z.number().min(0) }).optional(),
});

/** Returns the pages that can be cited: those with text and an HTTP(S) URL. */
const citable = (pages: ExaPage[]): ExaPage[] =>
  pages.filter(({ url, text }) => isWebAddress(url) && text.trim() !== '');

/**
 * Returns the IDs of the collections named by a run, or else of the tenant's collections with that purpose
 * outside projects, newest first. Indexes their waiting sources first.
 *
 * @throws RunFailure `collection_unknown`
 */
export async function openCollections(
  tools: IndexerTools,
  { tenantId }: HeldRun,
  purpose: KnowledgePurpose,
  named: string[] | undefined,
  signal: AbortSignal,
): Promise<string[]> {
  const which = named
    ? Prisma.sql`c.id = ANY(${named})`
    : Prisma.sql`c.purpose = ${purpose} AND c.project_id IS NULL`;
  const found = await tools.db.$statement<{ id: string; waiting: string[] }>(Prisma.sql`
    /* collections of a run */ SELECT c.id, ARRAY(
      SELECT s.id FROM knowledge_sources s
      WHERE s.collection_id = c.id AND s.tenant_id = c.tenant_id AND s.state IN ('queued', 'indexing') ORDER BY s.created_at
    ) AS waiting
    FROM knowledge_collections c WHERE c.tenant_id = ${tenantId} AND ${which}
    ORDER BY c.created_at DESC, c.id DESC LIMIT ${MAX_COLLECTIONS_SEARCHED}::int`);
  if (named && found.length < new Set(named).size)
    throw new RunFailure('collection_unknown', phrase('run_error.collection_unknown'));
  const waiting = found.flatMap((collection) => collection.waiting);
  await indexSources(tools, tenantId, waiting, signal);
  return found.map(({ id }) => id);
}
