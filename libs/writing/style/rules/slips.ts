import { isCapitalized, singleSpaced } from '#contracts/text.js';
import { phrase, type Phrase } from '#contracts/phrases/phrase.js';
import { lexiconOf } from '../lexicon/languages.js';
import type { Prose } from '../prose.js';
import { fromCorpus, type Remark, type StyleRule } from './rule.js';

const REPEATED =
  /(?<![\p{L}\p{N}'’-])(\p{L}{1,40}(?:[ \t]\p{L}{1,40})?)([ \t]{1,3}(?:\n[ \t]{0,8}(?!\n))?|\n[ \t]{0,8}(?!\n))\1(?![\p{L}\p{N}'’-])/giu;

/** Returns whether a gap is white space in the original text, not blanked code or a quotation. */
const isTyped = ({ text }: Prose, start: number, end: number) => text.slice(start, end).trim() === '';

/** Finds one or two words that are repeated immediately. */
export const repeatedWords: StyleRule = ({ prose, language }) => {
  const { mayRepeat, perhapsMeant } = lexiconOf(language);
  const remarks: Remark[] = [];
  for (const match of prose.own.matchAll(REPEATED)) {
    const words = match[1]!;
    const [start, end] = [match.index, match.index + match[0].length];
    const gap = start + words.length;
    const [first, second] = [words, match[0].slice(-words.length)];
    // A name may consist of two equal words: "Duran Duran" ("Baden-Baden" does not match).
    const isName = isCapitalized(second) && first === second;
    if (mayRepeat.has(words.toLowerCase()) || !isTyped(prose, gap, gap + match[2]!.length)) continue;
    remarks.push({
      rule: 'repeated_word',
      severity: 'warning',
      span: { start, end },
      message: phrase('finding.repeated_word', { words: singleSpaced(words) }),
      suggestion: words,
      isSafe: !perhapsMeant.has(words.toLowerCase()) && !isName,
    });
  }
  return remarks;
};

/** Finds superfluous spaces: several between words, or one before a punctuation mark. */
export const spacing: StyleRule = ({ prose }) => {
  const remark =
    (rule: string, message: Phrase, suggestion: string) =>
    (match: RegExpMatchArray): Remark => ({
      rule,
      severity: 'info',
      span: { start: match.index!, end: match.index! + match[0].length },
      message,
      suggestion,
      isSafe: true,
    });
  const typed = (pattern: RegExp) =>
    Array.from(prose.own.matchAll(pattern)).filter(({ index, 0: { length } }) =>
      isTyped(prose, index, index + length),
    );
  // Also finds them after a quotation, which is blanked in `own`.
  const doubled = Array.from(
    prose.text.matchAll(/(?<=[\p{L}\p{N},;:)”"»])[ ]{2,40}(?=[\p{L}\p{N}(])/gu),
  ).filter(
    ({ index, 0: { length } }) =>
      prose.own.charAt(index + length) !== ' ' &&
      (prose.own.charAt(index - 1) !== ' ' || /[”"»]/.test(prose.text.charAt(index - 1))),
  );
  const early = typed(/(?<=[\p{L}\p{N})])[ ]{1,40}(?=[,;.!?](?:\s|$))/gu);
  return [
    ...doubled.map(remark('double_space', phrase('finding.double_space'), ' ')),
    ...early.map(remark('space_before_mark', phrase('finding.space_before_mark'), '')),
  ];
};

/** Finds heading levels that skip one, and a first level or second title that differs from the corpus. */
export const headingLevels: StyleRule = ({ prose, corpus }) => {
  const headings = prose.paragraphs.filter(({ kind }) => kind === 'heading');
  const { first_level: first, single_title: isSingle } = corpus.headings;
  return headings.flatMap(({ level, start, end }, index): Remark[] => {
    const above = headings[index - 1]?.level;
    const remark = (message: Phrase, evidence: Phrase | null = null): Remark[] => [
      {
        rule: 'heading_level',
        severity: 'warning',
        span: { start, end },
        message,
        ...(evidence === null ? {} : { evidence: [fromCorpus(evidence)] }),
      },
    ];
    if (above !== undefined && level > above + 1)
      return remark(phrase('finding.heading_level.skipped', { level, above, missing: above + 1 }));
    if (above === undefined && first !== null && level > first)
      return remark(
        phrase('finding.heading_level.first', { level, usual: first }),
        phrase('evidence.first_level', { level: first }),
      );
    if (index > 0 && level === 1 && headings[0]!.level === 1 && isSingle)
      return remark(phrase('finding.heading_level.second_title'), phrase('evidence.one_title'));
    return [];
  });
};
