import { HumanMessage, type AIMessage } from '@langchain/core/messages';

/** Tells the model which of its tool calls could not be read, and why. */
export function malformedCorrection(calls: NonNullable<AIMessage['invalid_tool_calls']>): HumanMessage {
  const names = calls.map(
    (call) => `${call.name ?? 'a tool'}: ${call.error ?? 'the arguments are not valid JSON'}`,
  );
  return new HumanMessage(
    `Your tool call could not be read (${names.join('; ')}). Send it again as valid JSON.`,
  );
}

/** Asks again after an answer that was cut before its first tool call. */
export const cutCorrection = (): HumanMessage =>
  new HumanMessage(
    'Your answer was cut off at the length limit. Go on with a tool call; append a long text in several smaller parts.',
  );

/** Asks again after an answer without text and without a tool call. */
export const emptyCorrection = (): HumanMessage =>
  new HumanMessage('Your answer was empty. Go on with a tool call; when all is written, say so.');
