import { Command } from 'commander';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import iconv from 'iconv-lite';
import { visibleLines } from '#office/docx/check/check.js';
import { readDocx } from '#office/docx/read/read.js';
import { structureSchema } from '#contracts/structure.js';
import { registerConvert } from './convert.js';

/** Worker threads run compiled code; `npm test` builds it first. */
const workerUrl = new URL('../../../dist/libs/office/worker.js', import.meta.url);

describe('scriptorium convert', () => {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'scriptorium-cli-'));
    process.exitCode = undefined;
  });
  afterEach(async () => {
    process.exitCode = undefined;
    await rm(folder, { recursive: true, force: true });
  });

  /** Runs the command; returns its exit code and its output to standard error. */
  async function run(...args: string[]): Promise<{ code: number; errors: string }> {
    const write = process.stderr.write.bind(process.stderr);
    let errors = '';
    process.stderr.write = ((text: string) => {
      errors += text;
      return true;
    }) as typeof process.stderr.write;
    try {
      const program = new Command();
      registerConvert(program.command('convert'), workerUrl);
      await program.parseAsync(['convert', ...args], { from: 'user' });
    } finally {
      process.stderr.write = write;
    }
    return { code: Number(process.exitCode ?? 0), errors };
  }

  it('ends at its time limit, and shows Markdown that is too hard to parse as written', async () => {
    const input = join(folder, 'in.md');
    const output = join(folder, 'out.docx');
    await writeFile(input, `${']'.repeat(999)}\n`.repeat(200));
    const { code, errors } = await run(input, '-o', output, '--time-limit', '0.001');
    expect([code, errors]).toEqual([1, expect.stringContaining('took longer than 1 ms')]);
    expect((await run(input, '-o', output)).code).toBe(0);
    expect(JSON.stringify(readDocx(await readFile(output)).blocks)).toContain(']'.repeat(999));
  });

  it('converts Markdown to a checked DOCX with images from the folder of the input', async () => {
    const input = join(folder, 'in.md');
    await writeFile(
      join(folder, 'a b.svg'),
      '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>',
    );
    await writeFile(
      input,
      '# Title\n\n![x](<a b.svg>) ![y](https://example.org/never-fetched.png)\n\n```\ncode\n```\n',
    );
    const output = join(folder, 'out.docx');
    const { code, errors } = await run(
      input,
      '-o',
      output,
      '--allow-missing',
      '--toc',
      '--check',
      '--structure',
      join(folder, 's.json'),
    );
    expect([code, errors]).toEqual([
      0,
      'line 3: image omitted: never-fetched.png: on the web; such images are not fetched\n',
    ]);
    expect((await run(input, '-o', output)).code).toBe(2);
    const content = readDocx(await readFile(output));
    expect(content.properties.title).toBe('Title');
    expect(
      content.blocks.flatMap((block) =>
        'images' in block ? block.images.map((image) => image.missing) : [],
      ),
    ).toEqual([false, true]);
    structureSchema.parse(JSON.parse(await readFile(join(folder, 's.json'), 'utf8')));
  });

  it('adds a table of contents to a long document by default', async () => {
    const input = join(folder, 'in.md');
    await writeFile(input, `# Part\n\n${'words '.repeat(700)}\n\n`.repeat(8));
    const entries = async (...flags: string[]): Promise<number> => {
      const output = join(folder, 'out.docx');
      await run(input, '-o', output, ...flags);
      return readDocx(await readFile(output)).toc.length;
    };
    expect(await entries()).toBe(8);
    expect(await entries('--no-toc')).toBe(0);
    await writeFile(input, '# Part\n\nwords\n\n'.repeat(8));
    expect(await entries()).toBe(0);
  });

  it('X1 loses nothing of a document that begins with a thematic break, and reports front matter', async () => {
    const input = join(folder, 'in.md');
    const output = join(folder, 'out.docx');
    for (const start of ['---\n\nSummary: all\n\n---\n', '---\ntitle: T\n...\n']) {
      await writeFile(input, `${start}\n# Kept\n\nSet <your-token> here.\n\n---\n\nend\n`);
      const { code, errors } = await run(input, '-o', output, '--check');
      expect([code, errors.includes('front matter (lines 1-3)')]).toEqual([0, start.includes('...')]);
      const shown = visibleLines(readDocx(await readFile(output))).join('\n');
      expect(shown).toContain('Kept\nSet <your-token> here.');
      expect(shown.includes('Summary: all')).toBe(!start.includes('...'));
    }
  });

  it('D7 detects UTF-8 and UTF-16 by their byte order marks, and other encodings only if they are named', async () => {
    const input = join(folder, 'in.md');
    const output = join(folder, 'out.docx');
    const shown = async () => visibleLines(readDocx(await readFile(output))).join('\n');
    await writeFile(input, iconv.encode('Łódź\n', 'utf-16le', { addBOM: true }));
    expect((await run(input, '-o', output, '--check')).code).toBe(0);
    expect(await shown()).toBe('Łódź');
    await writeFile(input, iconv.encode('Zażółć gęślą jaźń, proszę nie kopiować.\n', 'windows-1250'));
    const refused = await run(input, '-o', output);
    expect([refused.code, refused.errors]).toEqual([1, expect.stringMatching(/is not UTF-8; it looks like/)]);
    process.exitCode = undefined;
    expect((await run(input, '-o', output, '--encoding', 'windows-1250', '--check')).code).toBe(0);
    expect(await shown()).toBe('Zażółć gęślą jaźń, proszę nie kopiować.');
  });

  it('X1 finds each word in the text of the PDF, also in right-to-left scripts', async () => {
    const input = join(folder, 'in.md');
    const rightToLeft = '- البند الثاني (مع PDF أقواس)\n\nטקסט עם 123 מילים like this one, סוף.';
    await writeFile(
      input,
      `# Title\n\n${rightToLeft}\n\n${'Some *words* to wrap, fine ones. '.repeat(40)}\n\n\`\`\`\ncode <b> *x*\n\`\`\`\n`,
    );
    const { code, errors } = await run(input, '-o', join(folder, 'out.pdf'), '--engine', 'typst', '--check');
    expect([code, errors]).toEqual([0, 'PDF created by typst\n']);
  });

  it('X1 lists the lines of a PDF whose extracted text has other letters than it shows', async () => {
    const input = join(folder, 'in.md');
    await writeFile(input, '# Title\n\nwords\n\nالبند الأول\n');
    const { code, errors } = await run(input, '-o', join(folder, 'out.pdf'), '--engine', 'typst', '--check');
    expect(code).toBe(2);
    expect(errors).toMatch(/^line 5: words: shown, but text copied from the PDF, or searched in it/m);
    expect(errors).not.toMatch(/line [13]:/);
  });

  it('writes a PDF and names its engine, or only structure.json', async () => {
    const input = join(folder, 'in.md');
    await writeFile(input, '# Title\n\nwords\n');
    const pdf = await run(input, '-o', join(folder, 'out.pdf'), '--engine', 'typst');
    expect(pdf).toEqual({ code: 0, errors: 'PDF created by typst\n' });
    expect((await readFile(join(folder, 'out.pdf'))).subarray(0, 5).toString()).toBe('%PDF-');
    expect((await run(input, '-o', join(folder, 'out.json'))).code).toBe(0);
  });

  it('reports its progress on long input', async () => {
    const input = join(folder, 'long.md');
    await writeFile(input, `# Title\n\n\`\`\`\n${'a line of a log\n'.repeat(40_000)}\`\`\`\n`);
    const { code, errors } = await run(input, '-o', join(folder, 'out.docx'));
    expect(code).toBe(0);
    expect(errors).toMatch(/read [\d,]+ characters\n.*parsed 1 headings.*\n.*wrote/);
  });

  it('ends with a clear error and exit code 1', async () => {
    expect(await run(join(folder, 'none.md'), '-o', join(folder, 'o.docx'))).toMatchObject({
      code: 1,
      errors: expect.stringContaining('none.md: no such file or folder.'),
    });
    await writeFile(join(folder, 'in.md'), 'x');
    expect(await run(join(folder, 'in.md'), '-o', join(folder, 'o.odt'))).toMatchObject({
      code: 1,
      errors: expect.stringContaining('.docx, .pdf or .json'),
    });
    expect(await run(join(folder, 'in.md'), '-o', join(folder, 'o.docx'), '--page-size', 'A3')).toMatchObject(
      { code: 1 },
    );
  });
});
