import { copyApps, type CopiedApps, type Replacement } from '#testing/copied-apps.js';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Guarantees to disable one at a time in a copy of the compiled product: the harness must detect each. */
export const MUTATIONS: Record<string, Replacement[]> = {
  'epoch-guard': [
    {
      file: 'libs/engine/runs/event-log.js',
      from: /return Prisma\.sql `epoch = \$\{epoch\} AND \(status = 'running'\) IS TRUE`/,
      to: 'return Prisma.sql `${epoch} > 0`',
    },
    // Otherwise the lease renewal would notice that the run is no longer leased.
    { file: 'libs/engine/runs/claim.js', from: /if \(renewed === 0\)\s+onLost\(\);/, to: '' },
  ],
  reconciler: [
    {
      file: 'libs/engine/recovery/reconcile.js',
      from: /export async function reconcile\(engine, [^)]{1,99}\) \{/,
      to: 'export async function reconcile(engine) { return { dispatched: 0, takenOver: 0, resumed: 0, requeued: 0, deadlines: 0, reminders: 0 };',
    },
  ],
  'first-answer-wins': [
    {
      file: 'libs/engine/tasks/complete.js',
      from: /AND run_id = \(SELECT id FROM locked\) AND status = 'pending'/,
      to: 'AND run_id = (SELECT id FROM locked)',
    },
    {
      file: 'libs/engine/tasks/complete.js',
      from: /AND run_id = \$\{runId\} AND status = 'pending'/,
      to: 'AND run_id = ${runId}',
    },
  ],
};

/** Returns the changes of a mutation whose code no longer exists, so that it would disable nothing. */
export async function missingCode(root: string, name: string): Promise<string[]> {
  const sources = await Promise.all(
    MUTATIONS[name]!.map(async ({ file, from }) => ({
      from,
      text: await readFile(join(root, 'dist', file), 'utf8'),
    })),
  );
  return sources.filter(({ from, text }) => !from.test(text)).map(({ from }) => from.source);
}

/**
 * Makes a copy of dist/ in which a guarantee is disabled.
 *
 * @param root the checkout
 * @throws Error if the code to disable is not found
 */
export async function mutatedApps(root: string, name: string): Promise<CopiedApps> {
  const changes = MUTATIONS[name];
  if (!changes)
    throw new Error(`There is no mutation ${name}; known are ${Object.keys(MUTATIONS).join(', ')}`);
  return copyApps(root, changes);
}
