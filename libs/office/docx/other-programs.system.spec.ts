import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { atDepth } from '#testing/depth.js';
import { itWith } from '#testing/programs.js';
import { DocxFolder, joinedDocuments } from '#testing/docx/docx-folder.js';
import { run } from '#testing/docx/tools.js';
import { readDocx } from './read/read.js';

const COUNT = atDepth({ quick: 25, full: 170 });

describe('a DOCX in other programs', () => {
  let folder: DocxFolder;
  beforeAll(async () => {
    folder = await DocxFolder.create();
  });
  afterAll(() => folder.remove());

  itWith('pandoc')('pandoc reads the same headings and the same code', async () => {
    const { file, bytes } = await folder.write('pandoc.docx', joinedDocuments(1, COUNT));
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
    // Pandoc merges adjacent blocks, so compare lines, without the blank lines between blocks.
    const lines = (texts: string[]): string[] =>
      texts.flatMap((text) => text.split('\n')).filter((line) => line !== '');
    const own = blocks.flatMap((block) => (block.type === 'code' ? [block.text] : []));
    expect(levels).toEqual(blocks.flatMap((block) => (block.type === 'heading' ? [block.level] : [])));
    expect(lines(code)).toEqual(lines(own));
  });

  itWith('soffice')('LibreOffice opens it and saves it again without losing a line of code', async () => {
    const { file, bytes } = await folder.write('office.docx', joinedDocuments(2, COUNT), {
      numberSections: true,
    });
    const output = join(folder.path, 'saved');
    const profile = pathToFileURL(join(folder.path, 'profile')).href;
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
  });
});
