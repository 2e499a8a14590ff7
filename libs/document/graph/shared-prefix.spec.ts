import { diligentAnswer } from '#testing/diligent-model.js';
import { runDocument } from '#testing/graph-harness.js';
import { parseWorkOrder } from '#testing/read-work-order.js';
import { sharedPrefix } from '#testing/shared-prefix.js';
import { AIMessage, HumanMessage, type BaseMessage } from '@langchain/core/messages';
import { loadSystemPrompt } from '../prompts/system-prompt.js';

const calls = (message: BaseMessage) => (message instanceof AIMessage ? (message.tool_calls ?? []) : []);
const textOf = (messages: BaseMessage[]): string =>
  messages.map((message) => `${message.type}\n${message.text}${JSON.stringify(calls(message))}`).join('\n');

const SOURCE = Array.from(
  { length: 400 },
  (_, line) => `On day ${line} the team looked at case ${line} and wrote down what it saw.\n\n`,
).join('');

describe('prompts of a document', () => {
  it('have a common beginning: the second call of a chapter repeats the first', async () => {
    const byChapter = new Map<number, string[]>();
    const run = await runDocument({
      inputs: { 'day-1.md': `# Day 1\n\n${SOURCE}`, 'day-2.md': `# Day 2\n\n${SOURCE}` },
      settings: { systemPrompt: loadSystemPrompt().text, maxAgentSteps: 500 },
      model: async ({ messages }) => {
        const order = messages.findLast((message) => message instanceof HumanMessage);
        const chapter = parseWorkOrder(order?.text ?? '')?.chapter ?? 0;
        byChapter.set(chapter, [...(byChapter.get(chapter) ?? []), textOf(messages)]);
        return diligentAnswer(messages);
      },
    });
    expect(run.state).toMatchObject({ status: 'completed', coverage: 1 });
    const chapters = [...byChapter.values()].filter((prompts) => prompts.length > 1);
    expect(chapters.length).toBeGreaterThan(1);
    for (const [first = '', second = ''] of chapters) expect(sharedPrefix(first, second)).toBe(first.length);
  });
});
