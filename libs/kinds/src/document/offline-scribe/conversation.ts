import { AIMessage, HumanMessage, ToolMessage, type BaseMessage } from '@langchain/core/messages';
import { parseWorkOrder, type WorkOrder } from '#contracts/kinds/document/work-order.js';
import { parseNote, type Note } from './note.js';

export interface ToolCall {
  name: string;
  args: Record<string, unknown>;
}

/** A call of the scribe's last message with what came of it. */
export interface AnsweredCall extends ToolCall {
  result: string;
  failed: boolean;
}

/** What the scribe reads out of the messages; everything older is not looked at. */
export interface Conversation {
  order: WorkOrder;
  /** True when the work order is the last message: a chapter begins, or something happened outside. */
  orderIsNew: boolean;
  note: Note | null;
  answered: AnsweredCall[];
  /** Set when the step was tried before and took too long: the source is carried as it is written, unread. */
  isTooHard?: boolean;
}

/** Null when there is no work order: the scribe can do nothing else. */
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
    // Over HTTP the status is lost and only the text tells; page headers never begin like this.
    const failed = result.status === 'error' || result.text.startsWith('Error: ');
    return [{ name: call.name, args: call.args, result: result.text, failed }];
  });
}
