import { phrase } from '#contracts/phrases/phrase.js';
import { ModelFailure, type ModelPort } from '#kit/graph/ports.js';
import { AIMessage, HumanMessage, SystemMessage, type BaseMessage } from '@langchain/core/messages';
import type { PlanTask } from '../contract/values.js';
import type { CodeChecks } from '../tools/check/code-checks.js';
import type { SchemaChecks } from '../tools/schema/schema-checks.js';
import { isOffered, type Toolbox, type ToolSimilarities } from '../tools/toolbox.js';
import { problemsOf } from './check.js';
import { readPlanned, type Planned } from './answer.js';
import {
  briefing,
  correction,
  PLANNER,
  type InputGlance,
  type NamedCollection,
  type NamedSecret,
  type PlanSoFar,
} from './prompt.js';
import type { ToolDescription } from '../tools/tool.js';

/** Corrections that the model gets for one plan. */
export const MAX_REPAIRS = 2;
/** Maximum length of an unusable answer that is sent back to the model, in characters. */
const MAX_QUOTED = 20_000;

interface Wanted {
  intent: string;
  context: Record<string, unknown>;
  inputs: readonly InputGlance[];
  toolbox: Toolbox;
  schemas: SchemaChecks;
  codes: CodeChecks;
  /** Secrets that requests may use, by name. */
  secrets?: readonly NamedSecret[];
  /** Collections that plans may search. */
  collections?: readonly NamedCollection[];
  /** Present when a running plan is replanned. */
  soFar?: PlanSoFar;
  tier: 'main' | 'fast';
  /** Called if the tools are found by words only, because the embedding server failed. */
  onWordsOnly?: () => void;
}

/**
 * Asks the model for a plan. Returns the problems of an invalid plan to it at most twice. When a plan is
 * replanned, the result contains only the tasks to run from now on.
 *
 * @param effectKey identifies the step, so that its usage is counted once
 * @throws ModelFailure, `model_answer_unusable` if the last correction cannot run; BudgetExceededError; the signal's
 * reason
 */
export async function planByModel(
  model: ModelPort,
  wanted: Wanted,
  effectKey: string,
  signal: AbortSignal | undefined,
): Promise<Planned> {
  const { intent, soFar, toolbox } = wanted;
  const done = soFar?.done.map(({ task }) => task) ?? [];
  const named = [...done, ...(soFar?.open ?? [])].map(({ tool }) => tool);
  const request = [intent, soFar?.requirement ?? ''].join(' ').trim();
  const similarities = (await toolbox.similarities?.(request)) ?? null;
  if (toolbox.similarities && !similarities) wanted.onWordsOnly?.();
  const tools = shortlist(toolbox, request, named, similarities);
  const messages: BaseMessage[] = [
    new SystemMessage(PLANNER),
    new HumanMessage(briefing({ ...wanted, tools })),
  ];
  let problems: string[] = [];
  for (let attempt = 0; attempt <= MAX_REPAIRS; attempt++) {
    // No schema is sent: the arguments depend on the tool, and servers that enforce a schema would forbid them.
    const answer = await model.call({
      messages: [...messages],
      tools: [],
      tier: wanted.tier,
      operation: 'plan',
      isProse: false,
      effectKey: `${effectKey}/plan/${attempt}`,
      ...(signal ? { signal } : {}),
    });
    const checked = await check(answer.text, wanted, done);
    if ('planned' in checked) return checked.planned;
    problems = checked.problems;
    messages.push(
      new AIMessage(answer.text.slice(0, MAX_QUOTED) || '(empty)'),
      new HumanMessage(correction(problems)),
    );
  }
  throw new ModelFailure(
    'model_answer_unusable',
    phrase('model_failure.model_answer_unusable.plan', {
      max: MAX_REPAIRS,
      problems: problems.slice(0, 3).join(' '),
    }),
  );
}

async function check(
  text: string,
  { toolbox, inputs, schemas, codes }: Wanted,
  done: readonly PlanTask[],
): Promise<{ planned: Planned } | { problems: string[] }> {
  let planned: Planned;
  try {
    planned = readPlanned(text);
  } catch (error) {
    return { problems: [`The answer cannot be read: ${(error as Error).message}`] };
  }
  const problems = await problemsOf(planned, { tools: toolbox.tools, done, inputs, schemas, codes });
  return problems.length === 0 ? { planned } : { problems };
}

/** Maximum number of other tools, such as those of MCP servers. */
const MAX_OTHERS = 10;
/**
 * Returns the tools from which the model chooses: those that the plan already uses, the platform's, and the best matches
 * of the others.
 *
 * @param similarities of the tools to the request by meaning; null if only words decide
 */
export function shortlist(
  { tools, index }: Toolbox,
  request: string,
  used: readonly string[],
  similarities: ToolSimilarities | null = null,
): ToolDescription[] {
  const found = index.search(request, tools.size, similarities).map(({ name }) => name);
  const isOther = (name: string) => name.includes('/');
  const chosen = new Set([...used, ...found.filter(isOther).slice(0, MAX_OTHERS)]);
  // Use the order of the catalogue, so that prompts with the same tools begin alike.
  return [...tools.values()].filter(
    (tool) => chosen.has(tool.name) || (!isOther(tool.name) && isOffered(tool)),
  );
}
