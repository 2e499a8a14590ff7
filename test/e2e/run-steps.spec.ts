import type { runStepSchema } from '#contracts/api/history-schemas.js';
import { sharedStack } from '#testing/shared-stack.js';
import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import { readHistory, writtenRun } from './history-client.js';

describe('X5 steps of a run', () => {
  it('X5 shows the input and output of each step, and no place in the store', async () => {
    const tenant = await (await sharedStack()).tenant();
    const run = await writtenRun(tenant);
    const entries = await readHistory(tenant, run.id);
    const steps = await Promise.all(
      entries.map(({ checkpoint_id }) => tenant.get(`/api/agents/runs/${run.id}/steps/${checkpoint_id}`)),
    );
    expect(steps.map(({ status }) => status)).toEqual(steps.map(() => 200));
    const [newest] = steps.map(({ json }) => json as z.infer<typeof runStepSchema>);
    expect(newest!.nodes).toEqual(entries[1]!.next);
    expect(newest!.output.length).toBeGreaterThan(0);
    expect(newest!.output.length).toBeLessThan(newest!.input.length);
    expect(steps.at(-1)!.json).toMatchObject({ nodes: [], input: [] });
    expect(steps.map(({ text }) => text).join('')).not.toContain('tenants/');
    const missing = await tenant.get(`/api/agents/runs/${run.id}/steps/${randomUUID()}`);
    expect([missing.status, missing.json.code]).toEqual([404, 'not_found']);
  });
});
