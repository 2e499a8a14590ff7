import { parseWorkOrder } from './read-work-order.js';
import { ModelFailure, type ModelPort } from '#kit/graph/ports.js';
import { AIMessage, ToolMessage, type BaseMessage } from '@langchain/core/messages';
import { convertToOpenAITool } from '@langchain/core/utils/function_calling';
import { countTokens } from 'gpt-tokenizer';
import { callTools, say } from './scripted-model.js';

/** Number of files that are placed before each validation. */
const TOGETHER = 10;

type Call = Parameters<typeof callTools>[number];

interface Spent {
  calls: number;
  input: number;
  output: number;
  /** Number of tokens of the longest prompt. */
  longest: number;
  /** Number of prompts that exceeded the window. */
  refused: number;
}

/**
 * Creates a model that follows the system prompt: outlines logs, tables and texts, places files by reference, and ends
 * once every file is placed. Refuses prompts that exceed its window, as servers do.
 *
 * @param window in tokens of the GPT tokenizer
 * @param answer what it does instead
 */
export function competentModel(
  window = Number.POSITIVE_INFINITY,
  answer: (messages: BaseMessage[]) => AIMessage = answerTo,
): { call: ModelPort['call']; spent: Spent } {
  const spent: Spent = { calls: 0, input: 0, output: 0, longest: 0, refused: 0 };
  const call: ModelPort['call'] = async ({ messages, tools }) => {
    const offered = countTokens(JSON.stringify(tools.map((tool) => convertToOpenAITool(tool))));
    const input = offered + messages.reduce((sum, message) => sum + tokensOf(message), 0);
    if (input > window) {
      spent.refused += 1;
      throw new ModelFailure('model_prompt_too_long', `${input} tokens exceed ${window}`);
    }
    const message = answer(messages);
    spent.calls += 1;
    spent.input += input;
    spent.longest = Math.max(spent.longest, input);
    spent.output += tokensOf(message);
    return message;
  };
  return { call, spent };
}

function tokensOf(message: BaseMessage): number {
  const calls = message instanceof AIMessage ? (message.tool_calls ?? []) : [];
  return countTokens(message.text) + (calls.length === 0 ? 0 : countTokens(JSON.stringify(calls)));
}

/** Returns the answer of a model that follows the system prompt. */
export function answerTo(messages: BaseMessage[]): AIMessage {
  const at = messages.findLastIndex(({ text }) => text.startsWith('WORK ORDER\n'));
  const order = parseWorkOrder(messages[at]?.text ?? '');
  if (order === null) throw new Error('there is no work order');
  if (order.validation === 'failed') throw new Error(`validation failed: ${JSON.stringify(order.issues)}`);
  const files = order.files.filter(({ written }) => !written).map(({ name }) => name);
  if (files.length === 0) return say('Every file is in the manuscript.');
  const results = messages.slice(at + 1).filter((message) => message instanceof ToolMessage);
  const batch = files.slice(0, TOGETHER);
  const unknown = batch.filter((name) => /\.(?:log|csv|txt)$/.test(name));
  if (results.length === 0 && unknown.length > 0)
    return callTools(...unknown.map((filename): Call => ['read_file', { filename, outline: true }]));
  const refused = results.filter(({ text }) => text.startsWith('Error: '));
  if (results.some(({ name }) => name === 'place_source')) {
    const again = refused.flatMap(({ text }) => batch.find((name) => text.includes(`"${name}"`)) ?? []);
    return callTools(...again.map((name) => fence(name)), checkpoint);
  }
  const outlines = new Map(unknown.map((name, index) => [name, results[index]?.text ?? '']));
  const placed = batch.flatMap((name) => placeCalls(name, outlines.get(name)));
  const isCertain = batch.every((name) => !name.endsWith('.txt'));
  return callTools(...placed, ...(isCertain ? [checkpoint] : []));
}

const PAGE = /^\[file "(.*)" lines \d+-\d+ bytes \d+-\d+ of \d+; (?:next cursor (\d+)|end of file)\]\n/;

/** Returns a model that copies every page by hand: it reads a file page by page and appends each in a code fence. */
export function retype(messages: BaseMessage[]): AIMessage {
  const page = messages.findLast((message) => message instanceof ToolMessage && PAGE.test(message.text));
  const answered = messages.findLastIndex((message) => message instanceof AIMessage);
  const at = messages.findLastIndex(({ text }) => text.startsWith('WORK ORDER\n'));
  const order = parseWorkOrder(messages[at]?.text ?? '');
  const open = order?.files.find(({ written }) => !written);
  if (!open) return say('Every file is in the manuscript.');
  if (!page || answered < at || messages.indexOf(page) < answered)
    return callTools(['read_file', { filename: open.name }]);
  const [head = '', filename = '', cursor] = PAGE.exec(page.text) ?? [];
  const title = / lines 1-/.test(head) ? `\n${titleOf(filename)}\n` : '';
  const content = `${title}\n\`\`\`text\n${page.text.slice(head.length)}\`\`\`\n`;
  const next: Call = cursor ? ['read_file', { filename, cursor: Number(cursor) }] : checkpoint;
  return callTools(['append_to_markdown', { content }], next);
}

const checkpoint: Call = ['create_checkpoint', { label: 'placed' }];
const titleOf = (name: string) => `# ${name.replace(/_/g, '\\_')}`;
const fence = (filename: string, more: object = {}): Call => [
  'place_source',
  { filename, as: 'fence', heading: titleOf(filename), ...more },
];

function placeCalls(filename: string, outline: string | undefined): Call[] {
  const lines = Number(/(\d+) lines\]/.exec(outline ?? '')?.[1] ?? 0);
  if (filename.endsWith('.md')) return [['place_source', { filename, as: 'prose' }]];
  if (/: notes, /.test(outline ?? ''))
    return [['place_source', { filename, as: 'prose', heading: titleOf(filename) }]];
  if (filename.endsWith('.csv') && lines <= 400)
    return [['place_source', { filename, as: 'table', heading: titleOf(filename) }]];
  if (!filename.endsWith('.log') || lines < 40) return [fence(filename)];
  const middle = Math.ceil(lines / 2);
  return [
    fence(filename, { to_line: middle }),
    fence(filename, { from_line: middle + 1, heading: '## Part 2' }),
  ];
}
