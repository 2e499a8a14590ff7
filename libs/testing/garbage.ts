import { randomUUID } from 'node:crypto';
import type { WireMessage } from './model-wire.js';

/** Unusable answers that models give occasionally. */
export const GARBAGE = [
  'malformed arguments',
  'unknown tool',
  'wrong types',
  'nothing',
  'a call too many, of an unknown tool',
  'a call too many, malformed',
] as const;
export type Garbage = (typeof GARBAGE)[number];

export interface StubAnswer {
  text?: string;
  /** Textual `arguments` are sent unchanged, malformed or not. */
  toolCalls?: { id?: string; name: string; arguments: Record<string, unknown> | string }[];
  /** Null if the server reports no usage. */
  usage?: { prompt_tokens: number; completion_tokens: number } | null;
  /** The model's reason to stop; `length` for an answer that was cut. */
  finish?: 'length';
}

type Call = NonNullable<StubAnswer['toolCalls']>[number];

/** Marks garbage calls, so that a conversation can be filtered. */
const MARK = 'garbage_';

const unknownTool = (): Call => ({
  id: MARK + randomUUID(),
  name: 'no_such_tool',
  arguments: { path: '/' },
});
const wrongTypes = (): Call => ({
  id: MARK + randomUUID(),
  name: 'read_file',
  arguments: { filename: ['notes.md'], cursor: 'first' },
});
/** Returns a call with truncated JSON. */
const malformed = (): Call => ({ ...wrongTypes(), arguments: '{"filename": "notes' });

/** Returns an answer with the given garbage. */
export function garbleAnswer(answer: StubAnswer, garbage: Garbage): StubAnswer {
  const calls = answer.toolCalls ?? [];
  switch (garbage) {
    case 'malformed arguments':
      return { ...answer, toolCalls: [malformed(), ...calls.map(malformed)] };
    case 'unknown tool':
      return { ...answer, toolCalls: [unknownTool()] };
    case 'wrong types':
      return { ...answer, toolCalls: [wrongTypes()] };
    case 'nothing':
      return { text: '', toolCalls: [] };
    case 'a call too many, of an unknown tool':
      return { ...answer, toolCalls: [...calls, unknownTool()] };
    case 'a call too many, malformed':
      return { ...answer, toolCalls: [...calls, malformed()] };
  }
}

const isGarbage = (id: string | undefined) => id?.startsWith(MARK) === true;

/** Returns a conversation without garbage calls and their results, as read by a model that noticed its mistake. */
export function withoutGarbage(messages: WireMessage[]): WireMessage[] {
  return messages.flatMap((message) => {
    if (isGarbage(message.tool_call_id)) return [];
    const calls = message.tool_calls ?? [];
    const kept = calls.filter(({ id }) => !isGarbage(id));
    if (kept.length === calls.length) return [message];
    return kept.length === 0 ? [] : [{ ...message, tool_calls: kept }];
  });
}
