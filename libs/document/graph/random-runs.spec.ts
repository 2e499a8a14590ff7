import { runDocument } from '#testing/graph-harness.js';
import { atDepth } from '#testing/depth.js';
import fc from 'fast-check';
import { checkExports, checkCheckpoints, checkCounters, checkEnd } from '#testing/random-document/checks.js';
import { INPUTS, STEP_CAP, world, agentOf, answersOf } from '#testing/random-document/world.js';

describe('random runs', () => {
  const ends = new Map<string, number>();

  it('D35 X1 end for any behaviour of agent, people and workers, and never checkpoint or export unproven text', async () => {
    await fc.assert(
      fc.asyncProperty(world, async (given) => {
        const run = await runDocument({
          inputs: INPUTS,
          model: agentOf(given),
          answers: (manuscripts) => answersOf(given, manuscripts),
          forgetsCheckpoints: given.forgetsCheckpoints,
          settings: { maxAgentSteps: STEP_CAP },
        });
        expect(run.repeatedEffects).toEqual([]);
        checkExports(run);
        checkCheckpoints(run);
        checkCounters(run);
        checkEnd(run);
        const end = run.state.status === 'completed' ? 'completed' : String(run.state.error_type);
        ends.set(end, (ends.get(end) ?? 0) + 1);
      }),
      { numRuns: atDepth({ quick: 25, full: 100 }) },
    );
  }, 120_000);

  it('D35 reach every outcome, so that the properties are tested', () => {
    for (const end of [
      'completed',
      'step_limit',
      'validation_failed',
      'malformed_tool_calls',
      'conversion_failed',
    ])
      expect(ends.get(end) ?? 0).toBeGreaterThan(0);
  });
});
