import type { ObjectStore } from '#storage/object-store.js';

const NEWLINE = 0x0a;

/**
 * Counts the newlines before a byte offset of an object. Counts at known offsets are cached: when a large
 * file is read page by page, no part is counted twice. An unknown offset is counted from the nearest known
 * one before it.
 */
export class LineCounter {
  private readonly known = new Map<string, Map<number, number>>();

  constructor(private readonly store: ObjectStore) {}

  remember(key: string, offset: number, newlines: number): void {
    const offsets = this.known.get(key) ?? new Map<number, number>();
    offsets.set(offset, newlines);
    this.known.set(key, offsets);
  }

  async newlinesBefore(key: string, offset: number): Promise<number> {
    if (offset === 0) return 0;
    const offsets = this.known.get(key);
    const exact = offsets?.get(offset);
    if (exact !== undefined) return exact;
    const from = Math.max(0, ...[...(offsets?.keys() ?? [])].filter((known) => known < offset));
    let count = offsets?.get(from) ?? 0;
    for await (const chunk of await this.store.get(key, { start: from, end: offset - 1 })) {
      for (const byte of chunk as Uint8Array) if (byte === NEWLINE) count++;
    }
    this.remember(key, offset, count);
    return count;
  }
}
