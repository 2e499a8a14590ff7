import type { BaseMessage } from '@langchain/core/messages';
import { AIMessage, AIMessageChunk } from '@langchain/core/messages';
import { ChatGenerationChunk, type ChatResult } from '@langchain/core/outputs';
import { BaseChatModel } from '@langchain/core/language_models/chat_models';

export const RULE_AGENT_LABEL = 'offline planner (rules, no model)';

/** File formats that the platform's tools parse. */
const PARSED = ['xml', 'csv', 'json', 'yaml'];

/**
 * Decides about plans in installations without a model: requests a parser when files appear in a format that
 * the plan does not parse yet.
 */
export class RuleAgent extends BaseChatModel {
  constructor() {
    super({});
  }

  override _llmType(): string {
    return 'offline-planner';
  }

  override bindTools(): this {
    return this;
  }

  override _generate(messages: BaseMessage[]): Promise<ChatResult> {
    const message = new AIMessage({ content: '', tool_calls: [decide(messages)] });
    return Promise.resolve({ generations: [{ text: '', message }] });
  }

  override async *_streamResponseChunks(messages: BaseMessage[]): AsyncGenerator<ChatGenerationChunk> {
    const { id, name, args } = decide(messages);
    const call = { id, name, args: JSON.stringify(args), index: 0, type: 'tool_call_chunk' as const };
    const message = new AIMessageChunk({ content: '', tool_call_chunks: [call] });
    yield await Promise.resolve(new ChatGenerationChunk({ message, text: '' }));
  }
}

/** Returns the text of a message. A decision is shown in the form `replan_dag: requirement`. */
function textOf(message: BaseMessage): string {
  const [call] = message instanceof AIMessage ? (message.tool_calls ?? []) : [];
  return call ? `${call.name}: ${String(call.args['new_requirement'] ?? '')}` : message.text;
}

function decide(messages: BaseMessage[]) {
  const [, plan = '', ...said] = messages.map(textOf);
  const isPlanned = (format: string) =>
    plan.includes(`parse_${format}`) || said.some((text) => text.startsWith(`replan_dag: parse ${format}`));
  for (const format of PARSED.filter((each) => !isPlanned(each))) {
    const name = said.map((text) => fileOf(format, text)).find((file) => file !== null);
    if (name === undefined || name === null) continue;
    const args = {
      new_requirement: `parse ${format}`,
      available_context: { name },
      reason: `There is ${name}.`,
    };
    return { id: 'call_replan', name: 'replan_dag', args };
  }
  return { id: 'call_continue', name: 'continue', args: {} };
}

/** Returns the first file of a format in a result of `list_inputs`; null if there is none. */
function fileOf(format: string, result: string): string | null {
  const match = new RegExp(`"name":("(?:[^"\\\\]|\\\\.)*"),"bytes":\\d+,"format":"${format}"`).exec(result);
  return match && (JSON.parse(match[1]!) as string);
}
