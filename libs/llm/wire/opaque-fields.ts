import type { AIMessage, BaseMessage } from '@langchain/core/messages';
import type { OpenAIClient } from '@langchain/openai';

type Message = OpenAIClient.Chat.Completions.ChatCompletionMessageParam;
type Fields = Record<string, unknown>;

/**
 * Vendor-specific fields of an answer, such as `reasoning_content` or a signature of thoughts.
 * Some servers refuse a conversation in which they are missing or changed.
 */
export interface OpaqueFields {
  message: Fields;
  /** Fields of tool calls, by the call's ID. */
  calls: Record<string, Fields>;
}

const OPAQUE = 'opaque_fields';
/** Key of a chunk's `additional_kwargs` for the unknown fields of its part of the answer. */
export const DELTA_FIELDS = 'delta_fields';
const KNOWN_OF_MESSAGE = [
  'role',
  'content',
  'tool_calls',
  'function_call',
  'refusal',
  'audio',
  'annotations',
  'tool_call_id',
  'name',
];
const KNOWN_OF_CALL = ['index', 'id', 'type', 'function'];

const unknownOf = (value: object, known: readonly string[]): Fields =>
  Object.fromEntries(
    Object.entries(value).filter(
      ([key, field]) => !known.includes(key) && field !== null && field !== undefined,
    ),
  );

/** Returns the unknown fields of a message, or of a part of an answer. */
export const opaqueOfDelta = (delta: object): Fields => unknownOf(delta, KNOWN_OF_MESSAGE);
/** Returns the unknown fields of a part of a tool call. */
export const opaqueOfCall = (call: object): Fields => unknownOf(call, KNOWN_OF_CALL);

/** Adds the fields of a further part: texts, lists and blocks of thinking are continued, other values replaced. */
export function continueFields(fields: Fields, more: Fields): void {
  for (const [key, value] of Object.entries(more)) {
    const before = fields[key];
    if (typeof before === 'string' && typeof value === 'string') fields[key] = before + value;
    else if (Array.isArray(before) && Array.isArray(value))
      for (const item of value as unknown[]) addItem(before, item);
    else fields[key] = Array.isArray(value) ? [...(value as unknown[])] : value;
  }
}

/** Adds an item to a list. A block of thinking comes in parts, the last of which has its signature. */
function addItem(items: unknown[], item: unknown): void {
  const last = items.at(-1);
  if (isThinking(last) && isThinking(item) && !last['signature'])
    items[items.length - 1] = {
      ...last,
      ...item,
      thinking: `${last['thinking'] as string}${item['thinking'] as string}`,
    };
  else items.push(item);
}

const isThinking = (item: unknown): item is Fields => {
  const { type, thinking } = (item ?? {}) as Fields;
  return type === 'thinking' && typeof thinking === 'string';
};

/** Returns what `additional_kwargs` of a message store; empty without such fields. */
export function storedFields({ message, calls }: OpaqueFields): Record<string, unknown> {
  const isEmpty = Object.keys(message).length === 0 && Object.keys(calls).length === 0;
  return isEmpty ? {} : { [OPAQUE]: { message, calls } };
}

/**
 * Returns the stored fields of each answer of a conversation that called tools, in order: servers may repeat the
 * ID of a call.
 */
export function fieldsOfCallers(messages: readonly BaseMessage[]): (OpaqueFields | undefined)[] {
  return messages
    .filter((message) => message.type === 'ai' && ((message as AIMessage).tool_calls ?? []).length > 0)
    .map((message) => message.additional_kwargs[OPAQUE] as OpaqueFields | undefined);
}

/**
 * Adds the stored fields to the answers that called tools; only in such a loop does a server want them back.
 *
 * @param fields of each such answer, in order
 * @param skip names of fields that the server refuses
 * @param fill names of fields that the server requires of every such answer
 */
export function withFields(
  messages: readonly Message[],
  fields: readonly (OpaqueFields | undefined)[],
  skip: ReadonlySet<string>,
  fill: ReadonlySet<string>,
): Message[] {
  const accepted = (of: Fields | undefined) =>
    Object.fromEntries(Object.entries(of ?? {}).filter(([key]) => !skip.has(key)));
  let callers = 0;
  return messages.map((message) => {
    if (message.role !== 'assistant' || !message.tool_calls?.length) return message;
    const stored = fields[callers++];
    return {
      ...Object.fromEntries([...fill].map((key) => [key, ''])),
      ...message,
      ...accepted(stored?.message),
      tool_calls: message.tool_calls.map((call) => ({ ...call, ...accepted(stored?.calls[call.id]) })),
    };
  });
}
