import { phrase, type Phrase } from '#contracts/phrases/phrase.js';
import type { InThread } from '#kit/graph/ports.js';
import type { AgentRunnerSettings } from '#config/settings.js';
import type { ArticleRunInputs } from '../contract.js';
import type { ResearchPort, FoundPassage } from '../graph/ports.js';
import { RunFailure, type HeldRun } from '#engine/kind.js';
import type { IndexerTools } from '#knowledge/ingest/index-source.js';
import { openNamedSources } from '#knowledge/ports/named-sources.js';
import { PageReader } from '#knowledge/ports/page-reader.js';
import { SourceCopies } from '#knowledge/ports/source-copies.js';
import type { SemanticSearch } from '#knowledge/search/search.js';
import { CollectionResearch } from './collection-research.js';
import { CopiedPassages } from './copied-passages.js';
import { ExaResearch } from './exa-research.js';
import { SearchLedger } from './search-ledger.js';
import { SearxngResearch } from './searxng-research.js';
import { derivedId } from '#contracts/ids.js';
import type { Database } from '#db/client.js';
import { CollectionRepository } from '#knowledge/store/collections.js';
import type { KnowledgeSource } from '#knowledge/store/sources.js';

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
