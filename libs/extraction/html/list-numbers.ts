import { letterNumber, romanNumber } from '../letters.js';
import { attribute, type Element } from './elements.js';

/** The marker of an item. */
export interface ItemMarker {
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
  private readonly type: string;
  private before: number;
  private isFirst = true;

  constructor(private readonly list: Element) {
    const isReversed = attribute(list, 'reversed') !== null;
    const start = integer(attribute(list, 'start')) ?? (isReversed ? itemsOf(list) : 1);
    this.step = isReversed ? -1 : 1;
    this.before = start - this.step;
    this.type = attribute(list, 'type') ?? '1';
  }

  next(item: Element): ItemMarker {
    if (this.list.tagName === 'ul') return BULLET;
    const value = integer(attribute(item, 'value')) ?? this.before + this.step;
    const isNext = !this.isFirst && value === this.before + 1;
    this.before = value;
    this.isFirst = false;
    const letters = lettered(value, this.type);
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

function lettered(value: number, type: string): string | null {
  const small =
    type === 'a' || type === 'A'
      ? letterNumber(value)
      : type === 'i' || type === 'I'
        ? romanNumber(value)
        : null;
  return small === null || type === type.toLowerCase() ? small : small.toUpperCase();
}
