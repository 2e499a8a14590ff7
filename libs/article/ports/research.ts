import { phrase, type Phrase } from '#contracts/phrases/phrase.js';
import type { InThread } from '#kit/graph/ports.js';
import type { AgentRunnerSettings } from '#config/settings.js';
import type { ArticleRunInputs } from '../contract.js';
import type { ResearchPort, FoundPassage } from '../graph/ports.js';
import { RunFailure, type HeldRun } from '#engine/kind.js';
import type { IndexerTools } from '#knowledge/ingest/index-source.js';
import { openNamedSources } from '#knowledge/ports/named-sources.js';
import { PageReader } from '#knowledge/ingest/page-reader.js';
import { SourceCopies } from '#knowledge/ports/source-copies.js';
import { type SemanticSearch, search } from '#knowledge/search/search.js';
import { CopiedPassages, foundPassage } from './copied-passages.js';
import { SearchLedger } from './search-ledger.js';
import { dayOf, isWebAddress, SearxngResearch, shortLine } from './searxng-research.js';
import { derivedId } from '#contracts/ids.js';
import { type Database, Prisma } from '#db/client.js';
import { CollectionRepository } from '#knowledge/store/collections.js';
import type { KnowledgeSource } from '#knowledge/store/sources.js';
import { askServer, type JsonServer } from './json-server.js';
import { z } from 'zod';
import { MAX_COLLECTIONS_SEARCHED, type KnowledgePurpose } from '#knowledge/contract.js';
import { indexSources } from '#knowledge/ports/passages.js';

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
