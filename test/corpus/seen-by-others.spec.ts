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
