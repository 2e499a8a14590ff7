import type { Finding } from '#contracts/findings.js';
import type { Fingerprint, StyleDeviation, StyleReport } from '#contracts/style.js';
import { finding } from '../findings.js';
import { correct } from './correct.js';
import { fingerprintOf } from './fingerprint.js';
import { styleLanguageOf } from './lexicon/languages.js';
import { measure, measureNames } from './measures.js';
import { readProse, type Prose } from './prose.js';
import { habits } from './rules/habits.js';
import { edges } from './rules/edges.js';
import { lengths } from './rules/lengths.js';
import type { Remark, StyleRule } from './rules/rule.js';
import { headingLevels, repeatedWords, spacing } from './rules/slips.js';
import { terms } from './rules/terms.js';
import { voice } from './rules/voice.js';
import { surplus } from './rules/surplus.js';

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
