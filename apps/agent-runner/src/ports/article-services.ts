import type { InThread } from '#agent/ports.js';
import type { AgentRunnerSettings } from '#config/settings.js';
import { articleKind } from '#contracts/kinds/article.js';
import type { Database } from '#db/client.js';
import type { ArticleServices } from '#kinds/article/definition.js';
import { logArticle, resemblingArticle } from '#knowledge/articles/article-log.js';
import type { IndexAnswer } from '#knowledge/ingest/index.worker.js';
import { INDEX_WORKER, threadedWork } from '#knowledge/ingest/threaded-work.js';
import type { HeldRun } from '#run-engine/kind.js';
import type { ObjectStore } from '#storage/object-store.js';
import { sessionKey } from '#storage/session-keys.js';
import { createHash } from 'node:crypto';
import { CollectionResearch } from './collection-research.js';
import { StyleCorpus } from './style-corpus.js';

/** What an article's run needs of the outside. */
export function articleServices(
  db: Database,
  store: ObjectStore,
  inThread: InThread,
  settings: Pick<AgentRunnerSettings, 'RAG_TOP_K'>,
): ArticleServices {
  return (run, signal) => {
    const work = threadedWork((call) => inThread<IndexAnswer>(INDEX_WORKER, call, signal));
    const tools = { db, store, work };
    const { collections, style_collections: styles } = articleKind.inputs.parse(run.inputs);
    const { tenantId, sessionId, id: runId } = run;
    return {
      research: new CollectionResearch(tools, run, collections, signal),
      style: new StyleCorpus(tools, run, styles, settings.RAG_TOP_K, signal),
      log: {
        resembling: (topic, keywords) => resemblingArticle(db, tenantId, topic, keywords),
        save: ({ word_count: wordCount, ...entry }) =>
          logArticle(tools, tenantId, { ...entry, sessionId, runId, wordCount }, signal),
      },
      keep: (text) => keepText(store, run, text),
    };
  };
}

/** Named by its content, so that a repeated step keeps it once. */
async function keepText(store: ObjectStore, run: HeldRun, text: string): Promise<string> {
  const bytes = Buffer.from(text);
  const name = `article-${createHash('sha256').update(bytes).digest('hex')}.md`;
  const key = sessionKey(run.tenantId, run.sessionId, 'results', name);
  await store.put(key, bytes, { contentType: 'text/markdown; charset=utf-8' });
  return key;
}
