import { atDepth } from '#testing/depth.js';
import fc from 'fast-check';
import { type Ledger, buildLedger, ledgerIssues, type LedgerSource } from './ledger.js';
import { scanMarkdown, splitLines } from '#markdown/scan/scan.js';

const RUNS = atDepth({ quick: 120, full: 1_000 });

const LOG = Array.from(
  { length: 60 },
  (_, i) =>
    `2026-03-01T10:${String(i).padStart(2, '0')}:00Z ${i % 3 ? 'INFO ' : 'WARN '} worker-${i % 4} job ${(i * 7) % 11} done`,
);
LOG.splice(20, 0, '', 'Traceback:', '\tat f()', '\tat f()', '', '}');

const SOURCES: LedgerSource[] = [
  { name: 'server.log', text: `${LOG.join('\n')}\n` },
  {
    name: 'main.py',
    text: 'import os\n\n\ndef f(x):\n    if x:\n        return 1\n    return 2\n\n\ndef g(x):\n    if x:\n        return 1\n    return 2\n\n\nprint(f(0), g(1))  # done\n',
  },
  {
    name: 'guide.md',
    text: '# Guide\n\nThe server starts on port 8080 and does not\nneed a restart. See [docs](docs/a.pdf).\n\n## Install\n\n1. Unpack the archive.\n2. Run it:\n\n   ```sh\n   ./run --now\n\n   ./run --later\n   ```\n\n- a\n  - b\n- c\n\n> A quote of\n> two lines.\n\n| key | value |\n| --- | ----: |\n| a   | 1 |\n| b   | 2 |\n\n    indented\n    code\n\nSetext\n------\n\n***\n\n<div>html</div>\n\nLast words\u00a0here: naïve Ünïcode 標題です。\n',
  },
  {
    name: 'nested.md',
    text: '# Nested\n\n~~~~md\n```js\nlet a = 1;\n```\n~~~~\n\n### Deep\n\ntext\n\n### Deeper\n\nmore\n',
  },
  { name: 'data.csv', text: 'id,name\n1,Ann\n2,Bo\n3,Ann\n' },
  { name: 'notes.txt', text: 'Plain first line\nsecond line.\n\nAnother paragraph\n' },
  { name: 'config.json', text: '{\n  "a": 1,\n  "b": [\n    1,\n    2\n  ]\n}\n' },
  { name: 'copy.json', text: '{\n  "a": 1,\n  "b": [\n    1,\n    2\n  ]\n}\n' },
];

const text = (name: string) => (SOURCES.find((source) => source.name === name) as LedgerSource).text;
const MANUSCRIPT = [
  `# Server\n\n\`\`\`log\n${text('server.log')}\`\`\`\n`,
  `# Main\n\n\`\`\`\`python\n${text('main.py')}\`\`\`\`\n`,
  text('guide.md').replace('does not\nneed a restart. See', 'does\nnot need a restart. See'),
  text('nested.md').replaceAll('###', '##'),
  '# Data\n\n| id | name |\n| --- | --- |\n| 1 | Ann |\n| 2 | Bo |\n| 3 | Ann |\n',
  `# Notes\n\n${text('notes.txt')}`,
  `# Config\n\n~~~json\n${text('config.json')}~~~\n`,
  `# Copy\n\n~~~json\n${text('copy.json')}~~~\n`,
].join('\n');

const build = (manuscript: string) => buildLedger(manuscript, SOURCES, { policy: 'verbatim' });

/**
 * Everything that the ledger reports to a reader, without manuscript line numbers, which shift with every inserted
 * line.
 */
function reportedText(ledger: Ledger): string {
  const added = ledger.added.map(({ kind, text: quote, tokens }) => [kind, quote, tokens]);
  const headings = ledger.headings.map(({ source, line, from, to, misplaced }) => [
    source,
    line,
    from,
    to,
    misplaced,
  ]);
  const omissions = ledger.files.map((file) => file.omissions);
  return JSON.stringify([
    ledger.unaccounted,
    ledger.altered,
    added,
    headings,
    omissions,
    ledger.manuscript.blank,
  ]);
}

const BASE = build(MANUSCRIPT);
const BASE_REPORT = reportedText(BASE);
const LINES = splitLines(MANUSCRIPT);
const KINDS = scanMarkdown(LINES).lines.map((line) => line.kind);
const BYTES = Buffer.from(MANUSCRIPT);

/** Index of the line that contains a byte, including the line feed. */
const LINE_OF_BYTE = (() => {
  const lines = new Int32Array(BYTES.length);
  let line = 0;
  BYTES.forEach((byte, at) => {
    lines[at] = line;
    if (byte === 10) line++;
  });
  return lines;
})();

const isSpace = (byte: number) => byte === 32 || (byte >= 9 && byte <= 13);

describe('mutations of a manuscript', () => {
  it('X1 start from a manuscript without issues', () => {
    expect(ledgerIssues(BASE)).toEqual([]);
    expect(BASE.coverage).toBe(1);
  });

  it('X1 reports each of many one-byte changes', () => {
    const at = fc.integer({ min: 0, max: BYTES.length - 1 });
    const byte = fc.oneof(
      fc.integer({ min: 32, max: 126 }),
      fc.constantFrom(9, 10, 32, 35, 42, 45, 60, 62, 92, 96, 124, 126),
    );
    fc.assert(
      fc.property(at, byte, (offset, value) => {
        const old = BYTES[offset] as number;
        const code = KINDS[LINE_OF_BYTE[offset] as number] === 'code';
        fc.pre(old !== value && (code || !isSpace(old)));
        const changed = Buffer.from(BYTES);
        changed[offset] = value;
        const ledger = build(changed.toString('utf8'));
        expect(reportedText(ledger)).not.toBe(BASE_REPORT);
        if (!code) return;
        const issues = ledgerIssues(ledger);
        expect(issues.length).toBeGreaterThan(0);
      }),
      { numRuns: RUNS },
    );
  });

  it.each([
    ['dropped', (lines: string[], at: number) => lines.splice(at, 1)],
    ['doubled', (lines: string[], at: number) => lines.splice(at, 0, lines[at] as string)],
    [
      'swapped',
      (lines: string[], at: number) => lines.splice(at, 2, lines[at + 1] as string, lines[at] as string),
    ],
  ])('X1 reports each of many %s lines', (how, change) => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: LINES.length - 2 }), (at) => {
        const lines = [...LINES];
        change(lines, at);
        fc.pre(lines.join('\n') !== LINES.join('\n'));
        const ledger = build(`${lines.join('\n')}\n`);
        // A heading that is swapped with a blank line keeps its text, so only its line numbers show the change.
        if (reportedText(ledger) === BASE_REPORT)
          expect([ledger.runs, ledger.added]).not.toEqual([BASE.runs, BASE.added]);
        if (how !== 'swapped') expect(reportedText(ledger)).not.toBe(BASE_REPORT);
        const code = KINDS[at] === 'code' && (how !== 'swapped' || KINDS[at + 1] === 'code');
        if (code) expect(ledgerIssues(ledger).length).toBeGreaterThan(0);
      }),
      { numRuns: RUNS },
    );
  });

  it('X1 names the file and line of a changed byte in code', () => {
    const start = LINES.indexOf('```log') + 1;
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: LOG.length - 1 }),
        fc.nat(),
        fc.integer({ min: 33, max: 126 }),
        (line, column, value) => {
          const old = LOG[line] as string;
          fc.pre(old.length > 1);
          const at = column % old.length;
          const next = old.slice(0, at) + String.fromCharCode(value) + old.slice(at + 1);
          fc.pre(next !== old && !LOG.includes(next));
          const lines = [...LINES];
          lines[start + line] = next;
          const found = ledgerIssues(build(`${lines.join('\n')}\n`));
          expect(found).toEqual([
            expect.objectContaining({
              source_file: 'server.log',
              source_line: line + 1,
              line_number: start + line + 1,
            }),
          ]);
        },
      ),
      { numRuns: 300 },
    );
  });
});
