import { atDepth } from '#testing/depth.js';
import { hostileMarkdown } from '#testing/hostile-markdown.js';
import { HandClock } from '#testing/hand-clock.js';
import sharp from 'sharp';
import { checkDocx } from '#office/docx/check/check.js';
import { ConverterPool } from './converter-pool.js';
import { readDocx } from '#office/docx/read/read.js';

/** Worker threads run compiled code; `npm test` builds it first. */
const workerUrl = new URL('../../../dist/libs/office/worker.js', import.meta.url);
const noAssets = async (): Promise<null> => null;
/** Longer than needed on any machine, in ms. */
const UNLIMITED = 3_600_000;

describe('ConverterPool', () => {
  let pool: ConverterPool;
  beforeAll(() => {
    pool = new ConverterPool({ workerUrl, timeLimitMs: UNLIMITED });
  });
  afterAll(() => pool.close());

  it('converts in another thread, requests assets from the main thread, and checks the file', async () => {
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
    // The structure is copied back only on request.
    expect(again.structure).toBeNull();
  });

  const hostile = hostileMarkdown(atDepth({ quick: 0.1, full: 5 }));
  it.each(Object.keys(hostile))('converts %s to a file with the content of its source', async (name) => {
    const options = { check: true, withStructure: true };
    const { docx, structure, issues } = await pool.convert({ markdown: hostile[name]! }, noAssets, options);
    expect(issues).toEqual([]);
    expect(checkDocx(structure!, docx)).toEqual([]);
  });

  it('omits images that exceed the memory limit when unpacked, with a note in their place', async () => {
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

  const stillConverts = async (small: ConverterPool) => {
    const { docx } = await small.convert({ markdown: '# Still here\n' }, noAssets);
    expect(readDocx(docx).blocks).toMatchObject([{ type: 'heading', text: 'Still here' }]);
  };

  it('aborts a conversion at its CPU time limit, and at four times that in wall-clock time', async () => {
    const clock = new HandClock();
    const timed = new ConverterPool({ workerUrl, timeLimitMs: 1_000, clock });
    /** Converts a document whose image arrives after the time limit. */
    const convertWhile = (share: number, ms: number) => {
      clock.share = share;
      const resolve = async (): Promise<null> => (clock.pass(ms), null);
      return timed.convert({ markdown: '![a](a.png)\n' }, resolve);
    };
    const limit = { name: 'ConversionError', code: 'time_limit' };
    expect((await convertWhile(0, 3_900)).missing).toHaveLength(1);
    await expect(convertWhile(0, 4_100)).rejects.toMatchObject(limit);
    await expect(convertWhile(1, 1_000)).rejects.toMatchObject(limit);
    await timed.close();
  });

  it('aborts a conversion at its memory limit with a clear error, and serves the next one', async () => {
    const small = new ConverterPool({ workerUrl, timeLimitMs: UNLIMITED, memoryLimitMb: 96 });
    const large = small.convert({ markdown: '- **a** `b`\n\n'.repeat(400_000) }, noAssets);
    await expect(large).rejects.toMatchObject({ name: 'ConversionError', code: 'memory_limit' });
    await stillConverts(small);
    await small.close();
  });
});
