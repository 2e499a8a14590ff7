import type { SearchHit } from '../contract.js';
import { Prisma } from '#db/client.js';
import type { SendStatement } from '#db/statements.js';

/** Columns of a source `s` that describe its origin. */
export const ORIGIN = Prisma.sql`s.url, s.published AS date,
      to_char(s.fetched_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS fetched_at`;

/** A passage with similar meaning to a query; the similarity is the cosine, −1 to 1. */
export interface NearPassage {
  chunkId: string;
  similarity: number;
}

/** A passage and its source with the fields of a hit, and its place in the index. */
export interface PassageRow extends Omit<SearchHit, 'score' | 'parts' | 'matched_terms'> {
  segment_id: string;
  ordinal: number;
}

/** Returns the passages at places of the index (`segment/ordinal`); deleted ones are left out. */
export async function findPassages(
  send: SendStatement,
  tenantId: string,
  places: string[],
): Promise<PassageRow[]> {
  if (places.length === 0) return [];
  const parts = places.map((place) => place.split('/'));
  return send<PassageRow>(Prisma.sql`
    /* found passages */ SELECT c.id AS chunk_id, c.collection_id, c.source_id, s.name AS source_name, s.title AS source_title,
      s.author, ${ORIGIN}, s.priority, c.text, c.start_at AS start, c.end_at AS "end", c.heading_path, c.kind, c.language,
      c.segment_id, c.ordinal
    FROM unnest(${parts.map(([segment]) => segment)}::bigint[], ${parts.map(([, ordinal]) => Number(ordinal))}::int[]) p (segment, ordinal)
    JOIN knowledge_chunks c ON c.segment_id = p.segment AND c.ordinal = p.ordinal AND c.tenant_id = ${tenantId}
    JOIN knowledge_sources s ON s.id = c.source_id`);
}

/**
 * Returns the places of passages in the index, in the given order; passages that are not live are left out.
 */
export async function placesOf(
  send: SendStatement,
  tenantId: string,
  near: NearPassage[],
): Promise<{ segmentId: bigint; ordinal: number; similarity: number }[]> {
  if (near.length === 0) return [];
  const rows = await send<{ id: string; segment: string; ordinal: number }>(Prisma.sql`
    /* places of passages */ SELECT c.id, c.segment_id AS segment, c.ordinal
    FROM knowledge_chunks c JOIN knowledge_segments s ON s.id = c.segment_id AND s.live
    WHERE c.id = ANY(${near.map(({ chunkId }) => chunkId)}) AND c.tenant_id = ${tenantId}`);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return near.flatMap(({ chunkId, similarity }) => {
    const row = byId.get(chunkId);
    return row ? [{ segmentId: BigInt(row.segment), ordinal: row.ordinal, similarity }] : [];
  });
}
