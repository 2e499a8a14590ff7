import { sectionTitle } from '#writing/compile-passages.js';
import type { Heading } from '../contract/values.js';
import { sentencesIn, withoutNotes } from '#writing/sentences.js';
import { splitParagraphs } from '#writing/paragraphs.js';
import type { ResearchPassage } from '../graph/state.js';

const SENTENCES = 2;
const MAX_SECTIONS = 8;
const MAX_TITLE = 300;

/** Returns the heading above a passage, or the title of its source. */
export const sectionOf = (passage: ResearchPassage): string =>
  sectionTitle(passage).replace(/\s+/g, ' ').trim().slice(0, MAX_TITLE);

/** Derives headings from the sections of the passages, in the order found; the topic is the title. */
export function headingsFrom(topic: string, passages: ResearchPassage[]): Heading[] {
  const titles = [...new Set(passages.map(sectionOf))].filter((title) => title !== '' && title !== topic);
  return [
    { level: 1, title: topic.slice(0, MAX_TITLE) },
    ...titles.slice(0, MAX_SECTIONS).map((title) => ({ level: 2, title })),
  ];
}

/**
 * Compiles a research report without a model: quotes under each heading the first sentences of its passages,
 * each with its source. Passages found for no heading are at the end. Adds nothing else.
 */
export function compileReport(topic: string, headings: Heading[], passages: ResearchPassage[]): string {
  const parts = [`# ${topic}`];
  const listed = new Set<string>();
  for (const { level, title } of headings.filter(({ level }) => level > 1)) {
    const found = passages.filter(({ headings: of }) => of.includes(title));
    parts.push(`${'#'.repeat(level)} ${title}`, listOf(found));
    for (const { label } of found) listed.add(label);
  }
  const rest = listOf(passages.filter(({ label }) => !listed.has(label)));
  if (rest !== '') parts.push(...(listed.size > 0 ? ['---'] : []), rest);
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function listOf(passages: ResearchPassage[]): string {
  return passages
    .flatMap(({ text, label }) => {
      const sentences = firstSentences(text);
      return sentences === '' ? [] : `- ${sentences}[^${label}]`;
    })
    .join('\n');
}

/** Returns the first sentences of a passage, on one line. */
export function firstSentences(text: string, count = SENTENCES): string {
  const prose = splitParagraphs(text).filter(({ kind }) => kind === 'paragraph');
  const sentences = sentencesIn(text, prose)
    .slice(0, count)
    .map((sentence) => withoutNotes(sentence.text).replace(/\s+/g, ' ').trim());
  return sentences.join(' ');
}
