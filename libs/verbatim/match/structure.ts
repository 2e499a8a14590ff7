import type { ScannedLine } from '#markdown/scan/scan.js';
import { Names, wordsOf } from '../own-lines/names.js';
import type { Ledger } from '../schema.js';
import { type ManuscriptState, type SourceState, STATUS } from './state.js';

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
    if (!isHeading(own)) return;
    while (stack.length > 0 && (stack[stack.length - 1] as { level: number }).level >= own.level) stack.pop();
    parents.set(line, stack[stack.length - 1]?.line ?? -1);
    stack.push({ line, level: own.level });
  });
  return parents;
}

const isHeading = ({ kind }: ScannedLine): boolean => kind === 'heading' || kind === 'setext';

/**
 * Where the title of a chapter repeats a heading below it, the lower one carries the source: the title is the
 * manuscript's own, and other sources may follow under it.
 */
export function freeTitles(state: SourceState, manuscript: ManuscriptState): void {
  const own = manuscript.text.scanned;
  const carried = state.manuscriptLine;
  state.reading.scanned?.forEach((heading, line) => {
    const title = carried[line]!;
    if (!isHeading(heading) || state.status[line] !== STATUS.carried || own[title]?.level !== 1) return;
    const next = carried.subarray(line + 1).find((at) => at >= 0) ?? own.length;
    for (let at = title + 1; at < next && own[at]!.level !== 1; at++) {
      if (!isHeading(own[at]!) || manuscript.isClaimed(at)) continue;
      if (manuscript.idAt(at) !== manuscript.idAt(title)) continue;
      manuscript.moveClaim(title, at);
      carried[line] = at;
      return;
    }
  });
}

/**
 * Compares the tree of headings: levels may shift, but each heading must keep its parent. Top headings may
 * move under the first heading of the source, which is the chapter's title. A section may stand in a chapter of the
 * manuscript's own, whose headings say where it comes from.
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
    if (!isHeading(heading) || state.status[line] !== STATUS.carried) return;
    const at = state.manuscriptLine[line] as number;
    const target = manuscript.text.scanned[at] as ScannedLine;
    if (target.level === 0) return;
    while (stack.length > 0 && (stack[stack.length - 1] as { level: number }).level >= heading.level)
      stack.pop();
    const parent = stack.at(-1)?.line;
    let expected = parent === undefined ? -1 : state.manuscriptLine[parent]!;
    // Headings cannot go deeper than this level, so a child may become a sibling of its parent.
    while (target.level === DEEPEST && manuscript.text.scanned[expected]?.level === DEEPEST)
      expected = ownParent(expected, parents, own);
    const actual = ownParent(at, parents, own);
    // Plain text lacks heading levels: an apparent heading may be a ruled box.
    const free = state.source.form === 'text' || (expected === -1 && actual === title);
    const isGrouped = () => actual === -1 && namesOrigin(at, parent, state, manuscript, parents);
    const misplaced = actual !== expected && !free && !isGrouped();
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

/** Returns whether a heading above a line names the source, or is the heading above it in the source. */
function namesOrigin(
  line: number,
  parent: number | undefined,
  { source, reading }: SourceState,
  { text: { scanned } }: ManuscriptState,
  parents: Map<number, number>,
): boolean {
  const names = new Names();
  names.addFile(source.name);
  if (parent !== undefined) names.add(reading.scanned![parent]!.text);
  for (let at = parents.get(line) ?? -1; at >= 0; at = parents.get(at) ?? -1) {
    const words = wordsOf(scanned[at]!.text);
    if (words.some((_, index) => names.lengthAt(words, index) > 0)) return true;
  }
  return false;
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

/** Removes spaces and tabs from a text. */
export function stripBlanks(text: string): string {
  return text.replace(/[ \t\v\f\r]+/g, '');
}

/** Returns the closing marks of an ATX heading (`## A ##` → `##`), which do not belong to its text. */
function closingMarks(line: string): string {
  const text = stripBlanks(line);
  let at = text.length;
  while (at > 0 && text[at - 1] === '#') at--;
  return text.startsWith('#') && at > 0 ? text.slice(at) : '';
}
