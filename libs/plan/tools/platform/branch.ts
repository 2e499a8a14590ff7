import { phrase } from '#contracts/phrases/phrase.js';
import { z } from 'zod';
import { defineTool, ToolCallError } from '../tool.js';
import { evaluate } from './expression.js';

export const branch = defineTool({
  name: 'branch',
  description:
    'Check a condition on data, so that later tasks run only if it holds or only if it does not: their "when" refers to "/then" or "/else" of the result.',
  input: z.object({
    data: z.unknown().describe('input of the condition'),
    condition: z
      .string()
      .min(1)
      .max(20_000)
      .describe('JSONata expression that returns true or false, such as "$count(rows) > 0"'),
  }),
  output: z.object({
    then: z.boolean().describe('whether the condition holds'),
    else: z.boolean().describe('whether the condition does not hold'),
  }),
  async run({ data, condition }) {
    const result = await evaluate(condition, data);
    // Other values are refused: an empty list or a text is more often a mistake than a condition.
    if (typeof result !== 'boolean')
      throw new ToolCallError(
        'invalid_expression',
        result === undefined
          ? phrase('tool_error.condition_nothing')
          : phrase('tool_error.condition_type', { type: typeof result }),
      );
    return { then: result, else: !result };
  },
});
