import { leftOutMark } from '../left-out.js';
import { lookOf, type RunLook, shownText, type WordStyle } from './styles.js';
import { StyledText, type RunStyle } from '../styled-text.js';
import type { Attributes } from '../xml.js';

/** Longest text that is read as an exponent or index if it is moved up or down by hand. */
const LONGEST_MOVED = 8;

/** A paragraph of a Word file while it is being read. */
export class WordParagraph extends StyledText {
  /** ID of its style; null if it names none. */
  styleId: string | null = null;
  numId: string | null = null;
  isDropCap = false;
  /** Whether its words are outside of the paragraphs of the file. */
  isImplicit = false;
  /** Comments about omitted words, which follow the paragraph. */
  readonly marks: string[] = [];
  /** Paragraphs of text boxes, which follow this one. */
  readonly boxes: string[][] = [];
  private ownHeading: number | null = null;
  private ownLevel: number | null = null;
  /** Words that readers do not see, by the kind of part. */
  private readonly omitted = new Map<string, string>();
  private ownLook: RunLook = {};
  private look: RunLook | null = null;

  /** @param style style of paragraphs that name none */
  constructor(private style: WordStyle | null) {
    super();
  }

  get isContents(): boolean {
    return this.style?.isContents ?? false;
  }

  get isTitle(): boolean {
    return this.style?.isTitle ?? false;
  }

  get heading(): number {
    return this.ownHeading ?? this.style?.heading ?? 0;
  }

  /** Level in its list; 0 is the outermost. Null if neither the paragraph nor its style sets one. */
  get level(): number | null {
    return this.ownLevel ?? this.style?.level ?? null;
  }

  /** ID of its list; null for none. */
  get list(): string | null {
    const list = this.numId ?? this.style?.numId ?? null;
    return list === '0' ? null : list;
  }

  setStyle(id: string, style: WordStyle): void {
    this.styleId = id;
    this.style = style;
    this.look = null;
  }

  beginRun(): void {
    this.ownLook = {};
    this.look = null;
  }

  /** Applies a property of the paragraph or of its current run; false for an unknown one. */
  setProperty(name: string, attributes: Attributes): boolean {
    const value = attributes['w:val'] ?? '';
    if (name === 'w:outlineLvl') this.ownHeading = Number(value) < 9 ? Number(value) + 1 : 0;
    else if (name === 'w:ilvl') this.ownLevel = Math.min(8, Number(value) || 0);
    else if (name === 'w:numId') this.numId = value;
    else {
      const look = lookOf(name, attributes);
      if (look === null) return false;
      Object.assign(this.ownLook, look);
      this.look = null;
    }
    return true;
  }

  /** Applies the style of the current run. The properties of the run itself take precedence. */
  setRunStyle({ look }: WordStyle): void {
    this.ownLook = { ...look, ...this.ownLook };
    this.look = null;
  }

  /** Adds words of the current run as Word shows them. */
  show(text: string): void {
    const look = (this.look ??= { ...this.style?.look, ...this.ownLook });
    const shown = shownText(text, look.font);
    if (look.isHidden) this.omit('hidden text', shown);
    else {
      this.runStyle = runStyleOf(look, shown);
      this.words(shown);
    }
  }

  /** Collects words that the text omits. @param what kind of part, such as `deleted text` */
  omit(what: string, words: string): void {
    this.omitted.set(what, (this.omitted.get(what) ?? '') + words);
  }

  /** Adds comments about the omitted words. */
  markOmitted(): void {
    for (const [what, words] of this.omitted)
      if (words.trim() !== '') this.marks.push(leftOutMark(what, words));
  }
}

function runStyleOf({ shift = 'plain', isStruck, isMovedUp }: RunLook, text: string): RunStyle {
  if (shift !== 'plain') return shift;
  if (isStruck) return 'struck';
  const isMoved =
    typeof isMovedUp === 'boolean' && text.length <= LONGEST_MOVED && /\d/.test(text) && !/\s/.test(text);
  return !isMoved ? 'plain' : isMovedUp ? 'raised' : 'lowered';
}
