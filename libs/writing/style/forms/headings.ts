import type { Prose } from '../prose.js';
import { frequentNames, smallWords } from '../terms.js';
import type { Form } from './form.js';

const SMALL =
  /^(?:a|an|and|as|at|but|by|for|from|in|into|nor|of|on|or|over|the|to|with|vs|via|per|i|w|z|na|do|dla|od|po|przed|oraz|lub|się|nie|jak|o|u|ze|we)$/i;

/**
 * Classifies headings by the capitalization of their later words. Names are ignored, because they are always
 * capitalized.
 */
export function headingCases(prose: Prose): Form[] {
  const { paragraphs, own } = prose;
  const names = frequentNames(prose);
  const small = smallWords(prose);
  return paragraphs.flatMap(({ kind, start, end }): Form[] => {
    if (kind !== 'heading') return [];
    const line = own.slice(start, end);
    const all = line.match(/\p{L}[\p{L}\p{M}'’-]*/gu) ?? [];
    const long = all.filter((word) => word.length > 1);
    if (long.length >= 2 && long.every((word) => word === word.toUpperCase() && word !== word.toLowerCase()))
      return [{ start, end, form: 'ALL CAPITALS' }];
    // Ignore a capital after a colon or dash, where a new phrase starts.
    const behind = line
      .replace(/([:–—?!.]\s{1,3})\p{L}[\p{L}\p{M}'’-]*/gu, '$1')
      .match(/\p{L}[\p{L}\p{M}'’-]*/gu)
      ?.slice(1);
    // A capitalized "Of" means that every word is capitalized; "I" alone may be the pronoun.
    if (behind?.some((word) => SMALL.test(word) && /^\p{Lu}\p{Ll}/u.test(word)))
      return [{ start, end, form: 'Title Case' }];
    const later = behind?.filter(
      (word) => !SMALL.test(word) && !/\p{L}\p{Lu}/u.test(word) && !names.has(word),
    );
    if (!later || later.length === 0) return [];
    const capitals = later.filter((word) => /^\p{Lu}/u.test(word)).length;
    // A single capitalized word may be a name that occurs nowhere else.
    if (capitals === 1 && later.length === 1 && !small.has(later[0]!.toLowerCase())) return [];
    if (capitals === later.length) return [{ start, end, form: 'Title Case' }];
    return capitals * 2 <= later.length ? [{ start, end, form: 'Sentence case' }] : [];
  });
}
