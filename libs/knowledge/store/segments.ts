import { Prisma, type DatabaseOrTransaction } from '#db/client.js';
import { toJsonb } from '#db/jsonb.js';
import { type SendStatement } from '#db/statements.js';
import type { Segment, SegmentList, TermList } from '../index/segment.js';

/** Numbers of the lists in the database. */
const LIST_NUMBERS: Record<SegmentList, number> = { stems: 0, trigrams: 1, words: 2 };
/** Maximum length of a passage, stored in two bytes; longer passages count as passages of this length. */
const MAX_PASSAGE_LENGTH = 65_535;

/** A live segment without its postings. */
export interface StoredSegment {
  id: bigint;
  passages: number;
  /** Number of words of each passage. */
  lengths: Uint16Array;
  /** Source number of each passage; empty unless requested. */
  sources: Uint32Array;
  /** Common stems, one per line, with a line feed before the first and after the last. */
  common: string;
  wordSizes: number[];
  bucketCount: Record<TermList, number>;
  languages: (string | null)[];
}

interface SegmentRow {
  id: string;
  passages: number;
  stemLengths: Buffer;
  sourceNumbers?: Buffer | null;
  commonStems: string;
  wordSizes: number[];
  stemBuckets: number;
  trigramBuckets: number;
  languages: string[];
}

const COLUMNS = Prisma.sql`id, passages, stem_lengths AS "stemLengths", common_stems AS "commonStems",
  word_sizes AS "wordSizes", stem_buckets AS "stemBuckets",
  trigram_buckets AS "trigramBuckets", languages`;

/** Reads the live segments of collections of a tenant. */
export async function liveSegments(
  send: SendStatement,
  tenantId: string,
  collections: string[],
  withSources: boolean,
): Promise<StoredSegment[]> {
  const sources = withSources ? Prisma.sql`, source_numbers AS "sourceNumbers"` : Prisma.empty;
  const rows = await send<SegmentRow>(Prisma.sql`
    /* live segments */ SELECT ${COLUMNS} ${sources}
    FROM knowledge_segments WHERE collection_id = ANY(${collections}) AND tenant_id = ${tenantId} AND live ORDER BY id`);
  return rows.map(readSegment);
}

function readSegment(row: SegmentRow): StoredSegment {
  return {
    id: BigInt(row.id),
    passages: row.passages,
    lengths: readNumbers(row.stemLengths),
    sources: row.sourceNumbers ? new Uint32Array(copyOf(row.sourceNumbers)) : new Uint32Array(),
    common: row.commonStems,
    wordSizes: row.wordSizes,
    bucketCount: { stems: row.stemBuckets, trigrams: row.trigramBuckets },
    languages: row.languages.map((language) => (language === '' ? null : language)),
  };
}

/** Copies bytes to a new buffer, so that they are aligned for typed arrays. */
const copyOf = (bytes: Uint8Array): ArrayBuffer => new Uint8Array(bytes).buffer;
const readNumbers = (bytes: Uint8Array) => new Uint16Array(copyOf(bytes));

function lengthBytes(lengths: Uint32Array | Uint16Array): Buffer {
  return Buffer.from(Uint16Array.from(lengths, (length) => Math.min(length, MAX_PASSAGE_LENGTH)).buffer);
}

/** A row of `knowledge_postings`. */
export interface BucketRow {
  /** Index of its segment in the request. */
  segment: number;
  bucket: number;
  bytes: Buffer;
}

/** A bucket that a query needs. */
export type BucketRequest = Pick<BucketRow, 'segment' | 'bucket'>;

/** Formats numbers as a PostgreSQL array: the driver is slower with thousands of separate values. */
const array = (numbers: (number | bigint)[]) => `{${numbers.join()}}`;

/** Reads the requested buckets of a list; buckets that a segment lacks are left out. */
export async function readBuckets(
  send: SendStatement,
  segments: StoredSegment[],
  list: SegmentList,
  requests: BucketRequest[],
): Promise<BucketRow[]> {
  if (requests.length === 0) return [];
  return send<BucketRow>(Prisma.sql`
    /* read postings */ SELECT w.segment, w.bucket, p.bytes
    FROM unnest(${array(requests.map(({ segment }) => segment))}::int[], ${array(requests.map(({ segment }) => segments[segment]!.id))}::bigint[],
                ${array(requests.map(({ bucket }) => bucket))}::int[]) AS w (segment, id, bucket)
    JOIN knowledge_postings p ON p.segment_id = w.id AND p.list = ${LIST_NUMBERS[list]}::smallint AND p.bucket = w.bucket`);
}

/** Reads segments with the postings of all their stems, to merge them; in the given order. */
export async function loadSegments(
  tx: Pick<DatabaseOrTransaction, '$queryRaw'>,
  ids: bigint[],
): Promise<Segment[]> {
  const rows = await tx.$queryRaw<{ id: bigint; passages: number; stems: Uint8Array; sources: Uint8Array }[]>`
    /* load segment */ SELECT id, passages, stem_lengths AS stems, source_numbers AS sources
    FROM knowledge_segments WHERE id = ANY(${ids})`;
  const segments = new Map(
    rows.map(({ id, passages, stems, sources }): [bigint, Segment] => [
      id,
      {
        passages,
        lengths: Uint32Array.from(readNumbers(stems)),
        sources: new Uint32Array(copyOf(sources)),
        common: [],
        wordSizes: [],
        bucketCount: { stems: 0, trigrams: 0 },
        buckets: [],
      },
    ]),
  );
  const buckets = await tx.$queryRaw<{ id: bigint; bucket: number; bytes: Uint8Array }[]>`
    /* stems of a segment */ SELECT segment_id AS id, bucket, bytes FROM knowledge_postings
    WHERE segment_id = ANY(${ids}) AND list = ${LIST_NUMBERS.stems}`;
  for (const { id, bucket, bytes } of buckets)
    segments.get(id)!.buckets.push({ list: 'stems', bucket, bytes: Buffer.from(bytes) });
  return ids.map((id) => segments.get(id)!);
}

/** A segment to store. */
export interface NewSegment extends Segment {
  /** The source while it is being indexed; null for a live segment. */
  sourceId: string | null;
  languages: (string | null)[];
}

/** Writes segments of a collection. @returns their IDs, by the IDs of their sources */
export async function insertSegments(
  tx: DatabaseOrTransaction,
  { tenantId, collectionId }: { tenantId: string; collectionId: string },
  segments: NewSegment[],
): Promise<Map<string | null, bigint>> {
  const rows = segments.map(({ sourceId, passages, lengths, sources, common, ...segment }) => ({
    sourceId,
    passages,
    lengths: lengthBytes(lengths).toString('base64'),
    sources: Buffer.from(new Uint32Array(sources).buffer).toString('base64'),
    common: ['', ...common, ''].join('\n'),
    wordSizes: segment.wordSizes,
    stems: segment.bucketCount.stems,
    trigrams: segment.bucketCount.trigrams,
    languages: segment.languages.map((language) => language ?? ''),
  }));
  const inserted = await tx.$queryRaw<{ id: bigint; sourceId: string | null }[]>`
    /* insert segment */ INSERT INTO knowledge_segments
      (tenant_id, collection_id, source_id, live, passages, stem_lengths, source_numbers, common_stems, word_sizes,
       stem_buckets, trigram_buckets, languages)
    SELECT ${tenantId}, ${collectionId}, r."sourceId", r."sourceId" IS NULL, r.passages, decode(r.lengths, 'base64'),
           decode(r.sources, 'base64'), r.common, r."wordSizes", r.stems, r.trigrams, r.languages
    FROM jsonb_to_recordset(${toJsonb(rows)}::jsonb) AS r ("sourceId" text, passages int, lengths text, sources text,
      common text, "wordSizes" int[], stems int, trigrams int, languages text[])
    RETURNING id, source_id AS "sourceId"`;
  const ids = new Map(inserted.map(({ id, sourceId }) => [sourceId, id]));
  await insertPostings(
    tx,
    tenantId,
    segments.flatMap(({ sourceId, buckets }) =>
      buckets.map((bucket) => ({ ...bucket, id: ids.get(sourceId)! })),
    ),
  );
  return ids;
}

/** Sends all postings as one value, which the server splits: thousands of parameters would be slower. */
async function insertPostings(
  tx: DatabaseOrTransaction,
  tenantId: string,
  buckets: (Segment['buckets'][number] & { id: bigint })[],
): Promise<void> {
  const numbers = (of: (bucket: (typeof buckets)[number]) => number | bigint) => array(buckets.map(of));
  await tx.$executeRaw`
    /* insert postings */ INSERT INTO knowledge_postings (segment_id, list, bucket, tenant_id, bytes)
    SELECT id, list, bucket, ${tenantId}, substring(${Buffer.concat(buckets.map(({ bytes }) => bytes))}::bytea FROM ends - size + 1 FOR size)
    FROM (SELECT id, list, bucket, size, sum(size) OVER (ORDER BY place ROWS UNBOUNDED PRECEDING)::int AS ends
          FROM unnest(${numbers(({ id }) => id)}::bigint[], ${numbers(({ list }) => LIST_NUMBERS[list])}::int[],
                      ${numbers(({ bucket }) => bucket)}::int[], ${numbers(({ bytes }) => bytes.length)}::int[])
            WITH ORDINALITY AS b (id, list, bucket, size, place)) cut`;
}

/**
 * Takes passages out of service: sets their lengths to 0 and marks their segments for rewriting. The caller
 * must have locked the collection.
 */
export async function markDeleted(
  tx: DatabaseOrTransaction,
  places: { segmentId: bigint; ordinal: number }[],
): Promise<void> {
  const bySegment = new Map<bigint, number[]>();
  for (const { segmentId, ordinal } of places) {
    const others = bySegment.get(segmentId);
    if (others) others.push(ordinal);
    else bySegment.set(segmentId, [ordinal]);
  }
  for (const [id, ordinals] of bySegment) {
    const [row] = await tx.$queryRaw<{ stems: Uint8Array }[]>`
      SELECT stem_lengths AS stems FROM knowledge_segments WHERE id = ${id}`;
    if (!row) continue;
    const lengths = readNumbers(row.stems);
    for (const ordinal of ordinals) lengths[ordinal] = 0;
    await tx.$executeRaw`
      /* mark passages as gone */ UPDATE knowledge_segments
      SET stem_lengths = ${lengthBytes(lengths)}, stale = true WHERE id = ${id}`;
  }
}
