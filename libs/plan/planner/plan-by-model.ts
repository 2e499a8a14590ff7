import { phrase } from '#contracts/phrases/phrase.js';
import { ModelFailure, type ModelPort } from '#kit/graph/ports.js';
import { AIMessage, HumanMessage, SystemMessage, type BaseMessage } from '@langchain/core/messages';
import type { PlanTask } from '../contract/values.js';
import type { Toolbox } from '../tools/toolbox.js';
import { readPlanned, type Planned } from './answer.js';
import { problemsOf } from './check.js';
import {
  briefing,
  correction,
  PLANNER,
  type InputGlance,
  type NamedSecret,
  type PlanSoFar,
} from './prompt.js';
import { shortlist } from './shortlist.js';

/** Corrections that the model gets for one plan. */
export const MAX_REPAIRS = 2;
/** Maximum length of an unusable answer that is sent back to the model, in characters. */
const MAX_QUOTED = 20_000;

interface Wanted {
  intent: string;
  context: Record<string, unknown>;
  inputs: readonly InputGlance[];
  toolbox: Toolbox;
  /** Secrets that requests may use, by name. */
  secrets?: readonly NamedSecret[];
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
    const checked = check(answer.text, wanted, done);
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

function check(
  text: string,
  { toolbox, inputs }: Wanted,
  done: readonly PlanTask[],
): { planned: Planned } | { problems: string[] } {
  let planned: Planned;
  try {
    planned = readPlanned(text);
  } catch (error) {
    return { problems: [`The answer cannot be read: ${(error as Error).message}`] };
  }
  const problems = problemsOf(planned, {
    tools: toolbox.tools,
    done,
    inputs,
  });
  return problems.length === 0 ? { planned } : { problems };
}
