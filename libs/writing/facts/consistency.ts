import { hasDigit } from '#contracts/text.js';
import { phrase } from '#contracts/phrases/phrase.js';
import type { Fact } from '#contracts/facts.js';
import type { Finding } from '#contracts/findings.js';
import { finding, sortFindings } from '../findings.js';
import { splitParagraphs } from '../paragraphs.js';

/** A fact of an earlier text, with the ID and title of that text. */
export interface EarlierFact extends Fact {
  of: string;
  title: string;
}

/** Minimum share of common content of two sentences about the same subject. */
const SAME_SUBJECT = 0.6;
const MIN_SHARED = 3;

/**
 * Compares the facts of a text with the facts of earlier chapters (B26). Finds different figures or dates for the same
 * subject, and names that are spelled almost like an earlier one.
 */
export function checkConsistency(markdown: string, facts: Fact[], earlier: EarlierFact[]): Finding[] {
  const paragraphs = splitParagraphs(markdown);
  const values = valuesByUnit(earlier);
  const names = namesByInitial(earlier);
  const found: Finding[] = [];
  for (const fact of facts) {
    const other = fact.value === null ? null : contradiction(fact, values.get(unitOf(fact)) ?? []);
    if (other)
      found.push(
        finding(markdown, paragraphs, {
          rule: fact.kind === 'date' ? 'consistency-date' : 'consistency-figure',
          severity: 'error',
          message: phrase('finding.consistency.value', {
            title: other.title,
            there: other.text,
            here: fact.text,
          }),
          span: fact.span,
          evidence: [{ text: other.evidence, of: other.of, span: other.span }],
          suggestion: phrase('finding.consistency.check_value'),
        }),
      );
    const twin = fact.value === null && fact.kind !== 'term' ? nearName(fact, names) : null;
    if (twin)
      found.push(
        finding(markdown, paragraphs, {
          rule: 'consistency-name',
          severity: 'warning',
          message: phrase('finding.consistency.name', {
            here: fact.text,
            there: twin.text,
            title: twin.title,
          }),
          span: fact.span,
          evidence: [{ text: twin.evidence, of: twin.of, span: twin.span }],
          suggestion: phrase('finding.consistency.one_spelling'),
        }),
      );
  }
  return sortFindings(found);
}

/**
 * Returns a key for comparable values: values contradict each other only if they have the same unit, dates
 * only if they have the same precision.
 */
function unitOf(fact: Fact): string {
  const value = fact.value ?? '';
  return fact.kind === 'date' ? `date ${value.split('-').length}` : value.replace(/^\S+ ?/, 'quantity ');
}

function valuesByUnit(facts: EarlierFact[]): Map<string, EarlierFact[]> {
  const byUnit = new Map<string, EarlierFact[]>();
  for (const fact of facts) {
    if (fact.value === null) continue;
    const unit = unitOf(fact);
    const list = byUnit.get(unit);
    if (list) list.push(fact);
    else byUnit.set(unit, [fact]);
  }
  return byUnit;
}

function contradiction(fact: Fact, candidates: EarlierFact[]): EarlierFact | null {
  const about = new Set(fact.about);
  const same = candidates.filter((candidate) => describesSameThing(about, candidate.about));
  // If the same value is stated elsewhere too, the texts do not contradict each other.
  if (same.some((candidate) => candidate.value === fact.value)) return null;
  return same[0] ?? null;
}

/** Returns whether two sentences have the same subject, judging by their common names and words. */
export function describesSameThing(about: ReadonlySet<string>, other: string[]): boolean {
  const shared = other.filter((word) => about.has(word));
  const names = other.filter((word) => word.startsWith('='));
  const ours = [...about].filter((word) => word.startsWith('='));
  // Sentences with different names are about different subjects, however similar they are.
  if ((names.length > 0 || ours.length > 0) && !shared.some((word) => word.startsWith('='))) return false;
  const smaller = Math.min(about.size, other.length);
  return (
    shared.length >= Math.min(MIN_SHARED, smaller) &&
    shared.length / Math.max(1, smaller) >= SAME_SUBJECT &&
    smaller >= 2
  );
}

function namesByInitial(facts: EarlierFact[]): Map<string, EarlierFact[]> {
  const byInitial = new Map<string, EarlierFact[]>();
  const seen = new Set<string>();
  for (const fact of facts) {
    if (fact.value !== null || fact.kind === 'term' || seen.has(fact.key)) continue;
    seen.add(fact.key);
    const initial = fact.key.charAt(0);
    byInitial.set(initial, [...(byInitial.get(initial) ?? []), fact]);
  }
  return byInitial;
}

function nearName(fact: Fact, names: Map<string, EarlierFact[]>): EarlierFact | null {
  const candidates = names.get(fact.key.charAt(0)) ?? [];
  if (fact.key.length < 6 || candidates.some((candidate) => candidate.key === fact.key)) return null;
  return candidates.find((candidate) => oneSlipApart(fact.key, candidate.key)) ?? null;
}

/**
 * Returns whether two names differ by one letter that is changed, omitted, added or swapped inside a word.
 * Differences at the end are inflection.
 */
function oneSlipApart(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1 || a.split(' ').length !== b.split(' ').length) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  const left = a.slice(start, a.length - end);
  const right = b.slice(start, b.length - end);
  if (end < 2 || hasDigit(left + right)) return false;
  const swapped = left.length === 2 && right === (left[1] as string) + (left[0] as string);
  return swapped || (left.length <= 1 && right.length <= 1 && !`${left}${right}`.includes(' '));
}
