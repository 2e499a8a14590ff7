import { runKindNames } from '#contracts/registry.js';
import { z } from 'zod';
import type { MapPorts } from '../platform/map.js';
import { defineTool, type PlatformTool } from '../tool.js';

/** A run that a plan starts. */
export interface WantedRun {
  kind: string;
  mode: string | null;
  inputs: Record<string, unknown>;
  budget: { max_tokens?: number };
}

/** Ports of the tools that the graph of the plan runs itself instead of a worker. */
export interface GraphToolPorts extends MapPorts {
  /** Asks the model and validates its answer. @throws ToolCallError */
  callModel(prompt: string, data: unknown, schema: Record<string, unknown>): Promise<unknown>;
  /** @throws ToolCallError when the run failed or was cancelled */
  startRun(run: WantedRun): Promise<{ run_id: string; status: string; result: Record<string, unknown> }>;
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

/**
 * Kinds that a plan cannot start: plans, because the recursion would be unlimited, and changes, because only
 * `POST /api/changes` finds their selection.
 */
const NOT_STARTED = ['plan', 'change'];
const kinds = runKindNames().filter((kind) => !NOT_STARTED.includes(kind));

const startRun = defineTool({
  name: 'start_run',
  description: `Start a run in the session and wait for its end: ${kinds.join(', ')}.`,
  input: z.object({
    kind: z.enum(kinds).describe('kind of run to start'),
    mode: z.string().max(50).optional().describe('mode of the kind'),
    inputs: z.record(z.string(), z.unknown()).optional().describe('inputs of the kind'),
    max_tokens: z.number().int().min(1).optional().describe('of the budget of the plan'),
  }),
  output: z.object({
    run_id: z.string(),
    status: z.string().describe('completed or rejected'),
    result: z.record(z.string(), z.unknown()).describe('result of the run'),
  }),
  // The run writes results of the session.
  sideEffects: true,
  // The run's ID is derived from the step that starts it, so a repetition starts no second run.
  isRepeatable: true,
  timeoutMs: 24 * 3_600_000,
  cost: 50,
  run: ({ kind, mode, inputs, max_tokens }, ports: GraphToolPorts) =>
    ports.startRun({
      kind,
      mode: mode ?? null,
      inputs: inputs ?? {},
      budget: max_tokens === undefined ? {} : { max_tokens },
    }),
});

/** Tools that the graph of a plan runs itself: they need the model of the run or start child runs. */
export const graphTools: readonly PlatformTool<GraphToolPorts>[] = [callModel, startRun];
