import { symbolText } from '../symbols.js';
import { type Attributes, isOn, readXml } from '../xml.js';

/** Looks of a run that change what readers see. Properties that are absent are inherited. */
export interface RunLook {
  shift?: 'raised' | 'lowered' | 'plain';
  isStruck?: boolean;
  isHidden?: boolean;
  /** Font of its Latin letters. */
  font?: string;
  /** True if its text is placed higher by hand, false if it is placed lower. */
  isMovedUp?: boolean | null;
}

/** Fonts that show a symbol for each letter. */
const SYMBOL_FONT = /^(?:symbol|wingdings(?: [23])?)$/i;
/** Half points by which a digit is moved at least if it is an exponent or index. */
const LEAST_MOVE = 4;

/** Returns the change of a run's look by a property; null for another property. */
export function lookOf(name: string, attributes: Attributes): RunLook | null {
  const value = attributes['w:val'] ?? '';
  switch (name) {
    case 'w:vertAlign':
      return { shift: value === 'superscript' ? 'raised' : value === 'subscript' ? 'lowered' : 'plain' };
    case 'w:strike':
    case 'w:dstrike':
      return { isStruck: isOn(value) };
    case 'w:vanish':
      return { isHidden: isOn(value) };
    case 'w:position':
      return { isMovedUp: Math.abs(Number(value)) < LEAST_MOVE ? null : Number(value) > 0 };
    case 'w:rFonts': {
      const font = attributes['w:ascii'] ?? attributes['w:hAnsi'];
      return font === undefined ? {} : { font };
    }
    default:
      return null;
  }
}

/** Returns the text of a run as its font shows it: an `m` in the Symbol font is a `μ`. */
export function shownText(text: string, font: string | undefined): string {
  if (font === undefined || !SYMBOL_FONT.test(font)) return text;
  return text.replace(/[!-ÿ\uf021-\uf0ff]/g, (character) =>
    symbolText(font, (0xf000 | character.charCodeAt(0)).toString(16).toUpperCase()),
  );
}

/** Properties that a style gives to paragraphs and runs. */
export interface WordStyle {
  /** Heading level from 1; 0 for none. */
  heading: number;
  /** True for the title of the document, whose headings are below it. */
  isTitle: boolean;
  /** True for paragraphs of a table of contents. */
  isContents: boolean;
  numId: string | null;
  /** List level; null if the style sets none. */
  level: number | null;
  look: RunLook;
}

interface Definition extends Partial<WordStyle> {
  basedOn?: string;
  look: RunLook;
}

const NO_STYLE: WordStyle = {
  heading: 0,
  isTitle: false,
  isContents: false,
  numId: null,
  level: null,
  look: {},
};
/** Longer chains of styles, or circles, are cut. */
const MAX_CHAIN = 20;
/** Former properties of tracked changes. */
const FORMER = new Set(['w:pPrChange', 'w:rPrChange']);

/** The styles of a Word file, with what they inherit. */
export class WordStyles {
  private readonly definitions = new Map<string, Definition>();
  private readonly resolved = new Map<string, WordStyle>();
  private defaultId: string | null = null;

  constructor(xml: string | null) {
    if (xml === null) return;
    let style: Definition = { look: {} };
    let changes = 0;
    readXml(xml, {
      open: (name, attributes) => {
        if (FORMER.has(name)) changes++;
        else if (changes > 0) return;
        else if (name === 'w:style') style = this.define(attributes);
        else setProperty(style, name, attributes);
      },
      close: (name) => {
        if (FORMER.has(name)) changes--;
      },
    });
  }

  /** Style of the paragraphs that name none. */
  get ofPlainParagraphs(): WordStyle | null {
    return this.defaultId === null ? null : this.of(this.defaultId);
  }

  /** Returns a style with its inherited properties. A missing style with the ID of a heading is a heading. */
  of(id: string): WordStyle {
    const known = this.resolved.get(id);
    if (known) return known;
    const chain: Definition[] = [];
    for (
      let at = this.definitions.get(id);
      at && chain.length < MAX_CHAIN;
      at = this.definitions.get(at.basedOn ?? '')
    )
      chain.unshift(at);
    const look = Object.assign({}, ...chain.map((each) => each.look)) as RunLook;
    const found = { ...(Object.assign({}, NO_STYLE, ...chain) as WordStyle), look };
    if (!this.definitions.has(id)) found.heading = Number(/^heading([1-9])$/i.exec(id)?.[1] ?? 0);
    this.resolved.set(id, found);
    return found;
  }

  private define(attributes: Attributes): Definition {
    const id = attributes['w:styleId'] ?? '';
    const style: Definition = { look: {} };
    const isDefault = /^(?:1|true|on)$/.test(attributes['w:default'] ?? '');
    if (isDefault && attributes['w:type'] === 'paragraph') this.defaultId = id;
    // Styles of tables and lists format only parts of them.
    if (/^(?:table|numbering)$/.test(attributes['w:type'] ?? '')) this.definitions.set(id, { look: {} });
    else this.definitions.set(id, style);
    return style;
  }
}

function setProperty(style: Definition, name: string, attributes: Attributes): void {
  const value = attributes['w:val'] ?? '';
  if (name === 'w:basedOn') style.basedOn = value;
  else if (name === 'w:name') Object.assign(style, named(value));
  else if (name === 'w:outlineLvl') style.heading = Number(value) < 9 ? Number(value) + 1 : 0;
  else if (name === 'w:numId') style.numId = value;
  else if (name === 'w:ilvl') style.level = Number(value) || 0;
  else {
    const look = lookOf(name, attributes);
    // Most properties change no look, and style sheets have thousands.
    if (look !== null) Object.assign(style.look, look);
  }
}

function named(name: string): Partial<WordStyle> {
  const level = /^heading ([1-9])$/i.exec(name)?.[1];
  if (level !== undefined) return { heading: Number(level) };
  if (/^title$/i.test(name)) return { heading: 1, isTitle: true };
  return /^(?:toc (?:[1-9]|heading)|table of figures)$/i.test(name) ? { isContents: true } : {};
}
