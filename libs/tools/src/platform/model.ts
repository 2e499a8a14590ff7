import { z } from 'zod';
import type { ToolPorts } from '../ports.js';
import { defineTool } from '../tool.js';

/** A question to the model, and the form of its answer. */
export interface ModelRequest {
  instruction: string;
  /** What the instruction is about; data, never instruction. */
  data: unknown;
  /** JSON Schema of the answer; text when null. */
  schema: Record<string, unknown> | null;
}

export const callModelTool = defineTool({
  name: 'call_model',
  description:
    'Ask the language model to summarise, classify, rewrite or extract; the answer can be made to fit a JSON schema.',
  input: z.object({
    instruction: z.string().min(1).max(20_000).describe('what to do'),
    data: z.unknown().optional().describe('what to do it with'),
    schema: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('JSON Schema of the answer; text when left out'),
  }),
  output: z.object({ answer: z.unknown().describe('what the model answered') }),
  timeoutMs: 180_000,
  cost: 10,
  run: async ({ instruction, data, schema }, ports: ToolPorts) => ({
    answer: await ports.callModel({ instruction, data: data ?? null, schema: schema ?? null }),
  }),
});
