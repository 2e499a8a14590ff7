import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { storeColumns } from '#testing/columns.js';
import { type TestStorage, createTestStorage } from '#testing/storage.js';
import { objectStoreConformance } from './conformance.js';
import { type StorageConfig, createObjectStore } from './create-object-store.js';
import { keyToPath, pathToKey } from './directory-keys.js';

const temporary: string[] = [];
const newRoot = async () => {
  const root = await mkdtemp(join(tmpdir(), 'scriptorium-store-'));
  temporary.push(root);
  return root;
};
afterAll(async () => {
  for (const root of temporary) await rm(root, { recursive: true, force: true });
});

describe.each(storeColumns())('object store in $name', (column) => {
  let storage: TestStorage;
  objectStoreConformance(async () => {
    storage = await createTestStorage(column);
    return createObjectStore(storage.config);
  });
  afterAll(() => storage.drop());
});

// Empty when no S3 server runs, which `describe.each` would refuse.
const s3Columns = storeColumns().filter((column) => column.name === 's3');
for (const column of s3Columns) {
  it('refuses a wrong secret', async () => {
    const { config } = await createTestStorage(column);
    const store = createObjectStore({ ...config, secretKey: 'wrong' } as StorageConfig);
    await expect(store.check()).rejects.toThrow(/cannot be used/);
    await expect(store.put('a', Buffer.from('x'))).rejects.toThrow(/cannot be used/);
  });

  it('shares a bucket that several make at once', async () => {
    const { config } = await createTestStorage(column);
    const stores = Array.from({ length: 5 }, () => createObjectStore(config));
    await expect(Promise.all(stores.map((store) => store.check()))).resolves.toHaveLength(5);
  });
}

describe('object store in a directory', () => {
  it('does not connect or open anything before its first use', () => {
    const s3 = {
      kind: 's3',
      endpoint: 'http://127.0.0.1:1',
      bucket: 'b',
      accessKey: 'a',
      secretKey: 's',
    } as const;
    expect(() => createObjectStore(s3)).not.toThrow();
    expect(() => createObjectStore({ kind: 'directory', root: '/nonexistent/x' })).not.toThrow();
  });

  it('says that it cannot be written to', async () => {
    const file = join(await newRoot(), 'file');
    await writeFile(file, '');
    const store = createObjectStore({ kind: 'directory', root: file });
    await expect(store.check()).rejects.toThrow(/cannot be written to/);
  });

  it('removes what a killed process left half written, a day later', async () => {
    const root = await newRoot();
    const left = join(root, '.tmp');
    await mkdir(left);
    await writeFile(join(left, 'old'), 'x');
    await writeFile(join(left, 'new'), 'x');
    await utimes(join(left, 'old'), new Date(0), new Date(0));
    await createObjectStore({ kind: 'directory', root }).put('a', Buffer.from('x'));
    expect(await readdir(left)).toEqual(['new']);
  });

  it('names files so that the key can be told from them, in lower-case ASCII and short segments', () => {
    const keys = fc.array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 80 }), {
      minLength: 1,
      maxLength: 4,
    });
    fc.assert(
      fc.property(keys, (segments) => {
        const key = segments.map((value) => value.replaceAll('/', '_')).join('/');
        const path = keyToPath(key);
        expect(path).toMatch(/^[a-z0-9_.^%+@/-]+$/);
        expect(path.split('/').every((name) => name.length <= 255)).toBe(true);
        expect(pathToKey(path)).toBe(key);
      }),
    );
    expect(keyToPath('tenants/t1/README.md')).toBe('tenants/t1/^r^e^a^d^m^e.md@');
  });
});
