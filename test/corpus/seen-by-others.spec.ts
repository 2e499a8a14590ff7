import { writeInProcess } from '#testing/in-process.js';
import { missingText } from '#verbatim/word/missing-text.js';
import { seenByOthers } from './seen-by-others.js';

describe('the expected text of a table in the check of real files', () => {
  const bytes = new TextEncoder().encode('name,number\n"Ball, round",12\nBox,\n');
  const missingOf = (shown: string[]) => missingText(seenByOthers('a.csv', bytes, shown), shown);

  it('its cells, without separators', async () => {
    const { shown } = await writeInProcess({ 'a.csv': bytes });
    expect(missingOf(shown)).toEqual([]);
    for (const text of ['number', 'Ball, round', '12', 'Box'])
      expect(missingOf(shown.map((line) => line.replace(text, '')))).not.toEqual([]);
  });

  it('every character, if it is shown as written', () => {
    const lines = ['name,number', '"Ball, round",12', 'Box,'];
    expect(missingOf(lines)).toEqual([]);
    expect(missingOf([...lines.slice(0, 2), 'Box'])).not.toEqual([]);
  });
});
