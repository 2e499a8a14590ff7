import { splitParagraphs } from './paragraphs.js';

const INTRODUCTION =
  '(?:see|cf|sources?|passages?|siehe|s|vgl|quellen?|zob|por|patrz|źródł[oa]|voir|véase|fuentes?)(?:[.:] ?| )';
const BARE = '[@^]?s\\d{1,4}(?:†[^\\]】\\n]{0,40})?';
const LABEL = `(?:${BARE}|\\[${BARE}\\])`;
const BETWEEN = '(?: ?[,;&/] ?| ?(?:and|und|sowie|i|oraz|et|y) | ?)';
const LIST = ` ?(?:${INTRODUCTION})?${LABEL}(?:${BETWEEN}${LABEL}){0,20} ?`;
/**
 * Matches `[s2]`, `(s2)`, `[^s2, s5]`, `【s2】`, `(see s2)` and other forms of a citation, but not the text of a link,
 * an index such as `x_{s2}` or a span of code; the latter only to pass over it.
 */
const FORMS = new RegExp(
  [
    '`[^`\\n]{1,500}`',
    `\\[${LIST}\\](?!\\()`,
    `\\(${LIST}\\)`,
    `(?<![_^\\w])\\{${LIST}\\}`,
    `[【［]${LIST}[】］]`,
    `<sup>\\[?${LIST}\\]?</sup>`,
  ].join('|'),
  'giu',
);

/** Writes the citations of known passages as footnote marks, in whichever form a model gave them; code is not changed. */
export function normalizeCitations(markdown: string, labels: Iterable<string>): string {
  const known = new Set(labels);
  let text = '';
  let at = 0;
  for (const { kind, start, end } of splitParagraphs(markdown)) {
    const block = markdown.slice(start, end);
    text +=
      markdown.slice(at, start) +
      (kind === 'code' ? block : block.replace(FORMS, (whole) => marks(whole, known)));
    at = end;
  }
  return text + markdown.slice(at);
}

function marks(whole: string, known: ReadonlySet<string>): string {
  if (whole.startsWith('`')) return whole;
  const labels = whole.toLowerCase().replace(/†[^\]】]*/gu, '');
  const cited = new Set(labels.match(/(?<!\p{L})s\d+/gu));
  if ([...cited].some((label) => !known.has(label))) return whole;
  return Array.from(cited, (label) => `[^${label}]`).join('');
}
