import { buildStructure } from '#office/structure/build.js';
import { buildLedger } from '#verbatim/ledger.js';
import { placeImages } from './session-images.js';

const SOURCES = [
  { name: 'a/readme.md', text: '# Pump\n\nThe pump house.\n\n![Plan](img/x.png)\n' },
  {
    name: 'b/readme.md',
    text: '# Pool\n\nThe pool.\n\n| Plan |\n| --- |\n| ![Plan](img/x.png) |\n\n![](only.png)\n',
  },
];
const MANUSCRIPT = SOURCES.map(({ text }) => text).join('\n');
const ledger = buildLedger(MANUSCRIPT, SOURCES, { policy: 'verbatim' });
const names = (...images: string[]) => {
  const sources = SOURCES.map(({ name }) => name);
  return { available: [...sources, ...images], sources };
};
const place = (images: string[], decisions = {}, known: typeof ledger | null = ledger) =>
  placeImages(buildStructure(MANUSCRIPT), names(...images), decisions, () => Promise.resolve(known));

describe('placeImages', () => {
  it('D4 resolves the same reference of two sources to the image next to each', async () => {
    const { structure, files } = await place(['a/img/x.png', 'b/img/x.png', 'b/only.png']);
    expect(structure.assets.map(({ ref }) => ref)).toEqual(['/a/img/x.png', '/b/img/x.png', 'only.png']);
    expect([...files]).toEqual([
      ['only.png', 'b/only.png'],
      ['/a/img/x.png', 'a/img/x.png'],
      ['/b/img/x.png', 'b/img/x.png'],
    ]);
    expect(JSON.stringify(structure.blocks)).toContain('"ref":"/b/img/x.png"');
  });

  it('D20 uses the decision if the source has no such file, otherwise the file', async () => {
    const images = ['a/img/x.png', 'other/x.png', 'b/photo.png'];
    const { structure } = await place(images, { 'img/x.png': 'b/photo.png' });
    expect(structure.assets.map(({ ref }) => ref)).toEqual(['/a/img/x.png', '/b/photo.png', 'only.png']);
    const skipped = await place(images, { 'img/x.png': 'skip' });
    expect(skipped.structure.assets.map(({ ref }) => ref)).toEqual(['/a/img/x.png', 'img/x.png', 'only.png']);
    expect([...skipped.files.keys()]).toEqual(['/a/img/x.png']);
  });

  it('keeps references if all sources mean the same file', async () => {
    const { structure, files } = await place(['img/x.png'], {}, null);
    expect(structure.assets.map(({ ref }) => ref)).toEqual(['img/x.png', 'img/x.png', 'only.png']);
    expect([...files]).toEqual([['img/x.png', 'img/x.png']]);
    expect([...(await place(['img/x.png'], { 'img/x.png': 'skip' }, null)).files]).toEqual([]);
  });

  it('guesses no image without a ledger', async () => {
    const { files } = await place(['a/img/x.png', 'b/img/x.png'], {}, null);
    expect([...files]).toEqual([]);
  });
});
