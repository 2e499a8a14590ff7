import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { storeColumns } from '#testing/columns.js';
import { type TestStorage, createTestStorage } from '#testing/storage.js';
import { objectStoreConformance } from '#testing/object-store-conformance.js';
import { type StorageConfig, createObjectStore } from './create-object-store.js';
import { InvalidKeyError, ObjectNotFoundError } from './object-store.js';
import { keyToPath, pathToKey } from './directory-store.js';

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
  it('rejects a wrong secret', async () => {
    const { config } = await createTestStorage(column);
    const store = createObjectStore({ ...config, secretKey: 'wrong' } as StorageConfig);
    await expect(store.check()).rejects.toThrow(/is not usable/);
    await expect(store.put('a', Buffer.from('x'))).rejects.toThrow(/is not usable/);
  });

  it('lets several clients create the same bucket at the same time', async () => {
    const { config } = await createTestStorage(column);
    const stores = Array.from({ length: 5 }, () => createObjectStore(config));
    await expect(Promise.all(stores.map((store) => store.check()))).resolves.toHaveLength(5);
  });
}

describe('an object store that rejects requests or fails', () => {
  /** An S3 server that answers requests for the bucket and for objects with these statuses and codes. */
  const refusing = async (bucket: [number, string], object: [number, string]) => {
    const server = createServer((request, response) => {
      const [status, code] =
        request.url!.split('?')[0]!.split('/').filter(Boolean).length > 1 ? object : bucket;
      const body = `<Error><Code>${code}</Code><Message>Refused.</Message></Error>`;
      request
        .resume()
        .on('end', () => response.writeHead(status, { 'content-type': 'application/xml' }).end(body));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const config = { kind: 's3', endpoint, bucket: 'files', accessKey: 'a', secretKey: 's' } as const;
    servers.push(server);
    return createObjectStore(config);
  };
  const servers: Server[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
  });
  const OK: [number, string] = [200, ''];

  it.each([
    ['a wrong key', [403, 'SignatureDoesNotMatch'], OK],
    ['a clock that is wrong', OK, [403, 'RequestTimeTooSkewed']],
    ['a key that was revoked', OK, [403, 'InvalidAccessKeyId']],
    ['a full store', OK, [507, 'XMinioStorageFull']],
  ] as [string, [number, string], [number, string]][])(
    'fails every operation with storage_unavailable: %s',
    async (_, bucket, object) => {
      const store = await refusing(bucket, object);
      const unavailable = { name: 'StorageUnavailableError', code: 'storage_unavailable' };
      for (const asked of [
        () => store.put('a', Buffer.from('x')),
        () => store.get('a'),
        () => store.getBytes('a'),
        () => store.head('a'),
        () => store.delete('a'),
        () => store.copy('a', 'b'),
      ])
        await expect(asked()).rejects.toMatchObject(unavailable);
    },
  );

  it('reports a missing object, an invalid key and a failing body as such', async () => {
    const store = await refusing(OK, [404, 'NoSuchKey']);
    await expect(store.getBytes('a')).rejects.toThrow(ObjectNotFoundError);
    await expect(store.getBytes('../a')).rejects.toThrow(InvalidKeyError);
    const own = Object.assign(new Error('the client went away'), { code: 'ECONNRESET' });
    const body = new Readable({ read: () => void body.destroy(own) });
    await expect(store.put('a', body)).rejects.toBe(own);
    const folder = createObjectStore({ kind: 'directory', root: await newRoot() });
    await expect(folder.getBytes('a')).rejects.toThrow(ObjectNotFoundError);
    const again = new Readable({ read: () => void again.destroy(own) });
    await expect(folder.put('a', again)).rejects.toBe(own);
  });

  it('fails with storage_unavailable while its folder cannot be written to', async () => {
    const file = join(await newRoot(), 'file');
    await writeFile(file, '');
    const store = createObjectStore({ kind: 'directory', root: file });
    await expect(store.put('a', Buffer.from('x'))).rejects.toMatchObject({ code: 'storage_unavailable' });
    await expect(store.check()).rejects.toMatchObject({ code: 'storage_unavailable' });
    await rm(file);
    await store.put('a', Buffer.from('x'));
  });
});

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

  it('fails its check if its folder is not writable', async () => {
    const file = join(await newRoot(), 'file');
    await writeFile(file, '');
    const store = createObjectStore({ kind: 'directory', root: file });
    await expect(store.check()).rejects.toThrow(/is not writable/);
  });

  it('removes the partial files of a killed process after a day', async () => {
    const root = await newRoot();
    const left = join(root, '.tmp');
    await mkdir(left);
    await writeFile(join(left, 'old'), 'x');
    await writeFile(join(left, 'new'), 'x');
    await utimes(join(left, 'old'), new Date(0), new Date(0));
    await createObjectStore({ kind: 'directory', root }).put('a', Buffer.from('x'));
    expect(await readdir(left)).toEqual(['new']);
  });

  it('maps keys to paths reversibly, in lower-case ASCII with segments of at most 255 characters', () => {
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
