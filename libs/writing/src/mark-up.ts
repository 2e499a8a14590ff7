import type { Finding } from '#contracts/findings.js';

/**
 * A text with its annotations in it, as CriticMarkup that any reader understands: `{~~old~>new~~}` where something is suggested,
 * `{==words==}` where not, and the reason behind it. What overlaps an earlier annotation is told behind the words.
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
    const isChange = suggestion !== null && !/\n/.test(words) && suggestion !== words;
    marked +=
      text.slice(at, span.start) + (isChange ? `{~~${words}~>${suggestion}~~}` : `{==${words}==}`) + reason;
    at = span.end;
  }
  return marked + text.slice(at);
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();
