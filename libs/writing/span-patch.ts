import { withLineEnds } from '#contracts/text.js';
import type { RootContent } from 'mdast';
import { parseMarkdown } from '#markdown/parse.js';
import { type Paragraph, splitParagraphs } from './paragraphs.js';

/** One change of a revision. A `replace` with an empty `text` removes the paragraph. */
export interface ParagraphEdit {
  op: 'replace' | 'insert_after';
  paragraph_id: string;
  text: string;
}

type RefusalReason = 'unknown_paragraph' | 'not_named' | 'edited_twice' | 'changes_its_surroundings';

interface PatchResult {
  text: string;
  applied: ParagraphEdit[];
  refused: { edit: ParagraphEdit; reason: RefusalReason }[];
}

/**
 * Applies a revision to a text. Everything outside the edited paragraphs stays byte-identical, which is
 * asserted. An edit is refused, without affecting others, if its paragraph is not in `allowed`, is unknown or
 * was already edited, or if the new words would change the surrounding blocks (such as an unclosed code
 * fence).
 *
 * @param allowed IDs of the paragraphs that may change; null for all
 */
export function applyPatch(
  text: string,
  edits: ParagraphEdit[],
  allowed: ReadonlySet<string> | null = null,
): PatchResult {
  const paragraphs = splitParagraphs(text);
  const byId = new Map(paragraphs.map((paragraph) => [paragraph.id, paragraph]));
  const result: PatchResult = { text, applied: [], refused: [] };
  const usedIds = new Set<string>();
  for (const edit of edits) {
    const key = `${edit.op} ${edit.paragraph_id}`;
    const paragraph = byId.get(edit.paragraph_id);
    if (!paragraph) result.refused.push({ edit, reason: 'unknown_paragraph' });
    else if (allowed && !allowed.has(paragraph.id)) result.refused.push({ edit, reason: 'not_named' });
    else if (usedIds.has(key)) result.refused.push({ edit, reason: 'edited_twice' });
    else if (!staysInside(text, paragraph, edit))
      result.refused.push({ edit, reason: 'changes_its_surroundings' });
    else {
      usedIds.add(key);
      result.applied.push(edit);
    }
  }
  result.text = splice(text, paragraphs, result.applied);
  return result;
}

interface Cut {
  start: number;
  end: number;
  text: string;
}

function splice(text: string, paragraphs: Paragraph[], edits: ParagraphEdit[]): string {
  const cuts = cutsOf(text, paragraphs, edits);
  const kept: string[] = [];
  let at = 0;
  let patched = '';
  for (const cut of cuts) {
    kept.push(text.slice(at, cut.start));
    patched += text.slice(at, cut.start) + cut.text;
    at = cut.end;
  }
  kept.push(text.slice(at));
  patched += text.slice(at);
  assertKept(patched, kept, cuts);
  return patched;
}

function cutsOf(text: string, paragraphs: Paragraph[], edits: ParagraphEdit[]): Cut[] {
  const position = new Map(paragraphs.map((paragraph, index) => [paragraph.id, index]));
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  return edits
    .map((edit) => ({ edit, index: position.get(edit.paragraph_id) as number }))
    .sort((a, b) => a.index - b.index || (a.edit.op === 'replace' ? -1 : 1))
    .map(({ edit, index }) => {
      const { start, end } = paragraphs[index] as Paragraph;
      const words = withLineEnds(trimBlankLines(edit.text), lineEnd);
      if (edit.op === 'insert_after')
        return { start: end, end, text: words === '' ? '' : `${lineEnd}${lineEnd}${words}` };
      if (words !== '') return { start, end, text: words };
      // Also remove the white space after a removed paragraph, to leave no gap of blank lines.
      return { start, end: paragraphs[index + 1]?.start ?? end, text: '' };
    });
}

/** Throws if the result changed text outside the edits. */
function assertKept(patched: string, kept: string[], cuts: Cut[]): void {
  let at = 0;
  kept.forEach((piece, index) => {
    if (patched.slice(at, at + piece.length) !== piece)
      throw new Error('A revision would have changed text outside of the paragraphs that it names.');
    at += piece.length + (cuts[index]?.text.length ?? 0);
  });
  if (at !== patched.length) throw new Error('A revision would have added text that it does not name.');
}

/**
 * Returns whether the neighbours would remain the same blocks. An open code fence or a stray list marker
 * would absorb the text that follows.
 */
function staysInside(text: string, paragraph: Paragraph, edit: ParagraphEdit): boolean {
  const words = trimBlankLines(edit.text);
  if (words === '') return true;
  const alone = parseMarkdown(`Before.\n\n${words}\n\nAfter.\n`).chapters.flatMap(({ children }) => children);
  if (plainText(alone[0]) !== 'Before.' || plainText(alone.at(-1)) !== 'After.') return false;
  return edit.op === 'insert_after' || sameGap(text, paragraph, words);
}

function plainText(node: RootContent | undefined): string | null {
  if (node?.type !== 'paragraph') return null;
  const [only, ...others] = node.children;
  return only?.type === 'text' && others.length === 0 ? only.value : null;
}

/**
 * Returns whether a replacement fits the gaps around its paragraph: without blank lines on both sides, it
 * must be a single block of the same kind.
 */
function sameGap(text: string, paragraph: Paragraph, words: string): boolean {
  const behind = text.slice(paragraph.end);
  const blankBehind = /^(?:[ \t]*\r?\n){2}/.test(behind) || behind.trim() === '';
  const blankBefore = /(?:^|\n[ \t]*\r?\n)$/.test(text.slice(0, paragraph.start));
  const [first] = splitParagraphs(words);
  return (blankBehind && blankBefore) || (first?.kind === paragraph.kind && first.text === words);
}

/** Removes blank lines at both ends; the first line keeps its indentation. */
function trimBlankLines(text: string): string {
  return text.replace(/^(?:[ \t]*\r?\n)+/, '').trimEnd();
}
