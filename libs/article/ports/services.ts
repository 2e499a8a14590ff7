import type { InThread } from '#kit/graph/ports.js';
import { articleKind } from '../contract.js';
import type { ArticleServices } from '../graph/definition.js';
import { logArticle, resemblingArticle } from '../store/article-log.js';
import type { HeldRun } from '#engine/kind.js';
import type { ObjectStore } from '#storage/object-store.js';
import { sessionKey } from '#storage/session-keys.js';
import { createHash } from 'node:crypto';
import type { SearchDependencies } from '#knowledge/runner.js';
import { approvedArticle } from './approved-text.js';
import { runnerIndexWork } from '#knowledge/ports/runner-index-work.js';
import { researchOf } from './research.js';
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
      approved: () => approvedArticle(db, store, run),
    };
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
