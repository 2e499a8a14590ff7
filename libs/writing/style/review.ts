import type { Finding, Span } from '#contracts/findings.js';
import type { Fingerprint, StyleDeviation, StyleReport } from '#contracts/style.js';
import { finding } from '../findings.js';
import { fingerprintOf } from './fingerprint.js';
import { styleLanguageOf } from './lexicon/languages.js';
import { measure, measureNames } from './measures.js';
import { readProse, type Prose } from './prose.js';
import { habits } from './rules/habits.js';
import { edges, lengths } from './rules/edges.js';
import type { Remark, StyleRule } from './rules/rule.js';
import { headingLevels, repeatedWords, spacing } from './rules/slips.js';
import { terms } from './rules/terms.js';
import { voice } from './rules/voice.js';
import { surplus } from './rules/surplus.js';
import { hardTokens } from '#verbatim/source/tokens.js';

/** Rules that need no corpus. */
const GENERAL_RULES: readonly StyleRule[] = [repeatedWords, spacing, headingLevels];
const RULES: readonly StyleRule[] = [...GENERAL_RULES, lengths, habits, terms, voice, surplus, edges];

/** Minimum distance from the corpus, in standard deviations, of a reported measure. */
const MIN_DISTANCE = 2;
/**
 * Minimum standard deviation as a share of the mean, so that a uniform corpus still allows some variation.
 */
const MIN_SPREAD = 0.15;

/**
 * Compares a text with a corpus (A7). Returns deviations with reason, suggestion and evidence, and a
 * corrected version with only mechanical, safe changes. The corrected version has the same code, quotations,
 * addresses and figures as the text, which is asserted: corrections that would change them are not applied.
 * Rules only, no model.
 */
export function reviewStyle(text: string, corpus: Fingerprint): StyleReport {
  const prose = readProse(text);
  if (styleLanguageOf(text) !== corpus.language) return applyRules(text, prose, corpus, []);
  return { ...applyRules(text, prose, corpus, RULES), deviations: deviationsOf(prose, corpus) };
}

/** Reviews a text by the rules that need no corpus: typing errors and heading levels. */
export function reviewGenerally(text: string): StyleReport {
  return applyRules(text, readProse(text), fingerprintOf([], styleLanguageOf(text)), GENERAL_RULES);
}

function applyRules(
  text: string,
  prose: Prose,
  corpus: Fingerprint,
  rules: readonly StyleRule[],
): StyleReport {
  const { language } = corpus;
  const remarks = rules.flatMap((rule) => rule({ prose, language, corpus }));
  const annotated = annotationsOf(prose, remarks);
  const safe = annotated.filter(({ remark }) => remark.isSafe && remark.suggestion !== undefined);
  const { corrected, applied } = correct(
    text,
    safe.map(({ remark, annotation }) => ({ id: annotation.id, ...remark.span, words: remark.suggestion! })),
  );
  return {
    deviations: [],
    annotations: annotated.map(({ annotation }) => annotation),
    corrected,
    applied,
  };
}

interface Annotated {
  remark: Remark;
  annotation: Finding;
}

/**
 * Returns findings in the order of their places. At each place, only the first rule's finding counts.
 */
function annotationsOf({ text, paragraphs }: Prose, remarks: Remark[]): Annotated[] {
  const usedIds = new Set<string>();
  return remarks
    .filter(({ rule, span }) => {
      const place =
        rule.startsWith('overlong') || rule === 'person' || rule === 'passive'
          ? `${rule} ${span.start}`
          : `${span.start}-${span.end}`;
      return !usedIds.has(place) && usedIds.add(place);
    })
    .sort((a, b) => a.span.start - b.span.start || b.span.end - a.span.end)
    .map((remark) => ({ remark, annotation: withPlace(finding(text, paragraphs, remark), remark) }));
}

/** Adds the position to the ID: the same words at two places are two annotations. */
const withPlace = (annotation: Finding, { span }: Remark): Finding => ({
  ...annotation,
  id: `${annotation.id}-${span.start}`,
});

/** Returns measures of the whole text that are outside the range of the corpus, most distant first. */
function deviationsOf(prose: Prose, corpus: Fingerprint): StyleDeviation[] {
  const figures = measure(prose, corpus.language);
  return measureNames
    .map((name) => {
      const { mean, spread } = corpus.measures[name];
      const freedom = Math.max(spread, Math.abs(mean) * MIN_SPREAD, 0.01);
      return { measure: name, text: figures[name], corpus: mean, distance: (figures[name] - mean) / freedom };
    })
    .filter(({ distance }) => Math.abs(distance) >= MIN_DISTANCE)
    .sort((a, b) => Math.abs(b.distance) - Math.abs(a.distance));
}

/** A replacement for a place of a text. */
interface Correction extends Span {
  id: string;
  words: string;
}

/** Number of characters around a correction in which hard tokens are compared; more than any token needs. */
const AROUND = 700;

const tokensOf = (text: string): string =>
  hardTokens(text)
    .filter(({ kind }) => kind !== 'name' && kind !== 'negation')
    .map(({ kind, key }) => `${kind} ${key}`)
    .join('\n');

/**
 * Applies corrections in order, as span patches. Skips corrections that overlap an earlier one or that would
 * change a hard token (a figure, an address, code, a quotation). Finally compares the tokens of the whole
 * result; if they differ, the text stays unchanged.
 */
function correct(text: string, corrections: Correction[]): { corrected: string; applied: string[] } {
  let at = 0;
  const apart = corrections.filter(({ start, end }) => start >= at && ((at = end), true));
  const kept = harmless(text, apart);
  const corrected = patch(text, kept);
  return tokensOf(text) === tokensOf(corrected)
    ? { corrected, applied: kept.map(({ id }) => id) }
    : { corrected: text, applied: [] };
}

/**
 * Returns the corrections that preserve hard tokens: all of them if possible, otherwise tests each half
 * separately.
 */
function harmless(text: string, corrections: Correction[]): Correction[] {
  if (corrections.length === 0) return [];
  const from = Math.max(0, corrections[0]!.start - AROUND);
  const to = corrections.at(-1)!.end + AROUND;
  const moved = corrections.map((one) => ({ ...one, start: one.start - from, end: one.end - from }));
  const around = text.slice(from, to);
  if (tokensOf(around) === tokensOf(patch(around, moved))) return corrections;
  if (corrections.length === 1) return [];
  const middle = corrections.length >> 1;
  return [...harmless(text, corrections.slice(0, middle)), ...harmless(text, corrections.slice(middle))];
}

function patch(text: string, corrections: Correction[]): string {
  const pieces: string[] = [];
  let at = 0;
  for (const { start, end, words } of corrections) {
    pieces.push(text.slice(at, start), words);
    at = end;
  }
  return pieces.join('') + text.slice(at);
}
