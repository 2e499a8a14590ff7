import { oneLine } from '#contracts/text.js';
import type { Finding } from '#contracts/findings.js';

/**
 * Inserts annotations into a text as CriticMarkup: `{~~old~>new~~}` with a suggestion, otherwise
 * `{==words==}`, followed by the reason. Of an annotation that overlaps an earlier one, only the reason is
 * inserted.
 */
export function markUp(text: string, annotations: Finding[]): string {
  const placed = annotations.flatMap((annotation) =>
    annotation.span ? [{ ...annotation, span: annotation.span }] : [],
  );
  placed.sort((a, b) => a.span.start - b.span.start || a.span.end - b.span.end);
  let marked = '';
  let at = 0;
  for (const { span, message, suggestion } of placed) {
    const reason = `{>>${oneLine(message)}<<}`;
    if (span.start < at) {
      marked += reason;
      continue;
    }
    const words = text.slice(span.start, span.end);
    const isChange = suggestion !== null && !words.includes('\n') && suggestion !== words;
    marked +=
      text.slice(at, span.start) + (isChange ? `{~~${words}~>${suggestion}~~}` : `{==${words}==}`) + reason;
    at = span.end;
  }
  return marked + text.slice(at);
}
