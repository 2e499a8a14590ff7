import { ByteReader, ByteWriter } from './bytes.js';

/** Collects which passages of a segment contain a term, in ascending order, and how often. */
export class PostingsWriter {
  /** Numbers to write: a buffer for each term would cost more than the bytes in it. */
  private readonly numbers: number[] = [];
  private last = -1;
  /** Number of passages that contain the term. */
  count = 0;
  /** Number of bytes that are written. */
  size = 0;

  /** @param ordinal greater than the previous one */
  add(ordinal: number, times: number): void {
    const gap = ordinal - this.last - 1;
    // The lowest bit marks that a count follows; most terms occur only once in a passage.
    this.push(gap * 2 + (times > 1 ? 1 : 0));
    if (times > 1) this.push(times);
    this.last = ordinal;
    this.count++;
  }

  writeTo(writer: ByteWriter): void {
    for (const number of this.numbers) writer.number(number);
  }

  postings(): Postings {
    const writer = new ByteWriter(this.size);
    this.writeTo(writer);
    return { count: this.count, bytes: writer.written() };
  }

  private push(number: number): void {
    this.numbers.push(number);
    for (let rest = number; ; rest >>>= 7) {
      this.size++;
      if (rest < 128) return;
    }
  }
}

/** Stored postings of one term in one segment. */
export interface Postings {
  /** Number of passages that contain the term. */
  count: number;
  bytes: Buffer;
}

/** Decoded postings: the passages, and the occurrences of the term in each. */
interface OpenPostings {
  ordinals: Uint32Array;
  times: Uint32Array;
}

/** Returns the passages that contain a term, in ascending order, and how often each does. */
export function openPostings({ bytes, count }: Postings): OpenPostings {
  const ordinals = new Uint32Array(count);
  const times = new Uint32Array(count);
  let ordinal = -1;
  let timesFollow = false;
  for (let at = 0, place = 0; place < count;) {
    // Fast path: nearly all numbers have one byte.
    let number = bytes[at++]!;
    if (number > 127) {
      number &= 127;
      for (let shift = 7, more = true; more; shift += 7) {
        const byte = bytes[at++]!;
        number |= (byte & 127) << shift;
        more = byte > 127;
      }
    }
    if (timesFollow) times[place++] = number;
    else {
      ordinal += (number >>> 1) + 1;
      ordinals[place] = ordinal;
      if ((number & 1) === 0) times[place++] = 1;
    }
    timesFollow = !timesFollow && (number & 1) === 1;
  }
  return { ordinals, times };
}

/** Encodes terms of a segment with their postings as one database value. */
export function writeBucket(terms: Iterable<[string, PostingsWriter]>): Buffer {
  const writer = new ByteWriter(2_048);
  for (const [term, postings] of terms) {
    writer.text(term);
    writer.number(postings.count);
    writer.number(postings.size);
    postings.writeTo(writer);
  }
  return Buffer.from(writer.written());
}

/**
 * Reads a bucket and adds its postings under new ordinals.
 *
 * @param ordinals the new ordinal of each passage, in the same order; -1 for a deleted one
 * @param writerOf returns the postings of a term; not called for a term of deleted passages only
 */
export function copyBucket(
  bucket: Buffer,
  ordinals: Int32Array,
  writerOf: (term: string) => PostingsWriter,
): void {
  const reader = new ByteReader(bucket);
  while (!reader.done) {
    const term = reader.text();
    let writer: PostingsWriter | undefined;
    let left = reader.number();
    reader.number(); // size
    for (let ordinal = -1; left > 0; left--) {
      const number = reader.number();
      ordinal += (number >>> 1) + 1;
      const times = (number & 1) === 1 ? reader.number() : 1;
      if (ordinals[ordinal]! >= 0) (writer ??= writerOf(term)).add(ordinals[ordinal]!, times);
    }
  }
}

/** Terms to find in buckets, grouped by their length in bytes. */
type SoughtTerms = ReadonlyMap<number, { term: string; bytes: Buffer }[]>;

export function soughtTerms(terms: Iterable<string>): SoughtTerms {
  const sought = new Map<number, { term: string; bytes: Buffer }[]>();
  for (const term of terms) {
    const bytes = Buffer.from(term);
    const others = sought.get(bytes.length);
    if (others) others.push({ term, bytes });
    else sought.set(bytes.length, [{ term, bytes }]);
  }
  return sought;
}

/**
 * Returns the postings of the requested terms that a bucket contains. The others are skipped without being
 * decoded.
 */
export function findInBucket(bucket: Buffer, sought: SoughtTerms): [string, Postings][] {
  const found: [string, Postings][] = [];
  const reader = new ByteReader(bucket);
  while (!reader.done) {
    const length = reader.number();
    const from = reader.skip(length);
    const match = sought.get(length)?.find(({ bytes }) => holdsAt(bucket, from, bytes));
    const count = reader.number();
    if (match) found.push([match.term, { count, bytes: reader.bytes() }]);
    else reader.skip(reader.number());
  }
  return found;
}

function holdsAt(bucket: Buffer, from: number, bytes: Buffer): boolean {
  for (let at = 0; at < bytes.length; at++) if (bucket[from + at] !== bytes[at]) return false;
  return true;
}
