import { jest } from '@jest/globals';
import { sha256 } from '#contracts/sha256.js';
import { MemoryStore } from '#testing/memory-store.js';
import { readSessionFile } from './kept-objects.js';

describe('readSessionFile', () => {
  it('reads a small text once, and again if it has changed', async () => {
    const store = new MemoryStore();
    const read = jest.spyOn(store, 'getBytes');
    const objectKey = 'tenants/a/sessions/b/texts/c.md';
    const textOf = async (text: string, size = 3) =>
      Buffer.from(await readSessionFile(store, { objectKey, size, sha256: sha256(text) })).toString();
    await store.put(objectKey, Buffer.from('One'));
    expect([await textOf('One'), await textOf('One')]).toEqual(['One', 'One']);
    expect(read).toHaveBeenCalledTimes(1);
    await store.put(objectKey, Buffer.from('Two'));
    expect([await textOf('Two'), await textOf('One')]).toEqual(['Two', 'One']);
    expect(read).toHaveBeenCalledTimes(2);
    await textOf('Two', 1_000_000);
    await textOf('Two', 1_000_000);
    expect(read).toHaveBeenCalledTimes(4);
  });

  it('does not keep what replaced a text while its row was read', async () => {
    const store = new MemoryStore();
    const file = { objectKey: 'tenants/a/sessions/b/texts/e.md', size: 3, sha256: sha256('Old') };
    await store.put(file.objectKey, Buffer.from('New'));
    await readSessionFile(store, file);
    await store.put(file.objectKey, Buffer.from('Old'));
    expect(Buffer.from(await readSessionFile(store, file)).toString()).toBe('Old');
  });

  it('returns arrays that a thread may take', async () => {
    const store = new MemoryStore();
    const file = { objectKey: 'tenants/a/sessions/b/texts/d.md', size: 5, sha256: sha256('Taken') };
    await store.put(file.objectKey, Buffer.from('Taken'));
    for (let i = 0; i < 3; i++) {
      const bytes = await readSessionFile(store, file);
      expect(Buffer.from(bytes).toString()).toBe('Taken');
      bytes.fill(0);
    }
  });
});
