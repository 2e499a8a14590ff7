import type { ValidationIssue } from '#contracts/manuscript.js';
import { sourceForm } from '#verbatim/source/form.js';

/** Maximum number of findings in a work order (D17), and of places of each. */
const LIMITS = { findings: 10, places: 20, text: 300 };

/** Rules whose violation makes the other findings doubtful. */
const FIRST = new Set(['SCR-validation', 'SCR-fence']);

/** Issues of one rule with the same message and source file; the message of an issue with its own lines is unique. */
type Finding = [ValidationIssue, ...ValidationIssue[]];

/** Returns the issues of the most useful findings, those of the most lines first, and the number of others. */
export function mostUseful(all: readonly ValidationIssue[]): {
  issues: ValidationIssue[];
  more_issues: number;
} {
  const ranked = findingsOf(all)
    .map((finding) => ({
      finding,
      weight: FIRST.has(finding[0].rule) ? Infinity : sum(finding.map(linesOf)),
    }))
    .sort((a, b) => (a.weight === b.weight ? 0 : b.weight - a.weight));
  const issues = ranked
    .slice(0, LIMITS.findings)
    .flatMap(({ finding }) => finding.slice(0, LIMITS.places))
    .map(shorten);
  return { issues, more_issues: all.length - issues.length };
}

/** Returns one line for each finding. */
export const renderIssues = (issues: readonly ValidationIssue[]): string[] =>
  findingsOf(issues).map(renderFinding);

function findingsOf(issues: readonly ValidationIssue[]): Finding[] {
  const findings = new Map<string, Finding>();
  for (const issue of issues) {
    const key = JSON.stringify([
      issue.rule,
      issue.rule_description,
      issue.message,
      issue.error_detail,
      issue.source_file,
    ]);
    const found = findings.get(key);
    if (found) found.push(issue);
    else findings.set(key, [issue]);
  }
  return [...findings.values()];
}

const sum = (numbers: number[]): number => numbers.reduce((total, number) => total + number, 0);

function linesOf({ line_number, last_line_number, source_line, last_source_line }: ValidationIssue): number {
  const count = (first = 0, last = first) => last - first + 1;
  return Math.max(count(line_number, last_line_number), count(source_line, last_source_line));
}

const cut = (text: string): string =>
  text.length <= LIMITS.text ? text : `${text.slice(0, LIMITS.text - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;

const shorten = (issue: ValidationIssue): ValidationIssue => ({
  ...issue,
  message: cut(issue.message),
  rule_description: cut(issue.rule_description),
  error_detail: issue.error_detail === null ? null : cut(issue.error_detail),
});

/** `- lines 3-5,9 | MD010 | "description" | "message" | "detail" | "source file" lines 7-9,12 | call tool {…}` */
function renderFinding(finding: Finding): string {
  const [issue] = finding;
  const quote = (text: string | null): string => JSON.stringify(text);
  const parts = [
    `- lines ${finding.map(({ line_number, last_line_number }) => span(line_number, last_line_number)).join(',')}`,
    issue.rule,
    quote(issue.rule_description),
    quote(issue.message),
    quote(issue.error_detail),
  ];
  if (issue.source_file !== undefined) {
    const lines = finding.map(({ source_line, last_source_line }) =>
      span(source_line ?? 0, last_source_line),
    );
    parts.push(`${quote(issue.source_file)} lines ${lines.join(',')}`);
  }
  const calls = finding.length === 1 ? repairCalls(issue) : [];
  return [...parts, ...calls.map(([tool, args]) => `call ${tool} ${JSON.stringify(args)}`)].join(' | ');
}

const span = (first: number, last = first): string => (first === last ? `${first}` : `${first}-${last}`);

/** Returns the tool calls that mend an issue; none if the model has to decide how. */
export function repairCalls(issue: ValidationIssue): [tool: string, args: Record<string, unknown>][] {
  const {
    rule,
    line_number: from_line,
    last_line_number: to_line,
    after_line,
    source_file: filename,
  } = issue;
  const remove: ReturnType<typeof repairCalls>[number] = [
    'replace_lines',
    { from_line, to_line, new_content: '' },
  ];
  if (rule === 'SCR-added' && to_line !== undefined) return [remove];
  if (filename === undefined || issue.last_source_line === undefined) return [];
  const lines = { filename, from_line: issue.source_line, to_line: issue.last_source_line };
  const form = sourceForm(filename);
  if (rule === 'SCR-verbatim')
    return form === 'code'
      ? [remove, ['place_source', { ...lines, as: 'fence', after_line: from_line - 1 }]]
      : [];
  if (rule !== 'SCR-missing') return [];
  if (to_line !== undefined)
    return after_line === undefined ? [] : [['move_lines', { from_line, to_line, after_line }]];
  // A row of a table cannot be a separate block.
  if (form === 'table' && after_line !== undefined) return [];
  const as = form === 'code' || form === 'table' ? 'fence' : 'prose';
  return [['place_source', { ...lines, as, after_line }]];
}
