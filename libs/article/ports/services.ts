import type { InThread } from '#kit/graph/ports.js';
import type { AgentRunnerSettings } from '#config/settings.js';
import { articleKind } from '../contract.js';
import type { Database } from '#db/client.js';
import type { ArticleServices } from '../graph/definition.js';
import { logArticle, resemblingArticle } from '../store/article-log.js';
import type { ResearchPort } from '../graph/ports.js';
import { RunFailure, type HeldRun } from '#engine/kind.js';
import type { ObjectStore } from '#storage/object-store.js';
import { sessionKey } from '#storage/session-keys.js';
import { createHash } from 'node:crypto';
import type { SearchDependencies } from '#knowledge/runner.js';
import { CollectionResearch } from './collection-research.js';
import { ExaResearch } from './exa-research.js';
import { approvedArticle } from './approved-text.js';
import { runnerIndexWork } from '#knowledge/ports/runner-index-work.js';
import { StyleCorpus } from './style-corpus.js';

/** Creates the services that an article run needs from outside its graph. */
export function articleServices(
  { db, store, settings, meaning }: SearchDependencies,
  inThread: InThread,
): ArticleServices {
  return (run, signal) => {
    const work = runnerIndexWork(inThread, signal);
    const tools = { db, store, work, ...(meaning && { embedder: meaning.embedder }) };
    const semantic = meaning?.search;
    const { collections, style_collections: styles, research } = articleKind.inputs.parse(run.inputs);
    const { tenantId, sessionId, id: runId } = run;
    return {
      research:
        research === 'web'
          ? webResearch(settings, db, store, run, signal, inThread)
          : new CollectionResearch(tools, run, collections, signal, semantic),
      style: new StyleCorpus(tools, run, styles, settings.RAG_TOP_K, signal, semantic),
      log: {
        resembling: (topic, keywords) => resemblingArticle(db, tenantId, topic, keywords, semantic),
        save: ({ word_count: wordCount, ...entry }) =>
          logArticle(tools, tenantId, { ...entry, sessionId, runId, wordCount }, signal),
      },
      keep: (text) => keepText(store, run, text),
      approved: () => approvedArticle(db, store, run),
    };
  };
}

/**
 * Creates the web research port. Without an API key it fails on first use, not when a run resumes: a run past
 * its research needs no provider.
 */
function webResearch(
  settings: AgentRunnerSettings,
  db: Database,
  store: ObjectStore,
  run: HeldRun,
  signal: AbortSignal,
  inThread: InThread,
): ResearchPort {
  const { EXA_API_KEY: apiKey, EXA_BASE_URL: baseUrl, EXA_SEARCH_COST: cost } = settings;
  if (apiKey === undefined)
    return {
      find: () =>
        Promise.reject(
          new RunFailure(
            'no_research_provider',
            'Web search is not configured on this installation. Use collections for the research, or ask the operator.',
          ),
        ),
    };
  const timeoutMs = settings.EXA_TIMEOUT_SECONDS * 1_000;
  const config = { apiKey, baseUrl, cost, timeoutMs, searchesPerRun: settings.RESEARCH_SEARCHES_PER_RUN };
  return new ExaResearch(config, db, store, run, signal, inThread);
}

/** Stores a text under a name derived from its content, so that a repeated step stores it only once. */
async function keepText(store: ObjectStore, run: HeldRun, text: string): Promise<string> {
  const bytes = Buffer.from(text);
  const name = `article-${createHash('sha256').update(bytes).digest('hex')}.md`;
  const key = sessionKey(run.tenantId, run.sessionId, 'results', name);
  await store.put(key, bytes, { contentType: 'text/markdown; charset=utf-8' });
  return key;
}
