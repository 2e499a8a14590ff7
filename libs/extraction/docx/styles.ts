import { readXml } from '../xml.js';

/** Properties that a style gives to paragraphs. */
export interface ParagraphStyle {
  /** Heading level from 1; 0 for none. */
  heading: number;
  /** True for paragraphs of a table of contents. */
  isContents: boolean;
  numId: string | null;
  level: number;
}

interface Definition extends Partial<ParagraphStyle> {
  basedOn?: string;
}

const NO_STYLE: ParagraphStyle = { heading: 0, isContents: false, numId: null, level: 0 };
/** Longer chains of styles, or circles, are cut. */
const MAX_CHAIN = 20;

/** The paragraph styles of a Word file, with what they inherit. */
export class ParagraphStyles {
  private readonly definitions = new Map<string, Definition>();

  constructor(xml: string | null) {
    if (xml === null) return;
    let style: Definition = {};
    let changes = 0;
    readXml(xml, {
      open: (name, attributes) => {
        const value = attributes['w:val'] ?? '';
        if (name === 'w:pPrChange') changes++;
        else if (changes > 0) return;
        else if (name === 'w:style') this.definitions.set(attributes['w:styleId'] ?? '', (style = {}));
        else if (name === 'w:basedOn') style.basedOn = value;
        else if (name === 'w:name') Object.assign(style, named(value));
        else if (name === 'w:outlineLvl') style.heading = Number(value) < 9 ? Number(value) + 1 : 0;
        else if (name === 'w:numId') style.numId = value;
        else if (name === 'w:ilvl') style.level = Number(value) || 0;
      },
      close: (name) => {
        if (name === 'w:pPrChange') changes--;
      },
    });
  }

  /** Returns a style with its inherited properties. A missing style with the ID of a heading is a heading. */
  of(id: string): ParagraphStyle {
    const chain: Definition[] = [];
    for (
      let at = this.definitions.get(id);
      at && chain.length < MAX_CHAIN;
      at = this.definitions.get(at.basedOn ?? '')
    )
      chain.push(at);
    const found = Object.assign({}, NO_STYLE, ...chain.reverse()) as ParagraphStyle;
    if (!this.definitions.has(id)) found.heading = Number(/^heading([1-9])$/i.exec(id)?.[1] ?? 0);
    return found;
  }
}

function named(name: string): Definition {
  const level = /^heading ([1-9])$/i.exec(name)?.[1];
  if (level !== undefined) return { heading: Number(level) };
  if (/^title$/i.test(name)) return { heading: 1 };
  return /^toc (?:[1-9]|heading)$/i.test(name) ? { isContents: true } : {};
}
