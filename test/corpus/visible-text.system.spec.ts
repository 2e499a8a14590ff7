import fc from 'fast-check';
import { atDepth } from '#testing/depth.js';
import { writeInProcess } from '#testing/in-process.js';
import { pdfFile, pdfLines, WORD_NUMBERS, wordFile, wordParagraph, xmlText } from '#testing/sample-files.js';
import { missingText } from '#verbatim/word/missing-text.js';

const bytes = (text: string) => new TextEncoder().encode(text);

const KNOWN_LOSS = [
  'Run foo <file> with List<String> now. Keep *this* and 2*3*4 and a_b_c',
  '# not a heading',
  '1. not a list',
  // A cell of a table in some kinds of files.
  'www.x.y| a | b |',
];
const MARKS = [
  ...'\\`*_{}[]()<>#+-.!|~$&:;="\'^/@%,?1a ',
  ...[
    '---',
    '```',
    '~~~',
    '$$',
    '<b>',
    '</b>',
    '<!--',
    '-->',
    '<your-token>',
    '<?x',
    '<![CDATA[',
    ']]>',
    '...',
  ],
  ...[
    'http://a.b/_c_',
    'www.x.y',
    'a@b.pl',
    '&amp;',
    '&#35;',
    '![a](b)',
    '[^1]',
    '[^1]: z',
    '[a]: b',
    '- [ ] x',
    '2. ',
  ],
  ...[
    '| a | b |',
    '| --- | --- |',
    'word ',
    'two words',
    '===',
    'title: x',
    '> ',
    '# ',
    '[!NOTE]',
    '<script>',
    '<td>',
  ],
  ...['_x_', '__y', 'z__', '*a', 'b*', '{{c}}', '${d}', '^e', '=1+1', 'C:\\d\\*'],
];
const MORE = ['zażółć', '漢字', '𝒳', 'é\u0301', 'ﬁ', '„x”', '\u00a0', '–'];
const line = (marks: string[]) =>
  fc
    .array(fc.constantFrom(...marks), { minLength: 1, maxLength: 10 })
    .map((parts) => parts.join('').trim())
    .filter((text) => text !== '');
const linesOf = (marks: string[]) => fc.array(line(marks), { minLength: 1, maxLength: 8 });

const html = (lines: string[]) =>
  lines
    .map((text, index) => {
      const tags = [
        ['<p>', '</p>'],
        ['<ul><li>', '</li></ul>'],
        ['<h2>', '</h2>'],
        ['<pre>', '</pre>'],
        ['<table><tr><td>', '</td><td>z</td></tr></table>'],
      ];
      const [open, close] = tags[index % tags.length] as [string, string];
      return `${open}${xmlText(text)}${close}`;
    })
    .join('\n');
const word = (lines: string[]) =>
  wordFile(
    lines
      .map((text, index) => {
        const own = wordParagraph(
          xmlText(text),
          ['', '<w:pStyle w:val="Heading1"/>', '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>'][
            index % 3
          ],
        );
        return index % 4 === 3 ? `<w:tbl><w:tr><w:tc>${own}</w:tc></w:tr></w:tbl>` : own;
      })
      .join(''),
    { 'word/numbering.xml': WORD_NUMBERS },
  );
const notebook = (lines: string[]) =>
  JSON.stringify({
    cells: lines.map((text, index) =>
      index % 2 === 0
        ? { cell_type: 'code', source: text, outputs: [{ output_type: 'stream', text }] }
        : { cell_type: 'raw', source: [text] },
    ),
  });
const csv = (lines: string[]) => lines.map((text) => `"${text.replaceAll('"', '""')}",b`).join('\n');

/** Cells of a table; a single record, or a character that no cell can contain, stays as written. */
const shownOfCsv = (lines: string[]) =>
  lines.length > 1 && !/[\t\r]/.test(lines.join(''))
    ? lines.map((text) => `${text} b`)
    : csv(lines).split('\n');

/** A paragraph with only an image is shown as this image. */
const withoutImages = (lines: string[]) => lines.map((text) => (text === '![a](b)' ? '' : text));

/** How lines of text are written in each file type, and what a reader of the file sees. */
const KINDS: [string, string[], (lines: string[]) => Uint8Array, ((lines: string[]) => string[])?][] = [
  [
    'a.txt',
    MARKS.concat(MORE),
    (lines) => bytes(`${lines.join('\n')}\n`),
    (lines) => (lines.length === 1 ? withoutImages(lines) : lines),
  ],
  ['blank-lines.txt', MARKS.concat(MORE), (lines) => bytes(`${lines.join('\n\n')}\n`), withoutImages],
  ['b.html', MARKS.concat(MORE), (lines) => bytes(html(lines))],
  ['c.docx', MARKS.concat(MORE), word],
  ['d.pdf', MARKS, (lines) => pdfFile(pdfLines(lines))],
  [
    'e.ipynb',
    MARKS.concat(MORE),
    (lines) => bytes(notebook(lines)),
    (lines) => lines.flatMap((text, index) => (index % 2 === 0 ? [text, text] : [text])),
  ],
  ['f.csv', MARKS.concat(MORE), (lines) => bytes(csv(lines)), shownOfCsv],
];

const wanted = (source: string, lines: string[]) =>
  lines.map((text, index) => ({ source, line: index + 1, text, moves: false }));

describe('X1 the Word file shows what its source shows', () => {
  it.each(KINDS)(
    'X1 %s: every visible character, in order',
    async (name, marks, write, shown = (lines) => lines) => {
      const check = async (lines: string[]) => {
        const document = await writeInProcess({ [name]: write(lines) });
        expect(missingText(wanted(name, shown(lines)), document.shown)).toEqual([]);
        expect([document.ledger.coverage, document.issues, document.missing]).toEqual([1, [], []]);
      };
      await check(KNOWN_LOSS);
      await fc.assert(fc.asyncProperty(linesOf(marks), check), { numRuns: atDepth({ quick: 25, full: 60 }) });
    },
  );

  it('X1 an image alone in a text file is treated as an image, not as lost text', async () => {
    const document = await writeInProcess({ 'a.txt': bytes('before\n\n![a](b.png)\n\nafter\n') });
    expect([document.issues, document.missing]).toEqual([[], []]);
    expect(document.shown.join('\n')).not.toContain('![');
  });

  it('X1 g.md: every word that Markdown shows, if the ledger finds each line carried', async () => {
    // A footnote right below an underlined heading is a note only once the heading is written on one line.
    const marks = MARKS.filter((mark) => mark !== '===').concat(MORE, '\n', '\n\n', 'Table: t');
    const lines = fc.array(line(marks), { minLength: 1, maxLength: 12 });
    const runs = atDepth({ quick: 80, full: 200 });
    let whole = 0;
    await fc.assert(
      fc.asyncProperty(lines, async (text) => {
        const document = await writeInProcess({ 'g.md': bytes(`${text.join('\n')}\n`) });
        if (document.ledger.coverage < 1) return;
        whole += 1;
        expect([document.issues, document.missing]).toEqual([[], []]);
      }),
      // An unknown HTML tag starts an HTML block, in which fences are not recognized.
      {
        numRuns: runs,
        examples: [
          [['<your-token>', '~~~', 'word']],
          [['<b>', '~~~a', '</b>', '1']],
          [['"$$\\', '$$', '-', '\\']],
          [['[^1]: z', '=']],
          [['| --- | --- |', 'a| --- | --- |\\', '\\']],
          [['<?x<td>>', '> \\', '\\']],
        ],
      },
    );
    expect(whole).toBeGreaterThan(0.75 * runs);
  });
});
