import type { ModelPort } from '#kit/graph/ports.js';
import { AIMessage, type BaseMessage } from '@langchain/core/messages';

type ModelCall = ModelPort['call'];

/** An answer, or a function that creates it from the messages sent to the model. */
export type ScriptedAnswer = AIMessage | ((messages: BaseMessage[]) => AIMessage);

let calls = 0;

/** Returns an answer that calls tools in the given order. */
export function callTools(...tools: [name: string, args: Record<string, unknown>][]): AIMessage {
  return new AIMessage({
    content: '',
    tool_calls: tools.map(([name, args]) => ({ type: 'tool_call', id: `call_${++calls}`, name, args })),
  });
}

/** Returns an answer without a tool call: the model considers its work finished. */
export const say = (text: string): AIMessage => new AIMessage(text);

/** Returns an answer with a single tool call, whose arguments are not JSON. */
export function callMalformed(name: string): AIMessage {
  const error = 'The arguments are not valid JSON: Unexpected end of JSON input';
  return new AIMessage({
    content: '',
    invalid_tool_calls: [{ type: 'invalid_tool_call', id: `call_${++calls}`, name, args: '{"con', error }],
  });
}

/** Returns a model that gives the answers in order and repeats the last one. */
export function scriptedModel(answers: ScriptedAnswer[]): ModelCall {
  let next = 0;
  return async ({ messages }) => {
    const answer = answers[Math.min(next++, answers.length - 1)];
    if (!answer) throw new Error('the script has no answer');
    const message = typeof answer === 'function' ? answer(messages) : answer;
    return message;
  };
}
