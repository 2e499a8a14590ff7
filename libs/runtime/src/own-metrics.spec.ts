import { freePort } from '#embedded/free-port.js';
import { serveOwnMetrics } from './own-metrics.js';

it('apps that run in one process share one server for metrics and health, which lasts as long as one of them', async () => {
  const port = await freePort(0);
  const settings = { METRICS_HOST: '127.0.0.1', METRICS_PORT: port };
  let isUp = true;
  const connections = (check: () => Promise<void>) => ({
    db: { $queryRaw: async () => [] },
    queueBackend: { check },
  });
  const get = (path: string) => fetch(`http://127.0.0.1:${port}${path}`);
  const stopScanner = await serveOwnMetrics(
    'scanner',
    settings,
    connections(async () => undefined),
  );
  const stopValidator = await serveOwnMetrics(
    'validator',
    settings,
    connections(() => (isUp ? Promise.resolve() : Promise.reject(new Error('down')))),
  );
  expect((await get('/health')).status).toBe(200);
  expect(await (await get('/metrics')).text()).toContain('app="workers"');
  isUp = false;
  expect((await get('/health')).status).toBe(503);
  await stopValidator();
  expect((await get('/health')).status).toBe(200);
  await stopScanner();
  await expect(get('/live')).rejects.toThrow('fetch failed');
});
