import type { ModelPort } from '#kit/graph/ports.js';
import { AIMessage, type BaseMessage } from '@langchain/core/messages';

type ModelCall = ModelPort['call'];

/** One answer, or what makes it from the messages that the model gets. */
export type ScriptedAnswer = AIMessage | ((messages: BaseMessage[]) => AIMessage);

let calls = 0;

/** An answer that calls tools, in the order given. */
export function callTools(...tools: [name: string, args: Record<string, unknown>][]): AIMessage {
  return new AIMessage({
    content: '',
    tool_calls: tools.map(([name, args]) => ({ type: 'tool_call', id: `call_${++calls}`, name, args })),
  });
}

/** An answer without a tool call: the model holds its work to be finished. */
export const say = (text: string): AIMessage => new AIMessage(text);

/** An answer whose only tool call has arguments that are no JSON. */
export function callMalformed(name: string): AIMessage {
  const error = 'The arguments are not valid JSON: Unexpected end of JSON input';
  return new AIMessage({
    content: '',
    invalid_tool_calls: [{ type: 'invalid_tool_call', id: `call_${++calls}`, name, args: '{"con', error }],
  });
}

/** A model that gives the answers in order, and the last one for ever. */
export function scriptedModel(answers: ScriptedAnswer[]): ModelCall {
  let next = 0;
  return async ({ messages }) => {
    const answer = answers[Math.min(next++, answers.length - 1)];
    if (!answer) throw new Error('the script has no answer');
    const message = typeof answer === 'function' ? answer(messages) : answer;
    return message;
  };
}
