import { trimAsciiWhitespace } from '#markdown/trim.js';
import type { ScannedLine } from '#markdown/scan/scan.js';
import { isWordless } from '../source/plain-text.js';
import type { LedgerOmission } from '../schema.js';
import { STATUS, type ManuscriptState, type SourceState } from './state.js';

/** Reasons why a line may be missing without a person's consent. */
const RULES = {
  blank: 'blank line in prose',
  end: 'blank line at the start or end of the file',
  frontMatter: 'front matter',
  ruler: 'ruler of plain text',
  boilerplate: 'duplicated boilerplate, carried once from another file',
} as const;

/** Sets the status of lines without text: blank lines, underlines of headings, front matter. */
export function omitByRule(state: SourceState, manuscript: ManuscriptState, underlines: Set<number>): void {
  const { classes, scanned } = state.reading;
  if (state.reading.form === 'fenced') return omitEnds(state);
  let carried = -1;
  classes.forEach((kind, line) => {
    if (state.status[line] === STATUS.carried) carried = line;
    if (state.status[line] !== STATUS.unaccounted) return;
    if (kind === 'front_matter') state.omit(line, RULES.frontMatter);
    else if (kind === 'blank') carried = blank(state, line, carried, manuscript) ? line : carried;
    else if (scanned?.[line]?.kind === 'underline') underline(state, line, manuscript, underlines);
    else if (isRuleUnderHeading(state, line, manuscript))
      state.carry(line, line, state.manuscriptLine[line - 1] as number, 'wrapped');
    else if (scanned?.[line]?.kind === 'blank') state.omit(line, RULES.blank);
    else if (state.source.form === 'text' && isWordless(state.source.lines[line] as string))
      state.omit(line, RULES.ruler);
  });
}

/**
 * Sets the status of a blank line, and returns whether it is carried: the manuscript must have a blank line
 * right after the preceding one. In plain text inside a code fence, that is a line of the code block.
 */
function blank(state: SourceState, line: number, carried: number, manuscript: ManuscriptState): boolean {
  const before = carried < 0 ? -1 : state.endOf(carried) + (line - carried);
  const at = isFreeBlank(manuscript, before) ? before : blankBefore(state, line, manuscript);
  if (at < 0) {
    state.omit(line, RULES.blank);
    return false;
  }
  manuscript.claimLine(at);
  state.carry(line, line, at, 'exact');
  return true;
}

/**
 * Locates a blank line in a code fence by counting back from the next carried line; needed at the start of a
 * file.
 */
function blankBefore(state: SourceState, line: number, manuscript: ManuscriptState): number {
  let next = line + 1;
  while (next < line + 100 && state.reading.classes[next] === 'blank') next++;
  if (state.status[next] !== STATUS.carried) return -1;
  const at = (state.manuscriptLine[next] as number) - (next - line);
  return manuscript.text.scanned[at]?.kind === 'code' && isFreeBlank(manuscript, at) ? at : -1;
}

function isFreeBlank(manuscript: ManuscriptState, at: number): boolean {
  const target = manuscript.text.scanned[at];
  if (target?.kind === 'blank') return true;
  return target?.kind === 'code' && trimAsciiWhitespace(target.text) === '' && !manuscript.isClaimed(at);
}

/** Gives an underline the status of its heading, which may have become `# …`. */
function underline(
  state: SourceState,
  line: number,
  manuscript: ManuscriptState,
  underlines: Set<number>,
): void {
  const heading = line - 1;
  const at = state.manuscriptLine[heading] as number;
  if (at < 0) return;
  state.status[line] = state.status[heading] as number;
  state.how[line] = state.how[heading] as number;
  const next = manuscript.text.scanned[at + 1];
  const same =
    next?.kind === 'underline' && next.text === (state.reading.scanned?.[line] as ScannedLine).text;
  if (same) underlines.add(at + 1);
  state.manuscriptLine[line] = same ? at + 1 : at;
}

/**
 * Returns whether a line of plain text is an underline of a line that became a heading; it is carried with
 * that heading.
 */
function isRuleUnderHeading(state: SourceState, line: number, manuscript: ManuscriptState): boolean {
  if (state.source.form !== 'text' || line === 0 || state.status[line - 1] !== STATUS.carried) return false;
  if (!/^([=\-~^*#"'+.])\1{2,}$/.test(trimAsciiWhitespace(state.source.lines[line] as string))) return false;
  const target = manuscript.text.scanned[state.manuscriptLine[line - 1] as number];
  return target?.kind === 'heading' || target?.kind === 'setext';
}

function omitEnds(state: SourceState): void {
  const { lines } = state.source;
  const open = (line: number) => lines[line] === '' && state.status[line] === STATUS.unaccounted;
  for (let line = 0; line < lines.length && lines[line] === ''; line++)
    if (open(line)) state.omit(line, RULES.end);
  for (let line = lines.length - 1; line >= 0 && lines[line] === ''; line--)
    if (open(line)) state.omit(line, RULES.end);
}

/** Marks lines that a person agreed to omit; they may be missing or altered. */
export function omitByPerson(state: SourceState, omissions: LedgerOmission[]): void {
  for (const omission of omissions) {
    if (omission.source !== state.source.name) continue;
    const last = Math.min(omission.last_line, state.source.lines.length);
    for (let line = Math.max(0, omission.first_line - 1); line < last; line++) {
      const status = state.status[line];
      if (status !== STATUS.unaccounted && status !== STATUS.altered) continue;
      state.status[line] = STATUS.byPerson;
      state.reasons.set(line, omission.reason);
    }
  }
}

const COMMENT = /^\s*(?:\/\/|#|\/\*|\*|--|;|%|<!--|-->|"""|'''|REM\b|@rem\b|$)/i;
const MIN_BOILERPLATE = 3;
const MAX_BOILERPLATE = 60;

/**
 * Omits a comment block at the start of a file, such as a licence, if another file starts with the same lines
 * and those are carried. Applies only to whole blocks of at least three lines, never to code.
 */
export function omitBoilerplate(states: SourceState[]): void {
  const carried = new Map<string, true>();
  for (const state of states) {
    const head = headBlock(state, STATUS.carried);
    for (let size = MIN_BOILERPLATE; size <= head.length; size++)
      carried.set(head.slice(0, size).join('\n'), true);
  }
  for (const state of states) {
    const head = headBlock(state, STATUS.unaccounted);
    if (head.length < MIN_BOILERPLATE || head.length === state.source.lines.length) continue;
    if (!carried.has(head.join('\n'))) continue;
    for (let line = 0; line < head.length; line++) state.omit(line, RULES.boilerplate);
  }
}

function headBlock(state: SourceState, status: number): string[] {
  const { lines } = state.source;
  let end = 0;
  while (
    end < Math.min(lines.length, MAX_BOILERPLATE) &&
    state.status[end] === status &&
    COMMENT.test(lines[end] as string)
  )
    end++;
  return lines.slice(0, end);
}
