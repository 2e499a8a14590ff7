import { jest } from '@jest/globals';
import { MemoryStore } from '#testing/memory-store.js';
import { readSessionFile } from './source-texts.js';

describe('readSessionFile', () => {
  it('reads a small text once, and again if it has changed', async () => {
    const store = new MemoryStore();
    const read = jest.spyOn(store, 'getBytes');
    const objectKey = 'tenants/a/sessions/b/texts/c.md';
    const textOf = async (sha256: string, size = 3) =>
      Buffer.from(await readSessionFile(store, { objectKey, size, sha256 })).toString();
    await store.put(objectKey, Buffer.from('One'));
    expect([await textOf('1'), await textOf('1')]).toEqual(['One', 'One']);
    expect(read).toHaveBeenCalledTimes(1);
    await store.put(objectKey, Buffer.from('Two'));
    expect([await textOf('2'), await textOf('1')]).toEqual(['Two', 'One']);
    expect(read).toHaveBeenCalledTimes(2);
    await textOf('2', 1_000_000);
    await textOf('2', 1_000_000);
    expect(read).toHaveBeenCalledTimes(4);
  });

  it('returns arrays that a thread may take', async () => {
    const store = new MemoryStore();
    const file = { objectKey: 'tenants/a/sessions/b/texts/d.md', size: 5, sha256: 'd' };
    await store.put(file.objectKey, Buffer.from('Taken'));
    for (let i = 0; i < 3; i++) {
      const bytes = await readSessionFile(store, file);
      expect(Buffer.from(bytes).toString()).toBe('Taken');
      bytes.fill(0);
    }
  });
});
