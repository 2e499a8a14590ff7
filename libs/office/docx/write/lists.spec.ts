import { buildStructure } from '../../structure/build.js';
import { checkDocx } from '../check/check.js';
import { readDocx } from '../read/read.js';
import { unpack } from '#extraction/archive.js';
import type { DocxOptions } from './options.js';
import { writeDocx } from './write.js';

const figure = (n: number) => `# Part ${n}\n\nText.\n\n![Basin *${n}*](${n}.png)\n`;
const table = (n: number) => `Table: Levels ${n}\n\n| A | B |\n| - | - |\n| 1 | 2 |\n\nText.\n`;
const MARKDOWN = [
  ...[1, 2, 3, 4].map(figure),
  '- Item\n\n  ![Fig. 9 – by hand](own.png)\n',
  ...[1, 2].map(table),
].join('\n');

const write = (options: DocxOptions, markdown = MARKDOWN) =>
  writeDocx(buildStructure(markdown), () => Promise.resolve(null), {
    toc: true,
    chaptersOnNewPages: true,
    ...options,
  });

async function listed(options: DocxOptions, markdown?: string) {
  const bytes = await write(options, markdown);
  const xml = Buffer.from(unpack(bytes, () => true, 'file').get('word/document.xml')!).toString('utf8');
  const fields = [...xml.matchAll(/ TOC [^<]*/g)].map(([code]) => code.trim());
  const { toc, bookmarks } = readDocx(bytes);
  const entries = toc.filter(({ text }) => !text.startsWith('Part'));
  expect(toc.every(({ bookmark }) => bookmarks.has(bookmark))).toBe(true);
  return { bytes, fields, entries: entries.map(({ text, page }) => `${text} ${page}`) };
}

describe('lists of figures and tables', () => {
  it('65.5 lists five figures or more, with pages, and with the labels that authors wrote', async () => {
    const { bytes, fields, entries } = await listed({});
    expect(fields).toEqual(['TOC \\o "1-3" \\h \\z \\u', 'TOC \\h \\z \\c "Figure"']);
    expect(entries).toEqual([
      'Figure 1: Basin 1 2',
      'Figure 2: Basin 2 3',
      'Figure 3: Basin 3 4',
      'Figure 4: Basin 4 5',
      'Fig. 9 – by hand 5',
    ]);
    expect(await write({})).toEqual(bytes);
    expect(checkDocx(buildStructure(MARKDOWN), bytes)).toEqual([]);
  });

  it('65.5 lists what it is told to list', async () => {
    const { fields, entries } = await listed({ listOfFigures: true, language: 'pl' });
    expect(fields.slice(1)).toEqual(['TOC \\h \\z \\c "Rysunek"', 'TOC \\h \\z \\c "Tabela"']);
    expect(entries.slice(-2)).toEqual(['Tabela 1: Levels 1 5', 'Tabela 2: Levels 2 5']);
    expect((await listed({ listOfFigures: false })).fields).toHaveLength(1);
    expect((await listed({ listOfFigures: true, toc: false })).fields).toEqual([]);
    expect((await listed({ listOfFigures: true }, '# Part 1\n\nText.\n')).fields).toHaveLength(1);
  });

  it('65.5 lets Word count each listed caption, also those with labels of their authors', async () => {
    const { bytes } = await listed({});
    const xml = Buffer.from(unpack(bytes, () => true, 'file').get('word/document.xml')!).toString('utf8');
    const captions = [...xml.matchAll(/ SEQ Figure [^<]*/g)].map(([code]) => code.trim());
    expect(captions).toHaveLength(5);
    expect(captions.at(-1)).toBe('SEQ Figure \\* ARABIC \\r 9');
  });
});
