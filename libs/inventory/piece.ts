import { hasDigit, oneLine, splitAtLineEnds } from '#contracts/text.js';

/** Part of a file that can show text. */
export interface Piece {
  /** Human-readable place, such as `footnote 3`, `sheet "Q1" B7` or `page 4`. */
  place: string;
  /** Row of a table that it is a cell of, if the place does not name it. */
  row?: string;
  /**
   * Decimal number of the list item or heading that it begins, as shown, such as `2.1.`; as a number if the file shows a letter or a Roman
   * number, which Markdown may write as the number that it stands for. A text that reports the piece as left out need not have it.
   */
  number?: string | number;
  /** Words as the file stores them; raised and lowered digits are written `^{6}` and `_{2}`. */
  text: string;
  /** True for text that is Markdown in the file itself, such as a cell of a notebook. */
  isMarkdown?: boolean;
  /** True for a line of a table of contents, which only repeats headings. */
  isContents?: boolean;
  /** Reason why the piece only repeats another one, such as `drawn twice`. The text need not carry it. */
  again?: string;
  /** Set if the file contains the text in several versions. The document needs only one version. */
  alternative?: Alternative;
}

/** Version of a text that a file contains several times, such as the HTML part of a mail. */
export interface Alternative {
  /** ID of the group, unique in the file. */
  group: string;
  /** Human-readable name of the version. */
  version: string;
  /** True if a program generated this version from another one, so its words may differ. */
  isGenerated?: boolean;
  /** True for a form in which a number may be shown. All forms count as one piece. */
  isForm?: boolean;
}

/** Maximum number of pieces of a file, and of the characters in them. */
const PIECE_LIMITS = { pieces: 2_000_000, characters: 200_000_000 } as const;

/** Error for a file that cannot be listed. The message is for people. */
export class InventoryError extends Error {
  override name = 'InventoryError';
}

/** Collects the pieces of a file in the order of the file. */
export class PieceList {
  readonly pieces: Piece[] = [];
  private characters = 0;
  private groups = 0;
  private readonly running = new Map<string, string>();

  /**
   * Adds a piece. Ignores pieces without text.
   *
   * @throws InventoryError if the file has too many pieces
   */
  add(piece: Piece): void {
    if (piece.text.trim() === '') return;
    this.characters += piece.text.length;
    if (this.pieces.length >= PIECE_LIMITS.pieces || this.characters > PIECE_LIMITS.characters)
      throw new InventoryError('it contains too much text to list its pieces');
    this.pieces.push(piece);
  }

  /**
   * Adds a piece of a header or footer. Sections, slides, and left and right pages repeat them, so the same words count once.
   *
   * @param what kind of part; pieces of other kinds do not repeat each other
   */
  addRunning(piece: Piece, what = piece.place.replace(/ \d+$/, '')): void {
    const key = `${what} ${oneLine(piece.text)}`;
    const first = this.running.get(key);
    if (first === undefined) this.running.set(key, piece.place);
    this.add(first === undefined || first === piece.place ? piece : { ...piece, again: `as in ${first}` });
  }

  /** Adds each non-empty line of a text as a piece. */
  addLines(text: string, placeOf: (line: number) => string, rest: Partial<Piece> = {}): void {
    splitAtLineEnds(text).forEach((line, index) =>
      this.add({ ...rest, place: placeOf(index + 1), text: line }),
    );
  }

  /** Returns an ID for a new group of versions. */
  newGroup(): string {
    this.groups += 1;
    return `group ${this.groups}`;
  }
}

/** Appends a raised or lowered text so that its digits differ from digits on the line. Programs may split it into several parts. */
export function withShifted(before: string, text: string, mark: '^' | '_' | '' | null): string {
  if (!mark || !hasDigit(text)) return before + text;
  const last = before.lastIndexOf('{');
  const continues =
    before.endsWith('}') && before[last - 1] === mark && before.indexOf('}', last) === before.length - 1;
  return continues ? `${before.slice(0, -1)}${text.trim()}}` : `${before}${mark}{${text.trim()}}`;
}
