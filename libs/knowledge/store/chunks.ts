import type { DatabaseOrTransaction } from '#db/client.js';
import { toJsonb } from '#db/jsonb.js';
import type { ClaimedSource } from '../ingest/claim.js';
import type { PlannedPassage } from '../ingest/passages.js';

/** A stored chunk of a source, live or not yet. */
export interface KnownChunk {
  id: string;
  segmentId: bigint;
  ordinal: number;
}

export function knownChunks(
  db: Pick<DatabaseOrTransaction, '$queryRaw'>,
  sourceId: string,
): Promise<KnownChunk[]> {
  return db.$queryRaw<KnownChunk[]>`
    /* chunks of a source */ SELECT id, segment_id AS "segmentId", ordinal FROM knowledge_chunks WHERE source_id = ${sourceId}`;
}

/** Stores the chunks of a segment; their ordinals are their positions in the array. */
export async function insertChunks(
  tx: DatabaseOrTransaction,
  { id: sourceId, tenantId, collectionId }: ClaimedSource,
  segmentId: bigint,
  passages: PlannedPassage[],
  text: string,
): Promise<void> {
  const rows = passages.map((passage, ordinal) => ({
    ...passage,
    ordinal,
    text: text.slice(passage.start, passage.end),
  }));
  await tx.$executeRaw`
    /* insert chunks */ INSERT INTO knowledge_chunks
      (id, tenant_id, collection_id, source_id, start_at, end_at, heading_path, kind, tokens, language, text, segment_id, ordinal)
    SELECT r.id, ${tenantId}, ${collectionId}, ${sourceId}, r.start, r."end", r."headingPath", r.kind, r.tokens, r.language, r.text,
           ${segmentId}, r.ordinal
    FROM jsonb_to_recordset(${toJsonb(rows)}::jsonb) AS r
      (id text, start int, "end" int, "headingPath" text[], kind text, tokens int, language text, text text, ordinal int)`;
}

/** Deletes chunks. @returns their places in the index */
export function removeChunks(
  tx: DatabaseOrTransaction,
  sourceId: string,
  ids: string[],
): Promise<{ segmentId: bigint; ordinal: number }[]> {
  return tx.$queryRaw`
    /* remove chunks */ DELETE FROM knowledge_chunks WHERE source_id = ${sourceId} AND id = ANY(${ids})
    RETURNING segment_id AS "segmentId", ordinal`;
}

/** Updates the positions and headings of chunks that also occur in the new text. */
export async function moveChunks(
  tx: DatabaseOrTransaction,
  sourceId: string,
  passages: PlannedPassage[],
): Promise<void> {
  if (passages.length === 0) return;
  const rows = passages.map(({ id, start, end, headingPath }) => ({ id, start, end, headingPath }));
  await tx.$executeRaw`
    /* move chunks */ UPDATE knowledge_chunks c SET start_at = r.start, end_at = r."end", heading_path = r."headingPath"
    FROM jsonb_to_recordset(${toJsonb(rows)}::jsonb) AS r (id text, start int, "end" int, "headingPath" text[])
    WHERE c.id = r.id AND c.source_id = ${sourceId} AND (c.start_at, c.end_at, c.heading_path) IS DISTINCT FROM (r.start, r."end", r."headingPath")`;
}
