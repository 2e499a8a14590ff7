import { HumanMessage } from '@langchain/core/messages';
import { callModel } from '#llm/call-model.js';
import { createChatModel } from '#llm/chat-model.js';
import { OfflineScribe } from '#document/offline/offline-scribe.js';
import { startModelStub } from './model-stub.js';
import { ScribeSession } from './scribe-session.js';

const INPUTS = new Map(
  Object.entries({
    'notes.md': '# Notes\n\nThe first alarm came at 03:12 – 中文 too.\n\n## Steps\n\n- restart\n',
    'app.log': Array.from(
      { length: 400 },
      (_, line) => `2024-03-12T03:12:00Z INFO line ${line}\t"quoted"`,
    ).join('\n'),
    'data.json': '{"a": [1, 2, 3]}',
  }).map(([name, text]) => [name, Buffer.from(text)]),
);

describe('startModelStub', () => {
  it('drives a whole document over HTTP by the rules of the offline scribe, through faults, to the same result', async () => {
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
      const remote = new ScribeSession(INPUTS, { pageBytes: 4_096 });
      await remote.run({
        invoke: async (messages) => (await callModel(model, messages, { retryDelayMs: 1 })).message,
      });
      const local = new ScribeSession(INPUTS, { pageBytes: 4_096 });
      await local.run(new OfflineScribe());
      expect(remote.manuscript).toBe(local.manuscript);
      expect(remote.labels).toEqual(['notes_md', 'app_log', 'data_json']);
      expect(stub.requests.length).toBe(remote.steps + 4);
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
