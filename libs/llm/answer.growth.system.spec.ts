import { growthOfOperations } from '#testing/operations.js';
import { AIMessageChunk } from '@langchain/core/messages';
import { AnswerBuilder } from './answer.js';

/** A call whose name comes with every part, as some servers send it. */
function answerOf(parts: number, id: (part: number) => string | undefined) {
  const tools = new Map([['write', (args: Record<string, unknown>) => typeof args['content'] === 'string']]);
  const answer = new AnswerBuilder(tools);
  const content = JSON.stringify({ content: 'if (a) { b("c"); }\n'.repeat(parts) });
  for (let at = 0; at < content.length; at += 20)
    answer.add(
      new AIMessageChunk({
        content: '',
        tool_call_chunks: [
          { type: 'tool_call_chunk', index: 0, id: id(at), name: 'write', args: content.slice(at, at + 20) },
        ],
      }),
    );
  return answer.build();
}

describe('AnswerBuilder', () => {
  it.each<[string, (part: number) => string | undefined]>([
    ['no ID', () => undefined],
    ['an ID that changes', (part) => `call_${part}`],
  ])('D16 needs operations in proportion to the parts of a call with %s', async (_, id) => {
    expect(answerOf(10, id).tool_calls).toHaveLength(1);
    const build = (parts: number) => Promise.resolve(answerOf(parts, id));
    expect(await growthOfOperations(build, 200)).toBeLessThan(2.5);
  });
});
