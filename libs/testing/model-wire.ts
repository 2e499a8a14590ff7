import { SEPARATOR } from '#llm/wire/adaptations.js';
import {
  AIMessage,
  HumanMessage,
  SystemMessage,
  ToolMessage,
  type BaseMessage,
} from '@langchain/core/messages';

/** A message of the OpenAI chat API. */
export interface WireMessage {
  role: string;
  content: string | { type: string; text?: string }[] | null;
  tool_calls?: { id: string; function: { name: string; arguments: string } }[];
  tool_call_id?: string;
}

export interface WireAnswer {
  text: string;
  toolCalls: { id: string; name: string; arguments: string }[];
}

/** Returns the text of a message; joins the parts of a message with several. */
export function textOf({ content }: WireMessage): string {
  if (typeof content === 'string') return content;
  return (content ?? []).map((part) => part.text ?? '').join('');
}

/** Converts messages to LangChain's, without turns that only separate others. */
export function fromWire(messages: WireMessage[]): BaseMessage[] {
  const own = messages.filter(({ role, content }) => role !== 'assistant' || content !== SEPARATOR.content);
  const names = new Map(
    own.flatMap(({ tool_calls = [] }) => tool_calls.map((call) => [call.id, call.function.name] as const)),
  );
  return own.map((message) => {
    const content = textOf(message);
    const { tool_call_id = '' } = message;
    if (message.role === 'system' || message.role === 'developer') return new SystemMessage(content);
    if (message.role === 'tool')
      return new ToolMessage({ content, tool_call_id, name: names.get(tool_call_id) ?? '' });
    if (message.role !== 'assistant') return new HumanMessage(content);
    const tool_calls = (message.tool_calls ?? []).map((call) => ({
      type: 'tool_call' as const,
      id: call.id,
      name: call.function.name,
      args: JSON.parse(call.function.arguments) as Record<string, unknown>,
    }));
    return new AIMessage({ content, tool_calls });
  });
}

export function toWire(message: AIMessage): WireAnswer {
  const toolCalls = (message.tool_calls ?? []).map((call) => ({
    id: call.id ?? '',
    name: call.name,
    arguments: JSON.stringify(call.args),
  }));
  return { text: message.text, toolCalls };
}
