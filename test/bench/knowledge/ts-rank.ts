import type { Database } from '#db/client.js';
import { wordsOf } from '#knowledge/text/words.js';

/** PostgreSQL's own search over the rows of a collection: a stored tsvector, GIN, ts_rank. */
export async function tsRankOver(db: Database, collectionId: string, k: number) {
  await db.$executeRawUnsafe('DROP TABLE IF EXISTS ts_rows');
  await db.$executeRawUnsafe(
    `CREATE TABLE ts_rows AS SELECT id, to_tsvector('english', text) AS words FROM knowledge_chunks WHERE collection_id = '${collectionId}'`,
  );
  await db.$executeRawUnsafe('CREATE INDEX ts_rows_words ON ts_rows USING gin (words)');
  await db.$executeRawUnsafe('ANALYZE ts_rows');
  return (query: string) =>
    db.$queryRawUnsafe(
      `SELECT id, ts_rank(words, q) AS score FROM ts_rows, to_tsquery('english', $1) q WHERE words @@ q ORDER BY score DESC LIMIT ${k}`,
      wordsOf(query).join(' | '),
    );
}
