import { writeInProcess } from '#testing/in-process.js';
import { pdfFile, pdfLines } from '#testing/sample-files.js';
import { missingText } from '#verbatim/word/missing-text.js';
import { seenByOthers } from './seen-by-others.js';

const LINES = [
  'A program for manip-',
  'ulation of structures. It holds declara-',
  'tions, a well-',
  'known form.',
];

describe('what the check of real files wants to see of a PDF', () => {
  const bytes = pdfFile(pdfLines([...LINES, 'Manipulation and declarations are well-known.']));
  const missingOf = async (shown: string[]) => missingText(await seenByOthers('a.pdf', bytes, shown), shown);

  it('words that lines part are the same words when they are made whole', async () => {
    const { shown } = await writeInProcess({ 'a.pdf': bytes });
    expect(shown.join(' ')).toContain(
      'manipulation of structures. It holds declarations, a well-known form.',
    );
    expect(await missingOf(shown)).toEqual([]);
  });

  it('the rest of a parted word may not be lost, nor the hyphen of a word that has one', async () => {
    const { shown } = await writeInProcess({ 'a.pdf': bytes });
    const without = (text: string, put = '') => shown.map((line) => line.replaceAll(text, put));
    expect(await missingOf(without('ulation'))).not.toEqual([]);
    expect(await missingOf(without('well-known', 'wellknown'))).not.toEqual([]);
  });
});

describe('what the check of real files wants to see of a table', () => {
  const bytes = new TextEncoder().encode('name,number\n"Ball, round",12\nBox,\n');
  const missingOf = async (shown: string[]) => missingText(await seenByOthers('a.csv', bytes, shown), shown);

  it('its cells, without what parts them', async () => {
    const { shown } = await writeInProcess({ 'a.csv': bytes });
    expect(await missingOf(shown)).toEqual([]);
    for (const text of ['number', 'Ball, round', '12', 'Box'])
      expect(await missingOf(shown.map((line) => line.replace(text, '')))).not.toEqual([]);
  });

  it('every character, where it is shown as it is written', async () => {
    const lines = ['name,number', '"Ball, round",12', 'Box,'];
    expect(await missingOf(lines)).toEqual([]);
    expect(await missingOf([...lines.slice(0, 2), 'Box'])).not.toEqual([]);
  });
});
