import { englishText } from '#contracts/phrases/phrase.js';
import { SessionFileRepository, type FileFolder } from '#db/repositories/session-files.js';
import { sessionFixture, type SessionFixture } from '#testing/session-fixture.js';
import { largestSource } from './largest-source.js';

describe('largestSource', () => {
  let fixture: SessionFixture;

  beforeAll(async () => {
    fixture = await sessionFixture();
  });
  afterAll(() => fixture.stop());

  it('D28 names the source with the most text; counts extracted text of Word files, and ignores images', async () => {
    const { db, run } = fixture;
    const ask = () => largestSource(db, run.tenantId, run.sessionId);
    expect(await ask()).toBeNull();
    const files: [FileFolder, string, number][] = [
      ['inputs', 'notes.md', 2_000],
      ['inputs', 'photo.png', 9_000_000],
      ['inputs', 'small.docx', 200],
      ['texts', 'small.docx', 8_000_000],
    ];
    for (const [folder, name, size] of files)
      await new SessionFileRepository(db).add(run.tenantId, {
        sessionId: run.sessionId,
        folder,
        name,
        objectKey: `${folder}/${name}`,
        size,
        sha256: name,
        mediaType: 'text/plain',
      });
    expect(englishText((await ask())!)).toBe('The source with the most text is small.docx (8000000 bytes).');
  });
});
