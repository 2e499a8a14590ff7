import { until } from '#testing/until.js';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectServer, type Reach } from './server-connection.js';

const isRunning = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe('a command that is an MCP server', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'scriptorium-command-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it.each([
    ['is stopped', 'cat > /dev/null'],
    ['is stopped and ignores that', 'trap "" TERM; while :; do sleep 600; done'],
    ['ends by itself', ':'],
  ])('leaves no child process behind when it %s', async (_, rest) => {
    const file = join(folder, 'pids');
    const script = `sleep 600 & echo $! >> "${file}"; ${rest}`;
    const reach: Reach = {
      fetch: () => Promise.reject(new Error('not used')),
      commands: { parent: { command: 'sh', args: ['-c', script], env: {} } },
      maxMessageBytes: 1_000,
    };
    const server = { url: null, command: 'parent', oauth: null, secrets: { headers: {} } };
    const stop = new AbortController();
    const connecting = connectServer(server, reach, stop.signal, 60_000).catch((error: Error) => error);
    const started = async () =>
      (await readFile(file, 'utf8').catch(() => '')).split('\n').filter(Boolean).map(Number);
    await until('the command has started its own', started, (pids) => pids.length > 0);
    if (rest !== ':') stop.abort();
    expect(await connecting).toMatchObject({ name: 'ServerFailure' });
    await until('what it started has ended', async () => (await started()).every((pid) => !isRunning(pid)));
  });
});
