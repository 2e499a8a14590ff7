import { createLogger } from '#telemetry/logger.js';
import { jest } from '@jest/globals';
import { logWarnings, sayReady, stopOnSignal } from './main.js';

it.each(['info', 'error', 'silent'])('says that it is ready at LOG_LEVEL=%s', (level) => {
  const lines: string[] = [];
  const log = createLogger('scanner', { level, destination: { write: (line) => void lines.push(line) } });
  sayReady(log, { queue: 'scanner' });
  expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
    expect.objectContaining({ event: 'ready', app: 'scanner', queue: 'scanner', msg: 'ready' }),
  ]);
});

it('writes what is warned of as one line of the log', () => {
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
      err: expect.objectContaining({ message: 'a buffer\nis old' }),
    }),
  ]);
  expect(standardError).not.toHaveBeenCalled();
  standardError.mockRestore();
});

it('ends the process once each of its apps has stopped', async () => {
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
  exit.mockRestore();
});
