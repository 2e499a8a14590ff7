import { Prisma, type DatabaseOrTransaction } from '#db/client.js';
import { type SendStatement } from '#db/statements.js';
import type { Segment, SegmentList, TermList } from '../index/segment.js';

/** How a list is numbered in the database. */
const LIST_NUMBERS: Record<SegmentList, number> = { stems: 0, trigrams: 1, words: 2 };
/** Lengths are kept in two bytes; what is longer counts as this. */
const LONGEST = 65_535;

/** A segment as it is in service, without its postings. */
export interface StoredSegment {
  id: bigint;
  passages: number;
  lengths: Uint16Array;
  /** The number of each passage's source; empty unless asked for. */
  sources: Uint32Array;
  /** Common stems, one a line, with a line feed before and after each. */
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

/** The segments that collections of a tenant are searched by. */
export async function liveSegments(
  send: SendStatement,
  tenantId: string,
  collections: string[],
  withSources: boolean,
): Promise<StoredSegment[]> {
  const sources = withSources ? Prisma.sql`, source_numbers AS "sourceNumbers"` : Prisma.empty;
  const rows = await send<SegmentRow>(Prisma.sql`
    /* live segments */ SELECT ${COLUMNS} ${sources} FROM knowledge_segments
    WHERE collection_id = ANY(${collections}) AND tenant_id = ${tenantId} AND live ORDER BY id`);
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

/** Bytes by themselves, so that they begin where an array of numbers may. */
const copyOf = (bytes: Uint8Array): ArrayBuffer => new Uint8Array(bytes).buffer;
const readNumbers = (bytes: Uint8Array) => new Uint16Array(copyOf(bytes));

export function lengthBytes(lengths: Uint32Array | Uint16Array): Buffer {
  return Buffer.from(Uint16Array.from(lengths, (length) => Math.min(length, LONGEST)).buffer);
}

/** A value of `knowledge_postings` and which it is. */
export interface BucketRow {
  /** The place of its segment among those asked for. */
  segment: number;
  bucket: number;
  bytes: Buffer;
}

/** Which buckets a query needs. */
export interface BucketRequest {
  segment: number;
  list: SegmentList;
  bucket: number;
}

/** Numbers as the database reads them: thousands take the driver longer, which looks at each. */
const array = (numbers: (number | bigint)[]) => `{${numbers.join()}}`;

export function readBuckets(
  send: SendStatement,
  segments: StoredSegment[],
  wanted: BucketRequest[],
): Promise<BucketRow[]> {
  return send<BucketRow>(Prisma.sql`
    /* read postings */ SELECT w.segment, w.bucket, p.bytes
    FROM unnest(${array(wanted.map(({ segment }) => segment))}::int[], ${array(wanted.map(({ segment }) => segments[segment]!.id))}::bigint[],
                ${array(wanted.map(({ list }) => LIST_NUMBERS[list]))}::int[], ${array(wanted.map(({ bucket }) => bucket))}::int[]) AS w (segment, id, list, bucket)
    JOIN knowledge_postings p ON p.segment_id = w.id AND p.list = w.list::smallint AND p.bucket = w.bucket`);
}

/** The postings of all stems of a segment. */
export async function stemBuckets(
  tx: Pick<DatabaseOrTransaction, '$queryRaw'>,
  id: bigint,
): Promise<Segment['buckets']> {
  const rows = await tx.$queryRaw<{ bucket: number; bytes: Uint8Array }[]>`
    /* stems of a segment */ SELECT bucket, bytes FROM knowledge_postings WHERE segment_id = ${id} AND list = ${LIST_NUMBERS.stems}`;
  return rows.map(({ bucket, bytes }) => ({ list: 'stems', bucket, bytes: Buffer.from(bytes) }));
}

export interface SegmentOwner {
  tenantId: string;
  collectionId: string;
  /** Set while the source is being indexed, null for a segment in service. */
  sourceId: string | null;
}

/** Writes a segment. @returns its id */
export async function insertSegment(
  tx: DatabaseOrTransaction,
  { tenantId, collectionId, sourceId }: SegmentOwner,
  segment: Segment,
  languages: (string | null)[],
): Promise<bigint> {
  const { lengths, common, wordSizes, bucketCount } = segment;
  const [row] = await tx.$queryRaw<{ id: bigint }[]>`
    /* insert segment */ INSERT INTO knowledge_segments
      (tenant_id, collection_id, source_id, live, passages, stem_lengths, source_numbers, common_stems, word_sizes,
       stem_buckets, trigram_buckets, languages)
    VALUES (${tenantId}, ${collectionId}, ${sourceId}, ${sourceId === null}, ${segment.passages},
            ${lengthBytes(lengths)}, ${Buffer.from(new Uint32Array(segment.sources).buffer)},
            ${['', ...common, ''].join('\n')}, ${wordSizes}, ${bucketCount.stems}, ${bucketCount.trigrams},
            ${languages.map((language) => language ?? '')})
    RETURNING id`;
  await insertPostings(tx, tenantId, row!.id, segment.buckets);
  return row!.id;
}

/** All postings go as one value, which the server cuts: thousands of parameters would take longer. */
async function insertPostings(
  tx: DatabaseOrTransaction,
  tenantId: string,
  id: bigint,
  buckets: Segment['buckets'],
): Promise<void> {
  const sizes = buckets.map(({ bytes }) => bytes.length);
  await tx.$executeRaw`
    /* insert postings */ INSERT INTO knowledge_postings (segment_id, list, bucket, tenant_id, bytes)
    SELECT ${id}, list, bucket, ${tenantId}, substring(${Buffer.concat(buckets.map(({ bytes }) => bytes))}::bytea FROM ends - size + 1 FOR size)
    FROM (SELECT list, bucket, size, sum(size) OVER (ORDER BY place ROWS UNBOUNDED PRECEDING)::int AS ends
          FROM unnest(${buckets.map(({ list }) => LIST_NUMBERS[list])}::int[], ${buckets.map(({ bucket }) => bucket)}::int[],
                      ${sizes}::int[]) WITH ORDINALITY AS b (list, bucket, size, place)) cut`;
}

/**
 * Takes passages of sources out of service: their lengths become 0, and their segments are due to be written anew. The caller holds
 * the collection's lock.
 */
export async function markGone(
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
