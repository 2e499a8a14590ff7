import { occursIn } from '../source/occurs.js';
import type { Statement } from '../source/statements.js';
import type { HardToken } from '../source/tokens.js';

export interface Index {
  statements: Statement[];
  byStem: Map<string, number[]>;
  byText: Map<string, number[]>;
}

/** A stem that occurs in more sentences than this does not distinguish them. */
const COMMON = 200;
const CANDIDATES = 4;
/** Minimum share of a source sentence's content in its counterpart. */
const MIN_SHARE = 0.3;

/** Indexes the sentences of a manuscript by their stems and tokens, and by their whole text. */
export function indexOf(statements: Statement[]): Index {
  const byStem = new Map<string, number[]>();
  const byText = new Map<string, number[]>();
  const add = (map: Map<string, number[]>, key: string, at: number) => {
    const list = map.get(key);
    if (list) list.push(at);
    else map.set(key, [at]);
  };
  statements.forEach((sentence, at) => {
    add(byText, sentence.text, at);
    for (const key of new Set([...sentence.stems, ...tokenKeys(sentence)])) add(byStem, key, at);
  });
  return { statements, byStem, byText };
}

function tokenKeys({ tokens }: Statement): string[] {
  return tokens
    .filter(({ kind }) => kind !== 'negation')
    .map(({ kind, key }) => `\u0001${kind === 'name' ? 'identifier' : kind}${key}`);
}

/** One sentence of the manuscript, or two adjacent ones if a source sentence was split. */
export interface Match {
  first: number;
  last: number;
}

/**
 * Finds the sentence (or pair of neighbours) with the same content: most common content, then fewest missing
 * hard tokens. Returns null if none is similar enough.
 */
export function counterpart(sentence: Statement, index: Index): Match | null {
  const equal = index.byText.get(sentence.text);
  if (equal?.[0] !== undefined) return { first: equal[0], last: equal[0] };
  const keys = [...new Set([...sentence.stems, ...tokenKeys(sentence)])];
  const scores = new Map<number, number>();
  let total = 0;
  for (const key of keys) {
    const at = index.byStem.get(key) ?? [];
    const weight = (key.startsWith('\u0001') ? 1.5 : 1) / Math.sqrt(Math.max(1, Math.min(at.length, COMMON)));
    total += at.length === 0 ? 1 : weight;
    if (at.length <= COMMON)
      for (const candidate of at) scores.set(candidate, (scores.get(candidate) ?? 0) + weight);
  }
  const best = [...scores].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, CANDIDATES);
  const ranked = best
    .filter(
      ([at]) =>
        shareOf(sentence, index.statements[at] as Statement) >= MIN_SHARE ||
        (scores.get(at) as number) / total >= 0.5,
    )
    .flatMap(([at]) => variants(at, index))
    .map((match) => ({
      match,
      lost: missingTokens(sentence, match, index).length,
      size: match.last - match.first,
    }));
  ranked.sort((a, b) => a.lost - b.lost || a.size - b.size);
  return ranked[0]?.match ?? null;
}

function variants(at: number, { statements }: Index): Match[] {
  const found = [{ first: at, last: at }];
  const own = statements[at] as Statement;
  const near = (other: Statement | undefined) => other && Math.abs(other.first - own.last) <= 2;
  if (near(statements[at + 1])) found.push({ first: at, last: at + 1 });
  if (at > 0 && Math.abs(own.first - (statements[at - 1] as Statement).last) <= 2)
    found.push({ first: at - 1, last: at });
  return found;
}

function shareOf(sentence: Statement, other: Statement): number {
  if (sentence.stems.length === 0) return sentence.tokens.length === 0 || other.tokens.length > 0 ? 1 : 0;
  const theirs = new Set([...other.stems, ...other.tokens.map(({ key }) => key.toLowerCase())]);
  return sentence.stems.filter((stem) => theirs.has(stem)).length / sentence.stems.length;
}

/**
 * Returns the hard tokens, except negations, that the counterpart lacks; each must occur as often as in the
 * source.
 */
export function missingTokens(sentence: Statement, match: Match, index: Index): HardToken[] {
  const parts = index.statements.slice(match.first, match.last + 1);
  const text = parts.map((part) => part.text).join(' ');
  const left = new Map<string, number>();
  for (const part of parts) for (const { key } of part.tokens) left.set(key, (left.get(key) ?? 0) + 1);
  return sentence.tokens.filter(({ kind, key, text: written, uncertain }) => {
    if (kind === 'negation' || (uncertain && occursIn(written.toLowerCase(), text))) return false;
    const count = left.get(key) ?? 0;
    left.set(key, count - 1);
    if (count > 0) return false;
    // The form of a token may have changed: a name now starts the sentence, or an identifier is now in
    // backticks.
    return (
      kind === 'number' ||
      kind === 'unit' ||
      !(occursIn(written, text) || (kind === 'quote' && text.toLowerCase().includes(key)))
    );
  });
}
