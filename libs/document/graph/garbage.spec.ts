import { sampled } from '#testing/depth.js';
import { GARBAGE } from '#testing/garbage.js';
import { runDocument, type HarnessRun } from '#testing/graph-harness.js';
import { startModelStub, type ModelStubOptions } from '#testing/model-stub.js';
import { INPUTS } from '#testing/two-chapters.js';
import { callModel } from '#llm/call-model.js';
import { createChatModel } from '#llm/chat-model.js';

const inputs = { ...INPUTS, 'notes.md': `${INPUTS['notes.md']}\n![Pool](pool.png)\n` };

/** Runs a document over HTTP; the model answers the requests with the given numbers with garbage. */
async function write(faults: NonNullable<ModelStubOptions['faults']>): Promise<HarnessRun> {
  const stub = await startModelStub({ faults });
  try {
    const { model } = createChatModel({ apiKey: 'key', baseUrl: stub.baseUrl, model: 'stub' });
    return await runDocument({
      inputs,
      model: async ({ messages, tools }) => (await callModel(model, messages, { tools })).message,
    });
  } finally {
    await stub.stop();
  }
}

const left = ({ state, manuscript, checkpoints, repeatedEffects }: HarnessRun) => ({
  status: state.status,
  error: state.last_error,
  coverage: state.coverage,
  manuscript,
  checkpoints: checkpoints.map(({ label, validated }) => ({ label, validated })),
  repeatedEffects,
});

describe('X4 D16 an answer of the model that is garbage', () => {
  let undisturbed: HarnessRun;
  beforeAll(async () => {
    undisturbed = await write({});
  });

  it.each(GARBAGE)('%s: at any position, the run ends like an undisturbed one', async (garbage) => {
    const calls = undisturbed.prompts.length;
    const all = Array.from({ length: calls }, (_, index) => index + 1);
    for (const call of sampled(all, GARBAGE.indexOf(garbage), 3)) {
      const run = await write({ [call]: { garbage } });
      expect({ call, ...left(run) }).toEqual({ call, ...left(undisturbed) });
      expect(run.prompts.length - calls).toBeLessThanOrEqual(1);
    }
  });
});
