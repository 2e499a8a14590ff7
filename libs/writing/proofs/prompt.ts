import type { Finding } from '#contracts/findings.js';
import { findingName, isDisputed } from './proofs.js';

/** Explains in a prompt how to settle disputed findings; needed only if there are some. */
export const PROOF_RULE = `The program looked up every figure, date, name, quotation and identifier of the cited sentences in their passages. The findings marked "settle" are those that it did not find word for word; they may be right all the same. Give one answer in "proofs" for each of them, by its name, such as "r2":
- If the cited passages state it: "quotes" holds the words that do, copied exactly, as few as needed. A figure, a date or a time of day also needs "calculation", even if it is only rounded: the numbers of your quotes with + - * / and parentheses, and a decimal point; of 14:20 write 14 * 60 + 20, of "a quarter" 1 / 4, of "twice" 2. The program checks that every number stands in your quotes, apart from units of time, powers of ten and 100 per cent, and that the result is the figure. A month, a weekday, a name or an abbreviation needs "reason": in one sentence, why the quotes mean the same. Another passage of the same source may explain a name.
- If they do not, set "unsupported" to what the passages say instead, or to what is missing.
Compare who did what to whom, what caused what, and what is denied, also in sentences without such a finding: report what differs among your own findings, as "unsupported" or "contradiction".`;
export const PROOF_FORM =
  '"proofs": [{"finding": "r2", "quotes": ["twelve crates", "36 bottles to the crate"], "calculation": "12 * 36"}, {"finding": "r3", "quotes": ["the Royal Astronomical Society"], "reason": "RAS is its abbreviation."}, {"finding": "r4", "unsupported": "The passage says 1888."}]';

/** Findings beyond are not shown: a text with more has other problems. */
const MAX_FINDINGS = 100;

/** Returns findings as lines of a prompt, each with its name; those that the reviewer settles are marked. */
export const findingLines = (findings: Finding[], text: string): string =>
  findings
    .slice(0, MAX_FINDINGS)
    .map((found, i) => {
      const { paragraph_id: id, message, span } = found;
      const sentence =
        isDisputed(found) && span
          ? ` Sentence: ${text.slice(span.start, span.end).replace(/\s+/g, ' ')}`
          : '';
      return `- ${findingName(i)}${isDisputed(found) ? ' (settle)' : ''}: ${id === null ? '' : `<<${id}>> `}${message}${sentence}`;
    })
    .join('\n');
