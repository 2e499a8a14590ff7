import { ByteReader, ByteWriter } from './bytes.js';

/** Which passages of a segment hold a term, in ascending order, and how often. */
export class PostingsWriter {
  private readonly writer = new ByteWriter();
  private last = -1;
  /** Passages that hold the term. */
  count = 0;

  /** @param ordinal greater than the one before */
  add(ordinal: number, times: number): void {
    const gap = ordinal - this.last - 1;
    // Most terms stand in a passage once, which the lowest bit tells.
    this.writer.number(gap * 2 + (times > 1 ? 1 : 0));
    if (times > 1) this.writer.number(times);
    this.last = ordinal;
    this.count++;
  }

  written(): Buffer {
    return this.writer.written();
  }
}

/** The postings of one term in one segment, as they are stored. */
export interface Postings {
  /** Passages that hold the term. */
  count: number;
  bytes: Buffer;
}

export function readPostings(
  { bytes, count }: Postings,
  visit: (ordinal: number, times: number) => void,
): void {
  const reader = new ByteReader(bytes);
  let ordinal = -1;
  for (let left = count; left > 0; left--) {
    const head = reader.number();
    ordinal += (head >>> 1) + 1;
    visit(ordinal, head & 1 ? reader.number() : 1);
  }
}

/** Some terms of a segment with their postings, as one value of the database. */
export function writeBucket(terms: Iterable<[string, Postings]>): Buffer {
  const writer = new ByteWriter(256);
  for (const [term, { count, bytes }] of terms) {
    writer.text(term);
    writer.number(count);
    writer.bytes(bytes);
  }
  return Buffer.from(writer.written());
}

export function* readBucket(bucket: Buffer): Generator<[string, Postings]> {
  const reader = new ByteReader(bucket);
  while (!reader.done) {
    const term = reader.text();
    const count = reader.number();
    yield [term, { count, bytes: reader.bytes() }];
  }
}

/** The postings of the terms asked for, of those that a bucket holds. */
export function findInBucket(bucket: Buffer, terms: ReadonlySet<string>): [string, Postings][] {
  const found: [string, Postings][] = [];
  for (const entry of readBucket(bucket)) if (terms.has(entry[0])) found.push(entry);
  return found;
}
