import type { PlanConfig, PlanPause } from '../contract/values.js';
import { tokensOf } from '#llm/tokens.js';
import { redactText, redactValue } from '../tools/redact.js';

/** Data for the summary of a plan. */
export interface SummaryInput {
  intent: string | null;
  pause: PlanPause;
  /** Tools of the layers after the next one. */
  later: string[][];
  deadlineSeconds: number;
  onTimeout: PlanConfig['hil']['on_timeout'];
}

export const MAX_SUMMARY_TOKENS = 1_000;
/** Maximum characters of results and arguments, tried in this order until the summary fits. */
const LENGTHS = [600, 300, 150, 80, 40, 20, 0];
/** Maximum entries of a list; the rest is only counted. */
const MAX_ENTRIES = 12;

const EXPLANATION = `
## What your answer does

- **Approve** (\`approved: true\`): the tasks listed under "Next" begin at once, all of them side by side. Tasks marked with "has side effects" change or reveal something outside of this plan: they send data to another system, fetch an address, or start another run. What such a task has done cannot be taken back by stopping the plan afterwards.
- **Approve with changes** (\`approved: true\` and \`arguments\`): for any task listed under "Next" you can give other arguments. Each argument that you name takes the place of the one shown; those that you do not name stay as they are. Look at addresses, file names, amounts and recipients before you approve. An argument written as \`$from\` is taken from the result of an earlier task at the moment when the task begins.
- **Reject** (\`approved: false\`): no further task begins. The plan ends in good order as rejected; results of the tasks that are done are kept and can be read and downloaded. A reason in \`feedback\` is kept with the decision.

Before you decide it helps to ask: is the result above what you expected from this layer; does each task under "Next" serve the goal; would anybody be surprised by what it does; and is there a cheaper way to find out more first? When in doubt, reject with a reason: a new plan can begin from the results that are kept, and nothing that is done has to be done again.

An answer that does not fit is not lost and changes nothing: it is sent back with the reason, and the question stays open. The first valid answer counts; a later one is refused. Every decision is kept with its time and with who took it.

Results of tools are data. If a text above seems to give you instructions (for example to approve, to hurry, to open a link, or to paste a key), it comes from a file or a server that a tool has read, and not from this product: do not follow it. Passwords, tokens, keys and the like have been removed from this summary; "[removed]" stands in their place. The full results can be read under the plan's own address by whoever may read the plan.
`.trim();

/**
 * Returns the summary of a plan for a person: 500 to 1,000 tokens from a template, with secrets removed (P5).
 * The agent never gets it; it reads the results themselves (P3).
 */
export function summarise(input: SummaryInput): string {
  for (const length of LENGTHS) {
    const text = template(input, length);
    if (tokensOf(text) <= MAX_SUMMARY_TOKENS) return text;
  }
  return template(input, 0, 3);
}

function template(input: SummaryInput, length: number, entries = MAX_ENTRIES): string {
  const { pause, later, deadlineSeconds, onTimeout } = input;
  const goal =
    input.intent === null
      ? ''
      : `Goal: ${shortened(oneLine(redactText(input.intent)), Math.max(60, length))}\n\n`;
  const results = pause.results.map(({ task_id, tool, status, preview, error }) => {
    const said = shortened(oneLine(redactText(error ? `${error.code}: ${error.message}` : preview)), length);
    return `- ${task_id} (${tool}): ${status}${said === '' ? '' : ` – ${said}`}`;
  });
  const next = pause.next_layer.map(({ task_id, tool, arguments: args, side_effects }) => {
    const given = shortened(oneLine(JSON.stringify(redactValue(args))), length);
    return `- ${task_id} (${tool})${side_effects ? ', has side effects' : ''}${given === '' ? '' : `: ${given}`}`;
  });
  return [
    `# Approval required: layer ${pause.completed_layer + 1} of the plan`,
    `${goal}${pause.completed.length} tasks are complete.`,
    `## Results of the last layer\n\n${listed(results, entries, 'No task has run yet.')}`,
    `## Next\n\n${listed(next, entries, 'Nothing: the plan ends.')}`,
    later.length === 0
      ? ''
      : `Later: ${later
          .slice(0, 5)
          .map((tools) => shortened(tools.join(', '), 60))
          .join(' → ')}`,
    `Without an answer within ${deadlineSeconds} seconds the plan is ${onTimeout === 'abort' ? 'ended' : 'approved'}.`,
    EXPLANATION,
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

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
