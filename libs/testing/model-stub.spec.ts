import { HumanMessage } from '@langchain/core/messages';
import { callModel } from '#llm/call-model.js';
import { createChatModel } from '#llm/chat-model.js';
import { runDocument } from './graph-harness.js';
import { startModelStub } from './model-stub.js';
import { writer } from './two-chapters.js';

const INPUTS = {
  'notes.md': '# Notes\n\nThe first alarm came at 03:12 – 中文 too.\n\n## Steps\n\n- restart\n',
  'app.log': Array.from(
    { length: 400 },
    (_, line) => `2024-03-12T03:12:00Z INFO line ${line}\t"quoted"`,
  ).join('\n'),
  'data.json': '{"a": [1, 2, 3]}',
};

describe('startModelStub', () => {
  it('writes a whole document over HTTP, through faults, like a model without a server', async () => {
    const stub = await startModelStub({
      faults: {
        1: { status: 429, retryAfter: '0' },
        3: { status: 500 },
        5: { cutAfter: 4 },
        7: { cutAfter: 1, gently: true },
      },
    });
    try {
      const { model } = createChatModel({ apiKey: 'key', baseUrl: stub.baseUrl, model: 'stub' });
      const run = { inputs: INPUTS, pageBytes: 4_096 };
      const remote = await runDocument({
        ...run,
        model: async ({ messages, tools }) =>
          (await callModel(model, messages, { tools, retryDelayMs: 1 })).message,
      });
      const local = await runDocument({ ...run, model: writer });
      expect(remote.manuscript).toBe(local.manuscript);
      expect(remote.state).toMatchObject({ status: 'completed', coverage: 1 });
      expect(stub.requests.length).toBe(remote.prompts.length + 4);
      expect(
        stub.requests.some(({ messages }) =>
          messages.some(({ tool_calls }) => (tool_calls ?? []).length > 1),
        ),
      ).toBe(true);
    } finally {
      await stub.stop();
    }
  });

  it('holds an answer until it is released, and says when its script is over', async () => {
    const stub = await startModelStub({ replies: [{ hold: true }] });
    try {
      const { model } = createChatModel({ apiKey: 'key', baseUrl: stub.baseUrl, model: 'stub' });
      const held = callModel(model, [new HumanMessage('Hello')]);
      stub.release();
      expect((await held).message.text).toBe('Held.');
      await expect(callModel(model, [new HumanMessage('Hello')])).rejects.toMatchObject({
        code: 'model_rejected',
      });
    } finally {
      await stub.stop();
    }
  });
});
