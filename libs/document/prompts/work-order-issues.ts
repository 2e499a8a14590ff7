import type { ValidationIssue } from '#contracts/manuscript.js';

/**
 * Issues of one rule with the same texts and source file; `lines` contains [manuscript line, source line or
 * 0].
 */
interface IssueGroup {
  issue: ValidationIssue;
  lines: [number, number][];
}

/** Above this number, issues are grouped, so that the work order stays bounded (D17). */
const DETAILED = 40;
const TEXT = { detailed: 300, grouped: 120 };

const cut = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;

/**
 * Groups issues; each keeps its line number (D16). Many issues are grouped by rule, message and source file,
 * and very many only by rule and source file, with the text of the first one.
 */
export function groupIssues(issues: ValidationIssue[]): IssueGroup[] {
  if (issues.length <= DETAILED) return group(issues, TEXT.detailed, (_, index) => String(index));
  const alike = group(issues, TEXT.grouped, (issue) =>
    JSON.stringify([issue.rule, issue.message, issue.source_file]),
  );
  if (alike.length <= DETAILED) return alike;
  return group(issues, TEXT.grouped, (issue) => JSON.stringify([issue.rule, issue.source_file]));
}

function group(
  issues: ValidationIssue[],
  length: number,
  keyOf: (issue: ValidationIssue, index: number) => string,
): IssueGroup[] {
  const groups = new Map<string, IssueGroup>();
  issues.forEach((issue, index) => {
    const key = keyOf(issue, index);
    const found = groups.get(key) ?? { issue: shorten(issue, length), lines: [] };
    found.lines.push([issue.line_number, issue.source_line ?? 0]);
    groups.set(key, found);
  });
  return [...groups.values()];
}

function shorten(issue: ValidationIssue, length: number): ValidationIssue {
  return {
    ...issue,
    message: cut(issue.message, length),
    rule_description: cut(issue.rule_description, length),
    error_detail: issue.error_detail === null ? null : cut(issue.error_detail, length),
  };
}

/** `- lines 3-5,9 | MD010 | "description" | "message" | "detail" | "source file" lines 7-9,12` */
export function renderIssue({ issue, lines }: IssueGroup): string {
  const quote = (text: string | null): string => JSON.stringify(text);
  const parts = [
    `- lines ${ranges(lines.map(([line]) => line))}`,
    issue.rule,
    quote(issue.rule_description),
    quote(issue.message),
    quote(issue.error_detail),
  ];
  if (issue.source_file !== undefined)
    parts.push(`${quote(issue.source_file)} lines ${ranges(lines.map(([, line]) => line))}`);
  return parts.join(' | ');
}

/** Formats numbers in their order: `[3, 4, 5, 9]` → `3-5,9`. */
function ranges(numbers: number[]): string {
  const runs: [number, number][] = [];
  for (const number of numbers) {
    const last = runs.at(-1);
    if (last !== undefined && number === last[1] + 1) last[1] = number;
    else runs.push([number, number]);
  }
  return runs.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(',');
}
