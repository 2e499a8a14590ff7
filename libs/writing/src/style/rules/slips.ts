import { lexiconOf } from '../lexicon/languages.js';
import type { Remark, StyleRule } from './rule.js';

/** A word that stands twice in a row. */
export const repeatedWords: StyleRule = ({ prose, language }) => {
  const { mayRepeat } = lexiconOf(language);
  return Array.from(
    prose.own.matchAll(/(?<![\p{L}-])(\p{L}+)([ \t]+|[ \t]*\n[ \t]*)\1(?![\p{L}-])/giu),
    (match): Remark | null =>
      mayRepeat.has(match[1]!.toLowerCase()) || match[0].includes('\n\n')
        ? null
        : {
            rule: 'repeated_word',
            severity: 'warning',
            span: { start: match.index, end: match.index + match[0].length },
            message: `"${match[1]!}" stands here twice in a row.`,
            suggestion: match[1]!,
            isSafe: true,
          },
  ).filter((remark) => remark !== null);
};

/** Blanks too many: two in a row between words, or one before a mark that none stands before. */
export const spacing: StyleRule = ({ prose }) => {
  const remark =
    (rule: string, message: string, suggestion: string) =>
    (match: RegExpMatchArray): Remark => ({
      rule,
      severity: 'info',
      span: { start: match.index!, end: match.index! + match[0].length },
      message,
      suggestion,
      isSafe: true,
    });
  // Blanks that stand in place of code or a quotation are not the author's.
  const isTyped = ({ index, 0: { length } }: RegExpMatchArray) =>
    prose.text.slice(index!, index! + length).trim() === '';
  const doubled = Array.from(prose.own.matchAll(/(?<=[\p{L}\p{N},;:)])[ ]{2,}(?=[\p{L}\p{N}(])/gu)).filter(
    isTyped,
  );
  const early = Array.from(prose.own.matchAll(/(?<=\p{L})[ ]+(?=[,;.!?](?:\s|$))/gu)).filter(isTyped);
  return [
    ...doubled.map(remark('double_space', 'More than one blank between two words.', ' ')),
    ...early.map(remark('space_before_mark', 'A blank before a punctuation mark.', '')),
  ];
};

/** Heading levels that skip one. */
export const headingLevels: StyleRule = ({ prose }) => {
  let above = 0;
  return prose.paragraphs.flatMap(({ kind, level, start, end }): Remark[] => {
    if (kind !== 'heading') return [];
    const skips = above > 0 && level > above + 1;
    const message = `A heading of level ${level} follows one of level ${above}: level ${above + 1} is missing.`;
    above = level;
    return skips ? [{ rule: 'heading_level', severity: 'warning', span: { start, end }, message }] : [];
  });
};
