import { splitAtSpaces, wordsIn } from '#contracts/text.js';
import { derivedId } from '#contracts/ids.js';
import type { LoggedArticle } from '../contract/values.js';
import { MAX_QUERY_LENGTH } from '#knowledge/contract.js';
import type { Database } from '#db/client.js';
import type { ObjectStore } from '#storage/object-store.js';
import type { IndexerTools } from '#knowledge/ingest/index-source.js';
import { putText } from '#knowledge/knowledge.js';
import { search, SemanticUnavailableError, type SemanticSearch } from '#knowledge/search/search.js';
import { CollectionRepository } from '#knowledge/store/collections.js';
import { SourceRepository } from '#knowledge/store/sources.js';
import type { ArticleLogEntry } from '#db/generated/client.js';
import { stemsOf, detectLanguage } from '#knowledge/text/stems.js';

/** Thresholds for nearly equal topics: by their words, and by the cosine of their embeddings. */
const SAME_WORDS = 0.6;
const SAME_MEANING = 0.85;
const CANDIDATES = 20;

/**
 * ID of the collection that contains the topics of a tenant's articles, so that searches find them like
 * passages.
 */
const logCollectionId = (tenantId: string): string => derivedId('col', `${tenantId}/articles`);

/**
 * Logs an approved article and makes its topic searchable (A12). Idempotent. If the topic cannot be embedded
 * now, it is found by its words until a worker embeds it.
 */
export async function logArticle(
  tools: Omit<IndexerTools, 'work'> & Partial<IndexerTools>,
  tenantId: string,
  entry: NewLogEntry,
  signal?: AbortSignal,
): Promise<void> {
  const { id } = await new ArticleLogRepository(tools.db).enter(tenantId, entry);
  const collection = {
    id: logCollectionId(tenantId),
    name: 'Topics of articles',
    purpose: 'memory' as const,
  };
  await new CollectionRepository(tools.db).create(tenantId, collection);
  const text = `${[entry.topic, ...entry.keywords].join('\n\n')}\n\n${id}\n`;
  const topic = { name: id, title: entry.topic, text };
  try {
    await putText(tools, tenantId, collection.id, topic, signal);
  } catch (error) {
    if (!(error instanceof SemanticUnavailableError)) throw error;
    const { embedder: _, ...byWords } = tools;
    const { source } = await putText(byWords, tenantId, collection.id, topic, signal);
    await new SourceRepository(tools.db).reindexSource(tenantId, source.id);
  }
}

/**
 * Reads the articles of a session that is about to be deleted, and with it their log entries.
 *
 * @returns a function that removes the articles from the collection of topics, for after the deletion
 */
export async function forgetArticles(
  db: Database,
  store: ObjectStore,
  tenantId: string,
  sessionId: string,
): Promise<() => Promise<void>> {
  const names = (await new ArticleLogRepository(db).ofSession(tenantId, sessionId)).map(({ id }) => id);
  return () => removeTopics(db, store, tenantId, names);
}

async function removeTopics(
  db: Database,
  store: ObjectStore,
  tenantId: string,
  names: string[],
): Promise<void> {
  if (names.length === 0) return;
  const collectionId = logCollectionId(tenantId);
  const topics = await db.knowledgeSource.findMany({
    where: { tenantId, collectionId, name: { in: names } },
  });
  for (const { id } of topics) await new SourceRepository(db).remove(store, tenantId, collectionId, id);
}

/**
 * Returns the logged article with nearly the given topic (A5), or null. Hybrid search finds candidates, which
 * are compared by their words and, if available, their embeddings.
 *
 * @param semantic absent without an embedding endpoint
 */
export async function resemblingArticle(
  db: Database,
  tenantId: string,
  topic: string,
  keywords: string[],
  semantic?: SemanticSearch,
): Promise<LoggedArticle | null> {
  const id = logCollectionId(tenantId);
  if (!(await new CollectionRepository(db).find(tenantId, id))) return null;
  const query = [topic, ...keywords].join(' ').slice(0, MAX_QUERY_LENGTH);
  const { hits } = await search(db, tenantId, { collections: [id], query, k: CANDIDATES }, semantic);
  const near = new Map(hits.map((hit) => [hit.source_name, hit.parts.vectors?.score ?? 0]));
  const entries = await new ArticleLogRepository(db).find(tenantId, [...near.keys()]);
  const [best] = entries
    .map((entry) => logged(entry, similarityOf(topic, entry, near.get(entry.id) ?? 0)))
    .filter(({ similarity }) => similarity >= SAME_WORDS)
    .sort((a, b) => b.similarity - a.similarity || (a.date < b.date ? 1 : -1));
  return best ?? null;
}

function similarityOf(topic: string, entry: ArticleLogEntry, cosine: number): number {
  return Math.max(topicSimilarity(topic, entry.topic), cosine >= SAME_MEANING ? Math.min(1, cosine) : 0);
}

const logged = (entry: ArticleLogEntry, similarity: number): LoggedArticle => ({
  id: entry.id,
  topic: entry.topic,
  date: entry.createdAt.toISOString(),
  word_count: entry.wordCount,
  mode: entry.mode,
  session_id: entry.sessionId,
  similarity,
});

/** An approved article for the log; its `runId` identifies it, so adding it again changes nothing. */
type NewLogEntry = Pick<ArticleLogEntry, 'sessionId' | 'runId' | 'topic' | 'keywords' | 'mode' | 'wordCount'>;

/** The log of approved articles (A12). */
class ArticleLogRepository {
  constructor(private readonly db: Database) {}

  async enter(tenantId: string, entry: NewLogEntry): Promise<ArticleLogEntry> {
    const id = derivedId('art', entry.runId);
    await this.db.articleLogEntry.createMany({ data: { ...entry, id, tenantId }, skipDuplicates: true });
    return this.db.articleLogEntry.findFirstOrThrow({ where: { id, tenantId } });
  }

  ofSession(tenantId: string, sessionId: string): Promise<ArticleLogEntry[]> {
    return this.db.articleLogEntry.findMany({ where: { tenantId, sessionId } });
  }

  find(tenantId: string, ids: string[]): Promise<ArticleLogEntry[]> {
    return this.db.articleLogEntry.findMany({ where: { tenantId, id: { in: ids } } });
  }
}

/** Words that carry no topic, in the languages of the platform. */
const EMPTY = new Set(
  splitAtSpaces(`a about after all also an and are as at be been but by can do does for from has have how if in into is it its more most not of on one
  or our over so some than that the their them then there these they this to was we were what when where which while who why will with you
  your a aby ale bez być był była było były co czy czyli dla do dlaczego gdy gdzie i ich ile jak jaka jaki jakie jako jego jej jest już
  każdy kiedy która które który ku lub ma mają między na nad nie o od oraz po pod przed przez przy są się ta tak także te tego ten to
  tych tym u w we z za ze że`),
);

function stemSet(topic: string, language: string | null): Set<string> {
  const words = wordsIn(topic.toLowerCase());
  const telling = words.filter((word) => !EMPTY.has(word));
  return new Set(stemsOf((telling.length > 0 ? telling : words).join(' '), language));
}

/**
 * Returns the similarity of two topics by their words, 0 to 1: the Dice coefficient of the stems without stop
 * words.
 */
export function topicSimilarity(one: string, other: string): number {
  const language = detectLanguage(`${one} ${other}`);
  const [a, b] = [stemSet(one, language), stemSet(other, language)];
  if (a.size === 0 || b.size === 0) return 0;
  const shared = [...a].filter((stem) => b.has(stem)).length;
  return (2 * shared) / (a.size + b.size);
}
