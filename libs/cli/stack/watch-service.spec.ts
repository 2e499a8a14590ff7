import { startHealth } from '#testing/health-server.js';
import { until } from '#testing/until.js';
import { watchService } from './watch-service.js';

describe('a service that the command line uses', () => {
  it('is reported as down after three seconds, with the failed part, and later as available again', async () => {
    const health = await startHealth();
    const said: string[] = [];
    let time = 0;
    const end = watchService(health.url, (message) => said.push(message), {
      first: 0,
      pause: 1,
      retry: 1,
      now: () => time,
    });
    const looks = async (count: number) => {
      const before = health.requests;
      // The last of them may be under way still.
      await until(
        'the service to be looked at',
        () => health.requests,
        (seen) => seen > before + count,
      );
    };
    const message = async (number: number) =>
      (
        await until(
          `message ${number}`,
          () => said,
          ({ length }) => length >= number,
        )
      )[number - 1];
    health.postgres = 'down';
    await looks(1);
    time = 2_999;
    await looks(1);
    expect(said).toEqual([]);
    time = 3_000;
    expect(await message(1)).toBe(
      'PostgreSQL is not responding. Runs pause until this is resolved and then continue; nothing is lost',
    );
    health.postgres = 'up';
    expect(await message(2)).toBe('the service is available again');
    health.close();
    await until(
      'the closed service to be noticed',
      () => ((time += 4_000), said),
      ({ length }) => length === 3,
    );
    expect(said[2]).toContain(`${health.url} cannot be reached (`);
    await end();
  });
});
