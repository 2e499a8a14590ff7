import { AIMessage, type BaseMessage } from '@langchain/core/messages';
import type { OpenAIClient } from '@langchain/openai';

type Message = OpenAIClient.Chat.Completions.ChatCompletionMessageParam;
type Fields = Record<string, unknown>;

/**
 * Fields of a server's own that came with an answer, such as `reasoning_content` or a signature of thoughts.
 * Some servers refuse a conversation in which they do not come back unchanged.
 */
export interface OpaqueFields {
  message: Fields;
  /** By the ID of the tool call. */
  calls: Record<string, Fields>;
}

const OPAQUE = 'opaque_fields';
const KNOWN_OF_MESSAGE = [
  'role',
  'content',
  'tool_calls',
  'function_call',
  'refusal',
  'audio',
  'annotations',
];
const KNOWN_OF_CALL = ['index', 'id', 'type', 'function'];

const unknownOf = (value: object, known: readonly string[]): Fields =>
  Object.fromEntries(
    Object.entries(value).filter(
      ([key, field]) => !known.includes(key) && field !== null && field !== undefined,
    ),
  );

/** Returns the unknown fields of a part of an answer. */
export const opaqueOfDelta = (delta: object): Fields => unknownOf(delta, KNOWN_OF_MESSAGE);
/** Returns the unknown fields of a part of a tool call. */
export const opaqueOfCall = (call: object): Fields => unknownOf(call, KNOWN_OF_CALL);

/** Adds the fields of a further part: texts and lists are continued, other values replaced. */
export function continueFields(fields: Fields, more: Fields): void {
  for (const [key, value] of Object.entries(more)) {
    const before = fields[key];
    if (typeof before === 'string' && typeof value === 'string') fields[key] = before + value;
    else if (Array.isArray(before) && Array.isArray(value))
      fields[key] = [...before, ...(value as unknown[])];
    else fields[key] = value;
  }
}

/** Returns what `additional_kwargs` of a message store; empty if there are no such fields. */
export function storedFields({ message, calls }: OpaqueFields): Record<string, unknown> {
  const isEmpty = Object.keys(message).length === 0 && Object.keys(calls).length === 0;
  return isEmpty ? {} : { [OPAQUE]: { message, calls } };
}

function fieldsOf(message: BaseMessage): OpaqueFields | undefined {
  return message.additional_kwargs[OPAQUE] as OpaqueFields | undefined;
}

/** Returns the stored fields of a conversation, by the ID of the first tool call of each answer. */
export function fieldsByCall(messages: readonly BaseMessage[]): ReadonlyMap<string, OpaqueFields> {
  const byCall = new Map<string, OpaqueFields>();
  for (const message of messages) {
    const fields = fieldsOf(message);
    const id = message instanceof AIMessage ? message.tool_calls?.[0]?.id : undefined;
    if (fields && id !== undefined) byCall.set(id, fields);
  }
  return byCall;
}

/**
 * Adds the stored fields to the answers that called tools; only in such a loop does a server want them back.
 *
 * @param skip names of fields that the server refuses
 * @param fill names of fields that the server requires of every such answer
 */
export function withFields(
  messages: readonly Message[],
  fields: ReadonlyMap<string, OpaqueFields>,
  skip: ReadonlySet<string>,
  fill: ReadonlySet<string>,
): Message[] {
  const accepted = (of: Fields | undefined) =>
    Object.fromEntries(Object.entries(of ?? {}).filter(([key]) => !skip.has(key)));
  return messages.map((message) => {
    if (message.role !== 'assistant' || !message.tool_calls?.length) return message;
    const stored = fields.get(message.tool_calls[0]!.id);
    return {
      ...Object.fromEntries([...fill].map((key) => [key, ''])),
      ...message,
      ...accepted(stored?.message),
      tool_calls: message.tool_calls.map((call) => ({ ...call, ...accepted(stored?.calls[call.id]) })),
    };
  });
}
