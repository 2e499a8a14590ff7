import { node, ProcessLog, READY, SAY_END, STAY } from '#testing/process-log.js';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { claimFile, releaseFile, isRunning, processIdentity } from './owner-file.js';
import { startProcesses } from './processes.js';
import { parseEntry, renderLogLine } from './render-log.js';

describe('startProcesses', () => {
  const log = new ProcessLog();
  const { lines, options, start } = log;
  afterEach(() => log.clear());

  it('waits until all processes are ready, and stops them in order', async () => {
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

  it('reports the last lines of a process that ends before it is ready, and stops the others', async () => {
    const failing = node('worker', `console.error('no DATABASE_URL'); process.exit(3);`);
    await expect(start(node('gateway', SAY_END + READY + STAY), failing)).rejects.toThrow(
      /worker stopped before it was ready \(code 3\):\nno DATABASE_URL/,
    );
  });

  it('reports a command that does not exist', async () => {
    await expect(start({ ...node('x', ''), command: '/nonexistent' })).rejects.toThrow(
      /x stopped before it was ready \(.*ENOENT/,
    );
  });

  it('times out for a process that never becomes ready', async () => {
    const silent = startProcesses([node('worker', STAY)], { ...options, readyTimeoutMs: 200 });
    await expect(silent).rejects.toThrow('worker was not ready after 0.2 s');
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

  it('has one owner among concurrent claims, and another after its release', async () => {
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
