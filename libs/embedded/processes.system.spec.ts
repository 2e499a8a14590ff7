import { node, ProcessLog, READY, SAY_END, STAY } from '#testing/process-log.js';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { processIdentity } from './owner-file.js';
import { launchProcesses, startProcesses } from './processes.js';
import { projectRoot } from './project-root.js';

describe('startProcesses, with killed processes', () => {
  const log = new ProcessLog();
  const { lines, options, seen, start } = log;
  afterEach(() => log.clear());

  it('lets a waiting process load its code and start on a message, also after a restart', async () => {
    const loaded = `console.log('loaded for ' + process.env.WAIT_FOR_START_MESSAGE);`;
    // Messages sent before it listened are not lost.
    const listening = `setTimeout(() => process.once('message', () => { process.disconnect(); ${READY} }), 100);`;
    const launched = launchProcesses(
      [{ ...node('worker', loaded + listening + STAY), waits: true }],
      options,
    );
    await seen(/worker: loaded for true/);
    expect(lines).toHaveLength(1);
    const processes = (log.processes = await launched.begin());
    expect(processes.ready['worker']).toEqual({ event: 'ready', url: 'http://worker' });
    lines.length = 0;
    process.kill(processes.pids()['worker'] ?? 0, 'SIGKILL');
    await seen(/worker: .*"event":"ready"/);
  });

  it('restarts a process that exits, and reports it', async () => {
    await start(node('worker', READY + STAY));
    const first = log.processes?.pids()['worker'] ?? 0;
    process.kill(first, 'SIGKILL');
    await seen(/worker: .*exited unexpectedly \(SIGKILL\); restarting it/);
    lines.length = 0;
    await seen(/worker: .*"event":"ready"/);
    expect(log.processes?.pids()['worker']).not.toBe(first);
  });

  it('kills a process that does not stop', async () => {
    const stubborn = node('worker', `process.on('SIGTERM', () => {});${READY}${STAY}`);
    const { stop, pids } = await startProcesses([stubborn], { ...options, stopTimeoutMs: 100 });
    const pid = pids()['worker'] ?? 0;
    await stop();
    expect(await processIdentity(pid)).toBeUndefined();
  });

  it('ends an app whose parent was killed', async () => {
    const preload = pathToFileURL(join(projectRoot(), 'dist/libs/embedded/end-with-parent.js')).href;
    const app = SAY_END + `console.log(process.pid);` + STAY;
    const parent = spawn(process.execPath, [
      '-e',
      `const { spawn } = require('node:child_process');
       spawn(process.execPath, ['--import', ${JSON.stringify(preload)}, '-e', ${JSON.stringify(app)}],
             { stdio: ['pipe', 'inherit', 'inherit'], detached: true });`,
    ]);
    const [printed] = (await once(parent.stdout, 'data')) as [Buffer];
    expect(await processIdentity(Number(printed.toString()))).toBeDefined();
    // The app inherits the parent's output, which closes when the app has ended.
    const closed = once(parent, 'close');
    parent.stdout.resume();
    parent.kill('SIGKILL');
    expect(await closed).toEqual([null, 'SIGKILL']);
  });
});
