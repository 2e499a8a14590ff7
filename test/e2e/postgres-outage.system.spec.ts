import { type ChildProcess, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { launchCli } from '#testing/cli.js';
import { exampleFiles } from '#testing/examples.js';
import { expectFaithful } from '#testing/faithful.js';
import { itWhere } from '#testing/it-where.js';
import { until } from '#testing/until.js';

const ROOT = join(import.meta.dirname, '../..');
const INCIDENT = join(ROOT, 'examples/incident');
const LONG_MS = 240_000;
/** The command reports the problem within ten seconds. Five times that, for busy machines. */
const REPORT_LIMIT_MS = 50_000;
const MB = 1024 ** 2;
const DISK_BYTES = 600 * MB;

const mountDisk = (folder: string): void => {
  const options = `size=${DISK_BYTES},mode=711`;
  execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder], { stdio: 'ignore' });
};

/** Whether this account may mount a small disk. */
const mayMount = (): boolean => {
  const folder = mkdtempSync(join(tmpdir(), 'scriptorium-mount-'));
  try {
    mountDisk(folder);
    execFileSync('umount', [folder]);
    return true;
  } catch {
    return false;
  } finally {
    rmdirSync(folder);
  }
};

/** The database of the command line's own stack dies or its disk is full, in the middle of a run. */
describe('without PostgreSQL', () => {
  let dir: string;
  const started: ChildProcess[] = [];
  const mounts: string[] = [];

  /** The command line in a separate process, with its output as it is written. */
  const launch = (...args: string[]) => {
    const env = { HOME: process.env['HOME'], WORKER_THREADS: '1' };
    const child = launchCli(args, { cwd: dir, env });
    started.push(child);
    const output: string[] = [];
    for (const stream of [child.stdout, child.stderr])
      createInterface({ input: stream }).on('line', (line) => output.push(line));
    let isOver = false;
    const ended = once(child, 'close').then(() => {
      isOver = true;
      return child.exitCode;
    });
    const says = async (text: RegExp) => {
      const find = () => output.find((one) => text.test(one));
      const line = await until(`the command says ${text}`, () => find() ?? isOver).then(find);
      if (line === undefined) throw new Error(`it never said ${text}:\n${output.join('\n')}`);
      return line;
    };
    return { said: output, says, ended, pid: child.pid! };
  };

  /** Pauses the process with the apps of a command, so that its run cannot end in the meantime. @returns resumes it */
  const holdApps = async (parent: number) => {
    for (const pid of (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry)).map(Number)) {
      const [stat, command] = await Promise.all(
        ['stat', 'cmdline'].map((file) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '')),
      );
      if (Number(stat!.split(') ')[1]?.split(' ')[1]) !== parent || !command!.includes('/one-process/'))
        continue;
      process.kill(pid, 'SIGSTOP');
      return () => process.kill(pid, 'SIGCONT');
    }
    throw new Error('The command has no process with the apps.');
  };

  const write = (dataDir: string) => [
    ...['write', INCIDENT, '-o', 'report.docx', '--md', 'report.md'],
    ...['--answer', '*=skip', '--data-dir', dataDir],
  ];
  const cluster = (dataDir: string) => join(dir, dataDir, 'postgres/cluster');
  const killPostgres = async (dataDir: string) => {
    const lock = await readFile(join(cluster(dataDir), 'postmaster.pid'), 'utf8');
    process.kill(Number(lock.split('\n')[0]), 'SIGKILL');
  };
  const expectReport = async () =>
    expectFaithful(
      exampleFiles('incident'),
      await readFile(join(dir, 'report.md'), 'utf8'),
      await readFile(join(dir, 'report.docx')),
    );
  /** Follows the run that a command reported as saved. */
  const followSavedRun = async (said: string[], dataDir: string) => {
    const run = said.map((line) => /"scriptorium follow (run_\w+) /.exec(line)?.[1]).find(Boolean);
    const args = ['-o', 'report.docx', '--md', 'report.md', '--answer', '*=skip', '--data-dir', dataDir];
    const again = launch('follow', run!, ...args);
    expect({ code: await again.ended, said: again.said }).toMatchObject({ code: 0 });
    await expectReport();
  };

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'scriptorium-outage-'));
    // If the tests run as root, PostgreSQL runs under another account, which needs to traverse this folder.
    await chmod(dir, 0o711);
  });
  afterEach(async () => {
    for (const child of started.splice(0)) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      child.kill('SIGTERM');
      await once(child, 'close');
    }
    for (const mount of mounts.splice(0)) execFileSync('umount', ['-l', mount]);
  }, LONG_MS);
  afterAll(() => rm(dir, { recursive: true, force: true }));

  /** Without its control file no PostgreSQL starts. */
  const breakPostgres = async (dataDir: string) => {
    const control = join(cluster(dataDir), 'global/pg_control');
    await rename(control, join(dir, 'pg_control'));
    await killPostgres(dataDir);
    return () => rename(join(dir, 'pg_control'), control);
  };

  it(
    'write restarts it after a kill; if it cannot, it reports that within ten seconds and ends with 1, and follow continues after the repair',
    async () => {
      const writing = launch(...write('data'));
      await writing.says(/chapter 1: saved/);
      await killPostgres('data');
      expect(await writing.says(/PostgreSQL exited/)).toMatch(/restarting it/);
      await writing.says(/PostgreSQL is running again/);
      await writing.says(/chapter 2: saved/);
      const from = Date.now();
      const mend = await breakPostgres('data');
      expect(await writing.says(/cannot be restarted/)).toMatch(/pg_control.*postgres\.log; fix the cause/);
      expect(Date.now() - from).toBeLessThan(REPORT_LIMIT_MS);
      expect(await writing.ended).toBe(1);
      await mend();
      await followSavedRun(writing.said, 'data');
    },
    LONG_MS,
  );

  it(
    'start reports that it cannot be restarted, and ends with 1',
    async () => {
      const none = ['agent-runner', 'scanner', 'validator', 'converter', 'tools'].map((name) => `${name}=0`);
      const running = launch('start', '--data-dir', 'data', '--workers', none.join(','));
      await running.says(/Ctrl-C stops everything/);
      await breakPostgres('data');
      await running.says(/cannot be restarted/);
      expect(await running.ended).toBe(1);
    },
    LONG_MS,
  );

  // `stack.spec` tests the same without a separate disk.
  itWhere(mayMount())(
    'write says that the disk is nearly full, then that it is full, ends with 1, and follow goes on once there is room',
    async () => {
      const disk = join(dir, 'disk');
      await mkdir(disk);
      mountDisk(disk);
      mounts.push(disk);
      const leave = async (bytes: number, name: string) => {
        const { bavail, bsize } = await statfs(disk);
        await writeFile(join(disk, name), Buffer.alloc(Math.max(0, bavail * bsize - bytes)));
      };
      const writing = launch(...write('disk'));
      await writing.says(/chapter 1: saved/);
      const letGo = await holdApps(writing.pid);
      await leave(100 * MB, 'ballast-1');
      await writing.says(/is nearly full: \d+ MB left/);
      const from = Date.now();
      await leave(0, 'ballast-2').catch(() => undefined);
      expect(await writing.says(/is full: \d+ MB left/)).toMatch(/Free some space and start again/);
      expect(Date.now() - from).toBeLessThan(REPORT_LIMIT_MS);
      letGo();
      expect(await writing.ended).toBe(1);
      const refused = launch('write', INCIDENT, '-o', 'other.docx', '--data-dir', 'disk');
      expect(await refused.ended).toBe(1);
      expect(refused.said.join('\n')).toMatch(/is full/);
      for (const name of ['ballast-1', 'ballast-2']) await rm(join(disk, name));
      await followSavedRun(writing.said, 'disk');
    },
    LONG_MS,
  );
});
