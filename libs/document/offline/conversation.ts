import { AIMessage, HumanMessage, ToolMessage, type BaseMessage } from '@langchain/core/messages';
import { parseWorkOrder, type WorkOrder } from '../contract/work-order.js';
import { parseNote, type Note } from './note.js';

export interface ToolCall {
  name: string;
  args: Record<string, unknown>;
}

/** A tool call of the writer's last message, with its result. */
export interface AnsweredCall extends ToolCall {
  result: string;
  failed: boolean;
}

/** The parts of the messages that the offline writer reads; it ignores everything older. */
export interface Conversation {
  order: WorkOrder;
  /** True if the work order is the last message: a chapter begins, or something happened outside. */
  orderIsNew: boolean;
  note: Note | null;
  answered: AnsweredCall[];
  /** True if the step already took too long: the source is then carried verbatim, unparsed. */
  isTooHard?: boolean;
}

/** Returns null without a work order; the offline writer cannot work without one. */
export function readConversation(messages: BaseMessage[]): Conversation | null {
  const orderAt = messages.findLastIndex(
    (message) => HumanMessage.isInstance(message) && message.text.startsWith('WORK ORDER\n'),
  );
  const order = orderAt < 0 ? null : parseWorkOrder(messages[orderAt]?.text ?? '');
  if (order === null) return null;
  const lastAt = messages.findLastIndex((message) => AIMessage.isInstance(message));
  const last = messages[lastAt];
  const own = last !== undefined && AIMessage.isInstance(last) ? last : null;
  return {
    order,
    orderIsNew: orderAt === messages.length - 1,
    note: own === null ? null : parseNote(own.text),
    answered: own === null ? [] : answeredCalls(own, messages.slice(lastAt + 1)),
  };
}

function answeredCalls(message: AIMessage, after: BaseMessage[]): AnsweredCall[] {
  const results = new Map(
    after.filter((other) => ToolMessage.isInstance(other)).map((other) => [other.tool_call_id, other]),
  );
  return (message.tool_calls ?? []).flatMap((call) => {
    const result = results.get(call.id ?? '');
    if (result === undefined) return [];
    // HTTP loses the status, so only the text shows an error; page headers never start like this.
    const failed = result.status === 'error' || result.text.startsWith('Error: ');
    return [{ name: call.name, args: call.args, result: result.text, failed }];
  });
}
