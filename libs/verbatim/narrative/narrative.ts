import { hasWords } from '#contracts/text.js';
import { isText, type ScannedLine } from '#markdown/scan/scan.js';
import { sourceStatements, type Statement, statements } from '../source/sentences.js';
import { STATUS, type ManuscriptState, type SourceState } from '../match/state.js';
import { characterDiff } from '../match/text-diff.js';
import { occursIn } from '../source/occurs.js';
import type { HardToken } from '../source/tokens.js';

interface Index {
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
interface Match {
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

/**
 * Applies the `narrative` policy: each sentence of a source needs a counterpart anywhere in the manuscript
 * with all its hard tokens and the same number of negations. A line is carried if all its sentences are.
 * Tokens that no source contains are found by `added.ts`.
 */
export function matchSentences(states: SourceState[], manuscript: ManuscriptState): void {
  const target = indexOf(statements(manuscript.text.scanned));
  const unitOfLine = new Map<number, number>();
  manuscript.text.units.line.forEach((line, unit) => unitOfLine.set(line, unit));
  for (const state of states) {
    const scanned = outsideFences(state, manuscript);
    if (!scanned) continue;
    const own = sourceStatements(scanned);
    clearProse(state, scanned);
    const pairs = own.map((sentence) => ({ sentence, match: counterpart(sentence, target) }));
    const denials = denialsOf(pairs);
    for (const { sentence, match } of pairs) {
      const lostTokensOfSentence = match ? lostTokens(sentence, match, target, denials) : [];
      settle(state, sentence, match, lostTokensOfSentence, target);
      if (match) claim(match, target, unitOfLine, manuscript);
    }
    rest(state, manuscript, unitOfLine);
  }
}

function negations({ tokens }: Statement): number {
  return tokens.filter(({ kind }) => kind === 'negation').length;
}

/** Counts, for each manuscript sentence, the negations in the source sentences that it represents. */
function denialsOf(pairs: { sentence: Statement; match: Match | null }[]): Map<number, number> {
  const denials = new Map<number, number>();
  for (const { sentence, match } of pairs) {
    if (match) denials.set(match.first, (denials.get(match.first) ?? 0) + negations(sentence));
  }
  return denials;
}

function lostTokens(sentence: Statement, match: Match, index: Index, denials: Map<number, number>): string[] {
  const lost = missingTokens(sentence, match, index).map(({ text }) => text);
  const theirs = index.statements
    .slice(match.first, match.last + 1)
    .reduce((sum, part) => sum + negations(part), 0);
  const own = denials.get(match.first) ?? 0;
  if (own !== theirs && negations(sentence) !== theirs)
    lost.push(theirs > own ? 'a negation was added' : 'a negation was lost');
  return lost;
}

/**
 * Returns the lines of a source; text lines that the manuscript shows exactly inside a code fence become
 * code.
 */
function outsideFences(state: SourceState, manuscript: ManuscriptState): ScannedLine[] | null {
  const isFenced = (at: number) =>
    state.status[at] === STATUS.carried &&
    manuscript.text.scanned[state.manuscriptLine[at] as number]?.kind === 'code';
  return (
    state.reading.scanned?.map((line, at) =>
      isText(line) && isFenced(at) ? { ...line, kind: 'code' as const } : line,
    ) ?? null
  );
}

function clearProse(state: SourceState, scanned: ScannedLine[]): void {
  scanned.forEach((line, at) => {
    if (isText(line)) state.status[at] = STATUS.unaccounted;
  });
}

/** A line gets the status of its worst sentence. */
function settle(
  state: SourceState,
  sentence: Statement,
  match: Match | null,
  lost: string[],
  index: Index,
): void {
  const target = match ? (index.statements[match.first] as Statement) : null;
  for (let line = sentence.first; line <= sentence.last; line++) {
    const missed = state.reasons.has(line) || state.status[line] === STATUS.altered;
    if (!target || !match) {
      state.status[line] = STATUS.unaccounted;
      state.reasons.set(line, 'no sentence of the manuscript says this');
    } else if (lost.length > 0 && !state.reasons.has(line)) {
      const after = index.statements
        .slice(match.first, match.last + 1)
        .map((part) => part.text)
        .join(' ');
      state.alter(
        line,
        target.first,
        `lost or changed: ${lost.join(', ')}`,
        characterDiff(sentence.text, after),
      );
    } else if (!missed) state.carry(line, line, target.first, 'sentence');
  }
}

function claim(
  match: Match,
  index: Index,
  unitOfLine: Map<number, number>,
  manuscript: ManuscriptState,
): void {
  for (const { first, last } of index.statements.slice(match.first, match.last + 1)) {
    for (let line = first; line <= last; line++) {
      const unit = unitOfLine.get(line);
      if (unit !== undefined) manuscript.claimed[unit] = 1;
    }
  }
}

/** Sets the status of lines without words (rules, marks): they cannot lose content. */
function rest(state: SourceState, manuscript: ManuscriptState, unitOfLine: Map<number, number>): void {
  state.reading.scanned?.forEach((line, at) => {
    if (!isText(line) || state.status[at] !== STATUS.unaccounted || hasWords(line.text)) return;
    const target = state.manuscriptLine[at] as number;
    if (target >= 0 && unitOfLine.has(target) && manuscript.text.scanned[target]?.text === line.text)
      state.carry(at, at, target, 'exact');
    else state.omit(at, 'mark without words');
  });
}
