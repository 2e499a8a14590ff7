import { closingMarks } from '../source/marks.js';
import type { ScannedLine } from '#markdown/scan/scan.js';
import type { Ledger } from '../schema.js';
import { STATUS, type ManuscriptState, type SourceState } from './state.js';

/** Markdown and Word have six levels of headings. */
const DEEPEST = 6;
const NO_PARAGRAPH = /^(?:[|<]|[*_-][*_\- ]*$)/;

/**
 * Checks the borders of paragraphs. Wrapping may move line ends, but a blank line within a paragraph or two
 * joined paragraphs are alterations. Text inside a code fence has lines instead of paragraphs.
 */
export function checkParagraphs(state: SourceState, manuscript: ManuscriptState): void {
  const { scanned } = state.reading;
  if (!scanned) return;
  let before = -1;
  for (let line = 0; line < scanned.length; line++) {
    const own = scanned[line] as ScannedLine;
    if (own.kind === 'blank') continue;
    const isCode = manuscript.text.scanned[state.manuscriptLine[line] as number]?.kind === 'code';
    if (own.kind !== 'prose' || state.status[line] !== STATUS.carried || isCode) {
      before = -1;
      continue;
    }
    if (inside(manuscript, state.manuscriptLine[line] as number, state.endOf(line))) {
      state.alter(line, state.manuscriptLine[line] as number, 'a blank line splits the paragraph', []);
    } else if (before >= 0) compareBorder(state, before, line, manuscript);
    before = line;
  }
}

function compareBorder(state: SourceState, before: number, line: number, manuscript: ManuscriptState): void {
  const own = (state.reading.scanned as ScannedLine[])[line] as ScannedLine;
  const previous = (state.reading.scanned as ScannedLine[])[before] as ScannedLine;
  if (own.marker || own.quotes !== previous.quotes || own.lists !== previous.lists) return;
  if (NO_PARAGRAPH.test(own.text) || NO_PARAGRAPH.test(previous.text)) return;
  const from = state.endOf(before);
  const to = state.manuscriptLine[line] as number;
  if (line === before + 1 && inside(manuscript, from, to)) {
    state.alter(line, to, 'a blank line splits the paragraph', []);
  } else if (line > before + 1 && to <= from + 1) state.alter(line, to, 'two paragraphs run together', []);
}

/** Returns whether there is anything but prose between two manuscript lines. */
function inside(manuscript: ManuscriptState, from: number, to: number): boolean {
  for (let line = from + 1; line < to; line++)
    if (manuscript.text.scanned[line]?.kind !== 'prose') return true;
  return false;
}

/**
 * Returns the parent heading of each heading of the manuscript, by line; -1 for none. Shared by all sources.
 */
export function headingParents(scanned: ScannedLine[]): Map<number, number> {
  const parents = new Map<number, number>();
  const stack: { line: number; level: number }[] = [];
  scanned.forEach((own, line) => {
    if (own.kind !== 'heading' && own.kind !== 'setext') return;
    while (stack.length > 0 && (stack[stack.length - 1] as { level: number }).level >= own.level) stack.pop();
    parents.set(line, stack[stack.length - 1]?.line ?? -1);
    stack.push({ line, level: own.level });
  });
  return parents;
}

/**
 * Compares the tree of headings: levels may shift, but each heading must keep its parent. Top headings may
 * move under the first heading of the source, which is the chapter's title.
 */
export function checkHeadings(
  state: SourceState,
  manuscript: ManuscriptState,
  parents: Map<number, number>,
): Ledger['headings'] {
  const { scanned } = state.reading;
  const found: Ledger['headings'] = [];
  if (!scanned) return found;
  const own = new Set<number>();
  const stack: { line: number; level: number }[] = [];
  let title = -1;
  scanned.forEach((heading, line) => {
    if ((heading.kind !== 'heading' && heading.kind !== 'setext') || state.status[line] !== STATUS.carried)
      return;
    const at = state.manuscriptLine[line] as number;
    const target = manuscript.text.scanned[at] as ScannedLine;
    if (target.level === 0) return;
    while (stack.length > 0 && (stack[stack.length - 1] as { level: number }).level >= heading.level)
      stack.pop();
    let expected =
      stack.length > 0
        ? (state.manuscriptLine[(stack[stack.length - 1] as { line: number }).line] as number)
        : -1;
    // Headings cannot go deeper than this level, so a child may become a sibling of its parent.
    while (target.level === DEEPEST && manuscript.text.scanned[expected]?.level === DEEPEST)
      expected = ownParent(expected, parents, own);
    const actual = ownParent(at, parents, own);
    // Plain text lacks heading levels: an apparent heading may be a ruled box.
    const free = state.source.form === 'text' || (expected === -1 && actual === title);
    const misplaced = actual !== expected && !free;
    if (misplaced || heading.level !== target.level || marksDiffer(state, line, manuscript, at)) {
      found.push({
        source: state.source.name,
        line: line + 1,
        manuscript_line: at + 1,
        from: heading.level,
        to: target.level,
        misplaced,
      });
    }
    if (title < 0) title = at;
    own.add(at);
    stack.push({ line, level: heading.level });
  });
  return found;
}

/** Returns the nearest ancestor of a manuscript heading that comes from the same source, -1 for none. */
function ownParent(line: number, parents: Map<number, number>, own: Set<number>): number {
  let parent = parents.get(line) ?? -1;
  while (parent >= 0 && !own.has(parent)) parent = parents.get(parent) ?? -1;
  return parent;
}

function marksDiffer(state: SourceState, line: number, manuscript: ManuscriptState, at: number): boolean {
  const before = state.source.lines[line] as string;
  const after = manuscript.text.lines[at] as string;
  return after.trimStart().startsWith('#') && closingMarks(before) !== closingMarks(after);
}
