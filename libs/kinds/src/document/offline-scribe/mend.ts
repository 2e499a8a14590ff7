import type { ValidationIssue } from '#contracts/manuscript.js';
import type { Conversation, ToolCall } from './conversation.js';
import { appendCall, checkpointCall, type Plan } from './plan.js';

/** As much of the manuscript as the scribe asks for when it has to mend a line. */
const ALL_LINES = 2_000;

const HEADING_LEVEL = /Heading level (\d) follows level (\d)/;
const OPEN_FENCE = /fence ([`~]{3,}).*is still open at the end of the document/;

const isMendable = (issue: ValidationIssue): boolean =>
  HEADING_LEVEL.test(issue.message) || OPEN_FENCE.test(issue.message);

/** After a failed validation: reads the manuscript when an issue is of a kind that rules can mend, else asks for the next verdict. */
export function startMending({ order }: Conversation): Plan {
  if (!order.issues.some(isMendable)) return again(order.chapter, []);
  return {
    sentence: `Chapter ${order.chapter}: mending ${order.issues.length} issues.`,
    calls: [{ name: 'read_generated_file', args: { lines: ALL_LINES } }],
    note: { phase: 'mend' },
  };
}

/** Mends the lines that the issues name. What rules cannot mend stays, and after three attempts a person decides (D23). */
export function mend({ order, answered }: Conversation): Plan {
  const text = answered.find((call) => call.name === 'read_generated_file' && !call.failed)?.result;
  const lines = text?.replace(/\n$/, '').split('\n') ?? [];
  // Line numbers can be told only when the answer begins at the first line.
  const calls =
    lines.length === 0 || lines.length >= ALL_LINES
      ? []
      : order.issues.flatMap((issue) => mendIssue(issue, lines));
  return again(order.chapter, calls);
}

function mendIssue(issue: ValidationIssue, lines: string[]): ToolCall[] {
  const levels = HEADING_LEVEL.exec(issue.message);
  if (levels !== null) {
    const line = lines[issue.line_number - 1];
    if (line === undefined || !/#{2,6}/.test(line)) return [];
    const fewer = line.replace(/#{2,6}/, '#'.repeat(Number(levels[2]) + 1));
    return [{ name: 'edit_markdown_line', args: { line_number: issue.line_number, new_content: fewer } }];
  }
  const fence = OPEN_FENCE.exec(issue.message)?.[1];
  return fence === undefined ? [] : appendCall(`${fence}\n`);
}

function again(chapter: number, mends: ToolCall[]): Plan {
  return {
    sentence: `Chapter ${chapter}: ${mends.length} lines mended.`,
    calls: [...mends, checkpointCall(`chapter_${chapter}`)],
    note: { phase: 'closed' },
  };
}
