import { withoutEnding } from '#contracts/text.js';
import {
  AIMessage,
  HumanMessage,
  ToolMessage,
  type BaseMessage,
  RemoveMessage,
  SystemMessage,
} from '@langchain/core/messages';
import { isWorkOrder, shortenWorkOrder } from './work-order.js';

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
function withLastExchange(messages: BaseMessage[]): BaseMessage[] {
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

/** Lengths in characters to which the parts of a prompt are shortened. */
const LENGTHS = { oldPage: 1_000, page: 4_000, smallPage: 500, argument: 500, tail: 500 };

type Step = (messages: BaseMessage[]) => BaseMessage[];

/**
 * Parts that are shortened, in this order: pages that the model has processed, pages that it is about to process,
 * exchanges before the last, smaller pages, texts that the model wrote itself, the work order.
 */
const STEPS: Step[] = [
  (messages) => withShorterPages(messages, 0, lastAnswer(messages), LENGTHS.oldPage),
  (messages) => withHalfPages(messages, LENGTHS.page),
  withLastExchange,
  (messages) => withHalfPages(messages, LENGTHS.smallPage),
  withShorterArguments,
  withShorterWorkOrder,
];

/**
 * Returns a shorter form of a prompt that the model's window is too small for; null if none is left. What is cut off
 * a page can be read again: the page says where it ends.
 */
export function shorterPrompt(messages: BaseMessage[]): BaseMessage[] | null {
  for (const step of STEPS) {
    const shorter = step(messages);
    if (lengthOf(shorter) < lengthOf(messages)) return shorter;
  }
  return null;
}

const lastAnswer = (messages: readonly BaseMessage[]): number =>
  messages.findLastIndex((message) => message instanceof AIMessage);

/** Halves the longest pages after the last answer, down to `least` characters. */
function withHalfPages(messages: BaseMessage[], least: number): BaseMessage[] {
  const from = lastAnswer(messages) + 1;
  const longest = Math.max(0, ...messages.slice(from).map((message) => pageLength(message)));
  return longest <= least
    ? messages
    : withShorterPages(messages, from, messages.length, Math.max(least, Math.ceil(longest / 2)));
}

const pageLength = (message: BaseMessage): number =>
  message instanceof ToolMessage ? message.text.length : 0;

function withShorterPages(messages: BaseMessage[], from: number, to: number, length: number): BaseMessage[] {
  return messages.map((message, index) => {
    if (index < from || index >= to || !(message instanceof ToolMessage) || message.text.length <= length)
      return message;
    const { id, name, status, tool_call_id } = message;
    const content = shortenPage(message.text, length);
    return new ToolMessage({ content, tool_call_id, ...defined({ id, name, status }) });
  });
}

/** Cuts long texts in the arguments of the last answer's calls; the tools have already run with the whole texts. */
function withShorterArguments(messages: BaseMessage[]): BaseMessage[] {
  const at = lastAnswer(messages);
  return messages.map((message, index) => {
    if (index !== at || !(message instanceof AIMessage)) return message;
    const calls = (message.tool_calls ?? []).map((call) => ({ ...call, args: withShortTexts(call.args) }));
    const { id, name, content, invalid_tool_calls, additional_kwargs, response_metadata } = message;
    const kept = { content, invalid_tool_calls, additional_kwargs, response_metadata };
    return new AIMessage({ ...kept, tool_calls: calls, ...defined({ id, name }) });
  });
}

const withShortTexts = (args: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(args).map(([name, value]) => [
      name,
      typeof value === 'string' && value.length > 2 * LENGTHS.argument
        ? `${value.slice(0, LENGTHS.argument).toWellFormed()} (${value.length} characters, as you wrote them)`
        : value,
    ]),
  );

/** Halves the issues of the work order and shortens its end of the manuscript. */
function withShorterWorkOrder(messages: BaseMessage[]): BaseMessage[] {
  return messages.map((message) => {
    if (!(message instanceof HumanMessage) || !isWorkOrder(message.text)) return message;
    const content = shortenWorkOrder(message.text, LENGTHS.tail);
    if (content === message.text) return message;
    return new HumanMessage({ content, ...defined({ id: message.id }) });
  });
}

const lengthOf = (messages: readonly BaseMessage[]): number =>
  messages.reduce((sum, message) => {
    const calls = message instanceof AIMessage ? JSON.stringify(message.tool_calls ?? []).length : 0;
    return sum + message.text.length + calls + 1;
  }, 0);

/** Leaves out fields without a value, which LangChain's messages do not accept. */
const defined = <T extends object>(fields: T): { [K in keyof T]?: NonNullable<T[K]> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;

/** End of the head of a page of a text: lines, bytes, and where the next page begins. */
const TEXT_HEAD =
  / lines (\d{1,15})-\d{1,15} bytes (\d{1,15})-\d{1,15} of (\d{1,15}); (?:next cursor \d{1,15}|end of file)\]$/;
/** End of the head of numbered lines, of a file or of the manuscript. */
const LINES_HEAD = / lines (\d{1,15})-\d{1,15} of (\d{1,15})\]$/;
const CUT = '\n[The rest is cut off: it does not fit into your context window.]';

/**
 * Cuts the result of a reading tool at about `length` characters, at the end of a line if it has one. The head of a
 * page then says where the page ends now, so that the model can read on from there.
 */
export function shortenPage(result: string, length: number): string {
  if (result.length <= length) return result;
  const at = result.indexOf('\n');
  const [head, body] = at < 0 ? ['', result] : [result.slice(0, at), result.slice(at + 1)];
  const kept = cutAtLine(body, Math.max(1, length - head.length));
  const page = TEXT_HEAD.exec(head);
  if (page) {
    const [, first, start, size] = page;
    const end = Number(start) + Buffer.byteLength(kept);
    const last = Number(first) + newlines(kept) - (kept.endsWith('\n') ? 1 : 0);
    return `${head.slice(0, page.index)} lines ${first}-${last} bytes ${start}-${end} of ${size}; next cursor ${end}]\n${kept}`;
  }
  const lines = LINES_HEAD.exec(head);
  if (lines) {
    const [, first, total] = lines;
    const shown = withoutEnding(kept, '\n');
    const last = Number(first) + newlines(shown);
    return `${head.slice(0, lines.index)} lines ${first}-${last} of ${total}]\n${shown}`;
  }
  return `${result.slice(0, length).toWellFormed()}${CUT}`;
}

/** Returns the beginning of a text: whole lines if the first fits, else whole characters. */
function cutAtLine(text: string, length: number): string {
  const end = text.lastIndexOf('\n', length - 1) + 1;
  if (end > 0) return text.slice(0, end);
  const isWithinPair = /[\uD800-\uDBFF]/.test(text.charAt(length - 1));
  return text.slice(0, isWithinPair ? length + 1 : length);
}

const newlines = (text: string): number => text.split('\n').length - 1;
