import { startHealth } from '#testing/health-server.js';
import { until } from '#testing/until.js';
import { watchService } from './watch-service.js';

/** Five times the ten seconds that users are promised. */
const SAID_WITHIN_MS = 50_000;

describe('a service that the command line uses', () => {
  it('is reported as down within ten seconds', async () => {
    const health = await startHealth();
    health.postgres = 'down';
    const said: string[] = [];
    const end = watchService(health.url, (message) => said.push(message));
    await until('a message', () => said.length, Boolean, SAID_WITHIN_MS);
    await end();
    health.close();
  });
});
