/**
 * Injects faults into the real stack and checks every run (X4):
 * `node dist/test/faults/main.js [--seconds N] [--seed S] [--queue redis|postgres] [--mutate NAME] [--only NAME …]`.
 * Prints seed and findings; the exit status is 0 only without findings. With --mutate a guarantee is switched off first, and
 * findings are what is wanted.
 */
import { randomInt } from 'node:crypto';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { injectFaults } from './harness.js';
import { mutatedApps } from './mutations.js';
import { startOwnServers } from './servers.js';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string' },
    queue: { type: 'string', default: 'redis' },
    mutate: { type: 'string' },
    only: { type: 'string', multiple: true },
  },
});
const seed = values.seed === undefined ? randomInt(2 ** 31) : Number(values.seed);
const seconds = Number(values.seconds);
console.log(
  `seed ${seed}, ${seconds} s, queue ${values.queue}${values.mutate ? `, without ${values.mutate}` : ''}`,
);
const servers = await startOwnServers();
process.env['TEST_DATABASE_URL'] = servers.databaseUrl;
const mutant = values.mutate ? await mutatedApps(join(import.meta.dirname, '../../..'), values.mutate) : null;
try {
  const report = await injectFaults({
    seed,
    seconds,
    queue:
      values.queue === 'redis'
        ? { name: 'redis', queueUrl: servers.redisUrl }
        : { name: 'postgres', queueUrl: undefined },
    servers,
    ...(values.only ? { only: values.only } : {}),
    ...(mutant ? { appsDir: mutant.appsDir } : {}),
    say: (line) => console.log(line),
  });
  console.log(JSON.stringify({ seed, ...report, load: loadavg() }, null, 2));
  console.log(`${report.runs} runs, ${report.findings.length} findings`);
  process.exitCode = report.findings.length === 0 ? 0 : 1;
} finally {
  await mutant?.remove();
  await servers.stop();
}
