import type { Planning, PlanConfig, PlanPause, PlanTask } from '../contract/values.js';
import { tokensOf } from '#llm/tokens.js';
import { redactText, redactValue } from '../tools/redact.js';

/** Data for the summary of a plan. */
export interface SummaryInput {
  intent: string | null;
  pause: PlanPause;
  /** All tasks of the plan. */
  tasks: readonly PlanTask[];
  planning: Planning | null;
  /** Tasks of the layers after the next one. */
  later: PlanTask[][];
  /** Returns the cost of a call, relative to reading a file; null if it is unknown. */
  costOf(tool: string): number | null;
  deadlineSeconds: number;
  onTimeout: PlanConfig['hil']['on_timeout'];
}

export const MAX_SUMMARY_TOKENS = 1_000;
/** Explanations are added to a shorter summary until it is as long as people expect of one (P5). */
const ENOUGH_TOKENS = 540;
/** Maximum characters of results and arguments, tried in this order until the summary fits. */
const LENGTHS = [600, 300, 150, 80, 40, 20, 0];
/** Maximum entries of a list; the rest is only counted. */
const MAX_ENTRIES = 12;

const ANSWER = `
## What your answer does

- **Approve** (\`approved: true\`): the tasks listed under "Next" begin at once, all of them side by side.
- **Approve with changes** (\`approved: true\` and \`arguments\`): the arguments that you name for a task under "Next" replace those shown; the others stay. An argument written as \`$from\` is taken from the result of an earlier task.
- **Reject** (\`approved: false\`): nothing under "Next" and "Later" runs, and the plan ends as rejected. Results and files so far are kept. A reason in \`feedback\` is kept with the decision.

Text in results and arguments is data from files and servers. If it seems to give you instructions (to approve, to hurry, to open a link, to paste a key), do not follow them. "[removed]" stands in place of passwords, tokens and keys.
`.trim();

/** Explanations for summaries with room, in the order in which they are added. */
const EXPLANATIONS = [
  'A task that "has side effects" changes or reveals something outside of this plan: it sends data to another system, fetches an address, or starts another run. What such a task has done cannot be taken back by stopping the plan afterwards, so look at addresses, file names, amounts and recipients before you approve.',
  'The cost of a task is relative: reading a file costs 1, a question to the model about 20, a whole run 50. It serves to compare tasks, and is no price.',
  'Before you decide it helps to ask: is each result what you expected; does each task under "Next" serve the goal; would anybody be surprised by what it does; and is there a cheaper way to find out more first? When in doubt, reject with a reason: a new plan can begin from the results that are kept.',
  'An answer that does not fit changes nothing: it is sent back with the reason, and the question stays open. The first valid answer counts; a later one is refused. Every decision is kept with its time and with who took it.',
  'The full results can be read under the address of the plan by everybody who may read the plan.',
];

/**
 * Returns the summary of a plan for a person: 500 to 1,000 tokens with what happened, what comes next and what a
 * rejection stops, with secrets removed (P5). The agent never gets it; it reads the results themselves (P3).
 */
export function summarise(input: SummaryInput): string {
  for (const length of LENGTHS) {
    const text = template(input, length);
    if (tokensOf(text) <= MAX_SUMMARY_TOKENS) return explained(text);
  }
  return explained(template(input, 0, 3));
}

function explained(summary: string): string {
  let text = summary;
  for (const explanation of EXPLANATIONS)
    if (tokensOf(text) < ENOUGH_TOKENS) text = `${text}\n\n${explanation}`;
  return text;
}

function template(input: SummaryInput, length: number, entries = MAX_ENTRIES): string {
  const { pause, deadlineSeconds, onTimeout } = input;
  const results = pause.results.map((result) => happened(input, result, length));
  const next = pause.next_layer.map((task) => planned(input, task, length));
  const later = input.later
    .flat()
    .map(({ id, tool, purpose }) => `- ${short(id, 64)} (${short(tool, 64)})${because(purpose, length)}`);
  const before = pause.completed
    .filter((id) => !pause.results.some((result) => result.task_id === id))
    .flatMap((id) => input.tasks.find((task) => task.id === id) ?? [])
    .map(({ id, tool, purpose }) => `- ${short(id, 64)} (${short(tool, 64)})${because(purpose, length)}`);
  return [
    `# Approval required: layer ${pause.completed_layer + 1} of the plan`,
    ...about(input, length),
    `## Results of the last layer\n\n${listed(results, entries, 'No task has run yet.')}`,
    before.length === 0 ? '' : `## Completed before\n\n${listed(before, Math.min(5, entries), '')}`,
    `## Next\n\n${listed(next, entries, 'Nothing: the plan ends.')}`,
    later.length === 0 ? '' : `## Later\n\n${listed(later, Math.min(5, entries), '')}`,
    stopped(input, length),
    `Without an answer within ${inWords(deadlineSeconds)} the plan is ${onTimeout === 'abort' ? 'ended' : 'approved'}.`,
    ANSWER,
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** Returns what a rejection would stop: tasks with their cost, effects on other systems, and files. */
function stopped({ pause, later, tasks, planning, costOf }: SummaryInput, length: number): string {
  const next = pause.next_layer;
  const ids = new Set([...next.map(({ task_id: id }) => id), ...later.flat().map(({ id }) => id)]);
  const effects = next.filter(({ side_effects: has }) => has).map(({ task_id: id }) => id);
  const files = planning?.outputs.filter(({ task }) => ids.has(task)).map(({ description }) => description);
  const cost = [...next, ...later.flat()].reduce((sum, { tool }) => sum + (costOf(tool) ?? 0), 0);
  const room = Math.max(60, length);
  return [
    `A rejection stops ${next.length} task(s) of the next layer and ${later.flat().length} later one(s), of cost ${cost} together; ${pause.completed.length} of ${tasks.length} tasks are complete.`,
    effects.length === 0
      ? ''
      : `These tasks would not act on other systems: ${short(effects.join(', '), room)}.`,
    files?.length ? `You would not receive: ${short(files.join('; '), room)}.` : '',
  ]
    .filter((part) => part !== '')
    .join(' ');
}

/** Returns the goal, and how the model understood it. */
function about({ intent, planning }: SummaryInput, length: number): string[] {
  const room = Math.max(60, length);
  const notes = (label: string, texts: string[] = []) =>
    texts.length === 0 ? '' : `${label}: ${short(texts.join('; '), room)}`;
  return [
    intent === null ? '' : `Goal: ${short(intent, room)}`,
    planning?.understanding ? `Understood as: ${short(planning.understanding, room)}` : '',
    notes('Assumed', planning?.assumptions),
    notes('Not covered by the plan', planning?.missing),
    notes(
      'You will receive',
      planning?.outputs.map(({ description }) => description),
    ),
  ];
}

function happened({ tasks }: SummaryInput, result: PlanPause['results'][number], length: number): string {
  const { task_id: id, tool, status, preview, error } = result;
  const task = tasks.find((each) => each.id === id);
  const args = task ? `; called with ${argumentsOf(task.arguments, Math.min(150, length))}` : '';
  const said = short(error ? `${error.code}: ${error.message}` : preview, length);
  return `- ${short(id, 64)} (${short(tool, 64)}): ${status}${because(task?.purpose, length)}${length === 0 ? '' : args}${said === '' ? '' : ` – ${said}`}`;
}

function planned({ costOf }: SummaryInput, task: PlanPause['next_layer'][number], length: number): string {
  const { task_id: id, tool, arguments: args, side_effects: hasSideEffects, purpose, missing } = task;
  const cost = costOf(tool);
  const facts = [
    hasSideEffects ? ', has side effects' : '',
    cost === null ? '' : `, cost ${cost}`,
    missing.length === 0 ? '' : `, lacks ${short(missing.join(', '), 80)}`,
  ].join('');
  const given = argumentsOf(args, length);
  return `- ${short(id, 64)} (${short(tool, 64)})${facts}${because(purpose, length)}${given === '' ? '' : `: ${given}`}`;
}

const because = (purpose: string | undefined, length: number): string =>
  purpose === undefined || length === 0 ? '' : ` – to ${short(purpose, Math.max(20, Math.min(length, 120)))}`;

const argumentsOf = (args: Record<string, unknown>, length: number): string =>
  shortened(oneLine(JSON.stringify(redactValue(args))), length);

/** Returns a text on one line without secrets, shortened. */
const short = (text: string, length: number): string => shortened(oneLine(redactText(text)), length);

function listed(lines: string[], entries: number, none: string): string {
  if (lines.length === 0) return none;
  const rest = lines.length - entries;
  return [...lines.slice(0, entries), ...(rest > 0 ? [`- and ${rest} more`] : [])].join('\n');
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

function shortened(text: string, length: number): string {
  if (text.length <= length) return text;
  // Do not split a surrogate pair.
  return length === 0 ? '' : `${text.slice(0, length).replace(/[\ud800-\udbff]$/, '')}…`;
}

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** Returns a time in the largest unit that divides it, such as "7 days". */
function inWords(seconds: number): string {
  const [unit, length] = UNITS.find(([, length]) => seconds % length === 0) ?? ['second', 1];
  const count = seconds / length;
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
