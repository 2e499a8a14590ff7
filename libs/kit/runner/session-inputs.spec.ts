import { newId } from '#contracts/ids.js';
import { SessionFileRepository } from '#db/repositories/session-files.js';
import { sessionKey } from '#storage/session-keys.js';
import { sessionFixture, type SessionFixture } from '#testing/session-fixture.js';
import fc from 'fast-check';
import { SessionInputs } from './services.js';

describe('SessionInputs', () => {
  let fixture: SessionFixture;

  beforeAll(async () => {
    fixture = await sessionFixture();
  });
  afterAll(() => fixture.stop());

  async function add(name: string, content: Uint8Array): Promise<void> {
    const { tenantId, sessionId } = fixture.run;
    const objectKey = sessionKey(tenantId, sessionId, 'inputs', newId('fil'));
    const { size, sha256 } = await fixture.store.put(objectKey, content);
    const file = {
      sessionId,
      folder: 'inputs' as const,
      name,
      objectKey,
      size,
      sha256,
      mediaType: 'text/plain',
    };
    await new SessionFileRepository(fixture.db).add(tenantId, file);
  }
  const inputs = (pageBytes: number) =>
    new SessionInputs(fixture.db, fixture.store, fixture.run.tenantId, fixture.run.sessionId, pageBytes);

  it('D7 returns a file in pages: every byte once, whole characters, correct line numbers', async () => {
    const line = fc.string({ unit: 'grapheme', maxLength: 30 }).map((text) => text.replace(/[\r\n]/g, ' '));
    const document = fc.array(fc.tuple(line, fc.constantFrom('\n', '\r\n', '\n\n', '')), { maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(document, fc.integer({ min: 8, max: 120 }), async (pieces, pageBytes) => {
        const text = pieces.map(([content, end]) => content + end).join('');
        const name = `${newId('fil')}.txt`;
        await add(name, Buffer.from(text));
        const reader = inputs(pageBytes);
        let read = '';
        for (let cursor: number | null = 0; cursor !== null;) {
          const page = await reader.readPage(name, cursor);
          expect(page.start).toBe(cursor);
          expect(page.first_line).toBe(text === '' ? 0 : read.split('\n').length);
          read += page.text;
          cursor = page.next_cursor;
        }
        expect(read).toBe(text);
      }),
      { numRuns: 60 },
    );
  });

  it('D6 lists the inputs in natural order', async () => {
    for (const name of ['n10.md', 'n2.md', 'n1.md']) await add(name, Buffer.from('x'));
    const names = (await inputs(100).list()).map(({ name }) => name).filter((name) => /^n\d/.test(name));
    expect(names).toEqual(['n1.md', 'n2.md', 'n10.md']);
  });

  it('D7 reports an invalid name, encoding or cursor to the model', async () => {
    await add('picture.png', Buffer.from([0x89, 0x50]));
    await add('latin.txt', Buffer.from([0x47, 0xfc, 0x0a]));
    await expect(inputs(100).readPage('none.md', 0)).rejects.toThrow('there is no input file "none.md"');
    await expect(inputs(100).readPage('picture.png', 0)).rejects.toThrow('is not a text file');
    await expect(inputs(100).readPage('latin.txt', 0)).rejects.toThrow('is not UTF-8');
    await expect(inputs(100).readPage('latin.txt', 99)).rejects.toThrow('past the end');
  });
});
