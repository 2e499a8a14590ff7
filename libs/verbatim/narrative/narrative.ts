import { counterpart, type Index, indexOf, type Match, missingTokens } from './counterpart.js';
import { isText, type ScannedLine } from '#markdown/scan/scan.js';
import { sourceStatements, type Statement, statements } from '../source/statements.js';
import { STATUS, type ManuscriptState, type SourceState } from '../match/state.js';
import { characterDiff } from '../match/text-diff.js';

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
    if (!isText(line) || state.status[at] !== STATUS.unaccounted || /[\p{L}\p{N}]/u.test(line.text)) return;
    const target = state.manuscriptLine[at] as number;
    if (target >= 0 && unitOfLine.has(target) && manuscript.text.scanned[target]?.text === line.text)
      state.carry(at, at, target, 'exact');
    else state.omit(at, 'mark without words');
  });
}
