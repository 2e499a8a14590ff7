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

/** Maximum number of open files that a correction names. */
const NAMED_FILES = 20;

/**
 * Asks again after an answer without a tool call, while work is left.
 *
 * @param open files that are not written yet
 */
export function idleCorrection(open: string[]): HumanMessage {
  const names = open.slice(0, NAMED_FILES).map((name) => JSON.stringify(name));
  const more = open.length > NAMED_FILES ? ` and ${open.length - NAMED_FILES} more` : '';
  const left =
    open.length > 0
      ? `These files are not in the manuscript yet: ${names.join(', ')}${more}.`
      : 'The issues of the last validation are still open.';
  return new HumanMessage(
    `Your answer called no tool, so nothing was changed. ${left} Go on with a tool call, such as place_source.`,
  );
}

/** Asks again after an answer without text and without a tool call. */
export const emptyCorrection = (): HumanMessage =>
  new HumanMessage('Your answer was empty. Go on with a tool call; when all is written, say so.');
