import type { ValidationIssue } from '#contracts/manuscript.js';
import { EMPTY_MANUSCRIPT } from '../graph/tools/validation.js';
import { rewriteAsWritten } from './chapter.js';
import type { Conversation, ToolCall } from './conversation.js';
import type { Note } from './note.js';
import { appendCall, checkpointCall, type WriterStep } from './writer-step.js';
import { inputNames } from './references.js';
import { isImage } from './sources/kind.js';

/** Lines of the manuscript that the offline writer requests in order to fix some of them. */
const ALL_LINES = 2_000;

const HEADING_LEVEL = /Heading level (\d) follows level (\d)/;
const OPEN_FENCE = /fence ([`~]{3,}).*is still open at the end of the document/;

const isMendable = (issue: ValidationIssue): boolean =>
  HEADING_LEVEL.test(issue.message) || OPEN_FENCE.test(issue.message);

/**
 * Plans the repair after a failed validation. The first attempt fixes lines by rules. Later attempts rewrite
 * files in code fences: first the chapter's files, then all files of the manuscript.
 */
export function startMending(conversation: Conversation): WriterStep {
  const { order, note } = conversation;
  const { chapter = [], asWritten = [] } = note ?? {};
  if (order.fix_attempts === 1 && asWritten.length === 0 && order.issues.some(isMendable)) {
    return {
      sentence: `Chapter ${order.chapter}: mending ${order.issues.length} issues.`,
      calls: [{ name: 'read_generated_file', args: { lines: ALL_LINES } }],
      note: { phase: 'mend', chapter },
    };
  }
  const isOpen = chapter.some((name) => !asWritten.includes(name));
  return isOpen
    ? rewriteAsWritten(conversation, chapter, order.last_checkpoint ?? EMPTY_MANUSCRIPT)
    : rewriteAll(conversation);
}

/** Carries every read file verbatim; if that was tried before, only requests another validation. */
function rewriteAll(conversation: Conversation): WriterStep {
  const { order, answered, note } = conversation;
  const isOpen = (name: string) => order.files.some((file) => file.name === name && !file.written);
  const names = inputNames(order, answered)?.filter((name) => !isImage(name) && !isOpen(name));
  if (names === undefined) {
    return {
      sentence: `Chapter ${order.chapter}: looking up all files.`,
      calls: [{ name: 'list_files', args: {} }],
      note: { ...note, phase: 'mend' },
    };
  }
  const isTried = names.every((name) => note?.asWritten?.includes(name));
  return isTried ? again(order.chapter, [], note) : rewriteAsWritten(conversation, names, EMPTY_MANUSCRIPT);
}

/** Fixes the lines that the issues name, and leaves other issues to the next attempt. */
export function mend(conversation: Conversation): WriterStep {
  const { order, answered, note } = conversation;
  if (answered.some(({ name }) => name === 'list_files')) return rewriteAll(conversation);
  const text = answered.find((call) => call.name === 'read_generated_file' && !call.failed)?.result;
  const lines = text?.replace(/\n$/, '').split('\n') ?? [];
  // Line numbers are known only if the answer starts at the first line.
  const calls =
    lines.length === 0 || lines.length >= ALL_LINES
      ? []
      : order.issues.flatMap((issue) => mendIssue(issue, lines));
  return again(order.chapter, calls, note);
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

function again(chapter: number, mends: ToolCall[], note: Note | null): WriterStep {
  return {
    sentence: `Chapter ${chapter}: ${mends.length} lines mended.`,
    calls: [...mends, checkpointCall(`chapter_${chapter}`)],
    note: { ...note, phase: 'closed' },
  };
}
