/**
 * Injects faults into the real stack and checks every run (X4):
 * `node dist/test/faults/main.js [--seconds N] [--runs N] [--faults N] [--seed S] [--queue redis|postgres] [--work documents|others] [--mutate NAME] [--only NAME …]`.
 * Prints seed and findings; the exit status is 0 only without findings. With --mutate a guarantee is switched off first, and
 * findings are what is wanted. Ctrl-C ends it early, with the report of what was done.
 */
import { projectRoot } from '#embedded/project-root.js';
import { randomInt } from 'node:crypto';
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { endOnSignals } from './end-on-signals.js';
import { WORKS } from './commit-point-deck.js';
import { injectFaults } from './harness.js';
import { mutatedApps } from './mutations.js';
import { startOwnServers } from './servers.js';
import { summaryOf } from './summary.js';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    runs: { type: 'string' },
    faults: { type: 'string' },
    seed: { type: 'string' },
    queue: { type: 'string', default: 'redis' },
    work: { type: 'string', default: 'documents' },
    mutate: { type: 'string' },
    only: { type: 'string', multiple: true },
    quiet: { type: 'boolean', default: false },
  },
});
const { queue, mutate, runs, faults } = values;
if (queue !== 'redis' && queue !== 'postgres') throw new Error('--queue is redis or postgres');
const work = WORKS.find((name) => name === values.work);
if (work === undefined) throw new Error(`--work is one of ${WORKS.join(', ')}`);
const seed = values.seed === undefined ? randomInt(2 ** 31) : Number(values.seed);
const isCounted = runs !== undefined || faults !== undefined;
const seconds = isCounted ? Infinity : Number(values.seconds);
const length = isCounted
  ? [...(runs ? [`${runs} runs`] : []), ...(faults ? [`${faults} faults`] : [])].join(' or ')
  : `${seconds} s`;
console.log(`seed ${seed}, ${length}, queue ${queue}, ${work}${mutate ? `, without ${mutate}` : ''}`);
const servers = await startOwnServers(queue);
const signal = endOnSignals(() => servers.stop());
const mutant = mutate ? await mutatedApps(projectRoot(), mutate) : null;
try {
  const report = await injectFaults({
    seed,
    seconds,
    servers,
    signal,
    work,
    ...(runs === undefined ? {} : { runs: Number(runs) }),
    ...(faults === undefined ? {} : { faults: Number(faults) }),
    ...(values.only ? { only: values.only } : {}),
    ...(mutant ? { appsDir: mutant.appsDir } : {}),
    say: (line) => {
      if (!values.quiet || !line.startsWith('fault: ')) console.log(line);
    },
  });
  console.log(summaryOf(report));
  console.log(
    `seed ${seed}, load ${loadavg()
      .map((load) => load.toFixed(1))
      .join(' ')}`,
  );
  process.exitCode = report.findings.length === 0 ? 0 : 1;
} finally {
  await mutant?.remove();
  await servers.stop();
}
