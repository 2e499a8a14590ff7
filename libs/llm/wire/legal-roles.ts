import type { OpenAIClient } from '@langchain/openai';
import { textOfMessage } from './content-text.js';

type Message = OpenAIClient.Chat.Completions.ChatCompletionMessageParam;

/** Stands between a tool's result and a user message, where strict templates require the assistant. */
export const SEPARATOR = {
  role: 'assistant',
  content: 'I have read the results.',
} as const satisfies Message;
/** Stands before an answer that no user message precedes. */
const OPENING: Message = { role: 'user', content: 'Go on.' };

/**
 * Returns messages in an order that strict chat templates accept: one system message at the start, then user
 * and assistant in turns, beginning with the user; tool calls and their results do not count.
 */
export function legalRoles(messages: readonly Message[]): Message[] {
  const result: Message[] = [];
  /** Role of the last text. */
  let last: 'user' | 'assistant' | null = null;
  for (const [index, given] of messages.entries()) {
    if (index === 0 && isSystem(given)) {
      // Not every server knows the role `developer`; servers that do also accept `system`.
      result.push(given.role === 'developer' ? ({ ...given, role: 'system' } as Message) : given);
      continue;
    }
    // A later system message is an instruction within the conversation.
    const message: Message = isSystem(given) ? { role: 'user', content: textOfMessage(given) } : given;
    const previous = result.at(-1);
    if (message.role === 'user') {
      if (last === 'user' && previous?.role === 'user') {
        result[result.length - 1] = joined(previous, message);
        continue;
      }
      if (last === 'user') result.push(SEPARATOR);
      last = 'user';
    } else if (message.role === 'assistant') {
      if (last === null) {
        result.push(OPENING);
        last = 'user';
      }
      if (!hasCalls(message)) {
        if (last === 'assistant' && previous?.role === 'assistant' && !hasCalls(previous)) {
          result[result.length - 1] = joined(previous, message);
          continue;
        }
        if (last === 'assistant') result.push(OPENING);
        last = 'assistant';
      }
    }
    result.push(message);
  }
  return result;
}

const isSystem = ({ role }: Message): boolean => role === 'system' || role === 'developer';

const hasCalls = (message: Message): boolean =>
  message.role === 'assistant' && (message.tool_calls ?? []).length > 0;

/** Joins two texts of a speaker; keeps fields that only the first has. */
const joined = (first: Message, second: Message): Message =>
  ({
    ...first,
    content: [textOfMessage(first), textOfMessage(second)].filter((text) => text !== '').join('\n\n'),
  }) as Message;
