import type { FormulaText } from './tex.js';
import { InlineText } from './inline-text.js';

/** Styles that change the meaning of a run of text. */
export type RunStyle = 'plain' | 'raised' | 'lowered' | 'struck';

/** Text of a paragraph with styled runs. */
export class StyledText {
  /** Style of the words that follow. */
  runStyle: RunStyle = 'plain';
  private openStyle: RunStyle = 'plain';
  private readonly inline = new InlineText();

  words(text: string): void {
    this.switchTo(this.runStyle);
    this.inline.text(text);
  }

  markdown(text: string): void {
    this.switchTo('plain');
    this.inline.markdown(text);
  }

  formula(formula: FormulaText): void {
    this.switchTo('plain');
    this.inline.formula(formula);
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

  /** Returns the text as lines of Markdown and removes it. */
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
