import { z } from 'zod';
import { phraseSchema } from './phrases/schema.js';

/** A model that cannot answer, after all retries. */
const modelFailureSchema = z.object({
  code: z.string().describe('stable code, such as model_quota_exceeded'),
  message: z.string(),
  phrase: phraseSchema
    .optional()
    .describe('Code and parameters of the message; missing for the words of a provider.'),
  operation: z.string().describe('what the model was asked for, such as draft_chapter'),
  model: z.string().describe('name of the model'),
});
export type ModelFailureReport = z.infer<typeof modelFailureSchema>;

/**
 * Possible answers to a failed model: ask the same model again, ask the installation's other model from now
 * on, let rules do the work, or end the run as failed.
 */
const modelChoices = ['retry', 'other_model', 'rules', 'stop'] as const;
export type ModelChoice = (typeof modelChoices)[number];

/** Details of the question `model_failed`. */
export const modelFailedDetailsSchema = modelFailureSchema.extend({
  other_model: z.string().nullable().describe('model that other_model stands for'),
  choices: z.array(z.enum(modelChoices)).min(1),
});

const known = z.boolean().nullable();

/** Facts about a model at its endpoint; null for a fact that was not tested yet. */
export const modelFactsSchema = z
  .object({
    context_tokens: z
      .number()
      .int()
      .nullable()
      .describe('context window in tokens; null: the server does not report it'),
    output_tokens: z
      .number()
      .int()
      .nullable()
      .describe('maximum tokens of an answer; null: the server names no limit'),
    tools: known.describe('the model calls tools'),
    parallel_calls: known.describe('the model calls several tools in one answer'),
    json_schema: known.describe('the server constrains answers by a JSON schema'),
    json_object: known.describe('the server constrains answers to JSON'),
    stream_usage: known.describe('the server reports the tokens of a streamed answer'),
    reasoning: known.describe('the model reasons before it answers'),
  })
  .meta({ id: 'ModelFacts' });
export type ModelFacts = z.infer<typeof modelFactsSchema>;

export const UNKNOWN_FACTS: ModelFacts = {
  context_tokens: null,
  output_tokens: null,
  tools: null,
  parallel_calls: null,
  json_schema: null,
  json_object: null,
  stream_usage: null,
  reasoning: null,
};

/** Windows below this number of tokens are small: sources are read in short pages. */
const SMALL_WINDOW = 16_000;

/** Consequences of a model's facts for the work of the service, in English. */
export const modelConsequences = {
  no_tools: 'No tools: this model cannot write documents or plans.',
  no_parallel_calls: 'One tool at a time: documents need more calls.',
  no_json_schema: 'No json_schema: structured answers are asked for as JSON objects and checked.',
  no_json_object:
    'No json_object: structured answers are asked for in words, and repaired if they are not valid.',
  no_stream_usage: 'No usage in streams: tokens and costs are estimates.',
  reasoning: 'The model reasons before it answers: reasoning is removed from texts, but its tokens count.',
  unknown_window:
    'The context window is unknown: the server decides how long an answer may be. Set it to use the window fully.',
  small_window: 'The context window is small: sources are read in short pages, which needs more calls.',
} as const;
export const modelConsequenceSchema = z.enum(
  Object.keys(modelConsequences) as [keyof typeof modelConsequences],
);
type ModelConsequence = z.infer<typeof modelConsequenceSchema>;

/** Returns the consequences of facts, most important first. */
export function consequencesOf(facts: ModelFacts): ModelConsequence[] {
  const { context_tokens: window } = facts;
  const all: [ModelConsequence, boolean][] = [
    ['no_tools', facts.tools === false],
    ['small_window', window !== null && window < SMALL_WINDOW],
    ['unknown_window', window === null],
    ['no_parallel_calls', facts.parallel_calls === false && facts.tools !== false],
    ['no_json_schema', facts.json_schema === false && facts.json_object !== false],
    ['no_json_object', facts.json_schema === false && facts.json_object === false],
    ['no_stream_usage', facts.stream_usage === false],
    ['reasoning', facts.reasoning === true],
  ];
  return all.flatMap(([code, applies]) => (applies ? [code] : []));
}

/** Name of the rules that write without a model; shown in place of a model's name. */
export const OFFLINE_WRITER = 'offline scribe (rules, no model)';

/** Names the rules that work without a model in runs of other kinds. */
export const OFFLINE_WRITER_LABEL = 'offline writer (rules, no model)';
