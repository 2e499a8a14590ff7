import { numberText } from '../number-formats.js';
import { attribute, type Element } from './elements.js';

/** The marker of an item. */
interface ItemMarker {
  /** The number that markdown shows; null for a bullet. */
  number: number | null;
  /** A marker that markdown does not have, such as `c\. `; it is part of the text. */
  typed: string;
  /** Whether the number continues the numbers of the items before it. */
  isNext: boolean;
}

export const BULLET: ItemMarker = { number: null, typed: '', isNext: true };

/** Numbers the items of one HTML list as a browser does: `start`, `value`, `reversed`, letters and Roman numbers. */
export class ListNumbers {
  private readonly step: number;
  /** Format of the numbers as in Word; null for bullets. */
  private readonly format: string | null;
  private before: number;
  private isFirst = true;

  /** @param style keyword of `list-style-type`, if a style sheet names one */
  constructor(list: Element, style?: string) {
    const isReversed = attribute(list, 'reversed') !== null;
    const start = integer(attribute(list, 'start')) ?? (isReversed ? itemsOf(list) : 1);
    this.step = isReversed ? -1 : 1;
    this.before = start - this.step;
    this.format = formatOf(list, style);
  }

  next(item: Element): ItemMarker {
    const { format } = this;
    if (format === null) return BULLET;
    const value = integer(attribute(item, 'value')) ?? this.before + this.step;
    const isNext = !this.isFirst && value === this.before + 1;
    this.before = value;
    this.isFirst = false;
    const letters = format === 'decimal' ? null : numberText(value, format);
    // Markdown cannot show negative numbers or numbers of ten digits.
    const typed = letters ?? (value < 0 || value > 999_999_999 ? String(value) : null);
    return typed === null
      ? { number: value, typed: '', isNext }
      : { number: null, typed: `${typed}\\. `, isNext: true };
  }
}

const integer = (text: string | null) =>
  text !== null && /^\s*-?\d+/.test(text) ? Number.parseInt(text, 10) : null;

const itemsOf = (list: Element) => list.childNodes.filter(({ nodeName }) => nodeName === 'li').length;

/** Formats of Word by the values of `type` and the keywords of `list-style-type`; null for bullets. */
const FORMATS: Record<string, string | null> = {
  a: 'alphabetLower',
  A: 'alphabetUpper',
  i: 'lowerRoman',
  I: 'upperRoman',
  'lower-alpha': 'alphabetLower',
  'lower-latin': 'alphabetLower',
  'upper-alpha': 'alphabetUpper',
  'upper-latin': 'alphabetUpper',
  'lower-roman': 'lowerRoman',
  'upper-roman': 'upperRoman',
  'decimal-leading-zero': 'decimalZero',
  'lower-greek': 'lowerGreek',
  decimal: 'decimal',
  none: null,
  disc: null,
  circle: null,
  square: null,
};

function formatOf(list: Element, style: string | undefined): string | null {
  const styled = FORMATS[style ?? ''];
  if (styled !== undefined) return styled;
  return list.tagName === 'ul' ? null : (FORMATS[attribute(list, 'type') ?? ''] ?? 'decimal');
}
