import { createTestDatabase, type TestDatabase } from '#testing/postgres.js';
import fc from 'fast-check';
import { createDatabase, type Database } from './client.js';
import { toJsonb } from './jsonb.js';

describe('toJsonb', () => {
  let testDatabase: TestDatabase;
  let db: Database;

  beforeAll(async () => {
    testDatabase = await createTestDatabase();
    db = createDatabase(testDatabase.url, 1);
  });
  afterAll(async () => {
    await db.$disconnect();
    await testDatabase.drop();
  });

  it('removes NUL and lone surrogates, which PostgreSQL cannot store, and changes nothing else', async () => {
    const text = fc.string({ unit: fc.nat(0xffff).map((code) => String.fromCharCode(code)), maxLength: 20 });
    const tricky = fc.constantFrom('\\u0000', '\\\\ud83d', '\u0000', '\ud83d', 'a\ud83d\ude00b', '\\');
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(text, tricky), { maxLength: 4 }), async (parts) => {
        const value = { text: parts.join('') };
        const [row] = await db.$queryRaw<{ stored: unknown }[]>`SELECT ${toJsonb(value)}::jsonb AS stored`;
        expect(row?.stored).toEqual({ text: value.text.toWellFormed().replaceAll('\u0000', '') });
      }),
      { numRuns: 200 },
    );
  });
});
