import { type DatabaseOrTransaction, Prisma } from '#db/client.js';
import { tryLockCollection } from '../store/sources.js';
import { insertSegments, loadSegments } from '../store/segments.js';
import type { IndexerTools } from './index-source.js';

/** Ratio between successive size classes of segments. */
const FACTOR = 8;
/**
 * Number of segments of one size class that triggers a merge: while sources are being indexed, and otherwise.
 */
const FAN_IN = { busy: FACTOR, idle: 2 };
/** Maximum number of passages of a merged segment. */
const MAX_PASSAGES = 65_536;
/** Time limit of the largest merge, in ms. */
const TIMEOUT_MS = 300_000;

interface Candidate {
  id: bigint;
  tenantId: string;
  passages: number;
  stale: boolean;
  languages: string[];
}

/**
 * Merges small segments of a collection, so that searches read few, and rewrites segments with deleted
 * passages, so that nothing of these remains. Each step is one transaction that locks the collection.
 *
 * @returns the number of segments that were replaced
 */
export async function mergeCollection(tools: IndexerTools, collectionId: string): Promise<number> {
  let replaced = 0;
  for (;;) {
    const step = await tools.db.$transaction((tx) => mergeStep(tools, tx, collectionId), {
      timeout: TIMEOUT_MS,
      maxWait: TIMEOUT_MS,
    });
    if (step === 0) return replaced;
    replaced += step;
  }
}

/** Returns collections with segments to rewrite after a deletion. */
export async function staleCollections(db: IndexerTools['db']): Promise<string[]> {
  const rows = await db.$statement<{ id: string }>(Prisma.sql`
    /* stale collections */ SELECT DISTINCT collection_id AS id FROM knowledge_segments WHERE stale AND live LIMIT 100`);
  return rows.map(({ id }) => id);
}

async function mergeStep(
  tools: IndexerTools,
  tx: DatabaseOrTransaction,
  collectionId: string,
): Promise<number> {
  const read = () => tx.$queryRaw<Candidate[]>`
    /* segments to merge */ SELECT id, tenant_id AS "tenantId", passages, stale, languages FROM knowledge_segments
    WHERE collection_id = ${collectionId} AND live ORDER BY id`;
  const segments = await read();
  const fanIn = (await isBusy(tx, collectionId)) ? FAN_IN.busy : FAN_IN.idle;
  if (chooseSegments(segments, fanIn).length === 0 || !(await tryLockCollection(tx, collectionId))) return 0;
  // Read again under the lock: the segments may have changed.
  const chosen = chooseSegments(await read(), fanIn);
  if (chosen.length > 0) await replace(tools, tx, collectionId, chosen);
  return chosen.length;
}

async function isBusy(tx: DatabaseOrTransaction, collectionId: string): Promise<boolean> {
  const rows = await tx.$queryRaw<object[]>`
    /* sources to come */ SELECT 1 FROM knowledge_sources WHERE collection_id = ${collectionId} AND state IN ('queued', 'indexing') LIMIT 1`;
  return rows.length > 0;
}

/** Returns segments of one size class to merge, otherwise one with deleted passages, otherwise none. */
function chooseSegments(segments: Candidate[], fanIn: number): Candidate[] {
  const bySize = new Map<number, Candidate[]>();
  for (const segment of segments) {
    const size = Math.floor(Math.log(segment.passages) / Math.log(FACTOR) + 1e-9);
    bySize.set(size, [...(bySize.get(size) ?? []), segment]);
  }
  for (const group of bySize.values()) {
    const fitting: Candidate[] = [];
    let passages = 0;
    for (const segment of group) {
      if (passages + segment.passages > MAX_PASSAGES) continue;
      passages += segment.passages;
      fitting.push(segment);
    }
    if (fitting.length >= fanIn) return fitting;
  }
  return segments.filter(({ stale }) => stale).slice(0, 1);
}

async function replace(
  { work }: IndexerTools,
  tx: DatabaseOrTransaction,
  collectionId: string,
  chosen: Candidate[],
): Promise<void> {
  const ids = chosen.map(({ id }) => id);
  const { merged, ordinals } = await work.merge(await loadSegments(tx, ids));
  if (merged.passages > 0) {
    const owner = { tenantId: chosen[0]!.tenantId, collectionId };
    const languages = [...new Set(chosen.flatMap((segment) => segment.languages))];
    const target = await insertSegments(tx, owner, [{ ...merged, sourceId: null, languages }]);
    await movePassages(tx, ids, target.get(null)!, ordinals);
  }
  await tx.$executeRaw`
    /* remove merged segments */ DELETE FROM knowledge_segments WHERE id = ANY(${ids})`;
}

/** @param ordinals the new ordinals of each segment's passages; -1 for deleted ones */
async function movePassages(
  tx: DatabaseOrTransaction,
  from: bigint[],
  to: bigint,
  ordinals: Int32Array[],
): Promise<void> {
  const moves = ordinals.flatMap((ofSegment, place) =>
    Array.from(ofSegment, (ordinal, old) => ({ from: from[place]!, old, ordinal })).filter(
      ({ ordinal }) => ordinal >= 0,
    ),
  );
  await tx.$executeRaw`
    /* move passages */ UPDATE knowledge_chunks c SET segment_id = ${to}, ordinal = m.new
    FROM unnest(${moves.map((move) => move.from)}::bigint[], ${moves.map(({ old }) => old)}::int[],
                ${moves.map(({ ordinal }) => ordinal)}::int[]) AS m (segment, old, new)
    WHERE c.segment_id = m.segment AND c.ordinal = m.old`;
}
