import { phrase } from '#contracts/phrases/phrase.js';
import type { Expression } from 'jsonata';
import { ToolCallError } from '../tool.js';

/** Reads a JSONata expression. @throws ToolCallError `invalid_expression` if it is not one */
export async function readExpression(text: string): Promise<Expression> {
  const { default: jsonata } = await import('jsonata');
  try {
    return jsonata(text);
  } catch (error) {
    throw expressionError(error);
  }
}

/** Returns the value of a JSONata expression; undefined if it has none. @throws ToolCallError `invalid_expression` */
export async function evaluate(text: string, data: unknown): Promise<unknown> {
  const expression = await readExpression(text);
  try {
    return (await expression.evaluate(data)) as unknown;
  } catch (error) {
    throw expressionError(error);
  }
}

/** Returns an error of JSONata as one for the caller. */
function expressionError(error: unknown): ToolCallError {
  const message = (error as { message?: string }).message ?? String(error);
  return new ToolCallError(
    'invalid_expression',
    phrase('tool_error.expression_failed', { reason: message.slice(0, 300) }),
  );
}
