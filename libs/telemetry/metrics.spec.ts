import { processMetrics, processRegistry, serviceRegistry, timed } from './metrics.js';
import { startMetricsServer, type MetricsServer } from './metrics-server.js';

describe('metrics of a process', () => {
  let server: MetricsServer;
  let isHealthy = true;
  beforeAll(async () => {
    server = await startMetricsServer('scanner', { host: '127.0.0.1', port: 0 }, async () => {
      if (!isHealthy) throw new Error('no database');
      return true;
    });
  });
  afterAll(() => server.stop());
  const get = (path: string) => fetch(`http://127.0.0.1:${server.port}${path}`);

  it('do not measure Node before the first scrape, which would wake an idle process 100 times a second', () => {
    expect(processRegistry.getSingleMetric('nodejs_eventloop_lag_seconds')).toBeUndefined();
  });

  it('are served as Prometheus text with the label app, including those of Node', async () => {
    await timed(
      async () => 'done',
      (seconds) => processMetrics.taskSeconds.observe({ task: 'scan_assets', outcome: 'done' }, seconds),
    );
    const response = await get('/metrics');
    expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    const text = await response.text();
    expect(text).toContain(
      'scriptorium_task_seconds_count{app="scanner",task="scan_assets",outcome="done"} 1',
    );
    expect(text).toMatch(/^nodejs_eventloop_lag_seconds\{app="scanner"\} /m);
    expect((await get('/')).status).toBe(404);
  });

  it('are served next to /health, which answers 503 if a dependency of the process fails', async () => {
    expect((await get('/health')).status).toBe(200);
    isHealthy = false;
    expect((await get('/health')).status).toBe(503);
  });

  it('distinguish failures from successes', async () => {
    const ends: boolean[] = [];
    const end = (_: number, failed: boolean) => void ends.push(failed);
    await timed(async () => 1, end);
    await expect(timed(() => Promise.reject(new Error('no')), end)).rejects.toThrow('no');
    expect(ends).toEqual([false, true]);
  });

  it('have unique names of the form that Prometheus requires', async () => {
    const all = [...processRegistry.getMetricsAsArray(), ...serviceRegistry.getMetricsAsArray()];
    const own = all.map((metric) => metric.name).filter((name) => name.startsWith('scriptorium_'));
    expect(new Set(own).size).toBe(own.length);
    for (const name of own) expect(name).toMatch(/^scriptorium_[a-z]+(_[a-z]+)*$/);
  });
});
