import { sha256 } from '#contracts/sha256.js';
import type { OpenAIClient } from '@langchain/openai';
import { textOfMessage } from './content-text.js';

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

type Message = OpenAIClient.Chat.Completions.ChatCompletionMessageParam;

/** Ways to change a conversation for servers that refuse what others accept. */
export const adaptationNames = ['no_system', 'filled_texts', 'named_results', 'short_ids'] as const;
export type AdaptationName = (typeof adaptationNames)[number];

interface Adaptation {
  /** Whether the words of a refusal ask for this change. */
  isAskedFor(refusal: string): boolean;
  adapt(messages: readonly Message[]): Message[];
}

const ROLE_REFUSED =
  /\b(?:system|developer)\b[^.\n]{0,60}\b(?:not? support|unsupported|not enabled|not allowed)|not support[^.\n]{0,20}\b(?:system|developer)\b|unsupported[^.\n]{0,40}\b(?:system|developer)\b|roles must alternate|only user and assistant roles/i;
const NO_TEXT =
  /\bcontent\b[^\n]{0,60}\b(?:empty|blank|null|missing|required|string)\b|\b(?:empty|blank|null)\b[^\n]{0,40}\bcontent\b/i;
const NO_NAME = /\bname\b[^\n]{0,40}\b(?:empty|required|missing)\b|\bmissing\b[^\n]{0,30}\bname\b/i;
const OF_ID = /tool[ _-]?call[ _-]?id|tool_(?:calls?|use)[^\s]{0,10}\.id/i;
const ID_FORM = /length|a-z|alphanumeric|pattern|too long|at most|maximum|characters/i;

const ADAPTATIONS: Record<AdaptationName, Adaptation> = {
  no_system: {
    isAskedFor: (refusal) => ROLE_REFUSED.test(refusal),
    adapt: withoutSystem,
  },
  named_results: {
    isAskedFor: (refusal) => NO_NAME.test(refusal),
    adapt: namedResults,
  },
  filled_texts: {
    isAskedFor: (refusal) => NO_TEXT.test(refusal),
    adapt: (messages) => messages.map(filledText),
  },
  short_ids: {
    isAskedFor: (refusal) => OF_ID.test(refusal) && ID_FORM.test(refusal),
    adapt: (messages) => messages.map(withShortIds),
  },
};

/** Returns the change that a refusal asks for; null if it asks for none that changes these messages. */
export function adaptationFor(
  refusal: string,
  messages: readonly Message[],
  known: ReadonlySet<AdaptationName>,
): AdaptationName | null {
  const before = JSON.stringify(messages);
  const wanted = (Object.keys(ADAPTATIONS) as AdaptationName[]).find((name) => {
    const { isAskedFor, adapt } = ADAPTATIONS[name];
    return !known.has(name) && isAskedFor(refusal) && JSON.stringify(adapt(messages)) !== before;
  });
  return wanted ?? null;
}

/** Applies changes that a server asked for before. */
export function adapted(messages: readonly Message[], names: ReadonlySet<AdaptationName>): Message[] {
  return [...names].reduce<Message[]>((given, name) => ADAPTATIONS[name].adapt(given), [...messages]);
}

/** Puts the system message in front of the first user message. */
function withoutSystem(messages: readonly Message[]): Message[] {
  const [system, next, ...rest] = messages;
  if (system?.role !== 'system') return [...messages];
  const instruction = textOfMessage(system);
  if (next?.role !== 'user') return [{ role: 'user', content: instruction }, ...messages.slice(1)];
  return [{ ...next, content: `${instruction}\n\n${textOfMessage(next)}` }, ...rest];
}

function filledText(message: Message): Message {
  if (textOfMessage(message) !== '') return message;
  const isCalling = message.role === 'assistant' && (message.tool_calls ?? []).length > 0;
  return { ...message, content: isCalling ? 'I call a tool.' : '(empty)' } as Message;
}

/** Names the tool of each result, as Gemini requires. */
function namedResults(messages: readonly Message[]): Message[] {
  const names = new Map<string, string>();
  return messages.map((message) => {
    if (message.role === 'assistant')
      for (const call of message.tool_calls ?? [])
        if (call.type === 'function') names.set(call.id, call.function.name);
    if (message.role !== 'tool') return message;
    return { ...message, name: names.get(message.tool_call_id) ?? 'tool' } as Message;
  });
}

/** Length of an ID in the narrowest known form: nine letters and digits. */
const ID_LENGTH = 9;

const shortId = (id: string): string => sha256(id).slice(0, ID_LENGTH);

function withShortIds(message: Message): Message {
  if (message.role === 'tool') return { ...message, tool_call_id: shortId(message.tool_call_id) };
  if (message.role !== 'assistant' || !message.tool_calls) return message;
  return { ...message, tool_calls: message.tool_calls.map((call) => ({ ...call, id: shortId(call.id) })) };
}
