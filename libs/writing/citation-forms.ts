import { splitParagraphs } from './paragraphs.js';

const LABEL = '\\^?[sS]\\d{1,4}';
/** Matches `[s2]`, `(s2)`, `[^s2, s5]` and `[s2; ^s5]`, but not the text of a link. */
const FORMS = new RegExp(
  `\\[(${LABEL}(?:[,;] ?${LABEL}){0,20})\\](?!\\()|\\((${LABEL}(?:[,;] ?${LABEL}){0,20})\\)`,
  'g',
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
      (kind === 'code' ? block : block.replace(FORMS, (whole, a, b) => marks(whole, a ?? b, known)));
    at = end;
  }
  return text + markdown.slice(at);
}

function marks(whole: string, list: string, known: ReadonlySet<string>): string {
  const cited = new Set(list.split(/[,;] ?/).map((label) => label.replace('^', '').toLowerCase()));
  if ([...cited].some((label) => !known.has(label))) return whole;
  return Array.from(cited, (label) => `[^${label}]`).join('');
}
