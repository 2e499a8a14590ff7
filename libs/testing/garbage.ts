import { randomUUID } from 'node:crypto';
import type { WireMessage } from './model-wire.js';

/** What models answer at times instead of what they should. */
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
  /** `arguments` as text are sent as they are, malformed or not. */
  toolCalls?: { id?: string; name: string; arguments: Record<string, unknown> | string }[];
  /** Null: the server reports no usage. */
  usage?: { prompt_tokens: number; completion_tokens: number } | null;
  /** Why the model stopped; `length` for an answer that it cut. */
  finish?: 'length';
}

type Call = NonNullable<StubAnswer['toolCalls']>[number];

/** Marks calls that are garbage, so that they are known again in a conversation. */
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
/** Breaks off in the middle of the JSON. */
const malformed = (): Call => ({ ...wrongTypes(), arguments: '{"filename": "notes' });

/** The answer as a model spoils it. */
export function garbled(answer: StubAnswer, garbage: Garbage): StubAnswer {
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

/** A conversation as a model reads it that has noticed its mistake: without the calls that were garbage and their results. */
export function withoutGarbage(messages: WireMessage[]): WireMessage[] {
  return messages.flatMap((message) => {
    if (isGarbage(message.tool_call_id)) return [];
    const calls = message.tool_calls ?? [];
    const kept = calls.filter(({ id }) => !isGarbage(id));
    if (kept.length === calls.length) return [message];
    return kept.length === 0 ? [] : [{ ...message, tool_calls: kept }];
  });
}
