import { canonicalNumber, canonicalUnit, numberOfWord } from '#verbatim/source/units-of-measure.js';
import { type StatedValue, dates } from './dates.js';

const NUMBER =
  /(?<![\p{L}\p{N}.,])([$€£]?\d[\d.,_]*\d|[$€£]?\d|\p{L}{3,9})(?:\s?(%|°[CF]?)|\s+([\p{L}]+)|([a-zµμ]{1,4}|[KMGT]i?B)(?![\p{L}\p{N}]))?/gu;

/** Returns the figures of a sentence with their units or counted things (`120 km`, `14 lamps`); no dates. */
export function quantities(sentence: string): StatedValue[] {
  let text = sentence;
  for (const date of dates(sentence))
    text = text.slice(0, date.at) + ' '.repeat(date.text.length) + text.slice(date.at + date.text.length);
  text = text.replace(/\[\^[^\]\s]{1,80}\]/g, (note) => ' '.repeat(note.length));
  const found: StatedValue[] = [];
  for (const match of text.matchAll(NUMBER)) {
    const [whole, figure = '', sign, word, tight] = match;
    const number = /\p{N}/u.test(figure)
      ? canonicalNumber(figure.replace(/[.,]$/, ''))
      : numberOfWord(figure);
    if (number === null) continue;
    const counted = sign ?? tight ?? word ?? '';
    if (counted === '' && !/^[$€£]/.test(figure)) continue;
    const unit = counted === '' ? '' : (canonicalUnit(counted) ?? counted.toLowerCase());
    found.push({ kind: 'quantity', text: whole, value: `${number} ${unit}`.trim(), at: match.index });
  }
  return found;
}
