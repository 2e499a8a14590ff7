import { hasDigit, withoutEnding } from '#contracts/text.js';
import { withFirstOfLine } from './units-of-measure.js';
import words from './words.json' with { type: 'json' };

const STOP_WORDS = new Set(words.function.flatMap((line) => line.split(' ')));

/** Groups of synonyms in technical prose; the first word represents the group. */
const SYNONYMS = withFirstOfLine(words.synonyms);

/** Returns the stems of a sentence without function words, to compare different wordings of a statement. */
export function stems(text: string): string[] {
  const found = new Set<string>();
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+(?:[.,'’_:/-][\p{L}\p{N}]+)*/gu) ?? []) {
    if (STOP_WORDS.has(word)) continue;
    found.add(stem(word));
  }
  if (/[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/.test(text))
    for (const pair of characterPairs(text)) found.add(pair);
  return [...found];
}

function stem(word: string): string {
  const same = SYNONYMS.get(word);
  if (same !== undefined) return same;
  if (word.length <= 4 || hasDigit(word)) return withoutEnding(word, 's');
  const base = word.replace(/(?:ations?|ments?|ingly|edly|ness|ings?|ers?|ies|ied|es|ed|ly|s|y|e)$/u, '');
  return base.length >= 3 ? base.slice(0, 7) : word;
}

function characterPairs(text: string): string[] {
  const runs = text.match(/[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{2,}/g) ?? [];
  return runs.flatMap((run) => Array.from({ length: run.length - 1 }, (_, i) => run.slice(i, i + 2)));
}
