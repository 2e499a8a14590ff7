import { splitParagraphs } from './paragraphs.js';

const LABEL = '\\^?[sS]\\d{1,4}';
const LIST = ` ?(${LABEL}(?:(?: ?[,;&] ?| (?:and |und |i )?)${LABEL}){0,20}) ?`;
/** Matches `[s2]`, `(s2)`, `[^s2, s5]` and `[s2; ^s5]`, but not the text of a link; or a span of code. */
const FORMS = new RegExp(`\`[^\`\\n]{1,500}\`|\\[${LIST}\\](?!\\()|\\(${LIST}\\)`, 'g');

/** Writes the citations of known passages as footnote marks, in whichever form a model gave them; code is not changed. */
export function normalizeCitations(markdown: string, labels: Iterable<string>): string {
  const known = new Set(labels);
  let text = '';
  let at = 0;
  for (const { kind, start, end } of splitParagraphs(markdown)) {
    const block = markdown.slice(start, end);
    text +=
      markdown.slice(at, start) +
      (kind === 'code'
        ? block
        : block.replace(FORMS, (whole: string, a?: string, b?: string) => marks(whole, a ?? b, known)));
    at = end;
  }
  return text + markdown.slice(at);
}

/** @param list undefined for a span of code */
function marks(whole: string, list: string | undefined, known: ReadonlySet<string>): string {
  if (list === undefined) return whole;
  const cited = new Set(list.toLowerCase().match(/s\d+/g));
  if ([...cited].some((label) => !known.has(label))) return whole;
  return Array.from(cited, (label) => `[^${label}]`).join('');
}
