import { AIMessage, HumanMessage, type BaseMessage } from '@langchain/core/messages';

/** Returns whether the model stopped at its length limit instead of ending its answer. */
export function isCut({ response_metadata: metadata }: AIMessage): boolean {
  const { finish_reason: reason } = metadata as { finish_reason?: unknown };
  return reason === 'length' || reason === 'max_tokens';
}

/**
 * Returns the complete paragraphs of a cut text; null without any, and for JSON, which cannot be continued
 * safely.
 */
export function completeParagraphs(text: string): string | null {
  if (/^\s*(?:```(?:json)?\s*)?[{[]/.test(text)) return null;
  const end = text.trimEnd().lastIndexOf('\n\n');
  const complete = text.slice(0, Math.max(end, 0)).trimEnd();
  return complete === '' ? null : complete;
}

/** Returns the messages that ask the model to continue after the complete paragraphs of a cut text. */
export function askForRest(complete: string): BaseMessage[] {
  const last = complete
    .slice(complete.lastIndexOf('\n') + 1)
    .slice(-200)
    .toWellFormed();
  return [
    new AIMessage(complete),
    new HumanMessage(
      `Your answer was cut off at the length limit. The part above is kept; it ends with: "${last}"\nWrite what follows it, up to the end. Start with the next paragraph. Do not repeat anything, and add no introduction.`,
    ),
  ];
}

/**
 * Joins a text and its continuation. A repeated last paragraph at the start of the continuation is removed.
 */
export function joinRest(complete: string, rest: string): string {
  const last = complete.slice(complete.lastIndexOf('\n\n') + 1).trim();
  const behind = rest.trimStart();
  return `${complete}\n\n${behind.startsWith(last) ? behind.slice(last.length).trimStart() : behind}`;
}
