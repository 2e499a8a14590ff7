/**
 * Thousands of small runs on the engine's own processes while they are killed and their servers restarted (X4):
 * `npm run test:faults:volume -- [--runs N] [--seed S] [--queue redis|postgres] [--mutate NAME]`. What the document harness
 * shows in depth, this shows in number. The exit status is 0 only without findings; with --mutate a guarantee is switched off
 * first, and findings are what is wanted. Ctrl-C ends it early, with the report of what was done.
 */
import { projectRoot } from '#embedded/project-root.js';
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { endOnSignals } from '../end-on-signals.js';
import { mutatedApps } from '../mutations.js';
import { startOwnBackends } from '../servers.js';
import { injectVolume } from './volume.js';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '5000' },
    seed: { type: 'string' },
    queue: { type: 'string', default: 'redis' },
    mutate: { type: 'string' },
  },
});
const { queue, mutate } = values;
if (queue !== 'redis' && queue !== 'postgres') throw new Error('--queue is redis or postgres');
const seed = values.seed === undefined ? randomInt(2 ** 31) : Number(values.seed);
const runs = Number(values.runs);

/** Runs this program from a copy in which the guarantee is disabled. */
async function withoutGuarantee(name: string): Promise<number> {
  const { appsDir, remove } = await mutatedApps(projectRoot(), name);
  try {
    const program = join(appsDir, '../test/faults/volume/main.js');
    const args = [program, '--runs', String(runs), '--seed', String(seed), '--queue', String(queue)];
    const child = spawn(process.execPath, args, { stdio: 'inherit' });
    // Ctrl-C reaches both processes; other signals reach only this one.
    process.on('SIGINT', () => undefined);
    process.once('SIGTERM', () => child.kill('SIGTERM'));
    const [code] = (await once(child, 'exit')) as [number | null];
    return code ?? 1;
  } finally {
    await remove();
  }
}

if (mutate) {
  console.log(`without ${mutate}`);
  process.exitCode = await withoutGuarantee(mutate);
} else {
  console.log(`seed ${seed}, ${runs} runs, queue ${queue}`);
  const servers = await startOwnBackends(queue);
  try {
    const signal = endOnSignals(() => servers.stop());
    const findings = await injectVolume({ runs, seed, servers, signal, say: (line) => console.log(line) });
    process.exitCode = findings.length === 0 ? 0 : 1;
  } finally {
    await servers.stop();
  }
  console.log(
    `seed ${seed}, load ${loadavg()
      .map((load) => load.toFixed(1))
      .join(' ')}`,
  );
}
