import { KnownSegment, SegmentMemory } from './segment-memory.js';

const searched = (collectionId: string, version: string, passages = 1_000) => ({
  collectionId,
  version,
  known: new KnownSegment(new Uint16Array(passages)),
});

describe('the memory of searched segments', () => {
  it('B14 drops segments that a collection no longer has', () => {
    const memory = new SegmentMemory();
    memory.remember(['a', 'b'], [searched('a', '1/7'), searched('a', '2/7'), searched('b', '3/7')]);
    expect([...memory.of(['a', 'b']).keys()]).toEqual(['1/7', '2/7', '3/7']);
    memory.remember(['a'], [searched('a', '2/8')]);
    expect([...memory.of(['a', 'b', 'c']).keys()]).toEqual(['2/8', '3/7']);
    memory.remember(['a'], []);
    expect(memory.of(['a']).size).toBe(0);
  });

  it('B14 stays within its limit: evicts the least recently searched first, and never stores oversized segments', () => {
    const memory = new SegmentMemory(10_000);
    for (const id of ['a', 'b', 'c', 'd', 'a', 'e']) memory.remember([id], [searched(id, `${id}/1`)]);
    expect([...memory.of(['a', 'b', 'c', 'd', 'e']).keys()]).toEqual(['a/1', 'c/1', 'd/1', 'e/1']);
    const grown = searched('a', 'a/1');
    grown.known.keep('words', 0, Buffer.alloc(3_000));
    memory.remember(['a'], [grown]);
    expect([...memory.of(['a', 'c', 'd', 'e']).keys()]).toEqual(['a/1', 'd/1', 'e/1']);
    memory.remember(['f'], [searched('f', 'f/1', 6_000)]);
    expect(memory.of(['a', 'd', 'e', 'f']).size).toBe(0);
  });

  it('B14 stores its own copies', () => {
    const { known } = searched('a', '1/1');
    const read = Buffer.from('words');
    known.keep('words', 3, read);
    read.fill(0);
    expect(known.bucket('words', 3)!.toString()).toBe('words');
    expect(known.bucket('trigrams', 3)).toBeUndefined();
  });
});
