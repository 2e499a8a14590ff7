import type { WorkOrder } from '#document/prompts/work-order.js';
import { parseWorkOrder } from './read-work-order.js';
import type { ModelPort } from '#kit/graph/ports.js';
import { HumanMessage, type BaseMessage } from '@langchain/core/messages';
import type { HarnessRun } from './graph-harness.js';
import { diligentAnswer } from './diligent-model.js';
import { callTools } from './scripted-model.js';

/** Two small sources, a faithful chapter for each, and the tool calls that write them. */
export const INPUTS = {
  'notes.md': '# Notes\n\nThe first alarm came at 03:12.\n',
  'app.log': 'ERROR 1 down\nERROR 2 still down\n',
};
export const CHAPTERS = [
  '# Notes\n\nThe first alarm came at 03:12.\n',
  '# Log\n\n```log\nERROR 1 down\nERROR 2 still down\n```\n',
];

export const read = (filename: string): [string, Record<string, unknown>] => ['read_file', { filename }];
export const append = (content: string): [string, Record<string, unknown>] => [
  'append_to_markdown',
  { content },
];
export const finish: [string, Record<string, unknown>] = ['create_checkpoint', { label: 'written' }];

export const WRITE_FIRST = callTools(read('notes.md'), append(CHAPTERS[0]!), finish);
export const WRITE_SECOND = callTools(read('app.log'), append(CHAPTERS[1]!), finish);

/** A model that writes any sources. */
export const writer: ModelPort['call'] = async ({ messages }) => diligentAnswer(messages);

export const ordersIn = (messages: BaseMessage[]): WorkOrder[] =>
  messages.flatMap((message) => {
    const order = message instanceof HumanMessage ? parseWorkOrder(message.text) : null;
    return order ? [order] : [];
  });
export const lastOrder = (run: HarnessRun, call: number): WorkOrder | undefined =>
  ordersIn(run.prompts[call] ?? []).at(-1);
