import type { OpenAIClient } from '@langchain/openai';
import fc from 'fast-check';
import { legalRoles } from './adaptations.js';

type Message = OpenAIClient.Chat.Completions.ChatCompletionMessageParam;

/** Returns whether a strict chat template accepts the messages. */
function isLegal(messages: Message[]): boolean {
  const rest = messages[0]?.role === 'system' ? messages.slice(1) : messages;
  const turns = rest.filter((m) => m.role !== 'tool' && !(m.role === 'assistant' && m.tool_calls));
  const alternates = turns.every(({ role }, at) => role === (at % 2 === 0 ? 'user' : 'assistant'));
  return alternates && (rest.length === 0 || rest[0]!.role === 'user');
}

let count = 0;
const text = fc.constant(null).map(() => `text ${++count}`);
const turn = fc.oneof(
  text.map((content): Message[] => [{ role: 'system', content }]),
  text.map((content): Message[] => [{ role: 'user', content }]),
  text.map((content): Message[] => [{ role: 'assistant', content }]),
  text.map((content): Message[] => [
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: content, type: 'function', function: { name: 'f', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: content, content },
  ]),
);
const textsOf = (messages: Message[]) => JSON.stringify(messages).match(/text \d+/g) ?? [];

describe('legalRoles', () => {
  it('makes every conversation legal and keeps every message, in order', () => {
    fc.assert(
      fc.property(fc.array(turn, { minLength: 1, maxLength: 12 }), (turns) => {
        const messages = turns.flat();
        const result = legalRoles(messages);
        expect(isLegal(result)).toBe(true);
        expect(textsOf(result)).toEqual(textsOf(messages));
      }),
    );
  });

  it('does not change a legal conversation', () => {
    const messages: Message[] = [
      { role: 'system', content: 'a' },
      { role: 'user', content: 'b' },
      { role: 'assistant', content: 'c' },
      { role: 'user', content: 'd' },
    ];
    expect(legalRoles(messages)).toEqual(messages);
  });
});
