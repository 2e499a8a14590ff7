import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, readdir, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { itWhere } from '#testing/it-where.js';
import { CliError, explain } from '../cli-error.js';
import { createProgram } from '../../../apps/cli/src/program.js';
import { requireWritable, writeOutput } from './output-file.js';

/** Device that rejects all writes, like a full disk; every account may open it. */
const FULL = '/dev/full';
const itWithFull = itWhere(existsSync(FULL));

describe('outputs of the command line', () => {
  let folder = '';
  /** Path with a file in place of a folder, where not even root can write. */
  let blocked = '';
  const env = { ...process.env };
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'scriptorium-outputs-')));
    blocked = join(folder, 'notes.md');
    await writeFile(blocked, '# Notes\n\nWords.\n');
    // If this command contacted the service, it would report that the address does not respond.
    Object.assign(process.env, { SCRIPTORIUM_URL: 'http://127.0.0.1:1', SCRIPTORIUM_API_KEY: 'scr_x' });
  });
  afterEach(async () => {
    process.env = { ...env };
    process.exitCode = undefined;
    await rm(folder, { recursive: true, force: true });
  });

  /** What a command says when it fails. */
  async function failureOf(...args: string[]): Promise<string> {
    const program = await createProgram(args);
    const error: unknown = await program.parseAsync(args, { from: 'user' }).then(
      () => 'It did not fail.',
      (thrown: unknown) => thrown,
    );
    return explain(error);
  }

  const commands: [string, (output: string) => string[]][] = [
    ['write', (output) => ['write', blocked, '-o', output]],
    ['write --md', (output) => ['write', blocked, '-o', join(folder, 'a.docx'), '--md', output]],
    ['write --ledger', (output) => ['write', blocked, '-o', join(folder, 'a.docx'), '--ledger', output]],
    ['follow', (output) => ['follow', 'run_1', '-o', output]],
    ['book write', (output) => ['book', 'write', blocked, '-o', output]],
    ['book export', (output) => ['book', 'export', 'Book', '-o', output]],
    ['article write', (output) => ['article', 'write', 'Topic', '-o', output]],
    ['article repurpose', (output) => ['article', 'repurpose', blocked, '-o', output]],
    ['article shadow', (output) => ['article', 'shadow', blocked, '--corpus', folder, '-o', output]],
  ];
  it.each(commands)(
    '%s reports before its work that a part of the output path is a file',
    async (_, args) => {
      for (const place of [join(blocked, 'a.docx'), join(blocked, 'deeper', 'a.docx')]) {
        const said = await failureOf(...args(place));
        expect(said).toMatch(
          /^"[^"]*notes\.md.*" cannot be written: .*notes\.md.*: a part of its path is a file, not a folder\./,
        );
        expect(said).not.toMatch(/\n/);
      }
    },
  );

  it('convert reports an unwritable output before it reads its input', async () => {
    const write = process.stderr.write.bind(process.stderr);
    let said = '';
    process.stderr.write = ((text: string) => Boolean((said += text))) as typeof process.stderr.write;
    try {
      const convert = async (...args: string[]) => {
        said = '';
        process.exitCode = undefined;
        const program = await createProgram(['convert']);
        await program.parseAsync(['convert', ...args], { from: 'user' });
        return process.exitCode;
      };
      expect(await convert(join(folder, 'none.md'), '-o', join(blocked, 'a.docx'))).toBe(1);
      expect(said).toMatch(
        /^scriptorium convert: ".*" cannot be written: .*: a part of its path is a file, not a folder\..*\n$/,
      );
      const structure = ['--structure', join(blocked, 'a.json')];
      expect(await convert(join(folder, 'none.md'), '-o', join(folder, 'a.docx'), ...structure)).toBe(1);
      expect(said).toMatch(/a\.json" cannot be written: .*: a part of its path is a file, not a folder\./);
    } finally {
      process.stderr.write = write;
    }
  });

  it.each([
    ['a folder', (): string => folder, /^".*" is a folder, not a file\.$/],
    ['a name that is too long', () => join(folder, `${'x'.repeat(300)}.docx`), /: its name is too long\./],
    ['what lies in no folder', () => '/proc/none/a.docx', /" cannot be written: /],
    [
      'a link that leads to itself',
      () => join(folder, 'loop'),
      /: its path contains a loop of symbolic links\./,
    ],
  ])('%s is rejected with one sentence', async (_, place, sentence) => {
    await symlink(join(folder, 'loop'), join(folder, 'loop'));
    const said = explain(await requireWritable(place()).catch((error: unknown) => error));
    expect(said).toMatch(sentence);
    expect(said).not.toMatch(/\n/);
  });

  it('a name of maximum length can be written, without leftover files', async () => {
    const name = 'x'.repeat(255);
    await requireWritable(join(folder, 'deeper', name));
    await writeOutput(join(folder, 'deeper', name), 'words');
    expect(await readdir(join(folder, 'deeper'))).toEqual([name]);
  });

  it('an interrupted write keeps the previous file and leaves no other file', async () => {
    const file = join(folder, 'a.md');
    await writeFile(file, 'before');
    const cut = Readable.from(
      (function* () {
        yield 'half';
        throw new Error('the connection is gone');
      })(),
    );
    await expect(writeOutput(file, cut)).rejects.toThrow('the connection is gone');
    expect(await readFile(file, 'utf8')).toBe('before');
    expect((await readdir(folder)).sort()).toEqual(['a.md', 'notes.md']);
  });

  it('a symlink is kept and its target is replaced', async () => {
    await mkdir(join(folder, 'real'));
    await writeFile(join(folder, 'real', 'a.md'), 'before');
    await symlink(join(folder, 'real', 'a.md'), join(folder, 'link.md'));
    await requireWritable(join(folder, 'link.md'));
    await writeOutput(join(folder, 'link.md'), 'after');
    expect(await readFile(join(folder, 'real', 'a.md'), 'utf8')).toBe('after');
  });

  itWithFull('a device is kept, and a full disk is reported in one sentence', async () => {
    await requireWritable('/dev/null');
    await writeOutput('/dev/null', 'words');
    await symlink(FULL, join(folder, 'a.md'));
    await requireWritable(join(folder, 'a.md'));
    const failure: unknown = await writeOutput(join(folder, 'a.md'), 'words').catch(
      (error: unknown) => error,
    );
    expect(failure).toBeInstanceOf(CliError);
    expect(explain(failure)).toBe(
      `"${join(folder, 'a.md')}" cannot be written: the disk is full. Free some space, or choose another path.`,
    );
  });
});
