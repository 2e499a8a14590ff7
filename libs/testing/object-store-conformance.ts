import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { type ObjectStore, ObjectNotFoundError } from '#storage/object-store.js';

const MIB = 1024 * 1024;
const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex');
const bytes = (content: string) => Buffer.from(content);

async function keysOf(store: ObjectStore, prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of store.list(prefix)) keys.push(key);
  return keys;
}

/** Returns `size` bytes, generated in pieces of 64 KiB as they are read. */
function generated(size: number): { body: Readable; sha256: string } {
  const piece = randomBytes(64 * 1024);
  const count = Math.ceil(size / piece.length);
  const at = (index: number) => piece.subarray(0, Math.min(piece.length, size - index * piece.length));
  const hash = createHash('sha256');
  for (let index = 0; index < count; index += 1) hash.update(at(index));
  const pieces = (function* () {
    for (let index = 0; index < count; index += 1) yield at(index);
  })();
  return { body: Readable.from(pieces), sha256: hash.digest('hex') };
}

/** Returns a body that fails after `size` bytes. */
function broken(size: number): Readable {
  const { body } = generated(size);
  return Readable.from(
    (async function* () {
      yield* body;
      throw new Error('the sender went away');
    })(),
  );
}

/**
 * Test suite for every ObjectStore driver. Call it inside `describe`.
 *
 * @param open returns a separate, empty store for this suite
 */
export function objectStoreConformance(open: () => Promise<ObjectStore>): void {
  let store: ObjectStore;
  beforeAll(async () => {
    store = await open();
  });

  describe('put, get, head', () => {
    it('gives back bytes, content type and metadata', async () => {
      const body = randomBytes(10_000);
      const options = {
        contentType: 'text/markdown; charset=utf-8',
        metadata: { title: 'Zażółć; "é"', n_1: '' },
      };
      const put = await store.put('one/a.md', body, options);
      expect(put).toEqual({ created: true, size: 10_000, sha256: sha256(body) });
      expect(sha256(await store.getBytes('one/a.md'))).toBe(put.sha256);
      expect(await store.head('one/a.md')).toMatchObject({ key: 'one/a.md', size: 10_000, ...options });
    });

    it('replaces content, type and metadata as a whole and changes the etag', async () => {
      await store.put('one/b', bytes('first'), { contentType: 'text/plain', metadata: { a: '1' } });
      const before = await store.head('one/b');
      await store.put('one/b', bytes('2nd'));
      const after = await store.head('one/b');
      expect(await text(await store.get('one/b'))).toBe('2nd');
      expect(after).toMatchObject({ size: 3, contentType: 'application/octet-stream', metadata: {} });
      expect(after?.etag).not.toBe(before?.etag);
    });

    it('keeps an empty object', async () => {
      expect(await store.put('one/empty', Readable.from([]))).toMatchObject({ created: true, size: 0 });
      expect(await store.getBytes('one/empty')).toHaveLength(0);
    });

    it('says what is missing', async () => {
      expect(await store.head('one/nothing')).toBeNull();
      await expect(store.get('one/nothing')).rejects.toThrow(ObjectNotFoundError);
      await expect(store.getBytes('one/a.md/below')).rejects.toThrow(ObjectNotFoundError);
      await expect(store.copy('one/nothing', 'one/c')).rejects.toThrow(ObjectNotFoundError);
      await expect(store.delete('one/nothing')).resolves.toBeUndefined();
    });

    it.each<[start: number, end: number | undefined, expected: string]>([
      [0, undefined, '0123456789'],
      [3, undefined, '3456789'],
      [0, 0, '0'],
      [2, 5, '2345'],
      [8, 99, '89'],
      [10, undefined, ''],
      [10, 12, ''],
      [5, 4, ''],
    ])('reads the range %s to %s', async (start, end, expected) => {
      await store.put('one/range', bytes('0123456789'));
      expect(await text(await store.get('one/range', { start, end }))).toBe(expected);
    });
  });

  describe('create if absent', () => {
    it('has one winner among 50 racers', async () => {
      const racers = Array.from({ length: 50 }, (_, index) =>
        store.put('race/small', bytes(`racer ${index}`), { ifAbsent: true }),
      );
      const results = await Promise.all(racers);
      expect(results.filter((result) => result.created)).toHaveLength(1);
      const winner = results.findIndex((result) => result.created);
      expect(await text(await store.get('race/small'))).toBe(`racer ${winner}`);
    });

    it('has one winner also when the bodies come in several parts', async () => {
      const racers = Array.from({ length: 3 }, () => generated(9 * MIB));
      const results = await Promise.all(
        racers.map(({ body }) => store.put('race/large', body, { ifAbsent: true })),
      );
      expect(results.filter((result) => result.created)).toHaveLength(1);
      const winner = racers[results.findIndex((result) => result.created)];
      expect(sha256(await store.getBytes('race/large'))).toBe(winner?.sha256);
    });
  });

  describe('a body that fails', () => {
    it.each([100, 9 * MIB])('leaves nothing after %s bytes', async (size) => {
      await expect(store.put('half/new', broken(size))).rejects.toThrow('the sender went away');
      expect(await store.head('half/new')).toBeNull();
      await store.put('half/old', bytes('before'));
      await expect(store.put('half/old', broken(size))).rejects.toThrow('the sender went away');
      expect(await text(await store.get('half/old'))).toBe('before');
      expect(await keysOf(store, 'half/')).toEqual(['half/old']);
    });

    it.each([99, 101])('leaves nothing when 100 bytes were announced as %s', async (size) => {
      const put = store.put('half/size', generated(100).body, { size });
      await expect(put).rejects.toThrow(`has 100 bytes instead of ${size}`);
      expect(await store.head('half/size')).toBeNull();
    });
  });

  it('streams 200 MiB with flat memory', async () => {
    const { body, sha256: expected } = generated(200 * MIB);
    // Buffers are outside the heap. A whole copy of the body would add 200 MiB; uncollected garbage counts
    // too.
    const before = process.memoryUsage().arrayBuffers;
    let peak = 0;
    const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage().arrayBuffers - before)), 5);
    expect(await store.put('large', body, { size: 200 * MIB })).toEqual({
      created: true,
      size: 200 * MIB,
      sha256: expected,
    });
    const hash = createHash('sha256');
    for await (const chunk of await store.get('large')) hash.update(chunk as Buffer);
    clearInterval(watch);
    expect(hash.digest('hex')).toBe(expected);
    expect(peak).toBeLessThan(120 * MIB);
  });

  describe('list and remove', () => {
    it('lists 2,500 keys in order, and removes them', async () => {
      const keys = Array.from({ length: 2_500 }, (_, index) => `many/${String(index).padStart(4, '0')}.md`);
      for (let at = 0; at < keys.length; at += 50) {
        await Promise.all(keys.slice(at, at + 50).map((key) => store.put(key, bytes(key))));
      }
      await store.put('many-others/1', bytes('x'));
      expect(await keysOf(store, 'many/')).toEqual(keys);
      expect(await keysOf(store, 'many/01')).toEqual(keys.slice(100, 200));
      expect(await store.deletePrefix('many/')).toBe(2_500);
      expect(await keysOf(store, 'many/')).toEqual([]);
      expect(await keysOf(store, 'many')).toEqual(['many-others/1']);
    });

    it('tells size, time and etag', async () => {
      const started = Date.now();
      await store.put('told/a', bytes('abc'));
      for await (const item of store.list('told/')) {
        const head = await store.head('told/a');
        expect(item).toMatchObject({ key: 'told/a', size: 3, etag: head?.etag });
        expect(Math.abs(item.lastModified.getTime() - started)).toBeLessThan(60_000);
      }
    });

    it('puts into a folder that others empty at the same time', async () => {
      const rounds = Array.from({ length: 40 }, async (_, index) => {
        await store.put(`churn/folder/${index}`, bytes('x'));
        await store.delete(`churn/folder/${index}`);
      });
      await Promise.all(rounds);
      expect(await keysOf(store, 'churn/')).toEqual([]);
    });

    it('keeps keys apart that differ in case or begin alike', async () => {
      const keys = ['tree/A', 'tree/a', 'tree/a+/b', 'tree/a@/c', 'tree/ab/c', 'tree/é', 'tree/🙂.md'];
      for (const key of keys) await store.put(key, bytes(key));
      expect(await keysOf(store, 'tree/')).toEqual(keys);
      for (const key of keys) expect(await text(await store.get(key))).toBe(key);
      expect(await store.deletePrefix('tree/a+/')).toBe(1);
      expect(await keysOf(store, 'tree/a')).toEqual(['tree/a', 'tree/a@/c', 'tree/ab/c']);
    });

    it('copies with type and metadata', async () => {
      await store.put('copy/ä b', bytes('x'), { contentType: 'text/plain', metadata: { name: 'ä' } });
      await store.copy('copy/ä b', 'copy/to');
      expect(await store.head('copy/to')).toMatchObject({
        contentType: 'text/plain',
        metadata: { name: 'ä' },
      });
    });
  });

  describe('keys', () => {
    it.each([
      '',
      '/a',
      'a/',
      'a//b',
      '.',
      '..',
      'a/../b',
      'a/./b',
      'a\\b',
      'a\0b',
      'a\nb',
      'é'.repeat(128),
      '\ud800',
    ])('refuses %j', async (key) => {
      await expect(store.put(key, bytes('x'))).rejects.toThrow(/Object key/);
      await expect(store.get(key)).rejects.toThrow(/Object key/);
    });

    it('refuses to remove everything or half a segment, and metadata that is no header name', async () => {
      await expect(store.deletePrefix('')).rejects.toThrow(/must end with/);
      await expect(store.deletePrefix('tree')).rejects.toThrow(/must end with/);
      await expect(store.put('m', bytes('x'), { metadata: { 'A b': '1' } })).rejects.toThrow(/Metadata name/);
    });

    it('takes every valid key, up to segments of 255 bytes', async () => {
      const segment = fc
        .string({ unit: 'grapheme', minLength: 1, maxLength: 60 })
        .map((value) => value.replace(/[\u0000-\u001f\u007f\\/]/g, '_'))
        .filter((value) => value !== '.' && value !== '..' && Buffer.byteLength(value) <= 255);
      const long = fc.constantFrom('x'.repeat(255), 'É'.repeat(127), 'A'.repeat(255));
      const key = fc.array(fc.oneof({ weight: 4, arbitrary: segment }, long), { minLength: 1, maxLength: 3 });
      await fc.assert(
        fc.asyncProperty(key, async (segments) => {
          const name = `prop/${segments.join('/')}`;
          await store.put(name, bytes(name));
          expect(await keysOf(store, name)).toEqual([name]);
          expect(await text(await store.get(name))).toBe(name);
          await store.delete(name);
        }),
        { numRuns: 40 },
      );
    });
  });

  it('reports that it is in order', async () => {
    await expect(store.check()).resolves.toBeUndefined();
  });
}
