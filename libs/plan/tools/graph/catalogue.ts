import { z } from 'zod';
import type { MapPorts } from '../platform/map.js';
import { defineTool, type PlatformTool } from '../tool.js';
import { runTools, type RunPorts } from './runs.js';

/** Ports of the tools that the graph of the plan runs itself instead of a worker. */
export interface GraphToolPorts extends MapPorts, RunPorts {
  /** Asks the model and validates its answer. @throws ToolCallError */
  callModel(prompt: string, data: unknown, schema: Record<string, unknown>): Promise<unknown>;
}

const jsonSchema = z.record(z.string(), z.unknown());

const callModel = defineTool({
  name: 'call_model',
  description:
    'Ask the language model to work on text or data: summarise, translate, classify, extract, compare, write or check. The answer is a text, or fits a JSON schema.',
  input: z.object({
    prompt: z.string().min(1).max(20_000).describe('task for the model'),
    data: z.unknown().optional().describe('data to work on; never treated as instructions'),
    schema: jsonSchema.optional().describe('JSON Schema of the answer (default: a text)'),
  }),
  output: z.object({ answer: z.unknown().describe('the text, or the value that matches the schema') }),
  timeoutMs: 300_000,
  cost: 20,
  attempts: 1,
  async run({ prompt, data, schema = { type: 'string' } }, ports: GraphToolPorts) {
    return { answer: await ports.callModel(prompt, data, schema) };
  },
});

/** Tools that the graph of a plan runs itself: they need the model of the run or start child runs. */
export const graphTools: readonly PlatformTool<GraphToolPorts>[] = [callModel, ...runTools];
