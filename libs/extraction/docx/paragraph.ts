import type { ParagraphStyle } from './styles.js';
import { StyledText } from '../styled-text.js';
import { isOn } from '../xml.js';

/** A paragraph of a Word file while it is being read. */
export class WordParagraph extends StyledText {
  style: ParagraphStyle | null = null;
  numId: string | null = null;
  isDropCap = false;
  /** Whether its words are outside of the paragraphs of the file. */
  isImplicit = false;
  /** Words that a tracked change has deleted. */
  deleted = '';
  /** Comments about omitted words, which follow the paragraph. */
  readonly marks: string[] = [];
  /** Paragraphs of text boxes, which follow this one. */
  readonly boxes: string[][] = [];
  private ownHeading: number | null = null;
  private ownLevel: number | null = null;

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
}
