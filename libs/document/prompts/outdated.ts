import {
  AIMessage,
  HumanMessage,
  RemoveMessage,
  SystemMessage,
  type BaseMessage,
} from '@langchain/core/messages';
import { isWorkOrder } from './work-order.js';

/** Limits of what the model sees next to the work order (D17): exchanges (an answer with its tool results), and their characters without the last exchange. */
const LIMITS = { exchanges: 3, characters: 256 * 1024 };

/** Messages older than the last exchanges; they are dropped, so that prompt and state stay bounded in a long chapter. */
export function outdatedMessages(messages: readonly BaseMessage[]): BaseMessage[] {
  const firstKept = firstOfKept(messages);
  // Corrections and people's answers are human messages too.
  const workOrder = messages.findLastIndex(
    (message) => message instanceof HumanMessage && isWorkOrder(message.text),
  );
  return messages.slice(0, firstKept).filter((_, index) => index !== workOrder);
}

/**
 * Returns the changes to the stored messages after an answer: removes messages that later prompts do not need, and
 * replaces messages that were shortened until the model accepted the prompt.
 *
 * @param prompt the messages that the model accepted
 * @param added the answer and what was added to it
 */
export function changesOf(
  stored: readonly BaseMessage[],
  prompt: readonly BaseMessage[],
  added: readonly BaseMessage[],
): BaseMessage[] {
  const sent = new Set(prompt.map(({ id }) => id));
  const outdated = new Set(outdatedMessages([...stored, ...added]));
  const removed = stored.filter((message) => message.id && (outdated.has(message) || !sent.has(message.id)));
  const removedIds = new Set(removed.map(({ id }) => id));
  const shortened = prompt.filter(
    (message) => message.id && !stored.includes(message) && !removedIds.has(message.id),
  );
  return [...removed.map(({ id }) => new RemoveMessage({ id: id! })), ...shortened];
}

/** Returns a prompt without the exchanges before the last one, for a model whose window is too small. */
export function withLastExchange(messages: BaseMessage[]): BaseMessage[] {
  const last = messages.findLastIndex((message) => message instanceof AIMessage);
  return messages.filter(
    (message, index) =>
      index >= last ||
      message instanceof SystemMessage ||
      (message instanceof HumanMessage && isWorkOrder(message.text)),
  );
}

/** Returns the index of the oldest message to keep: that exchange's answer, or the chapter's first message if all fit. */
function firstOfKept(messages: readonly BaseMessage[]): number {
  const answers = messages.flatMap((message, index) => (message instanceof AIMessage ? [index] : []));
  const recent = answers.slice(-LIMITS.exchanges).reverse();
  let first = recent[0] ?? 0;
  let characters = sizeOf(messages.slice(first));
  for (const at of recent.slice(1)) {
    characters += sizeOf(messages.slice(at, first));
    if (characters > LIMITS.characters) return first;
    first = at;
  }
  return answers.length < LIMITS.exchanges ? 0 : first;
}

function sizeOf(messages: readonly BaseMessage[]): number {
  return messages.reduce((sum, message) => sum + message.text.length + sizeOfCalls(message), 0);
}

function sizeOfCalls(message: BaseMessage): number {
  const calls = message instanceof AIMessage ? (message.tool_calls ?? []) : [];
  return calls.reduce((sum, { args }) => sum + JSON.stringify(args).length, 0);
}
