import { SaxesParser } from 'saxes';

/** Computes the markers (`-`, `1.`) of list paragraphs, which Word does not store as text. */
export class Numbering {
  private readonly formats = new Map<string, string>();
  private readonly abstractOf = new Map<string, string>();
  private readonly counters = new Map<string, number[]>();

  constructor(xml: string | null) {
    if (xml === null) return;
    const parser = new SaxesParser();
    let abstract = '';
    let number = '';
    let level = '';
    parser.on('opentag', ({ name, attributes }) => {
      const value = attributes['w:val'] ?? '';
      if (name === 'w:abstractNum') abstract = attributes['w:abstractNumId'] ?? '';
      else if (name === 'w:num') number = attributes['w:numId'] ?? '';
      else if (name === 'w:abstractNumId' && number) this.abstractOf.set(number, value);
      else if (name === 'w:lvl') level = attributes['w:ilvl'] ?? '';
      else if (name === 'w:numFmt') this.formats.set(`${abstract} ${level}`, value);
    });
    parser.write(xml).close();
  }

  /** Returns the marker of the next paragraph of a list at a level (0 is the outermost). */
  next(number: string, level: number): string {
    const abstract = this.abstractOf.get(number) ?? '';
    const format = this.formats.get(`${abstract} ${level}`) ?? 'bullet';
    if (format === 'bullet' || format === 'none') return '-';
    const counter = this.counters.get(number) ?? [];
    counter.length = level + 1;
    counter[level] = (counter[level] ?? 0) + 1;
    this.counters.set(number, counter);
    return `${counter[level]}.`;
  }
}
