import { atDepth } from '#testing/depth.js';
import { diligentAnswer } from '#testing/diligent-model.js';
import { runDocument } from '#testing/graph-harness.js';
import { parseWorkOrder } from '#testing/read-work-order.js';
import { AIMessage, HumanMessage, type BaseMessage } from '@langchain/core/messages';
import { countTokens } from 'gpt-tokenizer';
import { loadSystemPrompt } from '../prompts/system-prompt.js';

const CHAPTERS = atDepth({ quick: 12, full: 30 });

/** A source of the same size and shape for every chapter: three sections of prose and a log. */
function source(chapter: number): string {
  const two = String(chapter).padStart(2, '0');
  const section = (part: number) =>
    `## Part ${part} of ${two}\n\nOn day ${two} the team looked at case ${part} and wrote down what it saw.\n\n` +
    '```log\n' +
    Array.from({ length: 20 }, (_, line) => `2026-01-${two} 03:${String(line + 10)} case ${part} ok\n`).join(
      '',
    ) +
    '```\n';
  return `# Day ${two}\n\n${[1, 2, 3].map(section).join('\n')}`;
}

const calls = (message: BaseMessage) => (message instanceof AIMessage ? (message.tool_calls ?? []) : []);
const tokensOf = (messages: BaseMessage[]): number =>
  messages.reduce((sum, message) => sum + countTokens(message.text + JSON.stringify(calls(message))), 0);

describe('prompt size', () => {
  it(`D17 tokens per call are flat from chapter 3 to chapter ${CHAPTERS}`, async () => {
    const names = Array.from(
      { length: CHAPTERS },
      (_, index) => `day-${String(index + 1).padStart(2, '0')}.md`,
    );
    const perChapter = new Map<number, number[]>();
    const run = await runDocument({
      inputs: Object.fromEntries(names.map((name, index) => [name, source(index + 1)])),
      settings: { systemPrompt: loadSystemPrompt().text, maxAgentSteps: 500 },
      model: async ({ messages }) => {
        const order = messages.findLast((message) => message instanceof HumanMessage);
        const chapter = parseWorkOrder(order?.text ?? '')?.chapter ?? 0;
        perChapter.set(chapter, [...(perChapter.get(chapter) ?? []), tokensOf(messages)]);
        return diligentAnswer(messages);
      },
    });
    expect(run.state).toMatchObject({ status: 'completed', coverage: 1, current_chapter: CHAPTERS + 1 });
    const largest = (chapter: number) => Math.max(...(perChapter.get(chapter) ?? []));
    const sizes = Array.from({ length: CHAPTERS - 2 }, (_, index) => largest(index + 3));
    expect(Math.max(...sizes) / Math.min(...sizes)).toBeLessThan(1.05);
  });
});
