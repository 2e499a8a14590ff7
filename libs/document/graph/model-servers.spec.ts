import { ModelFailure } from '#kit/graph/ports.js';
import { callModel } from '#llm/call-model.js';
import { createChatModel } from '#llm/chat-model.js';
import { ModelError } from '#llm/model-error.js';
import { answerTo, retype } from '#testing/competent-model.js';
import { exampleFiles } from '#testing/examples.js';
import { runDocument } from '#testing/graph-harness.js';
import type { InputFiles } from '#testing/memory-ports.js';
import { readFormat, startModelServer, THOUGHT } from '#testing/model-server.js';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { loadSystemPrompt } from '../prompts/system-prompt.js';

const FOLDER = join(process.cwd(), 'test/fixtures/servers');
const WINDOW = 8_000;
const LOG = Array.from(
  { length: 900 },
  (_, line) => `2026-03-01 INFO request ${line * 31} took ${(line * 7) % 900} ms\n`,
).join('');

/** Writes a document with the model of a server. */
async function write(baseUrl: string, inputs: InputFiles) {
  const { model } = createChatModel({ apiKey: 'sk-1', baseUrl, model: 'm', temperature: 0 });
  const shown: string[] = [];
  const usages: { input_tokens: number; estimated: boolean }[] = [];
  const run = await runDocument({
    inputs,
    settings: { systemPrompt: loadSystemPrompt().text, maxAgentSteps: 500 },
    model: async ({ messages, tools }) => {
      try {
        const options = { tools, retryDelayMs: 1, onToken: (text: string) => shown.push(text) };
        const { message, usage } = await callModel(model, messages, options);
        usages.push(usage);
        return message;
      } catch (error) {
        if (error instanceof ModelError) throw new ModelFailure(error.code, error.message);
        throw error;
      }
    },
  });
  return { run, shown, usages };
}

/** X13: the model layer adapts to what a server sends and refuses; no code depends on a server's name. */
describe('a document over the wire format of a server', () => {
  it.each(readdirSync(FOLDER))('is completed despite a failure and long prompts: %s', async (name) => {
    const format = readFormat(join(FOLDER, name));
    const server = await startModelServer(format, retype, WINDOW);
    try {
      const { run, shown, usages } = await write(server.baseUrl, {
        'app.log': LOG,
        'note.txt': 'The pump was stopped on Tuesday.\n',
      });
      expect(run.state).toMatchObject({ status: 'completed', coverage: 1, fix_attempts: 0 });
      expect(run.path).not.toContain('model_decision');
      expect(`${run.manuscript}${shown.join('')}`).not.toContain(THOUGHT.slice(0, 14));
      expect(server.refused).toContain('fault');
      expect(server.refused).toContain('tooLong');
      expect(server.refused).not.toContain('returns');
      // The first call learns what the server refuses.
      for (const rule of format.refuses)
        expect(
          server.refused.filter((what) => what === (rule.parameter ?? rule.keyword ?? 'roles')).length,
        ).toBeLessThan(2);
      const reports = JSON.stringify(format.stream).includes('$prompt');
      expect(usages.every(({ estimated, input_tokens: input }) => input > 0 && estimated !== reports)).toBe(
        true,
      );
    } finally {
      await server.stop();
    }
  });
});

/** Servers that name the window in a refusal, and one that does not. */
const SERVERS = ['vllm.json', 'ollama.json'];

describe.each(SERVERS)('the window of %s', (name) => {
  const cases = [4_000, 8_000, 32_000, 128_000].flatMap((window) =>
    (['incident', 'handover', 'book', 'article'] as const).map((set) => [window, set] as const),
  );

  it.each(cases)(
    'of %i tokens holds all prompts of the example %s; the server refuses at most two',
    async (window, set) => {
      const server = await startModelServer(readFormat(join(FOLDER, name)), answerTo, window);
      try {
        const { run } = await write(server.baseUrl, exampleFiles(set));
        expect(run.state).toMatchObject({ status: 'completed', coverage: 1, fix_attempts: 0 });
        expect(server.refused.filter((what) => what === 'tooLong').length).toBeLessThanOrEqual(2);
      } finally {
        await server.stop();
      }
    },
  );
});
