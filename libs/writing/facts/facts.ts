import type { Fact } from '#contracts/facts.js';
import { stems } from '#verbatim/source/stems.js';
import { hardTokens } from '#verbatim/source/tokens.js';
import { type SpannedSentence, sentencesIn, withoutNotes } from '../sentences.js';
import { dates, type StatedValue } from './dates.js';
import { namesIn, smallWords } from './names.js';
import { canonicalNumber, canonicalUnit, numberOfWord } from '#verbatim/source/units-of-measure.js';

/**
 * Extracts facts from a text by rules: people, places and organisations (by keywords and capitals), terms
 * (emphasised, defined or abbreviated), dates and quantities. Each has its span and its sentence as evidence
 * (B12, B16). Linear.
 */
export function factsIn(markdown: string): Fact[] {
  const sentences = sentencesIn(markdown);
  const ordinary = smallWords(markdown);
  return sentences.flatMap((sentence) => factsOf(sentence, ordinary));
}

function factsOf(sentence: SpannedSentence, ordinary: ReadonlySet<string>): Fact[] {
  const names = namesIn(sentence.text, ordinary);
  const evidence = withoutNotes(sentence.text);
  const about = aboutOf(evidence, names);
  const place = (at: number, text: string) => ({
    start: sentence.start + at,
    end: sentence.start + at + text.length,
  });
  const stated = [...dates(sentence.text), ...quantities(sentence.text)];
  return [
    ...names.map(({ kind, text, at }) => ({
      kind,
      key: nameKey(text),
      text,
      value: null,
      about: [],
      span: place(at, text),
      evidence,
    })),
    ...stated.map(({ kind, text, value, at }) => ({
      kind,
      key: value,
      text,
      value,
      about,
      span: place(at, text),
      evidence,
    })),
  ];
}

/** Normalizes a name: lower case, without possessive ending and punctuation. */
function nameKey(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/['’]s$/, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/**
 * Returns the names and stems of a sentence without its figures and dates, to recognize statements about the
 * same subject.
 */
function aboutOf(evidence: string, names: { text: string }[]): string[] {
  const figures = new Set(
    hardTokens(evidence)
      .filter((token) => token.kind === 'number' || token.kind === 'unit' || token.kind === 'date')
      .flatMap((token) => stems(token.text)),
  );
  const words = stems(evidence).filter((stem) => !figures.has(stem) && !/^\p{N}/u.test(stem));
  return [...new Set([...names.map((name) => `=${nameKey(name.text)}`), ...words])];
}

const NUMBER =
  /(?<![\p{L}\p{N}.,])([$€£]?\d[\d.,_]*\d|[$€£]?\d|\p{L}{3,9})(?:\s?(%|°[CF]?)|\s+([\p{L}]+)|([a-zµμ]{1,4}|[KMGT]i?B)(?![\p{L}\p{N}]))?/gu;

/** Returns the figures of a sentence with their units or counted things (`120 km`, `14 lamps`); no dates. */
function quantities(sentence: string): StatedValue[] {
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
