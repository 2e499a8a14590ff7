import fc from 'fast-check';
import { extractText } from '#extraction/extract.js';
import { odfFile, officeLinks, powerPointFile } from '#testing/office-files.js';
import { WORD_NUMBERS, wordFile, wordParagraph } from '#testing/sample-files.js';
import { takeInventory } from './take-inventory.js';

const numberedWord = wordFile as (body: string, more: Record<string, string>) => Uint8Array;

const wordList = (paragraphs: string[], numbering = WORD_NUMBERS) =>
  numberedWord(paragraphs.join(''), {
    '_rels/.rels': officeLinks([['r1', 'officeDocument', 'word/document.xml']]),
    'word/_rels/document.xml.rels': officeLinks([['r1', 'numbering', 'numbering.xml']]),
    'word/numbering.xml': numbering,
  });
const wordItem = (text: string, level = 0) =>
  wordParagraph(text, `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="1"/></w:numPr>`);

/** Writes texts as a numbered list in a file of each kind. */
const KINDS: [string, (items: string[]) => Uint8Array][] = [
  ['a.docx', (items) => wordList(items.map((text) => wordItem(text)))],
  [
    'a.odt',
    (items) => {
      const all = items.map((text) => `<text:list-item><text:p>${text}</text:p></text:list-item>`).join('');
      const level =
        '<text:list-level-style-number text:level="1" style:num-format="1" style:num-suffix="."/>';
      return odfFile(
        'text',
        `<text:list text:style-name="N">${all}</text:list>`,
        `<text:list-style style:name="N">${level}</text:list-style>`,
      );
    },
  ],
  [
    'a.pptx',
    (items) => {
      const paragraph = (text: string) =>
        `<a:p><a:pPr><a:buAutoNum type="arabicPeriod"/></a:pPr><a:r><a:t>${text}</a:t></a:r></a:p>`;
      return powerPointFile(
        [
          `<p:sp><p:nvSpPr><p:cNvPr id="1" name="x"/><p:nvPr/></p:nvSpPr><p:txBody>${items.map(paragraph).join('')}</p:txBody></p:sp>`,
        ],
        { '_rels/.rels': officeLinks([['r1', 'officeDocument', 'ppt/presentation.xml']]) },
      );
    },
  ],
  ['a.html', (items) => Buffer.from(`<ol>${items.map((text) => `<li>${text}</li>`).join('')}</ol>`)],
  [
    'a.rtf',
    (items) =>
      Buffer.from(
        `{\\rtf1\\ansi ${items.map((text, at) => `{\\pard{\\listtext ${at + 1}.\\tab}\\ls1 ${text}\\par}`).join('\n')}}`,
      ),
  ],
];

const items = fc.array(fc.stringMatching(/^[a-e]{1,3}( [a-e0-9]{1,2})?$/), { minLength: 2, maxLength: 12 });

describe.each(KINDS)('the numbers of a list in %s', (name, write) => {
  it('X1 are noticed if one differs, and only then', async () => {
    let noticed = 0;
    await fc.assert(
      fc.asyncProperty(items, fc.nat(), fc.integer({ min: 1, max: 50 }), async (texts, pick, more) => {
        const bytes = write(texts);
        const { text } = await extractText(bytes, name);
        expect(await takeInventory(bytes, name, { text, encoding: null })).toMatchObject({
          ...{ lost: 0, pieces: texts.length },
        });
        const numbers = [...text.matchAll(/^(\d+)(?=\\?\. )/gm)];
        expect(numbers.map(([number]) => Number(number))).toEqual(texts.map((_, at) => at + 1));
        const { 0: number, index } = numbers[pick % numbers.length]!;
        const changed =
          text.slice(0, index) + String(Number(number) + more) + text.slice(index + number.length);
        const { entries } = await takeInventory(bytes, name, { text: changed, encoding: null });
        expect(entries.filter(({ outcome }) => outcome === 'lost')).not.toEqual([]);
        noticed++;
      }),
      { numRuns: 20 },
    );
    expect(noticed).toBe(20);
  });
});

/** A Word file with a list that has the letters a and b within its first item. */
const LETTERS = wordList(
  [wordItem('outer'), wordItem('one', 1), wordItem('two', 1)],
  WORD_NUMBERS.replace(
    '</w:abstractNum>',
    '<w:lvl w:ilvl="1"><w:numFmt w:val="lowerLetter"/><w:lvlText w:val="%2."/></w:lvl></w:abstractNum>',
  ),
);

describe('the letters of a list', () => {
  it('X1 are noticed if the number that Markdown writes instead differs', async () => {
    const { text } = await extractText(LETTERS, 'a.docx');
    const takeOf = (changed: string) => takeInventory(LETTERS, 'a.docx', { text: changed, encoding: null });
    expect(await takeOf(text)).toMatchObject({ lost: 0, pieces: 3 });
    const changed = text.replace('2. two', '5. two');
    expect(changed).not.toBe(text);
    expect(await takeOf(changed)).toMatchObject({ lost: 1 });
  });
});

describe('the numbers of a list that is left out', () => {
  it('X1 do not make equal numbers elsewhere count as lost', async () => {
    const menu =
      '<nav><ol><li><a href="/a">Home page</a></li><li><a href="/b">Contact us</a></li></ol></nav>';
    const rows = '<table><tr><td>a</td><td>1</td></tr><tr><td>b</td><td>2</td></tr></table>';
    const page = Buffer.from(`${menu}<main><h1>Pump report</h1><p>Pump two stopped.</p>${rows}</main>`);
    const { text } = await extractText(page, 'a.html');
    expect(await takeInventory(page, 'a.html', { text, encoding: null })).toMatchObject({
      ...{ lost: 0, left_out: 2 },
    });
  });
});
