import { compareNames } from '#contracts/source-name.js';
import { syntheticIssue } from '#contracts/manuscript.js';
import { atDepth } from '#testing/depth.js';
import fc from 'fast-check';
import { scanMarkdown } from '#markdown/scan/scan.js';
import { writeOffline } from '#testing/write-offline.js';
import { inThisThread } from '#testing/graph-harness.js';
import { MemoryCheckpoints, MemoryInputs, memoryManuscripts } from '#testing/memory-ports.js';
import { callTools } from '#testing/scripted-model.js';
import { AIMessage, type BaseMessage } from '@langchain/core/messages';
import { messagesStateReducer } from '@langchain/langgraph';
import type { DocumentPorts } from '../graph/ports.js';
import { buildInitialState, type DocumentState } from '../graph/state.js';
import { DocumentRules } from './rules.js';
import { Folders } from './sources/folders.js';
import { writeChapter } from './write-chapter.js';
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

describe('the offline writer', () => {
  it('carries code, logs and data byte for byte in one fence, whatever the page breaks', async () => {
    await fc.assert(
      fc.asyncProperty(
        fileName('log', 'ts', 'yaml', 'csv', 'xyz'),
        fc.oneof(text, fc.string({ unit: 'binary' })),
        pageBytes,
        async (name, source, bytes) => {
          const { manuscript } = await writeOffline({ [name]: source }, { pageBytes: bytes });
          const content = source.replace(/^\uFEFF/, '');
          if (content === '') return expect(manuscript).toContain('The file is empty.');
          expect(manuscript.replace(/(`{8,})\n\n`{9,}\w+\n/g, '')).toContain(content);
          expect(manuscript.endsWith('`\n')).toBe(true);
        },
      ),
      { numRuns: atDepth({ quick: 60, full: 300 }) },
    );
  });

  it('carries every line of Markdown and of notes, with one chapter heading and no skipped level', async () => {
    await fc.assert(
      fc.asyncProperty(fileName('md', 'txt', 'md'), plain, pageBytes, async (name, source, bytes) => {
        const { manuscript } = await writeOffline({ [name]: source, 'next.log': 'x' }, { pageBytes: bytes });
        expect(missingLines(source, manuscript)).toEqual([]);
        expect(skippedLevels(manuscript)).toEqual([]);
        expect(chapters(manuscript)).toBe(2);
        expect(
          scanMarkdown(manuscript.split('\n')).fences.filter((fence) => fence.closedBy !== 'fence'),
        ).toEqual([]);
      }),
      { numRuns: atDepth({ quick: 40, full: 600 }) },
    );
  });

  it('puts the files of folders below headings of the folders, and loses no line', async () => {
    const folder = fc.constantFrom('', 'ops/', 'ops/night/', 'src/', 'src/lib/deep/', 'one/');
    const names = fc.tuple(folder, fc.constantFrom('README.md', 'a.md', 'b.txt', 'c.log', 'd.csv', 'e.py'));
    const files = fc.uniqueArray(fc.tuple(names, plain), {
      minLength: 2,
      maxLength: 8,
      selector: ([name]) => name.join(''),
    });
    await fc.assert(
      fc.asyncProperty(files, pageBytes, async (given, bytes) => {
        const sources = given
          .map(([name, source]): [string, string] => [name.join(''), source])
          .sort(([a], [b]) => compareNames(a, b));
        const { manuscript } = await writeOffline(Object.fromEntries(sources), { pageBytes: bytes });
        for (const [name, source] of sources)
          if (!name.endsWith('.csv')) expect(missingLines(source, manuscript)).toEqual([]);
        expect(skippedLevels(manuscript)).toEqual([]);
        const folders = new Folders(sources.map(([name]) => name));
        const firsts = new Set(sources.map(([name]) => folders.groupsOf(name)[0] ?? name));
        expect(chapters(manuscript)).toBe(firsts.size);
      }),
      { numRuns: atDepth({ quick: 40, full: 600 }) },
    );
  });

  it('preserves CRLF, tabs, trailing blanks and a missing final newline in a fence', async () => {
    const source = 'a\tb  \r\n\r\n  c \r\nlast line without end';
    const { manuscript } = await writeOffline({ 'windows.ini': source });
    expect(manuscript).toBe(`# Configuration: windows.ini\n\n\`\`\`ini\n${source}\n\`\`\`\n`);
  });

  it('joins the pages of a line that is longer than many pages', async () => {
    const source = `{"rows":[${Array.from({ length: 3000 }, (_, row) => `{"id":${row},"name":"Größe ${row}"}`).join(',')}]}\nend\n`;
    const { manuscript } = await writeOffline({ 'rows.json': source }, { pageBytes: 1_000 });
    expect(manuscript).toContain(source);
  });

  it.each(['talk.srt', 'talk.vtt'])('writes what is extracted from captions as prose: %s', async (name) => {
    const { manuscript } = await writeOffline({ [name]: '## 00:00:01\n\nHello there.\n' });
    expect(manuscript).toBe('# Talk\n\n## 00:00:01\n\nHello there.\n');
  });

  it('writes a chapter in three steps: it is written, validated and checkpointed', async () => {
    const { path, manuscript, labels, said } = await writeOffline({
      'a.md': '# A\n\none\n',
      'b.log': 'two\n',
    });
    const chapter = ['agent', 'validate_md', 'checkpoint'];
    expect(path.slice(0, 8)).toEqual(['scan_assets', ...chapter, ...chapter, 'agent']);
    expect(manuscript).toBe('# A\n\none\n\n# Log: b.log\n\n```log\ntwo\n```\n');
    expect(labels).toEqual(['a_md', 'b_log']);
    expect(said.join('')).toBe('Chapter 1: a.md, 100 %.\nChapter 2: b.log, 100 %.\n');
  });

  it('opens a longer fence if a later page contains the current one', async () => {
    const source = `${'x\n'.repeat(600)}${'`'.repeat(12)}\n${'y\n'.repeat(600)}`;
    const { manuscript } = await writeOffline({ 'odd.log': source }, { pageBytes: 100 });
    expect(parsePiece(manuscript).children.map((node) => node.type)).toEqual(['heading', 'code', 'code']);
    expect(missingLines(source, manuscript)).toEqual([]);
  });

  it('places the images of many files, and adds the others at the end', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 70 }, (_, file) => [`n${file}.md`, `# N${file}\n\n![i](pic.png)\n`]),
    );
    const { manuscript, questions, labels } = await writeOffline(many, { assets: ['pic.png', 'lost.png'] });
    expect(questions).toEqual([]);
    expect(labels).toHaveLength(70);
    expect(manuscript.endsWith('# Attachments\n\n![lost.png](lost.png)\n')).toBe(true);
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
    const photos = await writeOffline({}, { assets: ['only.png'], title: 'Quay *east*' });
    expect(photos.manuscript).toBe('# Quay \\*east\\*\n\n![only.png](only.png)\n');
  });

  it('skips an unreadable file and continues with the next', async () => {
    const bytes = Uint8Array.of(0x78, 0xff, 0xfe);
    const { manuscript } = await writeOffline({ 'bad.txt': bytes, 'good.log': 'y\n' });
    expect(manuscript).toBe('# Log: good.log\n\n```log\ny\n```\n');
  });

  it('leaves the decision about a file that cannot be read to a person', async () => {
    const { questions, state } = await writeOffline(
      { 'good.log': 'y\n', 'bad.txt': Uint8Array.of(0xff) },
      { validate: (_, { sources }) => (sources.includes('bad.txt') ? [syntheticIssue('not carried')] : []) },
    );
    expect(questions).toEqual([expect.stringContaining('3')]);
    expect(state).toMatchObject({ status: 'completed', validated_all: true });
  });

  it('writes nothing if no file can be read', async () => {
    const { manuscript, state } = await writeOffline(
      { 'bad.txt': Uint8Array.of(0xff) },
      { validate: () => [syntheticIssue('nothing is written')] },
    );
    expect(manuscript).toBe('');
    expect(state).toMatchObject({ status: 'failed', error_type: 'no_manuscript' });
  });

  it('begins a chapter again that a model or an older release has not completed', async () => {
    const { port: manuscripts, store } = memoryManuscripts('ses_1');
    const { pointer: validated } = await manuscripts.append(null, '# A\n');
    const { pointer: partial } = await manuscripts.append(validated, '# B\n\n```log\nhalf a ch');
    const note = '[scribe {"phase":"write","file":"b.log","cursor":9}]';
    const state: DocumentState = {
      ...buildInitialState('ses_1', ['a.md', 'b.log'], ['a.md', 'b.log']),
      files_read: ['a.md', 'b.log'],
      temp_md_path: partial,
      validated_md_path: validated,
      validated_files: ['a.md'],
      messages: [
        new AIMessage({
          content: `Chapter 2: b.log, 50 %.\n${note}`,
          tool_calls: callTools(['list_files', {}]).tool_calls ?? [],
        }),
      ],
    };
    const ports = {
      inputs: new MemoryInputs({ 'a.md': '# A\n', 'b.log': 'whole\n' }, 32_768),
      manuscripts,
      checkpoints: new MemoryCheckpoints(),
      rules: new DocumentRules(inThisThread),
      emit: () => undefined,
      say: () => undefined,
    } as Partial<DocumentPorts> as DocumentPorts;
    const update = await writeChapter(ports)(state, { metadata: { langgraph_checkpoint_ns: 'agent:1' } });
    expect(await store.read(update.temp_md_path as string)).toBe(
      '# A\n\n# Log: b.log\n\n```log\nwhole\n```\n',
    );
    expect(messagesStateReducer(state.messages, update.messages as BaseMessage[])).toEqual([]);
    expect(update).toMatchObject({
      chapter_checkpoint_pending: true,
      files_read: { only: ['a.md', 'b.log'] },
    });
  });
});
