import { cliEnv, runCli } from '#testing/cli.js';
import { sharedStack, type SharedStack } from '#testing/shared-stack.js';
import { unzipSync } from 'fflate';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const NOTES = join(ROOT, 'examples/book');
const LONG_MS = 180_000;

interface Chapter {
  number: number;
  title: string;
  status: string;
}

const escaped = (words: string) => words.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** B4 B12 B21 books from a terminal, each command in a separate process, without a model. */
describe('scriptorium book', () => {
  let stack: SharedStack;
  let folder: string;
  let env: NodeJS.ProcessEnv;

  beforeAll(async () => {
    stack = await sharedStack();
    env = cliEnv(await stack.tenant());
    folder = await mkdtemp(join(tmpdir(), 'scriptorium-book-'));
  });
  afterAll(async () => {
    await rm(folder, { recursive: true });
  });

  const book = (...args: string[]) => runCli(['book', ...args], { cwd: folder, env });
  const done = async (...args: string[]) => {
    const { code, stdout, stderr } = await book(...args);
    expect([code, code === 0 ? '' : stderr]).toEqual([0, '']);
    return { stdout, stderr };
  };

  it(
    'B12 writes a whole book from a folder, reports each chapter, and continues the book',
    async () => {
      const { stdout, stderr } = await done(
        ...['write', NOTES, '-o', 'book.docx', '--title', 'The Light', '--chapters', '3', '--json'],
      );
      const made = JSON.parse(stdout) as { book_id: string; chapters: Chapter[]; used_fallback: boolean };
      expect(made).toMatchObject({ title: 'The Light', used_fallback: true });
      expect(made.chapters.map(({ number, status }) => [number, status])).toEqual([
        [1, 'written'],
        [2, 'written'],
        [3, 'written'],
      ]);
      expect(stderr).toContain('outline: 3 chapters');
      for (const { number, title } of made.chapters)
        expect(stderr).toMatch(
          new RegExp(
            `^chapter ${number}: written, \\d+ words {2}${escaped(title)} {2}\\(by rules: [\\w, ]+\\)$`,
            'm',
          ),
        );
      const parts = unzipSync(await readFile(join(folder, 'book.docx')));
      expect(Object.keys(parts)).toEqual(expect.arrayContaining(['word/document.xml', 'word/footnotes.xml']));

      await writeFile(join(folder, 'more.md'), '# Later\n\nThe lamp was sold in 1931.\n');
      const untitled = await done('write', NOTES, '-o', 'untitled.zip', '--chapters', '1');
      expect(untitled.stderr).toContain('"book" cannot be the title of a book; set one with --title');
      expect(untitled.stdout).toContain('Untitled book: 1 chapter in');

      const again = await done('write', 'more.md', '--book', made.book_id, '-o', 'again.epub');
      expect(again.stdout).toContain('The Light: 3 chapters');
      expect(again.stderr).not.toContain('written, ');
      expect(Object.keys(unzipSync(await readFile(join(folder, 'again.epub'))))).toContain('mimetype');
    },
    LONG_MS,
  );

  it(
    'B7 B14 creates a book step by step',
    async () => {
      const { stdout } = await done('new', 'Salt', '--chapters', '2', '--json');
      const { id } = JSON.parse(stdout) as { id: string };
      expect((await done('add', 'Salt', join(NOTES, 'notes.md'))).stdout).toMatch(/ready .*notes/);
      expect((await done('outline', id)).stdout.split('\n').filter(Boolean)).toHaveLength(2);

      await writeFile(join(folder, 'short.md'), '# The lamp\n\nThe lamp was lit in 1871.\n');
      await done('new', 'Short', '--chapters', '3');
      await done('add', 'Short', join(folder, 'short.md'));
      expect((await done('outline', 'Short')).stderr).toContain(
        'The book should have 3 chapters, but the sources have sections for only 1.',
      );

      const refined = await done('refine', id, '--rename', '1:The First Lamp', '--remove', '9', '--json');
      expect((JSON.parse(refined.stdout) as Chapter[])[0]).toMatchObject({ title: 'The First Lamp' });
      expect(refined.stderr).toMatch(/^Renamed chapter 1 from ".+" to "The First Lamp"\.$/m);
      expect(refined.stderr).toContain('The outline has no chapter 9.');
      const free = await book('refine', id, 'Mach es kürzer', '--accept');
      expect([free.code, free.stderr]).toEqual([1, expect.stringContaining('add, remove, move, merge')]);
      const status = await done('status', id);
      expect(status.stdout).toMatch(/outlined +Salt\n +1 +planned +The First Lamp\n/);
      expect((await done('list')).stdout).toContain(id);
    },
    LONG_MS,
  );

  it.each([
    [['write', '-o', 'x.docx'], 'Pass the files or folders to write from'],
    [['write', NOTES, '-o', 'x.txt'], 'A book can be exported as .docx, .pdf, .epub or .zip'],
    [['write', NOTES, '-o', '.docx/'], 'A book can be exported as'],
    [['write', 'nothing-here', '-o', 'x.docx'], 'nothing-here'],
    [['status', 'No such book'], 'Book "No such book" was not found.'],
    [['new', 'X', '--chapters', '0'], 'It must be a number from 1 to 500.'],
    [['export', 'No such book', '-o', 'x.pdf'], 'Book "No such book" was not found.'],
  ])('reports what is wrong with %j', async (args, message) => {
    const { code, stderr } = await book(...args);
    expect(stderr).toContain(message);
    expect(stderr).not.toMatch(/\n\s+at /);
    expect(code).toBe(1);
  });
});
