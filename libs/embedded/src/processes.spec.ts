import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { claimFile, releaseFile } from './owner-file.js';
import { isRunning, processIdentity } from './process-info.js';
import { launchProcesses, type Processes, type ProcessSpec, startProcesses } from './processes.js';
import { projectRoot } from './project-root.js';
import { parseEntry, renderLogLine } from './render-log.js';

const READY = `console.log(JSON.stringify({ event: 'ready', url: 'http://' + process.env.NAME }));`;
const STAY = `setInterval(() => {}, 1000);`;
const SAY_END = `process.on('SIGTERM', () => { console.log('bye'); process.exit(0); });`;

const node = (name: string, script: string): ProcessSpec => ({
  name,
  command: process.execPath,
  args: ['-e', script],
  env: { ...process.env, NAME: name },
});

describe('startProcesses', () => {
  const lines: string[] = [];
  const waiting = new Set<() => void>();
  let processes: Processes | undefined;
  const options = {
    onLine: (name: string, line: string) => {
      lines.push(`${name}: ${line}`);
      waiting.forEach((check) => check());
    },
    readyTimeoutMs: 10_000,
  };
  const start = async (...specs: ProcessSpec[]) => (processes = await startProcesses(specs, options));
  /** Resolves when a line that matches has come. */
  const seen = (pattern: RegExp) =>
    new Promise<void>((resolve) => {
      const check = () => {
        if (!lines.some((line) => pattern.test(line))) return;
        waiting.delete(check);
        resolve();
      };
      waiting.add(check);
      check();
    });

  afterEach(async () => {
    await processes?.stop();
    processes = undefined;
    lines.length = 0;
    waiting.clear();
  });

  it('waits until each is ready and stops the first one first', async () => {
    const { ready, pids, stop } = await start(
      node('gateway', SAY_END + READY + STAY),
      node('worker', SAY_END + READY + STAY),
    );
    expect(ready['gateway']).toEqual({ event: 'ready', url: 'http://gateway' });
    const identities = await Promise.all(Object.values(pids()).map(processIdentity));
    expect(identities).toEqual([expect.any(String), expect.any(String)]);
    await stop();
    expect(lines.filter((line) => line.endsWith('bye'))).toEqual(['gateway: bye', 'worker: bye']);
    expect(await Promise.all(identities.map((identity) => isRunning(identity ?? '')))).toEqual([
      false,
      false,
    ]);
  });

  it('lets a process that waits load its code, and begin when it is told, also when it is started again', async () => {
    const loaded = `console.log('loaded for ' + process.env.START_WHEN_TOLD);`;
    // What was said before it listened is not lost.
    const listening = `setTimeout(() => process.once('message', () => { process.disconnect(); ${READY} }), 100);`;
    const launched = launchProcesses(
      [{ ...node('worker', loaded + listening + STAY), waits: true }],
      options,
    );
    await seen(/worker: loaded for true/);
    expect(lines).toHaveLength(1);
    processes = await launched.begin();
    expect(processes.ready['worker']).toEqual({ event: 'ready', url: 'http://worker' });
    lines.length = 0;
    process.kill(processes.pids()['worker'] ?? 0, 'SIGKILL');
    await seen(/worker: .*"event":"ready"/);
  });

  it('starts a process again that dies, and says so', async () => {
    await start(node('worker', READY + STAY));
    const first = processes?.pids()['worker'] ?? 0;
    process.kill(first, 'SIGKILL');
    await seen(/worker: .*ended unexpectedly \(SIGKILL\); it is started again/);
    lines.length = 0;
    await seen(/worker: .*"event":"ready"/);
    expect(processes?.pids()['worker']).not.toBe(first);
  });

  it('reports the last lines of a process that ends before it is ready, and stops the others', async () => {
    const failing = node('worker', `console.error('no DATABASE_URL'); process.exit(3);`);
    await expect(start(node('gateway', SAY_END + READY + STAY), failing)).rejects.toThrow(
      /worker ended with code 3 before it was ready:\nno DATABASE_URL/,
    );
  });

  it('reports a command that does not exist', async () => {
    await expect(start({ ...node('x', ''), command: '/nonexistent' })).rejects.toThrow(
      /x ended with .*ENOENT/,
    );
  });

  it('gives up on a process that never gets ready', async () => {
    const silent = startProcesses([node('worker', STAY)], { ...options, readyTimeoutMs: 200 });
    await expect(silent).rejects.toThrow('worker was not ready after 0.2 s');
  });

  it('kills a process that does not end', async () => {
    const stubborn = node('worker', `process.on('SIGTERM', () => {});${READY}${STAY}`);
    const { stop, pids } = await startProcesses([stubborn], { ...options, stopTimeoutMs: 100 });
    const pid = pids()['worker'] ?? 0;
    await stop();
    expect(await processIdentity(pid)).toBeUndefined();
  });

  it('ends an app whose parent was killed', async () => {
    const preload = pathToFileURL(join(projectRoot(), 'dist/libs/embedded/src/end-with-parent.js')).href;
    const app = SAY_END + `console.log(process.pid);` + STAY;
    const parent = spawn(process.execPath, [
      '-e',
      `const { spawn } = require('node:child_process');
       spawn(process.execPath, ['--import', ${JSON.stringify(preload)}, '-e', ${JSON.stringify(app)}],
             { stdio: ['pipe', 'inherit', 'inherit'], detached: true });`,
    ]);
    const [printed] = (await once(parent.stdout, 'data')) as [Buffer];
    expect(await processIdentity(Number(printed.toString()))).toBeDefined();
    // The app holds the other end of the parent's output: that closes when the app is gone.
    const closed = once(parent, 'close');
    parent.stdout.resume();
    parent.kill('SIGKILL');
    expect(await closed).toEqual([null, 'SIGKILL']);
  });
});

describe('renderLogLine', () => {
  const plain = (text: string) => text.replace(/\u001b\[\d+m/g, '');

  it('shows time, name, level, message and fields', () => {
    const time = new Date(2026, 0, 2, 3, 4, 5).toISOString();
    const line = JSON.stringify({
      level: 'warn',
      time,
      app: 'scanner',
      pid: 1,
      run_id: 'r 1',
      n: 2,
      msg: 'slow',
    });
    expect(plain(renderLogLine('scanner', line))).toBe('03:04:05 scanner      warn  slow run_id="r 1" n=2');
  });

  it.each(['plain text', '{ broken', '[1]', ''])('keeps the line %j', (line) => {
    expect(plain(renderLogLine('x', line, 1)).slice(9)).toBe(`x ${line}`);
    expect(parseEntry(line)).toBeUndefined();
  });
});

describe('claimFile', () => {
  let dir: string;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'scriptorium-owner-'));
  });
  afterEach(() => rm(dir, { recursive: true }));

  it('has one owner among racers, and another after its release', async () => {
    const file = join(dir, 'owner');
    const results = await Promise.all(Array.from({ length: 20 }, () => claimFile(file)));
    expect(results.filter((owner) => owner === undefined)).toHaveLength(1);
    expect(results.filter((owner) => owner === process.pid)).toHaveLength(19);
    await releaseFile(file);
    expect(await claimFile(file)).toBeUndefined();
    expect(await readdir(dir)).toEqual(['owner']);
  });

  it.each(['', `${process.pid}@0`, '999999999@1'])(
    'takes over from the owner %j, who does not run',
    async (owner) => {
      const file = join(dir, 'owner');
      await writeFile(file, owner);
      expect(await claimFile(file)).toBeUndefined();
      expect(await readFile(file, 'utf8')).toBe(await processIdentity(process.pid));
    },
  );
});
