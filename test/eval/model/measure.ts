import type { Call } from './relay.js';

/** An event of a run. */
interface RunEvent {
  type: string;
  data: Record<string, unknown>;
}

/** What was found wrong in a job, and how often the model was sent to mend it. */
export interface Repairs {
  /** Issues of failed validations, and findings of reviews. */
  findings: number;
  /** Failed validations, and calls that revise or correct a text. */
  repairs: number;
  /** Calls that ask again because an answer could not be used. */
  corrections: number;
}

const REPAIR = /^(?:revise|correct)_/;
/** First words of the message with which an answer is asked for again. */
const AGAIN = 'Your answer cannot be used:';

/** Counts findings and repairs of a job by the events of its run and its model calls. */
export function repairsOf(events: readonly RunEvent[], calls: readonly Call[]): Repairs {
  const failed = events.filter(({ type, data }) => type === 'validation_ran' && data['passed'] === false);
  const issues = failed.reduce((sum, { data }) => sum + Number(data['issue_count']), 0);
  const reviewed = calls.reduce((sum, call) => sum + findingsIn(call), 0);
  const isAgain = ({ request }: Call) => JSON.stringify(request.messages.at(-1)?.content).includes(AGAIN);
  return {
    findings: issues + reviewed,
    repairs: failed.length + calls.filter((call) => REPAIR.test(schemaOf(call))).length,
    corrections: calls.filter(isAgain).length,
  };
}

const schemaOf = ({ request }: Call): string =>
  (request as { response_format?: { json_schema?: { name?: string } } }).response_format?.json_schema?.name ??
  '';

/** Returns the number of findings in an answer that is a review. */
function findingsIn({ answer }: Call): number {
  const text = 'text' in answer ? (answer.text ?? '') : '';
  try {
    const { findings } = JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)) as {
      findings?: unknown;
    };
    return Array.isArray(findings) ? findings.length : 0;
  } catch {
    return 0;
  }
}

type Figures = Record<string, unknown>;
export type Results = Record<string, Figures>;

const COLUMNS = [
  ...['status', 'calls', 'refusedCalls', 'tokensIn', 'tokensOut', 'tokensCached'],
  ...['findings', 'repairs', 'corrections', 'cost', 'seconds'],
];

/**
 * Returns the figures of jobs as a Markdown table.
 *
 * @param before figures to compare with; what differs from them is shown as `before → now`
 */
export function tableOf(results: Results, before: Results = {}): string {
  const cell = (job: string, column: string) => {
    const [now, then] = [results[job]?.[column], before[job]?.[column]].map((value) =>
      value === undefined ? undefined : String(value as string | number),
    );
    if (then === undefined || then === now) return now ?? '–';
    return `${then} → ${now ?? '–'}`;
  };
  const jobs = [...new Set([...Object.keys(before), ...Object.keys(results)])];
  const rows = [
    ['job', ...COLUMNS],
    ['---', ...COLUMNS.map(() => '---')],
    ...jobs.map((job) => [job, ...COLUMNS.map((column) => cell(job, column))]),
  ];
  return rows.map((row) => `| ${row.join(' | ')} |`).join('\n');
}
