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
import { researchOf } from './research.js';
import { StyleCorpus } from './style-corpus.js';
import type { Database } from '#db/client.js';
import { OverruledFindingRepository } from '#db/repositories/overruled-findings.js';

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
      overruled: () => new OverruledFindingRepository(db).list(tenantId, [sessionId]),
      approved: () => approvedArticle(db, run),
      read: async (key) => Buffer.from(await store.getBytes(key)).toString('utf8'),
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

/** Name of the result with the approved text, by mode; runs of both modes complete only after approval. */
const APPROVED: Record<string, string> = { author: 'article', shadow: 'corrected' };

/**
 * Returns the text that a person approved last in the run's session (an article, or a corrected text), or
 * null.
 */
async function approvedArticle(
  db: Database,
  { tenantId, sessionId }: HeldRun,
): Promise<ApprovedArticle | null> {
  const run = await db.run.findFirst({
    where: {
      tenantId,
      sessionId,
      kind: 'article',
      mode: { in: Object.keys(APPROVED) },
      status: 'completed',
      rolledBackAt: null,
    },
    orderBy: [{ finishedAt: 'desc' }, { id: 'desc' }],
    select: { id: true, mode: true },
  });
  const name = APPROVED[run?.mode ?? ''];
  if (!run || name === undefined) return null;
  const where = { tenantId, sessionId, kind: 'article', name: { in: [name, 'sources'] }, runId: run.id };
  const results = await db.sessionResult.findMany({ where, select: { name: true, objectKey: true } });
  const keys = new Map(results.map((result) => [result.name, result.objectKey]));
  const text_key = keys.get(name);
  return text_key ? { text_key, sources_key: keys.get('sources') ?? null } : null;
}
