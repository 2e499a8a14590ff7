import {
  hasSpace,
  hasWords,
  isCapitalized,
  startsSmall,
  wordsIn,
  withoutPossessive,
  blanked,
} from '#contracts/text.js';
import type { Fact, FactKind } from '#contracts/facts.js';
import { stems } from '#verbatim/source/stems.js';
import { hardTokens } from '#verbatim/source/tokens.js';
import { NOTE, type SpannedSentence, sentencesIn, withoutNotes } from '../sentences.js';
import { dates, type StatedValue } from './dates.js';
import { canonicalNumber, canonicalUnit, numberOfWord } from '#verbatim/source/units-of-measure.js';
import { describesSameThing } from './consistency.js';
import words from './words.json' with { type: 'json' };

/** A fact that a change removes from a text or adds to it. */
interface ChangedFact {
  fact: Fact;
  change: 'removed' | 'added';
}

/**
 * Returns the facts that a change removes or adds, each once. The number of mentions does not matter.
 */
export function changedFacts(before: Fact[], after: Fact[]): ChangedFact[] {
  const missing = (facts: Fact[], others: Fact[]) => {
    const stated = new Set(others.map(identity));
    const once = new Map(facts.map((fact) => [identity(fact), fact]));
    return [...once.values()].filter((fact) => !stated.has(identity(fact)));
  };
  return [
    ...missing(before, after).map((fact) => ({ fact, change: 'removed' as const })),
    ...missing(after, before).map((fact) => ({ fact, change: 'added' as const })),
  ];
}

/**
 * Returns the facts of a later text that rely on removed ones: the same name, or the same figure for the same
 * subject.
 */
export function relyingOn(changed: ChangedFact[], later: Fact[]): Fact[] {
  const removed = changed.filter(({ change }) => change === 'removed').map(({ fact }) => fact);
  return later.filter((fact) => removed.some((removedFact) => isSame(removedFact, fact)));
}

function isSame(missingFact: Fact, fact: Fact): boolean {
  if (missingFact.kind !== fact.kind || missingFact.key !== fact.key) return false;
  return missingFact.value === null || describesSameThing(new Set(missingFact.about), fact.about);
}

const identity = (fact: Fact): string => `${fact.kind} ${fact.key}`;

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
  return wordsIn(withoutPossessive(name.normalize('NFKC').toLowerCase())).join(' ');
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

/** Characters that join a number to what stands before it. */
const HYPHENS = '-‐‑–';

/** Returns the figures of a sentence with their units or counted things (`120 km`, `14 lamps`); no dates. */
function quantities(sentence: string): StatedValue[] {
  let text = sentence;
  for (const date of dates(sentence))
    text = text.slice(0, date.at) + ' '.repeat(date.text.length) + text.slice(date.at + date.text.length);
  text = text.replace(NOTE, blanked);
  const found: StatedValue[] = [];
  for (const match of text.matchAll(NUMBER)) {
    const [whole, figure = '', sign, word, tight] = match;
    const number = /\p{N}/u.test(figure)
      ? canonicalNumber(figure.replace(/[.,]$/, ''))
      : numberOfWord(figure);
    if (number === null) continue;
    const counted = sign ?? tight ?? word ?? '';
    // A part of a number in words (twenty-five, two hundred), or of a range, is another number.
    const isPart = match.index > 0 && HYPHENS.includes(text.charAt(match.index - 1));
    if (isPart || numberOfWord(counted) !== null) continue;
    if (counted === '' && !/^[$€£]/.test(figure)) continue;
    const unit = counted === '' ? '' : (canonicalUnit(counted) ?? counted.toLowerCase());
    found.push({ kind: 'quantity', text: whole, value: `${number} ${unit}`.trim(), at: match.index });
  }
  return found;
}

/** A name or term in a sentence, with its offset. */
interface NamedThing {
  kind: Extract<FactKind, 'person' | 'place' | 'organisation' | 'term'>;
  text: string;
  at: number;
}

const WORD = "\\p{Lu}[\\p{L}\\p{N}'’-]*\\p{L}";
const LINK = '(?:de|la|le|von|van|der|den|du|di|da|of|the|del|zu|und|y|i)';
const NAME = new RegExp(`(?<![\\p{L}\\p{N}])${WORD}(?:\\s+(?:${LINK}\\s+){0,2}${WORD}){0,5}`, 'gu');
const TITLE =
  /\b(?:Dr|Mr|Mrs|Ms|Prof|Professor|Sir|Lady|Lord|King|Queen|Captain|Pastor|Father|Sister|Brother|Herr|Frau|Pan|Pani|Madame|Monsieur|keeper|engineer|mayor|captain|historian|author)\.?\s+$/u;
const ORGANISATIONS = new Set(words.organisations);
const PLACES = new Set(words.places);
const PLACE_BEFORE =
  /(?:^|\s)(?:in|at|near|from|towards?|outside|inside|across|around|off|through|between|into|to|nach|bei|aus|w|z|do|à|en)\s+(?:the\s+|der\s+|den\s+|dem\s+)?$/iu;
const SPEAKS =
  /^\s{0,3},?\s{0,3}(?:said|says|wrote|writes|told|asked|recalled|recalls|remembers|remembered|explained|explains|noted|notes|argued|argues|was born|died|married|replied|answered|sagte|schrieb|powiedział\p{L}*|napisał\p{L}*)\b/u;
const SPOKEN = /\b(?:said|told|asked|wrote|according to|by|with)\s+$/u;
const EMPHASIS = /(?<!\*)\*\*([^*\n]{2,60})\*\*(?!\*)|(?<![*\w])[*_]([\p{L}][^*_\n]{1,60})[*_](?![*\w])/gu;
const CALLED =
  /\b(?:called|known as|termed|named|genannt|zwan[ya])\s{1,3}(?:(?:an?|the)\s{1,3})?["“„]?([\p{L}][\p{L} -]{2,40}?)["”“]?(?=[,.;:)]|$)/gu;
const ABBREVIATION = /(?<![\p{L}\p{N}-])\p{Lu}{2,8}(?:-?\d{1,3})?(?![\p{L}\p{N}])/gu;
/** Words that are capitalized for another reason than being names. */
const SKIPPED = new Set(words.noNames);

/**
 * Returns the names and terms of a sentence. @param ordinary words that the text also writes in lower case,
 * so that their capital at the start of a sentence does not indicate a name
 */
function namesIn(sentence: string, ordinary: ReadonlySet<string>): NamedThing[] {
  const found: NamedThing[] = [];
  const usedSpans: [number, number][] = [];
  for (const candidate of [...terms(sentence), ...properNames(sentence, ordinary)]) {
    const end = candidate.at + candidate.text.length;
    if (usedSpans.some(([from, to]) => candidate.at < to && end > from)) continue;
    usedSpans.push([candidate.at, end]);
    found.push(candidate);
  }
  return found.sort((a, b) => a.at - b.at);
}

/** Returns the words that a text writes in lower case somewhere. */
function smallWords(text: string): Set<string> {
  return new Set(text.match(/(?<![\p{L}\p{N}])\p{Ll}[\p{L}]+/gu) ?? []);
}

const MAX_TERM_WORDS = 4;

function terms(sentence: string): NamedThing[] {
  const found: NamedThing[] = [];
  const add = (text: string, at: number) => found.push({ kind: 'term', text, at });
  for (const match of sentence.matchAll(EMPHASIS)) {
    const text = (match[1] ?? match[2]) as string;
    // An emphasised sentence, or most of one, is no term.
    if ('.!?…:'.includes(text.at(-1)!) || text.split(' ').length > MAX_TERM_WORDS) continue;
    add(text, match.index + match[0].indexOf(text));
  }
  for (const match of sentence.matchAll(CALLED)) {
    const text = match[1] as string;
    if (!isCapitalized(text)) add(text, match.index + match[0].lastIndexOf(text));
  }
  for (const match of sentence.matchAll(ABBREVIATION)) add(match[0], match.index);
  return found;
}

function properNames(sentence: string, ordinary: ReadonlySet<string>): NamedThing[] {
  const found: NamedThing[] = [];
  for (const match of sentence.matchAll(NAME)) {
    const { text, at } = trimmed(match[0], match.index, ordinary, startsSentence(sentence, match.index));
    if (text === '') continue;
    found.push({ kind: kindOfName(sentence, text, at), text, at });
  }
  return found;
}

/** Removes leading words that are capitalized because of their position, and a possessive ending. */
function trimmed(
  name: string,
  at: number,
  ordinary: ReadonlySet<string>,
  first: boolean,
): { text: string; at: number } {
  let words = name.split(/(\s+)/);
  let offset = at;
  let leading = first;
  while (words.length > 0) {
    const word = words[0] as string;
    const common = SKIPPED.has(word) || (leading && ordinary.has(word.toLowerCase()));
    if (!common && !startsSmall(word)) break;
    offset += word.length + (words[1]?.length ?? 0);
    words = words.slice(2);
    leading = false;
  }
  while (
    words.length > 0 &&
    (SKIPPED.has(words.at(-1) as string) || /^(?:\p{Ll}.*|\s+)$/u.test(words.at(-1) as string))
  )
    words.pop();
  return { text: withoutPossessive(words.join('')), at: offset };
}

function kindOfName(sentence: string, name: string, at: number): NamedThing['kind'] {
  const before = sentence.slice(Math.max(0, at - 40), at);
  const behind = sentence.slice(at + name.length, at + name.length + 40);
  if (wordsIn(name).some((word) => ORGANISATIONS.has(word))) return 'organisation';
  if (PLACES.has(wordsIn(name).at(-1)!)) return 'place';
  if (TITLE.test(before) || SPEAKS.test(behind) || SPOKEN.test(before)) return 'person';
  if (PLACE_BEFORE.test(before)) return 'place';
  return hasSpace(name) ? 'person' : 'term';
}

function startsSentence(sentence: string, at: number): boolean {
  return !hasWords(sentence.slice(0, at));
}
