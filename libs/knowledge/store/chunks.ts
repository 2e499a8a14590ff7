import type { DatabaseOrTransaction } from '#db/client.js';
import { toJsonb } from '#db/jsonb.js';
import type { PlannedPassage } from '../ingest/passages.js';

/** Returns the IDs of the stored chunks of sources, live or not yet. */
export async function knownChunks(
  db: Pick<DatabaseOrTransaction, '$queryRaw'>,
  sourceIds: string[],
): Promise<Set<string>> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    /* chunks of a source */ SELECT id FROM knowledge_chunks WHERE source_id = ANY(${sourceIds})`;
  return new Set(rows.map(({ id }) => id));
}

/** Passages of a source that form a segment. */
interface SegmentChunks {
  sourceId: string;
  /** In the order of their ordinals. */
  chunks: PlannedPassage[];
  /** Text of the source. */
  text: string;
}

/** Stores the chunks of segments, given by the IDs of their sources. */
export async function insertChunks(
  tx: DatabaseOrTransaction,
  { tenantId, collectionId }: { tenantId: string; collectionId: string },
  segments: SegmentChunks[],
  segmentIds: Map<string | null, bigint>,
): Promise<void> {
  const rows = segments.flatMap(({ sourceId, chunks, text }) =>
    chunks.map((passage, ordinal) => ({
      ...passage,
      sourceId,
      segmentId: String(segmentIds.get(sourceId)),
      ordinal,
      text: text.slice(passage.start, passage.end),
    })),
  );
  await tx.$executeRaw`
    /* insert chunks */ INSERT INTO knowledge_chunks
      (id, tenant_id, collection_id, source_id, start_at, end_at, heading_path, kind, tokens, language, text, segment_id, ordinal)
    SELECT r.id, ${tenantId}, ${collectionId}, r."sourceId", r.start, r."end", r."headingPath", r.kind, r.tokens, r.language, r.text,
           r."segmentId", r.ordinal
    FROM jsonb_to_recordset(${toJsonb(rows)}::jsonb) AS r
      (id text, "sourceId" text, start int, "end" int, "headingPath" text[], kind text, tokens int, language text, text text,
       "segmentId" bigint, ordinal int)`;
}

/** Deletes chunks. @returns their places in the index */
export function removeChunks(
  tx: DatabaseOrTransaction,
  ids: string[],
): Promise<{ segmentId: bigint; ordinal: number }[]> {
  return tx.$queryRaw`
    /* remove chunks */ DELETE FROM knowledge_chunks WHERE id = ANY(${ids})
    RETURNING segment_id AS "segmentId", ordinal`;
}

/** Updates the positions and headings of chunks that also occur in the new text. */
export async function moveChunks(tx: DatabaseOrTransaction, passages: PlannedPassage[]): Promise<void> {
  if (passages.length === 0) return;
  const rows = passages.map(({ id, start, end, headingPath }) => ({ id, start, end, headingPath }));
  await tx.$executeRaw`
    /* move chunks */ UPDATE knowledge_chunks c SET start_at = r.start, end_at = r."end", heading_path = r."headingPath"
    FROM jsonb_to_recordset(${toJsonb(rows)}::jsonb) AS r (id text, start int, "end" int, "headingPath" text[])
    WHERE c.id = r.id AND (c.start_at, c.end_at, c.heading_path) IS DISTINCT FROM (r.start, r."end", r."headingPath")`;
}
