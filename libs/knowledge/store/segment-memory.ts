import type { Database } from '#db/client.js';
import type { SegmentList } from '../index/segment.js';

/** Memory limit of the cache of segments; 100,000 passages need two to three million bytes. */
const MAX_BYTES = 32 * 2 ** 20;
/** Estimated bytes of a cached value in addition to its content. */
const OVERHEAD = 200;

/**
 * The lists that lead to the words of a segment. Every search needs parts of them, and together they are
 * small.
 */
export type DictionaryList = Exclude<SegmentList, 'stems'>;

/** Cached parts of a segment, which searches need not read again. */
export class KnownSegment {
  private readonly dictionary: Record<DictionaryList, Map<number, Buffer>> = {
    trigrams: new Map(),
    words: new Map(),
  };
  bytes: number;

  /** @param lengths number of words of each passage */
  constructor(readonly lengths: Uint16Array) {
    this.bytes = lengths.byteLength + OVERHEAD;
  }

  bucket(list: DictionaryList, bucket: number): Buffer | undefined {
    return this.dictionary[list].get(bucket);
  }

  /** @param value empty if the segment lacks the bucket */
  keep(list: DictionaryList, bucket: number, value: Buffer): void {
    // A copy, because small buffers share memory that would stay allocated as a whole.
    this.dictionary[list].set(bucket, Buffer.from(new Uint8Array(value).buffer));
    this.bytes += value.length + OVERHEAD;
  }
}

/** Cached segments by version; every change of a segment's row creates a new version. */
export type KnownSegments = ReadonlyMap<string, KnownSegment>;

/** A searched segment. */
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
 * Cache of recently searched segments, one per process. If it exceeds its limit, the collections that were
 * searched longest ago are dropped. Every search still reads the rows of its segments: they determine which
 * cached parts the tenant may see and whether these are current.
 */
export class SegmentMemory {
  private readonly entries = new Map<string, Entry>();
  private bytes = 0;

  constructor(private readonly maxBytes = MAX_BYTES) {}

  of(collections: string[]): KnownSegments {
    return new Map(collections.flatMap((id) => [...(this.entries.get(id)?.segments ?? [])]));
  }

  /** @param searched all segments of the collections; replaces what was cached for these */
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

/** Returns this process's cache for a database. */
export function memoryOf(db: Database): SegmentMemory {
  let memory = memories.get(db);
  if (!memory) memories.set(db, (memory = new SegmentMemory()));
  return memory;
}
