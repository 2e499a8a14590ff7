import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createProgram } from '../../../apps/cli/src/program.js';

const EXAMPLES = join(import.meta.dirname, '../../../examples/article');

describe('scriptorium article', () => {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'scriptorium-article-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  /** What the command writes to standard output, without colours. */
  async function run(...args: string[]): Promise<string> {
    const write = process.stdout.write.bind(process.stdout);
    let output = '';
    process.stdout.write = ((text: string) => {
      output += text;
      return true;
    }) as typeof process.stdout.write;
    try {
      await (await createProgram(['article'])).parseAsync(['article', ...args], { from: 'user' });
    } finally {
      process.stdout.write = write;
    }
    return output.replace(/\u001b\[\d+m/g, '');
  }

  it('A7 annotates the example with positions, reasons and evidence, and writes the corrected text', async () => {
    const output = join(folder, 'corrected.md');
    const draft = join(EXAMPLES, 'draft.md');
    const shown = await run('shadow', draft, '--corpus', join(EXAMPLES, 'corpus'), '-o', output);
    expect(shown).toContain('style rules, no model');
    expect(shown).toMatch(/draft\.md:3:\d+ term_spelling "Larkfeld" is spelled "Larkfield" in the corpus\./);
    expect(shown).toMatch(/draft\.md:5:1 heading_level/);
    expect(shown).toContain('"from from" → "from" (applied)');
    expect(shown).toContain('in the corpus: Larkfield');
    const corrected = await readFile(output, 'utf8');
    expect(corrected).toContain('read from the same queue');
    expect(corrected).toContain('“Nothing else changes for the depot”');
    expect(corrected).toContain('`scanner.queue = "labels"`');
    // Figures and names are a person's to change.
    expect(corrected).toContain('2026-06-02');
    expect(corrected).toContain('Larkfeld');
  });

  it('A7 shows changed paragraphs side by side, before and after', async () => {
    const draft = join(EXAMPLES, 'draft.md');
    const corpus = join(EXAMPLES, 'corpus');
    const shown = await run(
      'shadow',
      draft,
      '--corpus',
      corpus,
      '-o',
      join(folder, 'c.md'),
      '--side-by-side',
    );
    const pairs = shown.split('\n').filter((line) => line.includes(' │ '));
    expect(pairs[0]).toMatch(/^On 2026-06-02 the scanners .* │ On 2026-06-02 the scanners/);
    expect(pairs.every((line) => line.indexOf(' │ ') === 48 && line.length <= 99)).toBe(true);
    const [left, right] = [0, 1].map((side) =>
      pairs.map((line) => line.split(' │ ')[side]!.trim()).join(' '),
    );
    expect(left).toContain('from from the same queue');
    expect(right).toContain('read from the same queue');
  });

  it('A7 reviews by general rules without a corpus on request', async () => {
    const [draft, output] = [join(folder, 'draft.md'), join(folder, 'out.md')];
    await writeFile(draft, '---\ntitle: A  lamp\n---\n\nThe lamp is is lit.\n');
    await expect(run('shadow', draft, '-o', output)).rejects.toThrow('--rules general');
    const shown = await run('shadow', draft, '--rules', 'general', '-o', output);
    expect(shown).toContain('corpus: none, general rules');
    expect(await readFile(output, 'utf8')).toBe('---\ntitle: A  lamp\n---\n\nThe lamp is lit.\n');
  });

  it('A9 prints the fingerprint of a corpus, completely in JSON', async () => {
    expect(await run('fingerprint', join(EXAMPLES, 'corpus'))).toMatch(/date format +14 March 2026 \(\d+\)/);
    const json = JSON.parse(await run('fingerprint', join(EXAMPLES, 'corpus-pl'), '--json'));
    expect(json).toMatchObject({ language: 'pl', texts: 4 });
  });

  it('reports why a draft or corpus cannot be read', async () => {
    const corpus = join(EXAMPLES, 'corpus');
    await writeFile(join(folder, 'latin.md'), Buffer.from([0xb3, 0xf3, 0x64, 0xbc]));
    await expect(run('shadow', join(folder, 'latin.md'), '--corpus', corpus)).rejects.toThrow('is not UTF-8');
    await expect(run('shadow', join(folder, 'none.md'), '--corpus', corpus)).rejects.toThrow(
      'cannot be read (ENOENT)',
    );
    await expect(run('fingerprint', join(folder, 'none'))).rejects.toThrow('cannot be read (ENOENT)');
    await rm(join(folder, 'latin.md'));
    await expect(run('fingerprint', folder)).rejects.toThrow('contains no texts');
  });
});
