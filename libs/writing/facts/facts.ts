import type { Fact } from '#contracts/facts.js';
import { stems } from '#verbatim/source/stems.js';
import { hardTokens } from '#verbatim/source/tokens.js';
import { type SpannedSentence, sentencesIn, withoutNotes } from '../sentences.js';
import { dates } from './dates.js';
import { namesIn, smallWords } from './names.js';
import { quantities } from './quantities.js';

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
export function nameKey(name: string): string {
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
