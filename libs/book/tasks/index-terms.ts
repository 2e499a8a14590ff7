import type { Fact, FactKind } from '#contracts/facts.js';
import { lineAt, lineStarts } from '#contracts/line-starts.js';
import { oneLine } from '#contracts/text.js';
import type { IndexTerm } from '#office/structure/book-index.js';
import type { CopiedPart } from '#writing/bibliography/published-texts.js';

/** Kinds of stated facts that an index lists: names and terms. */
const LISTED: ReadonlySet<FactKind> = new Set(['person', 'place', 'organisation', 'term']);

/**
 * Returns the index of a book: each name and term that its chapters state, as first written, in the order of the language.
 *
 * @param texts stated facts of each chapter, and where its text is in the Markdown
 */
export function indexTerms(
  texts: readonly { facts: readonly Fact[]; copied: readonly CopiedPart[] }[],
  markdown: string,
  language = 'en',
): IndexTerm[] {
  const starts = lineStarts(markdown);
  const terms = new Map<string, IndexTerm>();
  for (const { facts, copied } of texts)
    for (const { kind, key, text, span } of facts) {
      const part = copied.find(({ from, length }) => from <= span.start && span.start < from + length);
      if (!part || !LISTED.has(kind)) continue;
      const at = part.at + span.start - part.from;
      const known = terms.get(key) ?? { term: oneLine(text), lines: [] };
      known.lines.push(lineAt(starts, at));
      terms.set(key, known);
    }
  const { compare } = new Intl.Collator(language);
  return [...terms.values()].sort((a, b) => compare(a.term, b.term));
}
