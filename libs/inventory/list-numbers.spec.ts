import fc from 'fast-check';
import { extractText } from '#extraction/extract.js';
import { odfFile, officeLinks, powerPointFile } from '#testing/office-files.js';
import { WORD_NUMBERS, wordFile, wordParagraph } from '#testing/sample-files.js';
import { takeInventory } from './take-inventory.js';

const numberedWord = wordFile as (body: string, more: Record<string, string>) => Uint8Array;

/** Writes texts as a numbered list in a file of each kind. */
const KINDS: [string, (items: string[]) => Uint8Array][] = [
  [
    'a.docx',
    (items) =>
      numberedWord(
        items.map((text) => wordParagraph(text, '<w:numPr><w:numId w:val="1"/></w:numPr>')).join(''),
        {
          '_rels/.rels': officeLinks([['r1', 'officeDocument', 'word/document.xml']]),
          'word/_rels/document.xml.rels': officeLinks([['r1', 'numbering', 'numbering.xml']]),
          'word/numbering.xml': WORD_NUMBERS,
        },
      ),
  ],
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
