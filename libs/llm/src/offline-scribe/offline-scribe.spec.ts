import fc from 'fast-check';
import { scanMarkdown } from '#documents/verbatim/scan.js';
import { ScribeSession, type ScribeSessionOptions } from '#testing/scribe-session.js';
import { OfflineScribe } from './offline-scribe.js';
import { parsePiece } from './writers/dialect.js';

async function writeFiles(
  files: Record<string, string>,
  options: ScribeSessionOptions = {},
): Promise<ScribeSession> {
  const inputs = new Map(Object.entries(files).map(([name, text]) => [name, Buffer.from(text)]));
  const session = new ScribeSession(inputs, options);
  await session.run(new OfflineScribe());
  return session;
}

const linesOf = (text: string): string[] =>
  text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .map((line) => line.replace(/\r$/, ''))
    .filter((line) => /[^ \t]/.test(line));

/** What a source line must leave in the manuscript: headings may change their marks, everything else is equal. */
function isCarried(line: string, manuscript: Set<string>, headings: Set<string>): boolean {
  if (manuscript.has(line)) return true;
  const text = line
    .replace(/^[\s>\-+*\d.)]*#{1,6}(?=\s|$)/, '')
    .replace(/(?:^|\s)#+\s*$/, '')
    .trim();
  return (
    headings.has(text) ||
    /^[\s>\-+*\d.)]*(?:=+|-+)\s*$/.test(line) ||
    [...headings].some((heading) => heading.includes(line.trim()))
  );
}

function lost(source: string, manuscript: string): string[] {
  const lines = new Set(linesOf(manuscript));
  const headings = new Set(
    linesOf(manuscript).map((line) =>
      line
        .replace(/^[\s>\-+*\d.)]*#{1,6}(?=\s|$)/, '')
        .replace(/\s#+$/, '')
        .trim(),
    ),
  );
  return linesOf(source).filter((line) => !isCarried(line, lines, headings));
}

/** Headings of level 1 as the converter will read them. */
const chapters = (manuscript: string): number =>
  parsePiece(manuscript).children.filter((node) => node.type === 'heading' && node.depth === 1).length;

function skippedLevels(manuscript: string): string[] {
  let last = 0;
  return scanMarkdown(manuscript.split('\n')).lines.flatMap((line) => {
    if (line.kind !== 'heading' && line.kind !== 'underline') return [];
    const isSkipped = line.level > last + 1;
    last = line.level;
    return isSkipped ? [`${line.level} ${line.text}`] : [];
  });
}

const PIECES = [
  '# a',
  '## b',
  '#### deep',
  '',
  '',
  'prose goes on',
  '```',
  '````',
  '~~~',
  '    code',
  '- item',
  '  - sub',
  '1. one',
  '> quote',
  '> # q',
  '- # h',
  '<div>',
  '<!-- open',
  '-->',
  '$$',
  '| a | b |',
  '| - | - |',
  '| 1 |',
  'Title',
  '=====',
  '---',
  '***',
  '\ttab',
  'x  ',
  '<pre>',
  '[a]: b',
  '![i](p.png)',
  '&amp; *x* `y`',
  '#no',
  'title: x',
  '<?',
  ']]>',
  '  ```',
  '   # three',
  '中文 текст',
  '\u202Bعربي',
];
const text = fc.oneof(
  fc
    .array(fc.constantFrom(...PIECES), { maxLength: 30 })
    .chain((lines) => fc.constantFrom('\n', '\r\n').map((end) => lines.join(end))),
  fc
    .array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ unit: 'grapheme', maxLength: 20 })), {
      maxLength: 20,
    })
    .map((lines) => lines.join('\n')),
);
const plain = text.filter((source) => !/\r(?!\n)|[\u0000\uFEFF]/.test(source));
const pageBytes = fc.constantFrom(16, 64, 200, 32_768);
const fileName = (...endings: string[]) => fc.constantFrom(...endings.map((ending) => `file.${ending}`));

describe('OfflineScribe', () => {
  it('carries code, logs and data byte for byte in one fence, however the pages fall', async () => {
    await fc.assert(
      fc.asyncProperty(
        fileName('log', 'ts', 'yaml', 'csv', 'xyz'),
        fc.oneof(text, fc.string({ unit: 'binary' })),
        pageBytes,
        async (name, source, bytes) => {
          const { manuscript } = await writeFiles(
            { [name]: source },
            { pageBytes: bytes, decisions: { 'p.png': 'skip' } },
          );
          const content = source.replace(/^\uFEFF/, '');
          if (content === '') return expect(manuscript).toContain('The file is empty.');
          expect(manuscript.replace(/(`{8,})\n\n`{9,}\w+\n/g, '')).toContain(content);
          expect(manuscript.endsWith('`\n')).toBe(true);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('carries every line of markdown and of notes, with one chapter heading and no skipped level', async () => {
    await fc.assert(
      fc.asyncProperty(fileName('md', 'txt', 'md'), plain, pageBytes, async (name, source, bytes) => {
        const { manuscript } = await writeFiles(
          { [name]: source, 'next.log': 'x' },
          { pageBytes: bytes, decisions: { 'p.png': 'skip' } },
        );
        expect(lost(source, manuscript)).toEqual([]);
        expect(skippedLevels(manuscript)).toEqual([]);
        expect(chapters(manuscript)).toBe(2);
        expect(
          scanMarkdown(manuscript.split('\n')).fences.filter((fence) => fence.closedBy !== 'fence'),
        ).toEqual([]);
      }),
      { numRuns: 600 },
    );
  });
});
