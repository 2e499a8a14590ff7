import { symbolText } from '../symbols.js';
import { isOn, type Attributes } from '../xml.js';

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
