import { atDepth } from '#testing/depth.js';
import fc from 'fast-check';
import { scanMarkdown } from '#markdown/scan/scan.js';
import { writeOffline } from '#testing/write-offline.js';
import { OfflineScribe } from './offline-scribe.js';
import { parsePiece } from './writers/dialect.js';

const linesOf = (text: string): string[] =>
  text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .map((line) => line.replace(/\r$/, ''))
    .filter((line) => /[^ \t]/.test(line));

/**
 * Returns what the manuscript must contain of a source line: the marks of headings may change, everything else is
 * equal.
 */
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

function missingLines(source: string, manuscript: string): string[] {
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
  it('carries code, logs and data byte for byte in one fence, whatever the page breaks', async () => {
    await fc.assert(
      fc.asyncProperty(
        fileName('log', 'ts', 'yaml', 'csv', 'xyz'),
        fc.oneof(text, fc.string({ unit: 'binary' })),
        pageBytes,
        async (name, source, bytes) => {
          const { manuscript } = await writeOffline(
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

  it('carries every line of Markdown and of notes, with one chapter heading and no skipped level', async () => {
    await fc.assert(
      fc.asyncProperty(fileName('md', 'txt', 'md'), plain, pageBytes, async (name, source, bytes) => {
        const { manuscript } = await writeOffline(
          { [name]: source, 'next.log': 'x' },
          { pageBytes: bytes, decisions: { 'p.png': 'skip' } },
        );
        expect(missingLines(source, manuscript)).toEqual([]);
        expect(skippedLevels(manuscript)).toEqual([]);
        expect(chapters(manuscript)).toBe(2);
        expect(
          scanMarkdown(manuscript.split('\n')).fences.filter((fence) => fence.closedBy !== 'fence'),
        ).toEqual([]);
      }),
      { numRuns: atDepth({ quick: 80, full: 600 }) },
    );
  });

  it('preserves CRLF, tabs, trailing blanks and a missing final newline in a fence', async () => {
    const source = 'a\tb  \r\n\r\n  c \r\nlast line without end';
    const { manuscript } = await writeOffline({ 'windows.ini': source });
    expect(manuscript).toBe(`# Configuration: windows.ini\n\n\`\`\`ini\n${source}\n\`\`\`\n`);
  });

  it('joins the pages of a line that is longer than many pages', async () => {
    const source = `{"rows":[${Array.from({ length: 3000 }, (_, row) => `{"id":${row},"name":"Größe ${row}"}`).join(',')}]}\nend\n`;
    const session = await writeOffline({ 'rows.json': source }, { pageBytes: 1_000 });
    expect(session.manuscript).toContain(source);
    // Each message reads about twice as much as the previous one.
    expect(session.steps).toBeLessThan(40);
  });

  it('D17 processes a large log with a prompt that is never longer than a few pages', async () => {
    const source = Array.from(
      { length: 60_000 },
      (_, line) => `2024-03-12T03:12:00.${line} INFO request ${line} served`,
    ).join('\n');
    const session = await writeOffline({ 'app.log': source });
    expect(session.manuscript).toContain(source);
    expect(session.longestPrompt).toBeLessThan(3 * 2 * 8 * 32 * 1024);
    expect(session.steps).toBeLessThan(source.length / 200_000 + 5);
  });

  it('opens a longer fence if a later page contains the current one', async () => {
    const source = `${'x\n'.repeat(600)}${'`'.repeat(12)}\n${'y\n'.repeat(600)}`;
    const { manuscript } = await writeOffline({ 'odd.log': source }, { pageBytes: 100 });
    expect(parsePiece(manuscript).children.map((node) => node.type)).toEqual(['heading', 'code', 'code']);
    expect(missingLines(source, manuscript)).toEqual([]);
  });

  it('asks once for a missing image, and continues where it was', async () => {
    const source = '# Report\n\n![Chart](img/chart.png)\n\n![Logo](logo.png)\n\nThe end.\n';
    const session = await writeOffline({ 'report.md': source }, { assets: ['logo.png'] });
    expect(session.questions).toEqual([expect.stringContaining('img/chart.png')]);
    expect(session.manuscript).toBe(source);
    const decided = await writeOffline(
      { 'report.md': source },
      { assets: ['logo.png'], decisions: { 'img/chart.png': 'skip' } },
    );
    expect(decided.questions).toEqual([]);
  });

  it('lists the inputs if the work order does not list them all', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 70 }, (_, file) => [`n${file}.md`, `# N${file}\n\n![i](pic.png)\n`]),
    );
    const session = await writeOffline(many, { assets: ['pic.png', 'lost.png'] });
    expect(session.questions).toEqual([]);
    expect(session.labels).toHaveLength(70);
    expect(session.manuscript.endsWith('# Attachments\n\n![lost.png](lost.png)\n')).toBe(true);
  });

  it('adds images that no text references under a heading at the end', async () => {
    const files = { 'a.md': '# A\n\n![x](./one.png)\n', 'b.log': 'see two.png\n' };
    const { manuscript, labels } = await writeOffline(files, {
      assets: ['one.png', 'two.png', 'odd [1] name.jpg', 'data.bin'],
    });
    expect(manuscript.slice(manuscript.indexOf('# Attach'))).toBe(
      '# Attachments\n\n![two.png](two.png)\n\n![odd \\[1\\] name.jpg](<odd %5B1%5D name.jpg>)\n',
    );
    expect(labels).toEqual(['a_md', 'b_log']);
    const images = await writeOffline({}, { assets: ['only.png'] });
    expect(images.manuscript).toBe('# Attachments\n\n![only.png](only.png)\n');
  });

  it('retries failed calls, and ends if they keep failing', async () => {
    const files = { 'a.log': 'one\ntwo\n' };
    const once = await writeOffline(files, { failCall: (call) => call === 2 });
    expect(once.manuscript).toContain('one\ntwo\n');
    const never = await writeOffline(files, { failCall: (_, name) => name === 'append_to_markdown' });
    expect(never.closing.join()).toContain('the disk is full');
  });

  it('skips an unreadable file and continues with the next', async () => {
    const session = await writeOffline(
      { 'bad.txt': 'x', 'good.log': 'y\n' },
      { failCall: (_, name) => name === 'read_file' },
    );
    expect(session.closing).toHaveLength(1);
    expect(session.manuscript).toBe('');
  });

  it('does nothing without a work order', async () => {
    const reply = await new OfflineScribe().invoke('Tell me a joke');
    expect(reply.tool_calls).toEqual([]);
  });
});
