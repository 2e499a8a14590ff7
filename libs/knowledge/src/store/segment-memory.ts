import type { Database } from '#db/client.js';
import type { SegmentList } from '../index/segment.js';

/** Bytes that a process remembers of segments; 100,000 passages take two to three millions. */
const MAX_BYTES = 32 * 2 ** 20;
/** What a value takes beside its bytes. */
const OVERHEAD = 200;

/** The lists that lead to the words of a segment: every search needs some of them, and all of them together are small. */
export type DictionaryList = Exclude<SegmentList, 'stems'>;

/** What a search need not read again of a segment. */
export class KnownSegment {
  private readonly dictionary: Record<DictionaryList, Map<number, Buffer>> = {
    trigrams: new Map(),
    words: new Map(),
  };
  bytes: number;

  /** @param lengths words of each passage */
  constructor(readonly lengths: Uint16Array) {
    this.bytes = lengths.byteLength + OVERHEAD;
  }

  bucket(list: DictionaryList, bucket: number): Buffer | undefined {
    return this.dictionary[list].get(bucket);
  }

  /** @param value empty when the segment has no such bucket */
  keep(list: DictionaryList, bucket: number, value: Buffer): void {
    // Of its own: the memory behind small buffers is shared, and would be kept as a whole.
    this.dictionary[list].set(bucket, Buffer.from(new Uint8Array(value).buffer));
    this.bytes += value.length + OVERHEAD;
  }
}

/** Segments by their versions: a row that was changed is another version. */
export type KnownSegments = ReadonlyMap<string, KnownSegment>;

/** A segment that was searched. */
interface SearchedSegment {
  collectionId: string;
  version: string;
  known: KnownSegment;
}

interface Entry {
  segments: Map<string, KnownSegment>;
  bytes: number;
}

/**
 * What a process remembers of the segments that it searched last; when that takes more than it may, the collections that were searched
 * longest ago are forgotten. Every search reads the rows of its segments all the same: what it sees there decides who may see what is
 * known of them, and whether that is still true.
 */
export class SegmentMemory {
  private readonly entries = new Map<string, Entry>();
  private bytes = 0;

  constructor(private readonly maxBytes = MAX_BYTES) {}

  of(collections: string[]): KnownSegments {
    return new Map(collections.flatMap((id) => [...(this.entries.get(id)?.segments ?? [])]));
  }

  /** @param searched all segments of the collections: what these had before is forgotten */
  remember(collections: string[], searched: SearchedSegment[]): void {
    const entries = new Map(
      collections.map((id): [string, Entry] => [id, { segments: new Map(), bytes: 0 }]),
    );
    for (const { collectionId, version, known } of searched) {
      const entry = entries.get(collectionId)!;
      entry.segments.set(version, known);
      entry.bytes += known.bytes;
    }
    for (const [id, entry] of entries) {
      this.forget(id);
      this.entries.set(id, entry);
      this.bytes += entry.bytes;
    }
    for (const oldest of this.entries.keys()) {
      if (this.bytes <= this.maxBytes) return;
      this.forget(oldest);
    }
  }

  private forget(collectionId: string): void {
    this.bytes -= this.entries.get(collectionId)?.bytes ?? 0;
    this.entries.delete(collectionId);
  }
}

const memories = new WeakMap<Database, SegmentMemory>();

/** The memory of this process for a database. */
export function memoryOf(db: Database): SegmentMemory {
  let memory = memories.get(db);
  if (!memory) memories.set(db, (memory = new SegmentMemory()));
  return memory;
}
