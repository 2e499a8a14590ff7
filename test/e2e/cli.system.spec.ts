import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, copyFile, mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { launchCli, runCli } from '#testing/cli.js';
import { exampleFiles } from '#testing/examples.js';
import { expectFaithful } from '#testing/faithful.js';
import { unzipSync } from 'fflate';

const ROOT = join(import.meta.dirname, '../..');
const INCIDENT = join(ROOT, 'examples/incident');
/** Starting and stopping a stack takes seconds, and other specs may run at the same time. */
const LONG_MS = 180_000;

/** The command line as a person uses it: in separate processes, on a PostgreSQL that it starts itself. */
describe('scriptorium', () => {
  let dir: string;
  let stack: ChildProcess | undefined;

  const options = (env?: NodeJS.ProcessEnv) => ({
    cwd: dir,
    env: { HOME: process.env['HOME'], WORKER_THREADS: '1', ...env },
  });

  const run = (args: string[], env?: NodeJS.ProcessEnv) => runCli(args, options(env));

  const file = (...path: string[]) => readFile(join(dir, ...path));
  const mediaIn = async (docx: string) =>
    Object.keys(unzipSync(await file(docx))).filter((name) => name.startsWith('word/media/'));

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'scriptorium-cli-'));
    // If the tests run as root, PostgreSQL runs under another account, which needs to traverse this folder.
    await chmod(dir, 0o711);
    await mkdir(join(dir, 'notes'));
    await writeFile(join(dir, 'notes/1.md'), '# Plan\n\nThe parts:\n\n![the parts](parts.png)\n');
    await writeFile(join(dir, 'notes/2.log'), '2026-01-01 INFO one\n2026-01-01 WARN\ttwo\n');
    await copyFile(join(INCIDENT, 'dashboard.png'), join(dir, 'drawing.png'));
  });
  afterAll(async () => {
    if (stack?.exitCode === null) {
      stack.kill('SIGTERM');
      await once(stack, 'close');
    }
    await rm(dir, { recursive: true, force: true });
  }, LONG_MS);

  describe('on wrong input', () => {
    const cases: [string, string[], NodeJS.ProcessEnv, RegExp][] = [
      ['a file that is not there', ['write', 'none.md', '-o', 'x.docx'], {}, /^"none\.md" was not found\.$/],
      [
        'an empty folder',
        ['write', 'empty', '-o', 'x.docx'],
        {},
        /^No files to send in empty: all are empty, hidden or unsupported\.$/,
      ],
      [
        'an unknown option',
        ['write', 'notes', '-o', 'x.docx', '--colour'],
        {},
        /^error: unknown option '--colour'/,
      ],
      ['no output', ['write', 'notes'], {}, /^error: required option '-o, --output <file>' not specified/],
      [
        'an output that is a folder',
        ['write', 'notes', '-o', 'notes'],
        {},
        /^"notes" is a folder, not a file\.$/,
      ],
      [
        'an output that is no Word file',
        ['write', 'notes', '-o', 'x.txt'],
        {},
        /must end in \.docx: x\.txt$/,
      ],
      [
        'a data directory that is a file',
        ['start', '--data-dir', 'drawing.png'],
        {},
        /^\S+drawing\.png: a part of its path is a file, not a folder\. Choose another path\.$/,
      ],
      [
        'a data directory where nothing can be made',
        ['write', 'notes', '-o', 'x.docx', '--data-dir', 'drawing.png/data'],
        {},
        /drawing\.png\S*: a part of its path is a file, not a folder\. Choose another path\.$/,
      ],
      [
        'an unknown policy',
        ['write', 'notes', '-o', 'x.docx', '--policy', 'free'],
        {},
        /Allowed choices are verbatim, narrative/,
      ],
      [
        'an answer of another form',
        ['write', 'notes', '-o', 'x.docx', '--answer', 'x'],
        {},
        /^"x" is not a valid answer: write REFERENCE=PATH/,
      ],
      [
        'an unknown worker',
        ['start', '--workers', 'writer=2'],
        {},
        /"writer" is unknown\. Choose from agent-runner, scanner/,
      ],
      ['no stack', ['status'], {}, /^No stack is running: start one with "scriptorium start"/],
      [
        'an address without a key',
        ['status'],
        { SCRIPTORIUM_URL: 'http://127.0.0.1:1' },
        /SCRIPTORIUM_API_KEY is not/,
      ],
      [
        'an address where nobody answers',
        ['write', 'notes', '-o', 'x.docx'],
        { SCRIPTORIUM_URL: 'http://127.0.0.1:1', SCRIPTORIUM_API_KEY: 'scr_x' },
        /^http:\/\/127\.0\.0\.1:1 cannot be reached \(.+\)\.$/,
      ],
      [
        'a database that is not there',
        ['start'],
        { DATABASE_URL: 'postgres://a:b@127.0.0.1:1/c' },
        /^The stack did not start: PostgreSQL is not reachable at 127\.0\.0\.1:1: check DATABASE_URL/,
      ],
      [
        'an answer that is no file',
        ['write', 'notes', '-o', 'x.docx', '--answer', 'parts.png=none.png'],
        {},
        /^File "none\.png" for "parts\.png" was not found\.$/,
      ],
    ];

    it.each(cases)('(%s) ends with one clear sentence', async (_, args, env, sentence) => {
      await mkdir(join(dir, 'empty'), { recursive: true });
      const { code, stderr, stdout } = await run(args, env);
      expect(stderr.trim()).toMatch(sentence);
      expect(stderr).not.toMatch(/\n\s+at /);
      expect(code).toBe(1);
      if (args[0] !== 'start') expect(stdout).toBe('');
    });
  });

  it(
    'start runs until a signal; other terminals start, answer and follow runs',
    async () => {
      stack = launchCli(['start', '--workers', 'agent-runner=1'], options());
      const shown: string[] = [];
      await new Promise<void>((resolve, reject) => {
        stack!.once('close', () => reject(new Error(shown.join('\n'))));
        createInterface({ input: stack!.stdout! }).on('line', (line) => {
          shown.push(line);
          if (line.includes('Ctrl-C stops everything')) resolve();
        });
      });
      expect(shown.join('\n')).toMatch(/Scriptorium runs at http:\/\/127\.0\.0\.1:\d+/);
      // Output that is not a terminal may be stored, for example by a log collector, so it contains no secret.
      expect(shown.join('\n')).not.toMatch(/scr_|sil_/);
      expect(shown.join('\n')).toMatch(/sign in with the API key in \.scriptorium\/api-key/);
      expect((await file('.scriptorium/api-key')).toString()).toMatch(/^scr_/);
      expect((await run(['status'])).stdout).toMatch(
        /: ok \(database ok, queue ok, store ok\); open decisions: 0/,
      );

      const second = await run(['start']);
      expect(second).toMatchObject({ code: 1, stderr: expect.stringContaining('already runs a stack') });

      const waiting = await run(['write', 'notes', '-o', 'plan.docx']);
      expect(waiting.code).toBe(1);
      expect(waiting.stderr).toContain(`pass it with --answer 'parts.png=PATH|skip'. The run is saved`);
      const runId = /"scriptorium follow (run_\w+) -o/.exec(waiting.stderr)![1]!;
      const decision = /"scriptorium answer (tsk_\w+) /.exec(waiting.stderr)![1]!;
      expect((await run(['decisions'])).stdout).toContain('- parts.png');
      const other = await run(['answer', decision, 'other.png=skip']);
      expect(other.stderr).toBe('The decision has no field "other.png"; its fields are: parts.png.\n');
      const missing = await run(['answer', decision, 'parts.png=none.png']);
      expect(missing.stderr).toBe('File "none.png" for "parts.png" was not found.\n');
      expect((await run(['answer', decision, 'parts.png=drawing.png'])).stdout).toContain('is answered');
      expect((await run(['decisions'])).stdout).toBe('There are no open decisions.\n');

      const followed = await run(['follow', runId, '-o', 'plan.docx']);
      expect(followed.stdout).toMatch(
        /^2 chapters, \d+ lines, 100\.0 % of the source lines accounted for.*\n {2}docx +plan\.docx\n {2}session ses_\w+\n$/s,
      );
      expect(await mediaIn('plan.docx')).toHaveLength(1);

      const history = await run(['history', runId]);
      expect(history.stdout).toMatch(/^\S+ {2}\S+Z {2}step \d+, end\n/);
      const listed = JSON.parse((await run(['history', runId, '--json'])).stdout) as {
        checkpoint_id: string;
      }[];
      expect(history.stdout).toContain(`${listed.at(-1)!.checkpoint_id}  `);

      stack.removeAllListeners('close');
      // It stops in order even if its output is not read.
      stack.stdout!.destroy();
      stack.kill('SIGINT');
      await once(stack, 'close');
      expect(stack.exitCode).toBe(0);
      expect(await readdir(join(dir, '.scriptorium'))).not.toContain('stack.json');
    },
    LONG_MS,
  );

  it(
    'any other command starts the stack that it needs, and leaves no process running',
    async () => {
      const added = await run(['knowledge', 'add', 'notes/2.log', '--collection', 'logs']);
      expect(added).toMatchObject({ code: 0, stdout: expect.stringMatching(/^src_\w+ {2}ready .* 2\.log/) });
      expect((await run(['decisions'])).stdout).toBe('There are no open decisions.\n');
      const reindexed = await run(['reindex']);
      expect(reindexed).toMatchObject({ code: 0, stdout: '1 source was reindexed.\n' });
      expect((await run(['knowledge', 'list', '--collection', 'logs'])).stdout).toMatch(/^src_\w+ {2}ready /);
      expect(await readdir(join(dir, '.scriptorium/postgres/cluster'))).not.toContain('postmaster.pid');
    },
    LONG_MS,
  );

  it(
    'writes examples/incident with its own stack, without questions, and leaves no process running',
    async () => {
      const args = [
        'write',
        INCIDENT,
        '-o',
        'out/report.docx',
        '--md',
        'out/report.md',
        '--ledger',
        'out/report.json',
      ];
      const { code, stdout, stderr } = await run([...args, '--answer', '*=skip', '--json']);
      expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
      const result = JSON.parse(stdout) as Record<string, unknown>;
      expect(result).toMatchObject({
        status: 'completed',
        model: 'offline scribe (rules, no model)',
        coverage: 1,
        files: { docx: join(dir, 'out/report.docx') },
      });
      expect(result['chapters']).toHaveLength(7);
      expect(stderr).toContain('model: offline scribe (rules, no model)');
      expect(stderr).toContain('chapters 4–7: saved');

      const manuscript = (await file('out/report.md')).toString();
      expectFaithful(exampleFiles('incident'), manuscript, await file('out/report.docx'));
      for (const source of (await readdir(INCIDENT)).filter((name) => /\.(log|yaml|conf|json)$/.test(name))) {
        expect(manuscript).toContain((await readFile(join(INCIDENT, source), 'utf8')).trimEnd());
      }
      expect(await mediaIn('out/report.docx')).toHaveLength(1);
      expect(JSON.parse((await file('out/report.json')).toString())).toBeInstanceOf(Object);

      for (const secret of ['api-key', 'admin-password']) {
        expect((await stat(join(dir, '.scriptorium', secret))).mode & 0o777).toBe(0o600);
      }
      const left = await readdir(join(dir, '.scriptorium'));
      expect(left).not.toContain('stack.json');
      expect(await readdir(join(dir, '.scriptorium/postgres/cluster'))).not.toContain('postmaster.pid');
    },
    LONG_MS,
  );

  it(
    'accepts a file as an answer in advance, with a separate data directory',
    async () => {
      const env = { SCRIPTORIUM_DATA_DIR: 'other-data' };
      const args = [
        'write',
        'notes',
        '-o',
        'given.docx',
        '--md',
        'given.md',
        '--ledger',
        'given.html',
        '--title',
        'The plan',
      ];
      const { code, stderr } = await run([...args, '--answer', 'parts.png=drawing.png'], env);
      expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
      expect(await mediaIn('given.docx')).toHaveLength(1);
      expect((await file('given.md')).toString()).toContain('2026-01-01 INFO one\n2026-01-01 WARN\ttwo\n');
      expect((await file('given.html')).toString()).toMatch(/^<!doctype html>[^]*SHA-256/);
    },
    LONG_MS,
  );
});
