import type { historyEntrySchema } from '#contracts/api/history-schemas.js';
import type { ApiClient, RunView } from '#testing/api-client.js';
import { sharedStack, type SharedStack } from '#testing/shared-stack.js';
import fc from 'fast-check';
import type { z } from 'zod';

type Entry = z.infer<typeof historyEntrySchema>;

const MISSING = 'pool.png';
const INPUTS = {
  '1-notes.md': `# Notes\n\nThe first alarm came at 03:12.\n\n![The pool](${MISSING})\n`,
  '2-app.log': 'ERROR 1 down\nERROR 2 still down\n',
  '3-fix.md': '# Fix\n\nThe pool has 40 connections now.\n',
};

/** A step of the walk: which checkpoint of the newest run, and whether to go on in a copy or in the session itself. */
const stepArbitrary = fc.record({ at: fc.nat(1_000), inCopy: fc.boolean() });

describe('X5 a walk through the history of runs', () => {
  let stack: SharedStack;
  let tenant: ApiClient;
  let first: RunView;
  let text: string;

  beforeAll(async () => {
    stack = await sharedStack();
    tenant = await stack.tenant();
    first = await tenant.startRun(await tenant.sessionWith(INPUTS));
    await finish(first.id);
    text = await tenant.manuscript(first.session_id);
  });

  /** Waits for the end of a run, and answers its question if it has one. */
  async function finish(runId: string): Promise<void> {
    const events = await tenant.events(runId, ({ type }) => type === 'decision_required');
    if (events.at(-1)!.type === 'decision_required') {
      const [open] = (await tenant.run(runId)).open_decisions;
      const answer = { user_decisions: { [MISSING]: 'skip' } };
      expect((await tenant.post(`/api/decisions/${open}/answer`, answer)).status).toBe(200);
    }
    await tenant.completed(runId);
  }

  async function goOn(run: RunView, { at, inCopy }: { at: number; inCopy: boolean }): Promise<RunView> {
    const { json } = await tenant.get(`/api/agents/runs/${run.id}/history?limit=100`);
    const entries = json.items as Entry[];
    const request = { run_id: run.id, checkpoint_id: entries[at % entries.length]!.checkpoint_id };
    const action = inCopy ? 'fork' : 'restore';
    const response = await tenant.post(`/api/sessions/${run.session_id}/${action}`, request);
    expect([response.status, response.json.code]).toEqual([inCopy ? 201 : 202, undefined]);
    const next = (inCopy ? response.json.run : response.json) as RunView;
    await finish(next.id);
    return next;
  }

  it('X5 ends with the manuscript of an undisturbed run, wherever and however often it is resumed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(stepArbitrary, { minLength: 1, maxLength: 3 }), async (walk) => {
        let run = first;
        for (const step of walk) {
          run = await goOn(run, step);
          expect(await tenant.manuscript(run.session_id)).toBe(text);
          const answered = (await tenant.get(`/api/decisions?status=answered&run_id=${run.id}`)).json.items;
          expect((answered as object[]).length).toBeLessThanOrEqual(1);
        }
      }),
      { numRuns: 10, endOnFailure: true },
    );
    expect(await tenant.manuscript(first.session_id)).toBe(text);
  });
});
