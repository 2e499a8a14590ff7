import { InlineText } from '../inline-text.js';
import type { ParagraphStyle } from './styles.js';
import { isOn } from './xml.js';

type RunStyle = 'plain' | 'raised' | 'lowered' | 'struck';

/** A paragraph of a Word file while it is being read. */
export class WordParagraph {
  style: ParagraphStyle | null = null;
  numId: string | null = null;
  isDropCap = false;
  /** Words that a tracked change has deleted. */
  deleted = '';
  /** Comments about omitted words, which follow the paragraph. */
  readonly marks: string[] = [];
  /** Paragraphs of text boxes, which follow this one. */
  readonly boxes: string[][] = [];
  private readonly inline = new InlineText();
  private ownHeading: number | null = null;
  private ownLevel: number | null = null;
  private runStyle: RunStyle = 'plain';
  private openStyle: RunStyle = 'plain';

  get heading(): number {
    return this.ownHeading ?? this.style?.heading ?? 0;
  }

  /** Level in its list; 0 is the outermost. */
  get level(): number {
    return this.ownLevel ?? this.style?.level ?? 0;
  }

  /** ID of its list; null for none. */
  get list(): string | null {
    const list = this.numId ?? this.style?.numId ?? null;
    return list === '0' ? null : list;
  }

  beginRun(): void {
    this.runStyle = 'plain';
  }

  /** Applies a property of the paragraph or of its current run; false for an unknown one. */
  setProperty(name: string, value: string): boolean {
    if (name === 'w:outlineLvl') this.ownHeading = Number(value) < 9 ? Number(value) + 1 : 0;
    else if (name === 'w:ilvl') this.ownLevel = Math.min(8, Number(value) || 0);
    else if (name === 'w:numId') this.numId = value;
    else if (name === 'w:vertAlign')
      this.runStyle = value === 'superscript' ? 'raised' : value === 'subscript' ? 'lowered' : 'plain';
    else if ((name === 'w:strike' || name === 'w:dstrike') && isOn(value)) this.runStyle = 'struck';
    else return false;
    return true;
  }

  words(text: string): void {
    this.switchTo(this.runStyle);
    this.inline.text(text);
  }

  markdown(text: string): void {
    this.switchTo('plain');
    this.inline.markdown(text);
  }

  /** Begins a part that `endLink` or `endRemoved` ends. */
  beginPart(): void {
    this.switchTo('plain');
    this.inline.begin();
  }

  /** @param address empty for a place in the document */
  endLink(address: string): void {
    this.switchTo('plain');
    this.inline.endLink(address);
  }

  /** Removes the words of a part and returns them. */
  endRemoved(): string {
    this.switchTo('plain');
    return this.inline.endRemoved();
  }

  takeLines(): string[] {
    this.switchTo('plain');
    return this.inline.takeLines();
  }

  private switchTo(style: RunStyle): void {
    if (style === this.openStyle) return;
    if (this.openStyle === 'raised') this.inline.endRaised();
    else if (this.openStyle === 'lowered') this.inline.endLowered();
    else if (this.openStyle === 'struck') this.inline.endStruck();
    if (style !== 'plain') this.inline.begin();
    this.openStyle = style;
  }
}
