import type { InThread } from '#kit/graph/ports.js';
import { articleKind } from '../contract.js';
import type { ArticleServices } from '../graph/definition.js';
import type { ApprovedArticle } from '../contract/tasks.js';
import { logArticle, resemblingArticle } from '../store/article-log.js';
import type { HeldRun } from '#engine/kind.js';
import type { ObjectStore } from '#storage/object-store.js';
import { sessionKey } from '#storage/session-keys.js';
import { createHash } from 'node:crypto';
import type { SearchDependencies } from '#knowledge/runner.js';
import { runnerIndexWork } from '#knowledge/ports/runner-index-work.js';
import { researchOf, openCollections } from './research.js';
import type { Database } from '#db/client.js';
import { SessionResultRepository } from '#db/repositories/session-results.js';
import { OverruledFindingRepository } from '#db/repositories/overruled-findings.js';
import { ProposalRepository, proposedWords } from '#db/repositories/proposals.js';
import type { ArticlePorts, StylePort } from '../graph/ports.js';
import type { StyleFragment } from '../graph/state.js';
import type { IndexerTools } from '#knowledge/ingest/index-source.js';
import type { SemanticSearch } from '#knowledge/search/search.js';
import { readStyleTexts, styleTypeOf, stylePassages } from '../style/corpus.js';
import type { StyleText } from '#writing/style/fingerprint.js';

/** Creates the services that an article run needs from outside its graph. */
export function articleServices(
  { db, store, settings, meaning }: SearchDependencies,
  inThread: InThread,
): ArticleServices {
  return (run, signal) => {
    const work = runnerIndexWork(inThread, signal);
    const tools = { db, store, work, ...(meaning && { embedder: meaning.embedder }) };
    const semantic = meaning?.search;
    const inputs = articleKind.inputs.parse(run.inputs);
    const { tenantId, sessionId, id: runId } = run;
    return {
      research: researchOf({ tools, settings, semantic, inThread, signal }, run, inputs),
      style: new StyleCorpus(tools, run, inputs.style_collections, settings.RAG_TOP_K, signal, semantic),
      log: {
        resembling: (topic, keywords) => resemblingArticle(db, tenantId, topic, keywords, semantic),
        save: ({ word_count: wordCount, ...entry }) =>
          logArticle(tools, tenantId, { ...entry, sessionId, runId, wordCount }, signal),
      },
      keep: (text) => keepText(store, run, text),
      proposals: proposalsOf(new ProposalRepository(db), run),
      overruled: () => new OverruledFindingRepository(db).list(tenantId, [sessionId]),
      approved: () => approvedArticle(db, run),
      read: async (key) => Buffer.from(await store.getBytes(key)).toString('utf8'),
    };
  };
}

/** Proposals that a round of a review can have, one a paragraph at most: their numbers follow each other by round. */
const MAX_CHANGES = 200_000;

/** Returns the proposals of a run. */
function proposalsOf(
  proposals: ProposalRepository,
  { tenantId, sessionId, id: runId }: HeldRun,
): ArticlePorts['proposals'] {
  const first = (round: number) => round * MAX_CHANGES + 1;
  return {
    add: (round, changes) =>
      proposals.add(
        changes.map(({ before, after, base, findings }, index) => {
          const author = findings[0]?.rule ?? null;
          const by = { origin: author === null ? 'model' : 'rule', author, evidence: findings };
          const words = proposedWords({ before, after, start: base.start });
          return { tenantId, sessionId, runId, number: first(round) + index, ...by, ...words };
        }),
        { tenantId, runId, from: first(round) },
      ),
    rejected: async (round) =>
      (await proposals.all(tenantId, runId)).flatMap(({ number, state }) =>
        state === 'rejected' && number >= first(round) ? [number - first(round)] : [],
      ),
    decide: async (round, changes, isApplied) => {
      const numbers = (isRejected: boolean) =>
        changes.flatMap((one, index) => (one.isRejected === isRejected ? [first(round) + index] : []));
      // The next round proposes again what may stay of a round that was not applied.
      const refused = isApplied ? numbers(true) : [...numbers(true), ...numbers(false)];
      await proposals.decide(tenantId, runId, { numbers: refused }, { state: 'rejected' });
      if (isApplied) await proposals.apply(tenantId, runId, numbers(false), []);
    },
  };
}

/** Stores a text under a name derived from its content, so that a repeated step stores it only once. */
async function keepText(store: ObjectStore, run: HeldRun, text: string): Promise<string> {
  const bytes = Buffer.from(text);
  const name = `article-${createHash('sha256').update(bytes).digest('hex')}.md`;
  const key = sessionKey(run.tenantId, run.sessionId, 'results', name);
  await store.put(key, bytes, { contentType: 'text/markdown; charset=utf-8' });
  return key;
}

/** Returns the text that a person approved last in the run's session, or null. */
async function approvedArticle(
  db: Database,
  { tenantId, sessionId }: HeldRun,
): Promise<ApprovedArticle | null> {
  const found = await new SessionResultRepository(db).approvedArticle(tenantId, sessionId);
  return found && { text_key: found.text.objectKey, sources_key: found.sourcesKey };
}

/** Style corpora of a run (A9). */
class StyleCorpus implements StylePort {
  private collections: Promise<string[]> | null = null;

  constructor(
    private readonly tools: IndexerTools,
    private readonly run: HeldRun,
    private readonly named: string[] | undefined,
    private readonly topK: number,
    private readonly signal: AbortSignal,
    private readonly semantic?: SemanticSearch,
  ) {}

  async fragments(query: string): Promise<StyleFragment[]> {
    const collections = await this.open();
    const { db } = this.tools;
    const hits = await stylePassages(db, this.run.tenantId, collections, query, this.topK, this.semantic);
    return hits.map(({ text, source_title, source_name, author, priority }): StyleFragment => ({
      text,
      source_title: source_title ?? source_name,
      author,
      source_type: styleTypeOf(priority),
    }));
  }

  async texts(): Promise<StyleText[]> {
    return readStyleTexts(this.tools, this.run.tenantId, await this.open());
  }

  private open(): Promise<string[]> {
    this.collections ??= openCollections(this.tools, this.run, 'style', this.named, this.signal);
    return this.collections;
  }
}
