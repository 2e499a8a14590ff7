import { walkXml, type Attributes } from '../xml.js';
import { symbolCharacter } from './symbols.js';

/** Properties of runs that change which words readers see. */
export interface RunProperties {
  /** `^` for raised, `_` for lowered, '' for text on the line. */
  shift?: '^' | '_' | '';
  /** Distance by which the text is manually raised, in half points. */
  moved?: number;
  font?: string;
}

interface Style extends RunProperties {
  basedOn?: string;
}

const MAX_CHAIN = 20;
/** Smallest move by hand that makes a number an exponent or index. */
const LEAST_MOVE = 4;
const LONGEST_MOVED = 8;
const SYMBOL_FONTS = new Set(['symbol', 'wingdings', 'wingdings 2', 'wingdings 3']);

/** The styles of a Word file: which of them are tables of contents, and how they show words. */
export class StyleSheet {
  readonly contents = new Set<string>();
  private readonly styles = new Map<string, Style>();
  private plain = '';

  /** Adds the styles of a part. */
  read(xml: string): void {
    let id = '';
    let style: Style = {};
    let former = 0;
    walkXml(xml, {
      open: (name, attributes) => {
        if (/^[pr]PrChange$/.test(name)) former++;
        if (former > 0) return;
        if (name === 'style') {
          id = attributes['styleId'] ?? '';
          style = {};
          // The properties of table styles belong to parts of a table.
          if (attributes['type'] !== 'table') this.styles.set(id, style);
          if (attributes['type'] === 'paragraph' && /^(?:1|true|on)$/.test(attributes['default'] ?? ''))
            this.plain = id;
        } else if (name === 'basedOn') style.basedOn = attributes['val'] ?? '';
        else if (name === 'name' && /^(?:toc \d|toc heading|table of figures)/i.test(attributes['val'] ?? ''))
          this.contents.add(id);
        else setRunProperty(style, name, attributes);
      },
      close: (name) => {
        if (/^[pr]PrChange$/.test(name)) former--;
      },
    });
  }

  /** Returns the properties of a style with what it inherits; null for the style of plain paragraphs. */
  propertiesOf(id: string | null): RunProperties {
    const found: RunProperties = {};
    let at = this.styles.get(id ?? this.plain);
    for (let length = 0; at && length < MAX_CHAIN; length++) {
      for (const key of ['shift', 'moved', 'font'] as const)
        if (found[key] === undefined && at[key] !== undefined) Object.assign(found, { [key]: at[key] });
      at = this.styles.get(at.basedOn ?? '');
    }
    return found;
  }
}

/** Sets a property of a run or style. Returns false for other properties. */
export function setRunProperty(
  properties: RunProperties,
  name: string,
  { val, ascii, hAnsi }: Attributes,
): boolean {
  if (name === 'vertAlign') properties.shift = val === 'superscript' ? '^' : val === 'subscript' ? '_' : '';
  else if (name === 'position') properties.moved = Number(val) || 0;
  else if (name === 'rFonts' && (ascii ?? hAnsi) !== undefined) properties.font = ascii ?? hAnsi!;
  else if (name !== 'rFonts') return false;
  return true;
}

/** Returns how a run with these properties shifts its text. */
export function shiftOf({ shift = '', moved = 0 }: RunProperties, text: string): '^' | '_' | '' {
  if (shift !== '') return shift;
  const isNumber = text.length <= LONGEST_MOVED && /\d/.test(text) && !/\s/.test(text);
  return !isNumber || Math.abs(moved) < LEAST_MOVE ? '' : moved > 0 ? '^' : '_';
}

/** Returns the characters that a font shows for a text. */
export function inFont(text: string, font = ''): string {
  if (!SYMBOL_FONTS.has(font.trim().toLowerCase())) return text;
  return [...text]
    .map((character) => {
      const code = character.codePointAt(0)!;
      const isSymbol = (code > 0x20 && code < 0x100) || (code > 0xf020 && code < 0xf100);
      return isSymbol ? symbolCharacter(font, (0xf000 | code).toString(16)) : character;
    })
    .join('');
}
