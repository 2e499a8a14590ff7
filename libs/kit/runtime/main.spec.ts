import { loadSettings, workerSettings } from '#config/settings.js';
import { createLogger } from '#telemetry/logger.js';
import { jest } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '#testing/until.js';
import { openInfrastructure } from './infrastructure.module.js';
import { logWarnings, main, logReady, stopOnSignal } from './main.js';

it.each(['info', 'error', 'silent'])('logs that it is ready at LOG_LEVEL=%s', (level) => {
  const lines: string[] = [];
  const log = createLogger('scanner', { level, destination: { write: (line) => void lines.push(line) } });
  logReady(log, { queue: 'scanner' });
  expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
    expect.objectContaining({ event: 'ready', app: 'scanner', queue: 'scanner', msg: 'ready' }),
  ]);
});

it('logs a warning as one line', () => {
  const lines: string[] = [];
  logWarnings(
    createLogger('scanner', { level: 'info', destination: { write: (line) => void lines.push(line) } }),
  );
  const standardError = jest.spyOn(process.stderr, 'write');
  process.emit('warning', new Error('a buffer\nis old'));
  expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
    expect.objectContaining({
      level: 'warn',
      msg: 'warning',
      warning: 'a buffer\nis old',
    }),
  ]);
  expect(standardError).not.toHaveBeenCalled();
  standardError.mockRestore();
});

it('exits after 30 s if an app does not stop, for example because its queue is down', async () => {
  jest.resetModules();
  const fresh = await import('./main.js');
  const exit = jest.spyOn(process, 'exit').mockImplementation(() => undefined as never);
  const lines: string[] = [];
  const log = createLogger('apps', {
    level: 'error',
    destination: { write: (line) => void lines.push(line) },
  });
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
  fresh.stopOnSignal(log, () => new Promise(() => {}));
  process.emit('SIGTERM');
  await jest.advanceTimersByTimeAsync(29_999);
  expect(exit).not.toHaveBeenCalled();
  await jest.advanceTimersByTimeAsync(1);
  expect(exit.mock.calls).toEqual([[1]]);
  expect(JSON.parse(lines[0]!)).toMatchObject({
    level: 'error',
    msg: expect.stringContaining('failed to stop in time'),
  });
  jest.useRealTimers();
  exit.mockRestore();
});

it('does not start with an unusable object store, and logs one line', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'scriptorium-main-'));
  const file = join(folder, 'file');
  await writeFile(file, '');
  const settings = loadSettings(workerSettings, {
    DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
    STORAGE_DIR: file,
  });
  const exit = jest.spyOn(process, 'exit').mockImplementation(() => undefined as never);
  const written = jest.spyOn(process.stderr, 'write').mockImplementation(() => true);
  main('validator', async () => void (await openInfrastructure('validator', settings)));
  await until('the end of the process', () => exit.mock.calls.length > 0);
  expect(exit.mock.calls).toEqual([[1]]);
  const [[text]] = written.mock.calls as [[string]];
  expect(text).toMatch(/^The object store .*file is not writable: .*\n$/);
  exit.mockRestore();
  written.mockRestore();
  await rm(folder, { recursive: true });
});

it('reports an invalid LOG_LEVEL with the other invalid settings, without a stack trace', async () => {
  const exit = jest.spyOn(process, 'exit').mockImplementation(() => undefined as never);
  const written = jest.spyOn(process.stderr, 'write').mockImplementation(() => true);
  const before = process.env['LOG_LEVEL'];
  process.env['LOG_LEVEL'] = 'loud';
  try {
    main('validator', async () => void loadSettings(workerSettings, process.env));
    await until('the end of the process', () => exit.mock.calls.length > 0);
  } finally {
    if (before === undefined) delete process.env['LOG_LEVEL'];
    else process.env['LOG_LEVEL'] = before;
  }
  const [[text]] = written.mock.calls as [[string]];
  expect(text).toMatch(/^ {2}LOG_LEVEL: /m);
  expect(text).not.toContain('    at ');
  exit.mockRestore();
  written.mockRestore();
});

it('exits when all apps have stopped, and logs nothing about an interrupted start', async () => {
  const exit = jest.spyOn(process, 'exit').mockImplementation(() => undefined as never);
  const log = createLogger('apps', { level: 'silent' });
  let end = () => {};
  const slow = new Promise<void>((resolve) => (end = resolve));
  stopOnSignal(log, () => Promise.reject(new Error('cannot be stopped')));
  stopOnSignal(log, () => slow);
  process.emit('SIGTERM');
  process.emit('SIGTERM');
  await new Promise(setImmediate);
  expect(exit).not.toHaveBeenCalled();
  end();
  await new Promise(setImmediate);
  expect(exit.mock.calls).toEqual([[1]]);

  const written = jest.spyOn(process.stderr, 'write').mockImplementation(() => true);
  exit.mockClear();
  main('gateway', () => Promise.reject(new TypeError('the app is closed')));
  await new Promise(setImmediate);
  expect([written.mock.calls, exit.mock.calls]).toEqual([[], []]);
  written.mockRestore();
  exit.mockRestore();
});
