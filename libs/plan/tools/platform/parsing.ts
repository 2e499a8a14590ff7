import { phrase } from '#contracts/phrases/phrase.js';
import { ToolCallError } from '../tool.js';

/** Maximum rows and cells of a table that a tool reads. */
export const MAX_ROWS = 200_000;
export const MAX_CELLS = 20_000_000;

/** Converts a parser's error into a ToolCallError for the caller. */
export function attempt<T>(format: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n')[0]! : String(error);
    throw new ToolCallError(
      'invalid_input',
      phrase('tool_error.invalid_text', { format, reason: reason.slice(0, 300) }),
    );
  }
}
