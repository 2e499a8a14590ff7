import { type ModelPort, ModelFailure } from '#kit/graph/ports.js';
import type { TaskResult } from '#catalogue/tasks.js';
import { OFFLINE_WRITER } from '#contracts/model-facts.js';
import { runDocument } from '#testing/graph-harness.js';
import { append, INPUTS, read, WRITE_FIRST, writer } from '#testing/two-chapters.js';
import { callMalformed, callTools } from '#testing/scripted-model.js';
import { AIMessage } from '@langchain/core/messages';

const QUOTA = new ModelFailure('model_quota_exceeded', 'The quota of the model provider is used up.');

const answering = (action: string) => (): Promise<TaskResult> =>
  Promise.resolve({ ok: true, output: { action } });

/** A model that fails at these calls (from 1), and writes at the others. */
function failingModel(
  fails: (call: number) => boolean,
  tiers: (string | undefined)[] = [],
): ModelPort['call'] {
  let calls = 0;
  return async (request) => {
    tiers.push(request.tier);
    if (fails(++calls)) throw QUOTA;
    return writer(request);
  };
}

describe('X13 a document whose model fails', () => {
  it('asks a person, with the reason and the choices', async () => {
    const run = await runDocument({ inputs: INPUTS, model: failingModel(() => true) });
    const asked = run.tasks.find(({ request }) => request.task === 'human_input')!.request.input;
    expect(asked).toMatchObject({
      decision_type: 'model_failed',
      question: expect.stringMatching(/^The model "test" failed: The quota .* is used up\./) as string,
      details: {
        code: 'model_quota_exceeded',
        operation: 'write_document',
        model: 'test',
        other_model: 'test-fast',
        choices: ['retry', 'other_model', 'rules', 'stop'],
      },
      default_answer: { action: 'stop' },
    });
  });

  it('ends as failed at the deadline, and keeps the written text', async () => {
    const run = await runDocument({ inputs: INPUTS, model: failingModel((call) => call === 3) });
    expect(run.state).toMatchObject({ status: 'failed', error_type: 'model_quota_exceeded' });
    expect(run.state.temp_md_path).not.toBeNull();
    expect(run.state.export_id).toBeNull();
  });

  it('continues after a retry as if nothing had happened', async () => {
    const undisturbed = await runDocument({ inputs: INPUTS, model: writer });
    const run = await runDocument({
      inputs: INPUTS,
      model: failingModel((call) => call === 3),
      answers: { human_input: answering('retry') },
    });
    expect(run.state).toMatchObject({ status: 'completed', agent_steps: undisturbed.state.agent_steps });
    expect(run.manuscript).toBe(undisturbed.manuscript);
    expect(run.repeatedEffects).toEqual([]);
  });

  it('uses the other model from then on', async () => {
    const tiers: string[] = [];
    const run = await runDocument({
      inputs: INPUTS,
      model: failingModel((call) => call === 2, tiers),
      answers: { human_input: answering('other_model') },
    });
    expect(run.state.status).toBe('completed');
    expect(tiers.slice(0, 2)).toEqual(['main', 'main']);
    expect(new Set(tiers.slice(2))).toEqual(new Set(['fast']));
  });

  it('is written by rules after the last validated chapter, and names both writers', async () => {
    const half = callTools(read('app.log'), append('# A chapter that the model has not finished\n'));
    const answers = [WRITE_FIRST, half];
    const run = await runDocument({
      inputs: INPUTS,
      model: async () => {
        const answer = answers.shift();
        if (!answer) throw QUOTA;
        return answer as AIMessage;
      },
      answers: { human_input: answering('rules') },
    });
    expect(run.state).toMatchObject({ status: 'completed', coverage: 1, model_recovery: { rules: true } });
    expect(run.manuscript).not.toContain('has not finished');
    const { input } = run.tasks.find(({ request }) => request.task === 'convert')!.request;
    expect(input).toMatchObject({ author: `test, ${OFFLINE_WRITER}` });
  });

  it('retries with only the last exchange if the prompt is longer than the model accepts', async () => {
    const run = await runDocument({
      inputs: INPUTS,
      model: async (request) => {
        if (request.messages.filter((message) => message instanceof AIMessage).length > 1)
          throw new ModelFailure('model_prompt_too_long', 'The prompt is too long for the model.');
        return writer(request);
      },
    });
    expect(run.state).toMatchObject({ status: 'completed', coverage: 1 });
    expect(run.path).not.toContain('model_decision');
    const longest = run.prompts.filter(
      (messages) => messages.filter((message) => message instanceof AIMessage).length > 1,
    );
    expect(longest.length).toBeGreaterThan(0);
  });

  it('asks after three unusable answers in a row, and restarts the count after a retry', async () => {
    let calls = 0;
    const run = await runDocument({
      inputs: INPUTS,
      model: async (request) => (++calls <= 3 ? callMalformed('read_file') : writer(request)),
      answers: { human_input: answering('retry') },
    });
    expect(run.state.status).toBe('completed');
    expect(run.path.filter((node) => node === 'model_decision')).toHaveLength(1);
  });
});
