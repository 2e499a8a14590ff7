import { sentencesIn, withoutNotes } from './sentences.js';

const MAX_SUMMARY = 700;

/** Summarizes a text by the first sentence of each paragraph, up to the length limit. */
export function summaryOf(content: string): string {
  const seen = new Set<string>();
  let summary = '';
  for (const { text, paragraph } of sentencesIn(content)) {
    if (seen.has(paragraph.id) || paragraph.kind !== 'paragraph') continue;
    seen.add(paragraph.id);
    const words = withoutNotes(text).replace(/\s+/g, ' ').trim();
    if (/^\*/.test(words) || words.length < 30) continue;
    if (summary.length + words.length > MAX_SUMMARY) break;
    summary += summary === '' ? words : ` ${words}`;
  }
  return summary;
}
