import { phrase } from '#contracts/phrases/phrase.js';
import { ExtractionError } from '#extraction/errors.js';
import { alignWords } from './align.js';
import { type ReturnedComment, withoutSent } from './sent-comments.js';
import { insertion, type Insertion } from './insertion.js';
import type { ProposalKind } from '#contracts/proposals.js';
import type { MarkedText, Revision, Stretch, WordParagraph } from './marked-text.js';
import type { SentText } from './original.js';
import { placeAfter, placeBefore } from './places.js';

/** Maximum number of proposals, and of the characters of all of them as JSON. */
const MAX_PROPOSALS = 10_000;
const MAX_LENGTH = 20_000_000;

/** A change or a comment that a person made in a Word file (X9). */
export interface ReadProposal {
  kind: ProposalKind;
  /** Null for changes that nobody tracked, if the file does not say who saved it. */
  author: string | null;
  date: string | null;
  /** Words before and after the change, as Word shows them; of a comment, the words that it is about. */
  before: string;
  after: string;
  /** Part of the manuscript, in UTF-16 units. What is deleted lies between; `text` is inserted at `at`. */
  start: number;
  end: number;
  at: number;
  /** Markdown. */
  text: string;
  /** Length of what begins the first paragraph, if `text` is whole paragraphs; else null. */
  lead: number | null;
  /** Position in the text of the sent file where the change ends: the same for words that follow each other. */
  sent: number;
  /** Position of the proposal that inserts the words which this one deletes. */
  within: number | null;
  /** Name of the move of which this is one end. */
  move: string | null;
  /** Text of a comment, and the position of the comment that it replies to. */
  comment: string | null;
  replyTo: number | null;
  /** The comment of the sent file whose thread it continues; those are the last proposals. */
  repliesTo?: ReturnedComment['repliesTo'];
  /** Where an `outside` change was made, which can only be read. */
  place: string | null;
}

/** A part of the returned text: kept from the file that was sent, deleted, or inserted. */
interface Piece extends Omit<Stretch, 'text'> {
  text: string;
  /** Position in the sent text, and the number of its characters; 0 for an insertion. */
  at: number;
  length: number;
  /** Position in the returned text with everything that was deleted and inserted. */
  all: number;
}

/** A change while its pieces are collected. */
interface Change {
  by: Revision;
  /** Who deleted what `by` inserted; null if nobody did. */
  deletedBy: Revision | null;
  start: number;
  end: number;
  inserted: Piece[];
}

/**
 * Returns what people changed in a returned file: tracked changes, changes that nobody tracked (by words), and
 * comments that were not sent with it.
 *
 * @param savedBy who saved the file last, for changes that nobody tracked
 * @throws ExtractionError for more changes than a review can have
 */
export function readProposals(sent: SentText, returned: MarkedText, savedBy: string | null): ReadProposal[] {
  const pieces = piecesOf(sent.text, returned.stretches, savedBy ?? '');
  const proposals = new Collector(sent, pieces).collect();
  const first = proposals.length;
  const { own, replies } = withoutSent(sent.comments, returned.comments);
  const propose = (comment: ReturnedComment) => {
    const [start, end] = [sentPlace(pieces, comment.start), sentPlace(pieces, comment.end)];
    const from = placeAfter(sent, start);
    proposals.push({
      ...named('comment', comment, sent.text.slice(start, end), ''),
      ...{ start: from, end: Math.max(from, placeBefore(sent, end)), at: from },
      ...{ comment: comment.text, replyTo: comment.parent === null ? null : first + comment.parent },
      ...(comment.repliesTo && { repliesTo: comment.repliesTo }),
    });
  };
  own.forEach(propose);
  for (const { place, before, after, ...by } of returned.outside)
    proposals.push({ ...named('outside', by, before, after), place });
  replies.forEach(propose);
  if (proposals.length > MAX_PROPOSALS || JSON.stringify(proposals).length > MAX_LENGTH)
    throw new ExtractionError(phrase('unreadable.too_many_changes', { max: MAX_PROPOSALS }));
  return proposals;
}

const named = (
  kind: ReadProposal['kind'],
  { author, date, move }: Revision,
  before: string,
  after: string,
): ReadProposal => ({
  ...{ kind, author: author === '' ? null : author, date, before, after },
  ...{ start: 0, end: 0, at: 0, text: '', lead: null, sent: 0, within: null, move: move || null },
  ...{ comment: null, replyTo: null, place: null },
});

/** Returns the position in the sent text of a position in the returned one. */
function sentPlace(pieces: readonly Piece[], all: number): number {
  const piece = pieces.findLast((each) => each.all <= all);
  return piece ? piece.at + Math.min(piece.length, all - piece.all) : 0;
}

/** Compares the returned text, as it was before the tracked changes, with the sent one. */
function piecesOf(sent: string, stretches: readonly Stretch[], savedBy: string): Piece[] {
  const base = stretches.filter(({ inserted }) => inserted === null).map(({ text }) => text);
  const places = alignWords(base.join(''), sent);
  const pieces: Piece[] = [];
  const untracked: Revision = { author: savedBy, date: null };
  let [at, based, all] = [0, 0, 0];
  const removeTo = (end: number, paragraph: WordParagraph) => {
    if (end <= at) return;
    const history = { inserted: null, deleted: untracked, marks: [], reformatted: null };
    pieces.push({ ...history, text: sent.slice(at, end), paragraph, at, length: end - at, all });
    at = end;
  };
  for (const stretch of stretches) {
    const { text } = stretch;
    if (stretch.inserted) pieces.push({ ...stretch, at, length: 0, all });
    for (let i = 0; i < text.length && !stretch.inserted;) {
      const place = places[based + i]!;
      let j = i + 1;
      if (place < 0) while (j < text.length && places[based + j]! < 0) j++;
      else while (j < text.length && places[based + j] === place + j - i) j++;
      if (place >= 0) removeTo(place, stretch.paragraph);
      const length = place < 0 ? 0 : j - i;
      const inserted = place < 0 ? untracked : null;
      pieces.push({ ...stretch, text: text.slice(i, j), inserted, at, length, all: all + i });
      at += length;
      i = j;
    }
    if (!stretch.inserted) based += text.length;
    all += text.length;
  }
  const last = stretches.at(-1);
  if (last) removeTo(sent.length, last.paragraph);
  return pieces;
}

/** Joins pieces with the same history to proposals. */
class Collector {
  private readonly proposals: ReadProposal[] = [];
  private open: Change | null = null;

  constructor(
    private readonly sent: SentText,
    private readonly pieces: readonly Piece[],
  ) {}

  collect(): ReadProposal[] {
    for (const piece of this.pieces) this.piece(piece);
    this.flush(this.pieces.at(-1)?.paragraph);
    return this.proposals;
  }

  private piece(piece: Piece): void {
    const { inserted, deleted } = piece;
    const by = inserted ?? deleted;
    if (by === null) {
      this.flush(piece.paragraph);
      if (piece.reformatted) this.format(piece, piece.reformatted);
      return;
    }
    const deletedBy = inserted && deleted;
    if (!this.open || !isSame(this.open.by, by) || !isSame(this.open.deletedBy, deletedBy)) {
      this.flush(piece.paragraph);
      this.open = { by, deletedBy, start: piece.at, end: piece.at, inserted: [] };
    }
    if (inserted) this.open.inserted.push(piece);
    else this.open.end = piece.at + piece.length;
  }

  private format(piece: Piece, { by, before }: NonNullable<Stretch['reformatted']>): void {
    const show = (marks: readonly string[]) => marks.map((mark) => `${mark}: ${piece.text}`).join('; ');
    const start = placeAfter(this.sent, piece.at);
    const end = placeBefore(this.sent, piece.at + piece.length);
    this.proposals.push({
      ...named('format', by, show(before) || piece.text, show(piece.marks) || piece.text),
      ...{ start, end: Math.max(start, end), at: start },
    });
  }

  /** @param follows paragraph of the text after the change */
  private flush(follows: WordParagraph | undefined): void {
    const { open, sent } = this;
    this.open = null;
    if (!open) return;
    const { by, deletedBy, start, end, inserted } = open;
    const before = sent.text.slice(start, end);
    const after = inserted.map(({ text }) => text).join('');
    if (before === '' && after === '') return;
    const row = { ...named(kindOf(before, after), by, before, after), sent: end };
    const from = placeAfter(sent, start);
    const to = placeBefore(sent, end);
    const isLost = before !== '' && from >= to && !/^\n+$/.test(before);
    const prior = this.proposals.findLast(({ within }) => within === null);
    const isNext = prior?.lead === null && prior.text !== '' && prior.sent === start && before === '';
    const near = isNext ? prior.at : null;
    const placed: Insertion | null =
      after === ''
        ? { at: from, text: '', lead: null }
        : insertion(sent, { start, end }, inserted, follows, near);
    if (isLost || placed === null)
      this.proposals.push({ ...row, kind: 'outside', place: 'not_in_manuscript' });
    else if (before === '') this.proposals.push({ ...row, start: placed.at, end: placed.at, ...placed });
    else {
      const { start: first = from, end: last = to, ...text } = placed;
      this.proposals.push({ ...row, ...text, start: Math.min(from, first), end: Math.max(from, to, last) });
    }
    if (deletedBy === null) return;
    const within = this.proposals.length - 1;
    const at = this.proposals[within]!.at;
    this.proposals.push({ ...named('delete', deletedBy, after, ''), start: at, end: at, at, within });
  }
}

const isSame = (a: Revision | null, b: Revision | null): boolean =>
  a?.author === b?.author && a?.move === b?.move;

function kindOf(before: string, after: string): ReadProposal['kind'] {
  if (before === '') return /^\n+$/.test(after) ? 'split' : 'insert';
  if (after !== '') return 'replace';
  return /^\n+$/.test(before) ? 'join' : 'delete';
}
