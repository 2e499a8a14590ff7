import { alignCharacters } from './align.js';
import { leavesOf, type Leaf } from './leaves.js';
import { readMarkedText, type MarkedText, type WordComment, type WordParagraph } from './marked-text.js';

/** A paragraph of the Word file that was sent, with its leaf of the manuscript. */
export interface SentParagraph {
  paragraph: WordParagraph;
  /** Place in the text of the file; the end of the paragraph is at `end`. */
  start: number;
  end: number;
  /** Null for words that are not in the manuscript, such as the cover. */
  leaf: Leaf | null;
  /** For each character its position in the leaf's text; -1 for words that the writer added. */
  places: Int32Array;
}

/** The text of the Word file that was sent, and where each part of it is in the manuscript. */
export interface SentText {
  text: string;
  paragraphs: SentParagraph[];
  leaves: Leaf[];
  /** Comments that were sent with it. */
  comments: readonly WordComment[];
}

/** Reads the file that was sent, as it is without tracked changes. */
export function readSent(docx: Uint8Array, manuscript: string): SentText {
  const leaves = leavesOf(manuscript);
  const byPlace = new Map<string, Leaf>();
  for (const leaf of leaves) {
    const key = `${leaf.line}:${leaf.cell ?? ''}`;
    if (!byPlace.has(key)) byPlace.set(key, leaf);
  }
  const text: string[] = [];
  const paragraphs: SentParagraph[] = [];
  const lines = new LineFollower();
  let start = 0;
  const marked = readMarkedText(docx);
  for (const { words, paragraph } of paragraphsOf(marked)) {
    const line = lines.lineOf(paragraph);
    const leaf = (line !== null && byPlace.get(`${line}:${paragraph.cell ?? ''}`)) || null;
    const places = alignCharacters(words, leaf?.text ?? '');
    paragraphs.push({ paragraph, start, end: start + words.length, leaf, places });
    text.push(words, '\n');
    start += words.length + 1;
  }
  return { text: text.join(''), paragraphs, leaves, comments: marked.comments };
}

function* paragraphsOf({ stretches }: MarkedText): Generator<{ words: string; paragraph: WordParagraph }> {
  let [words, line]: [string, number | null] = ['', null];
  for (const { text, paragraph, inserted } of stretches) {
    if (inserted) continue;
    // Of a paragraph that somebody split, the first part is marked.
    line ??= paragraph.line;
    if (text !== '\n') words += text;
    else {
      yield { words, paragraph: { ...paragraph, line } };
      [words, line] = ['', null];
    }
  }
}

/** Follows the lines of code and the cells of a row, of which only the first is marked. */
class LineFollower {
  private row: number | null = null;
  private code: number | null = null;

  lineOf({ line, cell, style }: WordParagraph): number | null {
    const isCode = style.startsWith('Source Code');
    if (isCode) this.code = line ?? (this.code === null ? null : this.code + 1);
    else this.code = null;
    if (cell === 0) this.row = line;
    if (isCode) return this.code;
    return cell === null ? line : this.row;
  }
}
