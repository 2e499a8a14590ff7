import { phrase } from '#contracts/phrases/phrase.js';
import type { Finding } from '#contracts/findings.js';
import { hardTokens, type HardToken } from '#verbatim/source/tokens.js';
import { checkCitations, type CitedPassage } from './citations.js';
import { finding, sortFindings } from './findings.js';
import { splitParagraphs } from './paragraphs.js';
import { replaceSpan, type Selection } from './selection.js';
import { noteLabels, sentencesIn, withoutNotes } from './sentences.js';

const CLAIMS = new Set<HardToken['kind']>(['number', 'date', 'quote', 'name', 'identifier', 'url', 'path']);

/**
 * Returns a finding for the figures, dates, names or quotations of each sentence that a replacement adds to a text
 * with cited passages, unless the sentence cites a passage that contains them. Anything that the text around the
 * selection or the author's instruction already says is not an addition. The spans refer to the replacement. Empty
 * without passages.
 */
export function addedClaims(
  { before, selected, after }: Selection,
  replacement: string,
  instruction: string,
  passages: CitedPassage[],
): Finding[] {
  if (passages.length === 0) return [];
  const original = before + selected + after;
  const place = { start: before.length, end: before.length + selected.length };
  const changed = replaceSpan(original, place, replacement);
  const end = changed.length - after.length;
  const inside = ({ start, end: to }: { start: number; end: number }) => start < end && to > place.start;
  const paragraphs = splitParagraphs(changed);
  const isKnown = knownIn(`${original}\n${instruction}`);
  const uncited = sentencesIn(changed, paragraphs)
    .filter((sentence) => inside(sentence) && noteLabels(sentence.text).length === 0)
    .flatMap((sentence) => {
      const added = hardTokens(withoutNotes(sentence.text)).filter(
        (token) => CLAIMS.has(token.kind) && token.uncertain !== true && !isKnown(token),
      );
      return [...new Set(added.map(({ kind }) => kind))].map((kind) => {
        const words = new Set(added.filter((token) => token.kind === kind).map(({ text }) => `"${text}"`));
        return finding(changed, paragraphs, {
          rule: `uncited-addition-${kind}`,
          severity: 'error',
          message: phrase('finding.uncited_addition', { words: [...words].join(', ') }),
          span: { start: sentence.start, end: sentence.end },
          suggestion: phrase('finding.uncited_addition.cite'),
        });
      });
    });
  const knownProblems = new Set(
    problemsOf(original, passages).map(({ rule, message }) => `${rule} ${message}`),
  );
  const wrong = problemsOf(changed, passages).filter(
    ({ rule, message, span }) => span !== null && inside(span) && !knownProblems.has(`${rule} ${message}`),
  );
  return sortFindings([...uncited, ...wrong]).map((found) => ({
    ...found,
    paragraph_id: null,
    span: found.span && within(found.span, place.start, end),
  }));
}

const within = (span: { start: number; end: number }, from: number, to: number) => ({
  start: Math.max(span.start, from) - from,
  end: Math.min(span.end, to) - from,
});

/** Errors and open claims of cited sentences; sentences without a citation are compared by their words above. */
const problemsOf = (text: string, passages: CitedPassage[]): Finding[] =>
  checkCitations(text, passages).findings.filter(({ severity }) => severity !== 'warning');

/** Returns a test whether a text contains a token; a name may be inflected. */
function knownIn(text: string): (token: HardToken) => boolean {
  const keys = new Set(hardTokens(withoutNotes(text)).map(({ kind, key }) => `${kind} ${key}`));
  const lower = text.toLowerCase();
  return ({ kind, key, text: words }) => {
    if (keys.has(`${kind} ${key}`)) return true;
    if (kind === 'number') return false;
    const stem = kind === 'name' && words.length > 5 ? words.slice(0, Math.max(4, words.length - 3)) : words;
    return lower.includes(stem.toLowerCase());
  };
}
