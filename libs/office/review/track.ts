import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { countWhile } from '#contracts/count-while.js';
import { openDocx } from '../docx/read/read.js';
import { escapeAttribute, runText, XML_HEAD } from '../docx/write/xml.js';
import { type Leaf, leavesOf } from './leaves.js';
import { styleNames } from './marked-text.js';
import { readSent, type SentParagraph, type SentText } from './original.js';
import { paragraphAt } from './places.js';
import type { ReadProposal } from './propose.js';
import { type FormattedWords, type TrackedEdits, type TrackedInsertion, TrackedXml } from './tracked-xml.js';

/** A pending proposal, with its place in the manuscript that the Word file shows. */
export interface PendingChange extends Pick<
  ReadProposal,
  | 'kind'
  | 'date'
  | 'before'
  | 'start'
  | 'end'
  | 'at'
  | 'text'
  | 'lead'
  | 'sent'
  | 'within'
  | 'comment'
  | 'replyTo'
> {
  author: string;
  /** Words that Word shows; null for those of the Markdown `text`. */
  after: string | null;
  /** Whether its place is unknown. It is then only a comment at `at`, where its text begins. */
  isLost: boolean;
}

const [BODY, NOTES] = ['word/document.xml', 'word/footnotes.xml'];
/** Fixed time, so that equal input produces equal bytes. */
const TIME = new Date(1980, 0, 1);

/**
 * Writes pending proposals into a Word file of our writer as tracked changes and comments (X9). What cannot be shown at its
 * place is told in a comment.
 *
 * @param docx file that shows the manuscript, with its lines
 * @throws Error for a file of another program, and if the file would no longer show the manuscript without the changes
 */
export function trackChanges(
  docx: Uint8Array,
  manuscript: string,
  changes: readonly PendingChange[],
): Uint8Array {
  const sent = readSent(docx, manuscript);
  const files = unzipSync(docx);
  const paths = [BODY!, NOTES!].filter((path) => files[path] !== undefined);
  const xml = new TrackedXml(
    paths.map((path) => strFromU8(files[path]!)),
    sent.paragraphs,
  );
  const tracker = new Tracker(sent, xml, styleNames(openDocx(docx).related('styles')));
  const seen = new Set<string>();
  for (const change of changes) {
    const { kind, author, date, start, end, at, text, comment, within, replyTo } = change;
    const key = JSON.stringify([kind, author, date, start, end, at, text, comment]);
    // The file of an earlier review may have had it too.
    if (!seen.has(key) || within !== null || replyTo !== null) tracker.add(change, changes);
    seen.add(key);
  }
  for (const [i, part] of xml.write(tracker.edits).entries()) files[paths[i]!] = strToU8(part);
  if (tracker.comments.length > 0) addComments(files, tracker.comments);
  const tracked = zipSync(files, { mtime: TIME, level: 6 });
  if (readSent(tracked, manuscript).text !== sent.text)
    throw new Error('Without the tracked changes, the Word file would show another text.');
  return tracked;
}

interface Comment {
  by: { author: string; date: string | null };
  text: string;
  parent: number | null;
}

/** Finds the places of changes in the sent text. */
class Tracker {
  readonly edits: TrackedEdits = { deleted: new Map(), inserted: new Map(), marks: new Map() };
  readonly comments: Comment[] = [];
  private readonly insertions = new Map<PendingChange, TrackedInsertion>();
  private readonly commentOf = new Map<PendingChange, number>();
  /** Places in the manuscript of the characters of the sent text, and these in the order of the manuscript. */
  private readonly from: Int32Array;
  private readonly to: Int32Array;
  private readonly order: Int32Array;

  constructor(
    private readonly sent: SentText,
    private readonly xml: TrackedXml,
    private readonly styles: ReadonlyMap<string, string>,
  ) {
    const { text, paragraphs, leaves } = sent;
    [this.from, this.to] = [new Int32Array(text.length), new Int32Array(text.length)];
    const next = new Map(leaves.map((leaf, i) => [leaf, leaves[i + 1]?.start ?? 2 ** 31 - 1]));
    const order: number[] = [];
    const put = (at: number, from: number, to: number) => {
      [this.from[at], this.to[at]] = [from, to];
      order.push(at);
    };
    for (const { leaf, places, start, end } of paragraphs) {
      if (!leaf) continue;
      places.forEach((place, i) => place >= 0 && put(start + i, leaf.from[place]!, leaf.to[place]!));
      put(end, leaf.end, next.get(leaf)!);
    }
    this.order = Int32Array.from(order).sort((a, b) => this.from[a]! - this.from[b]! || a - b);
  }

  /** @param all the changes that `within` and `replyTo` number */
  add(change: PendingChange, all: readonly PendingChange[]): void {
    const { kind, comment, within, replyTo } = change;
    const parent = within === null ? undefined : this.insertions.get(all[within]!);
    if (kind === 'comment')
      return this.comment(change, comment ?? '', replyTo === null ? null : all[replyTo]);
    if (parent) parent.deletedBy = change;
    else if (within !== null || !this.place(change))
      return this.comment(change, `${change.before} → ${change.after ?? change.text}`);
    if (comment !== null) this.comment(change, comment);
  }

  /** @returns whether there is anything to see */
  private place(change: PendingChange): boolean {
    if (change.isLost) return false;
    const cells = new Set(
      this.sent.paragraphs.filter(({ leaf }) => leaf?.kind === 'cell').map(({ end }) => end),
    );
    const chars = this.charsIn(change).filter((at) => !this.edits.deleted.has(at) && !cells.has(at));
    const words = this.wordsOf(change);
    const insertion = words.length === 0 ? null : this.insertion(change, words);
    if (insertion === undefined || (insertion === null && chars.length === 0)) return false;
    for (const at of chars) this.edits.deleted.set(at, change);
    if (insertion === null) return true;
    const { inserted } = this.edits;
    const here = inserted.get(insertion.position) ?? [];
    // Words before the end of an inserted paragraph are in this paragraph, as in `applyEdits`.
    while (insertion.model && here.at(-1)?.model === null && here.at(-1)!.sent === change.sent)
      insertion.begin.unshift(here.pop()!);
    inserted.set(insertion.position, [...here, insertion]);
    this.insertions.set(change, insertion);
    return true;
  }

  /** Returns the characters that a change deletes. */
  private charsIn({ start, end }: PendingChange): number[] {
    const { order, from, to } = this;
    const first = countWhile(order.length, (i) => from[order[i]!]! < start);
    const count = countWhile(order.length - first, (i) => from[order[first + i]!]! < end);
    return Array.from(order.subarray(first, first + count)).filter((at) => to[at]! <= end);
  }

  /** @returns undefined if there is no such place */
  private insertion(
    change: PendingChange,
    words: FormattedWords[],
  ): (TrackedInsertion & { position: number }) | undefined {
    const { sent, order, to } = this;
    const { at, lead } = change;
    const base = { by: change, sent: change.sent, words, deletedBy: null, begin: [] };
    if (lead === null) {
      const index = countWhile(order.length, (i) => to[order[i]!]! <= at);
      const position = order[index];
      if (position === undefined) return undefined;
      return { ...base, position, like: this.like(at, position), model: null };
    }
    const below = sent.paragraphs
      .filter(({ leaf }) => leaf && leaf.start >= at)
      .reduce<SentParagraph | null>(
        (first, each) => (first && first.leaf!.start <= each.leaf!.start ? first : each),
        null,
      );
    const isRow =
      below?.leaf?.kind === 'cell' &&
      !(below.leaf.cell === 0 && below.leaf.blockStart === below.leaf.outerStart);
    const model = below && !isRow ? this.model(below, change.text.slice(0, lead)) : null;
    return model && below ? { ...base, position: below.start, like: null, model } : undefined;
  }

  /** Returns whose formatting words at a place have: that of a neighbour in the same inline elements. */
  private like(at: number, position: number): TrackedInsertion['like'] {
    const { paragraphs } = this.sent;
    const { leaf, places, start } = paragraphs[paragraphAt(this.sent, position)]!;
    const around = marksOf(leaf!, (node) => node.start < at && at < node.end);
    const has = (index: number) => {
      const place = places[index - start] ?? -1;
      return place >= 0 && marksOf(leaf!, ({ first, last }) => first <= place && place < last) === around;
    };
    return has(position - 1) ? 'previous' : has(position) ? 'next' : null;
  }

  /** Finds the nearest paragraph of the kind that Markdown before a paragraph asks for. */
  private model(below: SentParagraph, lead: string): SentParagraph | null {
    const { paragraphs } = this.sent;
    const index = paragraphs.indexOf(below);
    const above = paragraphs[index - 1];
    const isCode = above?.leaf?.kind === 'code' && above.leaf.outerStart === below.leaf?.outerStart;
    const wanted = isCode ? 'code' : leadOf(lead);
    const near = (step: number) => {
      for (let i = index + (step < 0 ? step : 0); paragraphs[i]; i += step)
        if (paragraphs[i]!.leaf && kindOf(paragraphs[i]!) === wanted) return i;
      return NaN;
    };
    const [before, after] = [near(-1), near(1)];
    return paragraphs[index - before <= after - index || Number.isNaN(after) ? before : after] ?? null;
  }

  /** Returns the words that a change inserts, with the formatting that its Markdown has. */
  private wordsOf({ text, after }: PendingChange): FormattedWords[] {
    if (text === '') return [];
    const leaves = leavesOf(text);
    const shown = leaves.map((leaf) => leaf.text).join('\n');
    const all = after ?? withBlanksOf(text, shown);
    const first = all.indexOf(shown);
    if (first < 0 || shown === '') return [{ text: all, properties: null }];
    const words: FormattedWords[] = [{ text: all.slice(0, first), properties: null }];
    for (const [i, leaf] of leaves.entries()) {
      const pieces = [...leaf.text].map((char, at) => ({
        text: char,
        properties: this.formatting(leaf, at),
      }));
      for (const piece of [...(i > 0 ? [{ text: '\n', properties: null }] : []), ...pieces]) {
        const open = words.at(-1)!;
        if (open.properties === piece.properties) open.text += piece.text;
        else words.push(piece);
      }
    }
    return [...words, { text: all.slice(first + shown.length), properties: null }].filter(
      (each) => each.text !== '',
    );
  }

  private formatting({ nodes }: Leaf, at: number): string | null {
    const marks = new Set(
      nodes.filter(({ first, last }) => first <= at && at < last).map(({ mark }) => mark),
    );
    const [code] = [...this.styles].find(([, name]) => name === 'Verbatim Char') ?? [];
    const style =
      marks.has('code') && code !== undefined ? `<w:rStyle w:val="${escapeAttribute(code)}"/>` : '';
    const xml = style + FORMATS.map(([mark, tag]) => (marks.has(mark) ? tag : '')).join('');
    return xml === '' ? null : `<w:rPr>${xml}</w:rPr>`;
  }

  private comment(change: PendingChange, text: string, parent?: PendingChange | null): void {
    const { sent, edits, xml } = this;
    const chars = change.isLost ? [] : this.charsIn(change);
    const { position } = (this.insertions.get(change) as { position?: number } | undefined) ?? {};
    const index = countWhile(this.order.length, (i) => this.to[this.order[i]!]! <= change.at);
    const own = position ?? this.order[index];
    let [start, end] = chars.length > 0 ? [Math.min(...chars), Math.max(...chars) + 1] : [own, own];
    const isShown = (at: number | undefined): at is number =>
      at !== undefined && xml.isInBody(sent.paragraphs[paragraphAt(sent, at)]!);
    // Notes cannot have comments.
    if (!isShown(start) || !isShown(end)) start = end = sent.paragraphs.find(({ leaf }) => leaf)?.start ?? 0;
    const id = this.comments.length;
    const [open, close] = [
      `<w:commentRangeStart w:id="${id}"/>`,
      `<w:commentRangeEnd w:id="${id}"/><w:r><w:commentReference w:id="${id}"/></w:r>`,
    ];
    const at = (place: number) => edits.marks.get(place) ?? '';
    if (start === end) edits.marks.set(start, at(start) + open + close);
    else {
      edits.marks.set(start, at(start) + open);
      edits.marks.set(end, close + at(end));
    }
    this.commentOf.set(change, id);
    this.comments.push({ by: change, text, parent: parent ? (this.commentOf.get(parent) ?? null) : null });
  }
}

const FORMATS = [
  ['bold', '<w:b/>'],
  ['italic', '<w:i/>'],
  ['strike', '<w:strike/>'],
] as const;

const marksOf = ({ nodes }: Leaf, isAround: (node: Leaf['nodes'][number]) => boolean): string =>
  nodes
    .filter(isAround)
    .map(({ mark }) => mark)
    .sort()
    .join();

/** Returns what Markdown writes before a paragraph of its kind. */
const leadOf = (lead: string): string => lead.trim().replace(/^(?:[-+*]|\d{1,9}[.)])$/, '-');

function kindOf({ leaf, paragraph }: SentParagraph): string {
  if (leaf!.kind === 'heading') return '#'.repeat(Number(/[1-6]$/.exec(paragraph.style)?.[0] ?? 0));
  if (leaf!.kind !== 'paragraph') return leaf!.kind;
  return paragraph.isListItem ? '-' : leadOf(leaf!.lead);
}

/** Adds the blanks at the ends of Markdown to the words that it shows. */
const withBlanksOf = (text: string, shown: string): string =>
  text.slice(0, text.length - text.trimStart().length) + shown + text.slice(text.trimEnd().length);

const W = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const COMMENTS = [
  ['comments', 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'],
  ['commentsExtended', 'http://schemas.microsoft.com/office/2011/relationships'],
] as const;

function addComments(files: Record<string, Uint8Array>, comments: readonly Comment[]): void {
  const idOf = (index: number) => (index + 1).toString(16).toUpperCase().padStart(8, '0');
  const all = comments.map(({ by: { author, date }, text }, i) => {
    const when = date === null ? '' : ` w:date="${escapeAttribute(date)}"`;
    const lines = text.split('\n').map((line, at, { length }) => {
      const id = at === length - 1 ? ` w14:paraId="${idOf(i)}"` : '';
      return `<w:p${id}><w:r>${runText(line)}</w:r></w:p>`;
    });
    return `<w:comment w:id="${i}" w:author="${escapeAttribute(author)}"${when}>${lines.join('')}</w:comment>`;
  });
  const threads = comments.map(({ parent }, i) => {
    const of = parent === null ? '' : ` w15:paraIdParent="${idOf(parent)}"`;
    return `<w15:commentEx w15:paraId="${idOf(i)}"${of} w15:done="0"/>`;
  });
  const root = (name: string, content: string[]) =>
    strToU8(
      `${XML_HEAD}<${name} xmlns:w="${W}" xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml" xmlns:w15="http://schemas.microsoft.com/office/word/2012/wordml" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" mc:Ignorable="w14 w15">${content.join('')}</${name}>`,
    );
  files['word/comments.xml'] = root('w:comments', all);
  files['word/commentsExtended.xml'] = root('w15:commentsEx', threads);
  const type = 'application/vnd.openxmlformats-officedocument.wordprocessingml';
  addTo(
    files,
    '[Content_Types].xml',
    (name) => `<Override PartName="/word/${name}.xml" ContentType="${type}.${name}+xml"/>`,
  );
  addTo(
    files,
    'word/_rels/document.xml.rels',
    (name, base) => `<Relationship Id="${name}" Type="${base}/${name}" Target="${name}.xml"/>`,
  );
}

/** Adds an element for each part with comments at the end of another part. */
function addTo(
  files: Record<string, Uint8Array>,
  path: string,
  element: (name: string, base: string) => string,
): void {
  const xml = strFromU8(files[path]!);
  const end = xml.lastIndexOf('</');
  files[path] = strToU8(
    xml.slice(0, end) + COMMENTS.map(([name, base]) => element(name, base)).join('') + xml.slice(end),
  );
}
