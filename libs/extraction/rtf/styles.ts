/** A paragraph style of an RTF file. */
interface RtfStyle {
  /** Heading level from 1; 0 for none. */
  heading: number;
  /** True for paragraphs of a table of contents. */
  isContents: boolean;
}

/** The paragraph styles of an RTF file by their numbers. */
export class RtfStyles {
  private readonly styles = new Map<number, RtfStyle>();
  private current: RtfStyle | null = null;

  get(id: number | null): RtfStyle | undefined {
    return id === null ? undefined : this.styles.get(id);
  }

  /** Reads a word of the style sheet. */
  word(name: string, value: number): void {
    if (name === 's') {
      this.current = { heading: 0, isContents: false };
      this.styles.set(value, this.current);
    } else if (name === 'cs' || name === 'ds' || name === 'ts') this.current = null;
    else if (name === 'outlinelevel' && this.current && value < 9) this.current.heading = value + 1;
  }

  /** Reads the name of the current style. */
  name(text: string): void {
    if (this.current === null) return;
    const level = /^\s*heading ([1-9])\b/i.exec(text)?.[1];
    if (level !== undefined) this.current.heading = Number(level);
    else if (/^\s*title\s*;/i.test(text)) this.current.heading = 1;
    else if (/^\s*toc (?:\d|heading)/i.test(text)) this.current.isContents = true;
  }
}
