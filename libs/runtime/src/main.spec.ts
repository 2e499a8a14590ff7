import { createLogger } from '#telemetry/logger.js';
import { sayReady } from './main.js';

it.each(['info', 'error', 'silent'])('says that it is ready at LOG_LEVEL=%s', (level) => {
  const lines: string[] = [];
  const log = createLogger('scanner', { level, destination: { write: (line) => void lines.push(line) } });
  sayReady(log, { queue: 'scanner' });
  expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
    expect.objectContaining({ event: 'ready', app: 'scanner', queue: 'scanner', msg: 'ready' }),
  ]);
});
